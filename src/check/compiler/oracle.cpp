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

double largest_finite(const Array& array) {
  double largest = 0;
  for (std::int64_t at = 0; at < array.count(); ++at) {
    const double size = std::fabs(array.get(at));
    if (std::isfinite(size)) largest = std::max(largest, size);
  }
  return largest;
}

// The interpreter with errors as large as the cards allow.
class NoisyInterpreter : public Interpreter {
 public:
  explicit NoisyInterpreter(std::uint64_t seed) : state_(seed) {}

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
    Array noisy = array.copy();
    const double tolerance = tolerance_of({}, array.dtype());
    for (std::int64_t at = 0; at < noisy.count(); ++at) noisy.set(at, noisy.get(at) * (1 + tolerance * next()));
    return noisy;
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
      Array noisy = array_of(result).copy();
      const double reach = tolerance * largest_finite(noisy);
      for (std::int64_t at = 0; at < noisy.count(); ++at) noisy.set(at, noisy.get(at) + reach * next());
      result = host_array(name(), std::move(noisy));
    }
    return results;
  }

  std::uint64_t state_;
};

std::string short_text(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", number);
  return text;
}

bool same_special(double a, double b) { return std::isnan(a) ? std::isnan(b) : a == b; }

}  // namespace

NamedArrays results_of(Backend& backend, const GraphCase& program, const CompileOptions& options) {
  const std::unique_ptr<Executable> executable = backend.compile(program.graph, options);
  NamedArrays inputs;
  for (const NodeId id : program.graph.inputs()) {
    const std::string name = program.graph.node(id).path();
    inputs[name] = program.values.at(name);
  }
  for (const VarId id : program.graph.variable_ids()) {
    executable->write(id, program.values.at(program.graph.variable(id).name));
  }
  NamedArrays results;
  for (const char* run : {"", " of the second run"}) {
    StepResult step = executable->run(inputs);
    for (auto& [name, value] : step.outputs) results[name + run] = std::move(value);
    results[std::string("whether updates were committed") + run] = Array::scalar_i64(step.committed ? 1 : 0);
  }
  for (const VarId id : program.graph.variable_ids()) {
    results["variable " + program.graph.variable(id).name] = executable->read(id).copy();
  }
  return results;
}

ProgramOracle::ProgramOracle(const GraphCase& program) : program_(program) {
  Interpreter interpreter;
  expected_ = results_of(interpreter, program, {});
}

const ProgramOracle::Spread& ProgramOracle::spread_of(const std::string& name) {
  if (spreads_.empty()) {
    for (std::uint64_t run = 1; run <= kNoisyRuns; ++run) {
      NoisyInterpreter noisy(run);
      const NamedArrays moved = results_of(noisy, program_, {});
      for (const auto& [each, value] : expected_) {
        Spread& spread = spreads_[each];
        const Array& other = moved.at(each);
        for (std::int64_t at = 0; at < value.count(); ++at) {
          const double a = value.get(at);
          const double b = other.get(at);
          if (std::isfinite(a) && std::isfinite(b)) {
            spread.movement = std::max(spread.movement, std::fabs(a - b));
          } else if (!same_special(a, b)) {
            spread.finite = false;
          }
        }
      }
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
  const double largest = largest_finite(expected);
  const double alone = tolerance_of({}, expected.dtype()) * largest;
  double worst = 0;
  std::int64_t worst_at = -1;
  bool special = false;
  for (std::int64_t at = 0; at < expected.count() && !special; ++at) {
    const double a = actual.get(at);
    const double b = expected.get(at);
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
                    short_text(actual.get(worst_at)) + " instead of " + short_text(expected.get(worst_at)) +
                    "; differences up to " + short_text(allowed) + " are allowed";
  return judgement;
}

}  // namespace asg
