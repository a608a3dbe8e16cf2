#include "backend/cpu/bounded_run.h"

#include <algorithm>

namespace asg::cpu {
namespace {

DType dtype_of(const Array& array) { return array.dtype(); }
const Sizes& sizes_of(const Array& array) { return array.sizes(); }
DType dtype_of(const InputType& type) { return type.dtype; }
const Sizes& sizes_of(const InputType& type) { return type.sizes; }

Array first_part(Array array, std::span<const std::int64_t> lengths) {
  for (std::size_t axis = 0; axis < lengths.size(); ++axis) {
    if (lengths[axis] == array.sizes()[axis]) continue;
    array = array.sliced(static_cast<int>(axis), 0, lengths[axis], 1);
  }
  return array;
}

bool is_ragged(const StoredShape& shape) {
  return std::any_of(shape.begin(), shape.end(), [](const StoredAxis& axis) {
    return std::any_of(axis.begin(), axis.end(), [](const StoredDigit& digit) { return digit.is_ragged(); });
  });
}

}  // namespace

BoundedRun::BoundedRun(const Graph& given, BoundedGraph held)
    : graph_(std::move(held.graph)), lengths_(std::move(held.lengths)) {
  for (std::size_t k = 0; k < given.inputs().size(); ++k) {
    const Shape& shape = given.type({given.inputs()[k], 0}).shape;
    const TensorType& type = graph_.type({graph_.inputs()[k], 0});
    Input input{type.dtype, type.shape.sizes()};
    for (const Dim& dim : shape) input.symbols.push_back(dim.is_known() ? -1 : symbol_number(dim.symbols().front()));
    inputs_.push_back(std::move(input));
  }
  values_.assign(symbols_.size(), -1);
  staged_.resize(inputs_.size());
  for (std::size_t k = 0; k < lengths_.size(); ++k) staged_.push_back(Array::scalar_i64(0));
  for (StoredShape& shape : held.outputs) {
    Output output{is_ragged(shape), std::move(shape)};
    for (const StoredAxis& axis : output.shape) {
      for (const StoredDigit& digit : axis) output.digits.push_back(digit.stored);
    }
    outputs_.push_back(std::move(output));
  }
  results_.resize(outputs_.size());
}

int BoundedRun::symbol_number(const std::string& name) {
  const auto found = std::find(symbols_.begin(), symbols_.end(), name) - symbols_.begin();
  if (found == std::ssize(symbols_)) symbols_.push_back(name);
  return static_cast<int>(found);
}

std::vector<InputType> BoundedRun::input_types() const {
  std::vector<InputType> types;
  for (const NodeId id : graph_.inputs()) {
    const TensorType& type = graph_.type({id, 0});
    types.push_back({type.dtype, type.shape.sizes()});
  }
  return types;
}

template <typename Given>
bool BoundedRun::read_lengths(std::span<const Given> inputs) const {
  std::fill(values_.begin(), values_.end(), -1);
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    const Input& input = inputs_[k];
    const Sizes& sizes = sizes_of(inputs[k]);
    if (dtype_of(inputs[k]) != input.dtype || sizes.size() != input.stored.size()) return false;
    for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
      if (input.symbols[axis] < 0) {
        if (sizes[axis] != input.stored[axis]) return false;
        continue;
      }
      std::int64_t& value = values_[static_cast<std::size_t>(input.symbols[axis])];
      if (sizes[axis] > input.stored[axis] || (value >= 0 && value != sizes[axis])) return false;
      value = sizes[axis];
    }
  }
  return true;
}

bool BoundedRun::fits(std::span<const InputType> inputs) const { return read_lengths(inputs); }
bool BoundedRun::fits(std::span<const Array> inputs) const { return read_lengths(inputs); }

std::int64_t BoundedRun::value_of(const Dim& length) const {
  if (length.is_known()) return length.value();
  const Dim now = length.substitute([&](std::string_view name) -> std::optional<Dim> {
    const auto found = std::find(symbols_.begin(), symbols_.end(), name);
    return found == symbols_.end() ? std::nullopt
                                   : std::optional<Dim>(values_[static_cast<std::size_t>(found - symbols_.begin())]);
  });
  return now.value();
}

void BoundedRun::tell_lengths() {
  if (told_ == values_) return;
  for (std::size_t k = 0; k < lengths_.size(); ++k) staged_[inputs_.size() + k].set_i64(0, value_of(lengths_[k]));
  told_ = values_;
}

std::span<const Array> BoundedRun::stage(std::span<const Array> inputs) {
  internal_check(fits(inputs), "inputs that do not fit the bounds of a program");
  tell_lengths();
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    Input& input = inputs_[k];
    if (inputs[k].sizes() == input.stored) {
      staged_[k] = inputs[k];
      continue;
    }
    if (input.memory.sizes() != input.stored) input.memory = Array(input.dtype, input.stored);
    first_part(input.memory, inputs[k].sizes()).assign(inputs[k]);
    staged_[k] = input.memory;
  }
  return staged_;
}

std::span<Array> BoundedRun::results(std::span<const Array> outputs) {
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    results_[k] = outputs_[k].is_ragged ? outputs_[k].memory : outputs[k];
  }
  return results_;
}

void BoundedRun::deliver(std::span<Array> outputs) {
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    Output& output = outputs_[k];
    if (!output.is_ragged) {
      outputs[k] = results_[k];
      continue;
    }
    output.memory = results_[k];
    Sizes sizes;
    Sizes parts;
    for (const StoredAxis& axis : output.shape) {
      std::int64_t length = 1;
      for (const StoredDigit& digit : axis) {
        parts.push_back(value_of(digit.length));
        length *= parts.back();
      }
      sizes.push_back(length);
    }
    const Array part = first_part(output.memory.reshaped(output.digits), parts);
    Array& to = outputs[k];
    if (to.dtype() != part.dtype() || to.sizes() != sizes || !to.is_dense())
      to = Array::uninitialised(part.dtype(), sizes);
    to.reshaped(parts).assign(part);
  }
}

}  // namespace asg::cpu
