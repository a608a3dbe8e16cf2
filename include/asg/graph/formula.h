#pragma once

#include <string>
#include <string_view>

namespace asg {

// Formulas of the cards are written in a LaTeX subset (docs/formulas.md): letters, numbers, operators, ^ _ { }, \frac,
// \sqrt, \sum, \prod, \exp …, Greek letters, \text, \begin{cases}. Throws bad_card where one is malformed.
std::string formula_to_text(std::string_view latex);    // for terminals: "y = x / (1 + exp(−x))"
std::string formula_to_mathml(std::string_view latex);  // for pages

}  // namespace asg
