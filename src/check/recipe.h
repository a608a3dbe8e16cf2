#pragma once

#include <vector>

#include "asg/graph/card.h"

namespace asg {

// One input of a call: its number in the sample, whether a value of the graph may stand there, and the range for it.
struct Ingredient {
  bool absent = false;
  bool free = false;  // may be a value of the graph; else `value` is a constant
  Array value;        // as the sample has it
  // A free input is centre + reach · tanh(…), where the centre is a number, or the sample's values where they must stay
  // close to them (because they are distinct, or given).
  bool around_value = false;
  double centre = 0;
  double reach = 1;
};

// How to call an op: a sample, made ready.
struct Recipe {
  const OpCard* op = nullptr;
  const Sample* sample = nullptr;
  std::vector<Ingredient> inputs;
  std::vector<double> magnitudes;  // of the outputs, on the sample's own numbers; at least 1
};

// The recipes of an op: its gradient samples, or where it has no gradient all samples with finite numbers. Empty where
// there is none.
std::vector<Recipe> recipes_for(const OpCard& op);

}  // namespace asg
