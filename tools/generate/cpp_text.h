#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "asg/graph/attributes.h"

// Pieces of C++ source, in the form that clang-format would give them.
namespace asg::generate {

inline constexpr std::size_t kLineWidth = 120;

// A name that may stand in C++: words that are taken get a trailing underscore.
std::string identifier(std::string_view name);

std::string cpp_type(AttrKind kind);
// As a parameter: by value where it is small, else by reference.
std::string cpp_parameter_type(AttrKind kind);
// The initialiser of a member: "-1", "{2, 2}", "\"same\"". Throws bad_card for tensors and graphs.
std::string cpp_literal(const Attr& value);

// head(item, item, …)tail, broken after commas below the opening parenthesis where a line is too long.
std::string argument_list(std::string head, const std::vector<std::string>& items, std::string_view tail);

// Lines that begin with `prefix` and hold the words of `text`; its line breaks stay.
std::string comment(std::string_view text, std::string_view prefix);

}  // namespace asg::generate
