#include "check/compiler/oracle.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>

#include "asg/backend/interpreter.h"

namespace asg {
namespace {

constexpr int kNoisyRuns = 8;
constexpr double kSafety = 3;  // times the largest movement in so many runs

double tolerance_of(const Tolerance& tolerance, DType dtype) {
  switch (dtype) {
    case DType::f64:
      return tolerance.f64;
    case DType::f32:
      return tolerance.f32;
    case DType::f16:
      return tolerance.f16;
    case DType::bf16:
      return tolerance.bf16;
    default:
      return 0;
  }
}

// A result that may move by more than this part of its largest element proves nothing.
double largest_share_of(DType dtype) {
  switch (dtype) {
    case DType::f64:
      return 1e-4;
    case DType::f16:
      return 0.2;
    case DType::bf16:
      return 0.5;
    default:
      return 0.02;
  }
}

// Where terms cancel, as in the variance of equal numbers, the error of a sum is relative to its terms, not to its
// result. A norm takes the mean away from its input before anybody sees it.
bool adds_terms(const OpCard& op) { return op.traits.reduction || op.category == Category::normalization; }

Array as_doubles(const Array& array) { return array.cast(DType::f64).dense(); }

double largest_finite(const Array& doubles) {
  double largest = 0;
  for (const double number : doubles.data<double>()) {
    const double size = std::fabs(number);
    if (std::isfinite(size)) largest = std::max(largest, size);
  }
  return largest;
}

// The interpreter with errors as large as the cards allow.
class NoisyInterpreter : public Interpreter {
 public:
  void begin(std::uint64_t seed) { state_ = seed; }

  // Each element by its own size: it is exact but for its dtype. A single number of a graph is exact in all.
  DeviceArray upload(const Array& array) override { return Interpreter::upload(by_element(array)); }
  DeviceArray constant(const Array& value) override {
    return Interpreter::constant(value.count() == 1 ? value : by_element(value));
  }
  DeviceArrays run_primitive(const PrimitiveCall& call) override {
    if (!adds_terms(*call.op)) return moved(Interpreter::run_primitive(call), *call.op);
    PrimitiveCall noisy = call;
    for (PrimitiveCall::Operand& operand : noisy.operands) operand.array = read_with_errors(operand.array);
    return moved(Interpreter::run_primitive(noisy), *call.op);
  }
  DeviceArrays run_op(const Node& node, std::span<const DeviceArray> inputs) override {
    if (!adds_terms(*node.op)) return moved(Interpreter::run_op(node, inputs), *node.op);
    std::vector<DeviceArray> noisy;
    for (const DeviceArray& input : inputs) noisy.push_back(read_with_errors(input));
    return moved(Interpreter::run_op(node, noisy), *node.op);
  }

 private:
  // In [-1, 1): a fast generator will do, this is no promise to anybody.
  double next() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>(std::bit_cast<std::int64_t>(state_)) * 0x1p-63;
  }

  Array by_element(const Array& array) {
    if (!is_float(array.dtype())) return array;
    Array noisy = array.cast(DType::f64).copy();
    const double tolerance = tolerance_of({}, array.dtype());
    for (double& number : noisy.mutable_data<double>()) number *= 1 + tolerance * next();
    return noisy.cast(array.dtype());
  }

  DeviceArray read_with_errors(const DeviceArray& array) {
    if (!array || !is_float(array.dtype())) return array;
    return host_array(name(), by_element(array_of(array)));
  }

  DeviceArrays moved(DeviceArrays results, const OpCard& op) {
    for (DeviceArray& result : results) {
      if (!result || !is_float(result.dtype())) continue;
      const double tolerance = tolerance_of(op.tolerance, result.dtype());
      if (tolerance == 0) continue;
      const Array& exact = array_of(result);
      Array noisy = exact.cast(DType::f64).copy();
      const double reach = tolerance * largest_finite(noisy);
      for (double& number : noisy.mutable_data<double>()) number += reach * next();
      result = host_array(name(), noisy.cast(exact.dtype()));
    }
    return results;
  }

  std::uint64_t state_ = 0;
};

std::string short_text(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", number);
  return text;
}

bool same_special(double a, double b) { return std::isnan(a) ? std::isnan(b) : a == b; }

}  // namespace

