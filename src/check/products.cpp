#include "asg/autograd/products.h"

#include <algorithm>
#include <cmath>

#include "asg/check/gradcheck.h"
#include "check/graph_function.h"
#include "check/problem.h"

namespace asg {
namespace {

constexpr double kStep = 1e-5;

std::string numbered(const std::string& name, std::size_t index) { return name + ":" + std::to_string(index); }

// Σ a · b over all pairs, and Σ |a · b|.
struct InnerProduct {
  double sum = 0;
  double magnitude = 0;

  void add(const Array& a, const Array& b) {
    for (std::int64_t at = 0; at < a.count(); ++at) {
      const double term = a.get(at) * b.get(at);
      sum += term;
      magnitude += std::abs(term);
    }
  }
};

// A problem with both products in one graph, and vectors for them.
struct Products {
  Problem problem;
  GraphFunction outputs_at;       // "y:<n>"
  std::vector<Array> cotangents;  // u, one per output
  std::vector<Array> tangents;    // v, one per target
  NamedArrays results;            // "vjp:<n>", "jvp:<n>"
};

GraphFunction outputs_of(const Problem& problem) {
  Graph graph = problem.graph;
  for (std::size_t index = 0; index < problem.outputs.size(); ++index) {
    graph.set_output(numbered("y", index), graph.tensor(problem.outputs[index]));
  }
  return {graph, Mode::train};
}

Products compute_products(const Problem& given) {
  Products made{given, outputs_of(given), {}, {}, {}};
  const NamedArrays here = made.outputs_at(given.values);
  const JacobianProduct back = vjp(given.graph, given.outputs, {}, given.targets, Mode::train);
  std::vector<Value> outputs;
  std::vector<Value> targets;
  for (Value output : given.outputs) outputs.push_back(back.remap(output));
  for (Value target : given.targets) targets.push_back(back.remap(target));
  const JacobianProduct both = jvp(back.graph, outputs, targets, {}, Mode::train);
  NamedArrays values = given.values;
  for (std::size_t index = 0; index < outputs.size(); ++index) {
    made.cotangents.push_back(random_numbers(here.at(numbered("y", index)).sizes(), 100 + index, -1, 1));
    values[numbered("cotangent", index)] = made.cotangents.back();
  }
  for (std::size_t index = 0; index < targets.size(); ++index) {
    made.tangents.push_back(random_numbers(given.values.at(given.target_names[index]).sizes(), 200 + index, -1, 1));
    values[numbered("tangent", index)] = made.tangents.back();
  }
  made.results = GraphFunction(both.graph, Mode::train)(values);
  return made;
}

NamedArrays moved_along(const Products& products, double step) {
  NamedArrays values = products.problem.values;
  for (std::size_t index = 0; index < products.tangents.size(); ++index) {
    Array& value = values.at(products.problem.target_names[index]);
    value = value.copy();
    for (std::int64_t at = 0; at < value.count(); ++at) {
      value.set(at, value.get(at) + step * products.tangents[index].get(at));
    }
  }
  return values;
}

// max |Jv − numeric| / max(1, max |numeric|), the worst output.
double difference_error(Products& products) {
  const NamedArrays above = products.outputs_at(moved_along(products, kStep));
  const NamedArrays below = products.outputs_at(moved_along(products, -kStep));
  double error = 0;
  for (std::size_t index = 0; index < products.problem.outputs.size(); ++index) {
    const Array& analytic = products.results.at(numbered("jvp", index));
    double largest = 1;
    double worst = 0;
    for (std::int64_t at = 0; at < analytic.count(); ++at) {
      const double numeric =
          (above.at(numbered("y", index)).get(at) - below.at(numbered("y", index)).get(at)) / (2 * kStep);
      largest = std::max(largest, std::abs(numeric));
      const double difference = std::abs(analytic.get(at) - numeric);
      worst = difference <= worst ? worst : difference;
    }
    if (!(worst / largest <= error)) error = worst / largest;
  }
  return error;
}

}  // namespace

ProductCheck check_products(const OpCard& op, const Sample& sample) {
  ProductCheck check;
  try {
    Products products = compute_products(make_problem(op, sample));
    InnerProduct forward;
    InnerProduct back;
    for (std::size_t index = 0; index < products.cotangents.size(); ++index) {
      forward.add(products.cotangents[index], products.results.at(numbered("jvp", index)));
    }
    for (std::size_t index = 0; index < products.tangents.size(); ++index) {
      back.add(products.results.at(numbered("vjp", index)), products.tangents[index]);
    }
    check.adjoint_error = std::abs(forward.sum - back.sum) / std::max({1.0, forward.magnitude, back.magnitude});
    check.difference_error = difference_error(products);
    if (!(check.adjoint_error <= kAdjointBound)) check.detail = "jvp and vjp are not transposes of each other";
    if (!(check.difference_error <= op.gradient_bounds.first)) check.detail += " jvp is not the difference along it";
    check.passed = check.detail.empty();
  } catch (const std::exception& error) {
    check.detail = error.what();
  }
  return check;
}

}  // namespace asg
