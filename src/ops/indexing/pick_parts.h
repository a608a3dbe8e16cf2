#pragma once

#include "asg/graph/card.h"

// Ports and attributes that ops have in common which pick elements by indices or write them there.
namespace asg::ops {

Port picked_from();
Port written_into(DTypeSet dtypes);
AttrSpec index_axis();

}  // namespace asg::ops
