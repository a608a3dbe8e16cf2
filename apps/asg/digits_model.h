#pragma once

#include <string_view>

#include "asg/graph/graph.h"

namespace asg::app {

// An attention classifier for 8×8 digits: the rows of the picture are 8 tokens of 8 pixels.
//   inputs:  features f32[batch, 8, 8], labels i64[batch]
//   outputs: logits f32[batch, 10], loss
Graph digits_model();

// What is trained where nobody says what: the digits are part of the program.
inline constexpr std::string_view kDigitsRecipe = R"(
name = "digits"
[data]
name = "digits"
[optimizer]
kind = "adam"
learning_rate = 3e-3
[course]
epochs = 20
)";

}  // namespace asg::app
