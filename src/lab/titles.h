#pragma once

#include <span>
#include <string_view>

#include "asg/graph/card.h"
#include "asg/lab/roles.h"

namespace asg::lab {

// What people call an op: "matrix product" where the op is MatMul. Short, and lower case unless it is a name.
struct TitleRow {
  std::string_view op;
  Words words;
};
// The rows of plain ops, and those of layers and losses. Every built-in op has one.
std::span<const TitleRow> op_titles();
std::span<const TitleRow> layer_titles();

// The words for an op; its name where nobody gave it any, as ops of users.
Sentence title_of_op(std::string_view op);

}  // namespace asg::lab
