#pragma once

#include <nlohmann/json.hpp>

namespace asg::edit_check {

using Json = nlohmann::ordered_json;  // fields stay in the order in which people read them

}  // namespace asg::edit_check
