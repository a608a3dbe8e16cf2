#include "backend/cpu/bound_program.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "backend/value_checks.h"

namespace asg::cpu {
namespace {

std::map<std::string, std::size_t, std::less<>> input_positions(const Graph& graph) {
  std::map<std::string, std::size_t, std::less<>> positions;
  for (std::size_t k = 0; k < graph.inputs().size(); ++k) positions[graph.node(graph.inputs()[k]).path()] = k;
  return positions;
}

bool overlap(const std::byte* a, std::int64_t a_bytes, const std::byte* b, std::int64_t b_bytes) {
  if (a == nullptr || b == nullptr) return false;
  const std::less<> before;
  return before(a, b + b_bytes) && before(b, a + a_bytes);
}

}  // namespace

BoundProgram::BoundProgram(const Graph& graph, Program program, std::vector<InputType> inputs, const Means& means)
    : graph_(graph), prepared_(std::move(program), means), types_(std::move(inputs)), arenas_(means.arenas) {
  const Program& made = prepared_.program();
  bases_ = prepared_.bases();
  const auto positions = input_positions(graph);
  for (std::size_t k = 0; k < made.buffers.size(); ++k) {
    if (made.buffers[k].kind == Buffer::Kind::input) inputs_.push_back({k, positions.at(made.buffers[k].name)});
  }
  for (const Step& step : made.steps) {
    for (const View& view : step.outputs) {
      const Buffer& buffer = made.buffers[static_cast<std::size_t>(view.buffer)];
      if (buffer.kind == Buffer::Kind::variable) changed_.push_back(buffer.variable);
    }
  }
  std::sort(changed_.begin(), changed_.end());
  changed_.erase(std::unique(changed_.begin(), changed_.end()), changed_.end());
  std::vector<char> taken(made.buffers.size(), 0);
  for (const View& view : made.results) {
    const auto buffer = static_cast<std::size_t>(view.buffer);
    OutputPlace place{buffer, made.buffers[buffer].dtype, view.sizes};
    place.bytes = element_count(view.sizes) * bytes_of(place.dtype);
    const bool whole = place.bytes == made.buffers[buffer].bytes();
    place.direct = made.buffers[buffer].kind == Buffer::Kind::output && whole && taken[buffer] == 0;
    if (place.direct) taken[buffer] = 1;
    outputs_.push_back(std::move(place));
  }
}

bool BoundProgram::fits(std::span<const Array> inputs) const {
  for (std::size_t k = 0; k < types_.size(); ++k) {
    if (inputs[k].dtype() != types_[k].dtype || inputs[k].sizes() != types_[k].sizes) return false;
  }
  return true;
}

void BoundProgram::fail_unwritten(VarId variable) const {
  const NodeId reader = graph_.reader_of(variable);
  try {
    fail_missing_variable(graph_.variable(variable));
  } catch (const UserError& error) {
    throw reader ? error.with_node(graph_.node(reader).path()) : error;
  }
}

void BoundProgram::bind_variables(VariableStore& variables, ThreadPool& pool) {
  const Program& program = prepared_.program();
  bound_to_ = nullptr;
  for (std::size_t k = 0; k < program.buffers.size(); ++k) {
    const Buffer& buffer = program.buffers[k];
    if (buffer.kind != Buffer::Kind::variable) continue;
    const Array* value = variables.find(buffer.variable);
    if (value == nullptr) fail_unwritten(buffer.variable);
    if (value->count() != buffer.count) {
      fail(ErrorCode::bad_shape, value->type_string() + " in variable '" + buffer.name + "'",
           "the " + std::to_string(buffer.count) + " elements that it has with inputs of these sizes",
           "write a value that fits the inputs");
    }
  }
  variables.own(changed_, pool);
  for (std::size_t k = 0; k < program.buffers.size(); ++k) {
    const Buffer& buffer = program.buffers[k];
    if (buffer.kind == Buffer::Kind::variable) bases_[k] = variables.memory(buffer.variable);
  }
  bound_to_ = &variables;
  bound_version_ = variables.version();
}

void BoundProgram::place_inputs(std::span<const Array> inputs) {
  for (InputPlace& place : inputs_) {
    const Array& given = inputs[place.position];
    if (given.is_dense()) {
      bases_[place.buffer] = const_cast<std::byte*>(given.raw());
      continue;
    }
    if (place.staging.count() != given.count()) place.staging = Array::uninitialised(given.dtype(), given.sizes());
    place.staging.assign(given);
    bases_[place.buffer] = place.staging.raw();
  }
}

// Whether a result may be written into an array of the caller while the program runs.
bool BoundProgram::can_take(const Array& array, std::size_t output, std::span<const Array> inputs) const {
  const OutputPlace& place = outputs_[output];
  if (array.dtype() != place.dtype || array.sizes() != place.sizes || !array.is_dense()) return false;
  const std::byte* memory = array.raw();
  for (const InputPlace& input : inputs_) {
    const Array& given = inputs[input.position];
    if (overlap(memory, place.bytes, given.raw(), given.bytes())) return false;
  }
  if (memory == place.memory) return true;  // looked at before; those that came since have been looked at too
  for (std::size_t other = 0; other < outputs_.size(); ++other) {
    if (other != output && overlap(memory, place.bytes, outputs_[other].memory, outputs_[other].bytes)) return false;
  }
  return true;
}

void BoundProgram::place_outputs(std::span<const Array> inputs, std::span<Array> outputs) {
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    OutputPlace& place = outputs_[k];
    // What the caller no longer gives is no longer taken.
    if (place.memory != nullptr && place.memory != std::as_const(outputs[k]).raw()) place.memory = nullptr;
  }
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    OutputPlace& place = outputs_[k];
    if (!can_take(outputs[k], k, inputs)) outputs[k] = Array::uninitialised(place.dtype, place.sizes);
    place.memory = outputs[k].raw();
    if (place.direct) bases_[place.buffer] = outputs[k].raw();
  }
}

void BoundProgram::copy_results(std::span<Array> outputs) const {
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    const OutputPlace& place = outputs_[k];
    if (place.direct || place.bytes == 0) continue;
    std::memcpy(outputs[k].raw(), bases_[place.buffer], static_cast<std::size_t>(place.bytes));
  }
}

bool BoundProgram::run(std::span<const Array> inputs, std::span<Array> outputs, VariableStore& variables,
                       ThreadPool& pool, StepRecorder* recorder) {
  if (bound_to_ != &variables || bound_version_ != variables.version()) bind_variables(variables, pool);
  place_inputs(inputs);
  place_outputs(inputs, outputs);
  ArenaPool::Lease work(*arenas_, prepared_.memory_bytes());
  if (work.memory() != placed_in_) prepared_.place_temporaries(bases_, work.memory());
  placed_in_ = work.memory();
  const bool committed = prepared_.run(bases_, work.memory(), pool, recorder);
  copy_results(outputs);
  return committed;
}

}  // namespace asg::cpu
