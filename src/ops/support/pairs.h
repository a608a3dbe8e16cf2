#pragma once

#include <functional>
#include <string>
#include <vector>

#include "asg/graph/attributes.h"

namespace asg::ops {

// The values that samples shall give to an attribute; its default among them.
struct AttrValues {
  std::string name;
  std::vector<Attr> values;
};

// Few choices of all attributes in which every two values of two attributes meet, but for those that `allowed` refuses.
// The same list gives the same choices. For samples of ops with many attributes.
using AllowedAttrs = std::function<bool(const Attrs&)>;
std::vector<Attrs> all_pairs(const std::vector<AttrValues>& attributes, const AllowedAttrs& allowed = {});

}  // namespace asg::ops
