#pragma once

#include <string_view>

#include "optim/json_table.h"

namespace asg::recipe {

using Table = optim::JsonTable;
using Json = Table::Json;

// A TOML text as JSON. Throws bad_attribute with line and column.
Json json_of_toml(std::string_view text);

}  // namespace asg::recipe
