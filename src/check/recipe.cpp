#include "check/recipe.h"

#include <algorithm>
#include <cmath>

#include "check/graph_function.h"
#include "check/problem.h"

namespace asg {
namespace {

bool has_gradient(const OpCard& op) {
  return op.gradient_kind == GradientKind::rule || op.gradient_kind == GradientKind::body;
}

double largest_magnitude(const Array& array) {
  double largest = 0;
  for (std::int64_t at = 0; at < array.count(); ++at) largest = std::max(largest, std::abs(array.get(at)));
  return largest;
}

bool all_finite(const Array& array) {
  for (std::int64_t at = 0; at < array.count(); ++at) {
    if (!std::isfinite(array.get(at))) return false;
  }
  return true;
}

Ingredient ingredient(const OpCard& op, const Sample& sample, std::size_t index) {
  constexpr double kShareOfGap = 0.3;     // of the distance between distinct values
  constexpr double kShareOfGiven = 0.02;  // of the size of given values
  const SampleInput& input = sample.inputs[index];
  Ingredient made;
  made.absent = input.absent;
  if (input.absent) return made;
  made.value = sample_value(input, op.name, sample.name, index);
  // Nothing may flow into an op without a gradient; through one whose gradient is zero, nothing does.
  made.free = op.gradient_kind != GradientKind::none && is_target(op, index, made.value);
  made.around_value = input.distinct || input.given.has_value();
  made.centre = (input.low + input.high) / 2;
  made.reach = (input.high - input.low) / 2;
  if (input.distinct) made.reach = kShareOfGap * (input.high - input.low) / static_cast<double>(made.value.count());
  if (input.given) made.reach = kShareOfGiven * std::clamp(largest_magnitude(made.value), 0.1, 1.0);
  return made;
}

// Runs the sample as it is, to learn how large its outputs are. False where one of them is not finite, or empty.
bool measure(Recipe& recipe, bool& rounds) {
  Problem problem = make_problem(*recipe.op, *recipe.sample);
  const std::vector<OutputInfo> outputs = problem.graph.node(problem.node).outputs;
  for (std::uint32_t port = 0; port < outputs.size(); ++port) {
    problem.graph.set_output("y" + std::to_string(port), problem.graph.tensor({problem.node, port}));
  }
  const NamedArrays results = GraphFunction(problem.graph, Mode::train)(problem.values);
  for (std::uint32_t port = 0; port < outputs.size(); ++port) {
    const Array& value = results.at("y" + std::to_string(port));
    if (value.count() == 0 || !all_finite(value)) return false;
    recipe.magnitudes.push_back(std::max(1.0, largest_magnitude(value)));
    rounds = rounds || (is_float(value.dtype()) && value.dtype() != DType::f64);
  }
  return true;
}

}  // namespace

std::vector<Recipe> recipes_for(const OpCard& op) {
  std::vector<Recipe> recipes;
  for (const Sample& sample : op.samples) {
    if (has_gradient(op) && !sample.gradient) continue;
    Recipe recipe;
    recipe.op = &op;
    recipe.sample = &sample;
    bool finite = true;
    for (std::size_t index = 0; index < sample.inputs.size(); ++index) {
      recipe.inputs.push_back(ingredient(op, sample, index));
      finite = finite && all_finite(recipe.inputs.back().value);
    }
    bool rounds = false;
    if (!finite || !measure(recipe, rounds)) continue;
    // What is rounded to fewer bits moves in jumps: nothing that is differentiated may flow through it.
    for (Ingredient& input : recipe.inputs) input.free = input.free && !rounds;
    recipes.push_back(std::move(recipe));
  }
  return recipes;
}

}  // namespace asg