NamedArrays results_of(Executable& executable, const GraphCase& program, int runs) {
  NamedArrays inputs;
  for (const NodeId id : program.graph.inputs()) {
    const std::string name = program.graph.node(id).path();
    inputs[name] = program.values.at(name);
  }
  for (const VarId id : program.graph.variable_ids()) {
    executable.write(id, program.values.at(program.graph.variable(id).name));
  }
  NamedArrays results;
  for (int run = 0; run < runs; ++run) {
    const std::string end = run == 0 ? "" : kSecondRun;
    StepResult step = executable.run(inputs);
    for (auto& [name, value] : step.outputs) results[name + end] = std::move(value);
    results["whether updates were committed" + end] = Array::scalar_i64(step.committed ? 1 : 0);
  }
  for (const VarId id : program.graph.variable_ids()) {
    results["variable " + program.graph.variable(id).name] = executable.read(id).copy();
  }
  return results;
}

ProgramOracle::ProgramOracle(const GraphCase& program)
    : program_(program), runs_(program.graph.updates().empty() ? 1 : 2) {
  Interpreter interpreter;
  expected_ = results_of(*interpreter.compile(program.graph), program, runs_);
}

void ProgramOracle::Spread::add(const Array& exact, const Array& moved) {
  const std::span<const double> left = exact.data<double>();
  const std::span<const double> right = moved.data<double>();
  for (std::size_t at = 0; at < left.size(); ++at) {
    if (std::isfinite(left[at]) && std::isfinite(right[at])) {
      movement = std::max(movement, std::fabs(left[at] - right[at]));
    } else if (!same_special(left[at], right[at])) {
      finite = false;
    }
  }
}

const ProgramOracle::Spread& ProgramOracle::spread_of(const std::string& name) {
  if (spreads_.empty()) {
    NoisyInterpreter noisy;
    const std::unique_ptr<Executable> executable = noisy.compile(program_.graph);
    for (std::uint64_t run = 1; run <= kNoisyRuns; ++run) {
      noisy.begin(run);
      const NamedArrays moved = results_of(*executable, program_, runs_);
      for (const auto& [each, value] : expected_) spreads_[each].add(as_doubles(value), as_doubles(moved.at(each)));
    }
  }
  return spreads_.at(name);
}

ProgramOracle::Judgement ProgramOracle::judge(const std::string& name, const Array& actual) {
  const Array& expected = expected_.at(name);
  Judgement judgement;
  if (actual.dtype() != expected.dtype() || actual.sizes() != expected.sizes()) {
    return {false, true, 0, name + " is " + actual.type_string() + " instead of " + expected.type_string()};
  }
  if (bit_equal(actual, expected)) return judgement;
  const Array doubles = as_doubles(expected);
  const Array other_doubles = as_doubles(actual);
  const std::span<const double> wanted = doubles.data<double>();
  const std::span<const double> got = other_doubles.data<double>();
  const double largest = largest_finite(doubles);
  const double alone = tolerance_of({}, expected.dtype()) * largest;
  double worst = 0;
  std::size_t worst_at = 0;
  bool special = false;
  for (std::size_t at = 0; at < wanted.size() && !special; ++at) {
    const double a = got[at];
    const double b = wanted[at];
    if (!std::isfinite(a) || !std::isfinite(b)) {
      special = !same_special(a, b);
      if (special) worst_at = at;
    } else if (std::fabs(a - b) > worst) {
      worst = std::fabs(a - b);
      worst_at = at;
    }
  }
  judgement.share = alone > 0 ? worst / alone : 0;
  if (!special && worst <= alone) return judgement;
  const Spread& spread = spread_of(name);
  const double allowed = alone + kSafety * spread.movement;
  judgement.proves_something = spread.finite && allowed <= largest_share_of(expected.dtype()) * largest;
  if (!special && worst <= allowed) return judgement;
  if (!spread.finite || (!special && !judgement.proves_something && spread.movement > 0)) {
    judgement.proves_something = false;
    return judgement;
  }
  judgement.agrees = false;
  judgement.words = name + " " + expected.type_string() + ": element " + std::to_string(worst_at) + " is " +
                    short_text(got[worst_at]) + " instead of " + short_text(wanted[worst_at]) + "; differences up to " +
                    short_text(allowed) + " are allowed";
  return judgement;
}

}  // namespace asg
