#include "asg/compile/executable.h"

#include <algorithm>
#include <functional>

namespace asg {
namespace {

void check_count(const char* what, std::size_t given, std::size_t needed) {
  if (given == needed) return;
  fail(ErrorCode::wrong_input_count, std::to_string(given) + " arrays for the " + what + " of a run by position",
       std::to_string(needed) + ", one for each", "give one for each, in the order of the graph");
}

bool overlap(const Array& a, const Array& b) {
  const std::less<> before;
  return a.bytes() > 0 && b.bytes() > 0 && before(a.raw(), b.raw() + b.bytes()) && before(b.raw(), a.raw() + a.bytes());
}

// Whether a result may be written into an array of the caller.
bool takes(const Array& array, const Array& value, std::span<const Array> inputs, std::span<const Array> others) {
  if (array.dtype() != value.dtype() || array.sizes() != value.sizes() || !array.is_dense()) return false;
  const auto is_apart = [&](const Array& other) { return !overlap(array, other); };
  return std::all_of(inputs.begin(), inputs.end(), is_apart) && std::all_of(others.begin(), others.end(), is_apart);
}

}  // namespace

void Executable::check_counts(std::span<const Array> inputs, std::span<Array> outputs) const {
  check_count("inputs", inputs.size(), graph().inputs().size());
  check_count("outputs", outputs.size(), graph().outputs().size());
}

void Executable::prepare(const SizesByName& input_sizes) { specialise(graph(), symbol_lengths(graph(), input_sizes)); }

bool Executable::run_into(std::span<const Array> inputs, std::span<Array> outputs) {
  check_counts(inputs, outputs);
  NamedArrays named;
  for (std::size_t k = 0; k < inputs.size(); ++k) named[graph().node(graph().inputs()[k]).path()] = inputs[k];
  StepResult result = run(named);
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const Array& value = result.outputs.at(graph().outputs()[k].name);
    if (takes(outputs[k], value, inputs, outputs.first(k))) {
      outputs[k].assign(value);
    } else {
      outputs[k] = value.copy();  // two outputs may be one value
    }
  }
  return result.committed;
}

}  // namespace asg
