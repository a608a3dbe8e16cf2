#pragma once

#include <nlohmann/json.hpp>

#include "asg/graph/attributes.h"

namespace asg {

// For people and pages, not to be read again: a plain JSON value where there is one, though numbers that are not finite
// become null when it is written; dtypes, types, tensors and graphs as the text form has them.
nlohmann::ordered_json plain_json(const Attr& attr);

}  // namespace asg
