#pragma once

#include <string>
#include <string_view>

namespace asg::recipe {

// A text as TOML writes it, in quotes, whatever characters are in it: for changes of a recipe, "folder=" +
// toml_text(path). Throws bad_attribute for bytes that are no UTF-8, which TOML has no form for.
std::string toml_text(std::string_view text);

}  // namespace asg::recipe
