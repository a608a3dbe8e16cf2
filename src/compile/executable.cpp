#include "asg/compile/executable.h"

namespace asg {
namespace {

void check_count(const char* what, std::size_t given, std::size_t needed) {
  if (given == needed) return;
  fail(ErrorCode::wrong_input_count, std::to_string(given) + " arrays for the " + what + " of a run by position",
       std::to_string(needed) + ", one for each", "give one for each, in the order of the graph");
}

}  // namespace

void Executable::check_counts(std::span<const Array> inputs, std::span<Array> outputs) const {
  check_count("inputs", inputs.size(), graph().inputs().size());
  check_count("outputs", outputs.size(), graph().outputs().size());
}

bool Executable::run_into(std::span<const Array> inputs, std::span<Array> outputs) {
  check_counts(inputs, outputs);
  NamedArrays named;
  for (std::size_t k = 0; k < inputs.size(); ++k) named[graph().node(graph().inputs()[k]).path()] = inputs[k];
  StepResult result = run(named);
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    Array& value = result.outputs.at(graph().outputs()[k].name);
    const bool fits = outputs[k].dtype() == value.dtype() && outputs[k].sizes() == value.sizes();
    if (fits && outputs[k].is_dense()) {
      outputs[k].assign(value);
    } else {
      outputs[k] = value.copy();  // two outputs may be one value
    }
  }
  return result.committed;
}

}  // namespace asg
