#include "backend/cpu/moving_steps.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "asg/graph/card.h"
#include "asg/graph/contexts.h"
#include "backend/cpu/strided_copy.h"
#include "compile/fusion/layouts.h"
#include "ops/support/indexing.h"

namespace asg::cpu {
namespace {

std::byte* start_by_bytes(const View& view, std::int64_t element, const Bases& bases) {
  return bases[static_cast<std::size_t>(view.buffer)] + view.offset * element;
}

// The contents of an integer input, which a graph of concrete shapes knows.
std::optional<Sizes> integers(const Step& step, const Program& program, std::size_t input) {
  if (input >= step.node->inputs.size() || !step.node->inputs[input]) return Sizes{};
  return fusion::integers_of(program.graph, step.node->inputs[input]);
}

// ---- Copies into parts of a tensor

// Fills the result where its parts do not cover it, then copies each input to its part.
class PasteStep : public PreparedStep {
 public:
  PasteStep(const View& result, std::int64_t element) : result_(result), element_(element) {}

  // False where a copy cannot be prepared.
  bool add(const View& from, std::int64_t to_offset, const Sizes& to_strides) {
    if (element_count(from.sizes) == 0) return true;
    auto copy = StridedCopy::make(from.sizes, from.strides, to_strides, element_);
    if (!copy) return false;
    pastes_.push_back({from, to_offset * element_, *std::move(copy)});
    return true;
  }
  void fill_with_zeros() { fills_ = true; }
  void fill_with(const View& value) {
    fills_ = true;
    value_ = value;
  }

  void run(const Bases& bases, std::byte*, ThreadPool& pool) const override {
    std::byte* to = start_by_bytes(result_, element_, bases);
    if (fills_) fill(to, bases);
    for (const Paste& paste : pastes_)
      paste.copy.run(start_by_bytes(paste.from, element_, bases), to + paste.offset, pool);
  }

 private:
  struct Paste {
    View from;
    std::int64_t offset;  // bytes
    StridedCopy copy;
  };

  void fill(std::byte* to, const Bases& bases) const {
    const std::int64_t count = element_count(result_.sizes);
    if (!value_) {
      std::memset(to, 0, static_cast<std::size_t>(count * element_));
      return;
    }
    const std::byte* value = start_by_bytes(value_, element_, bases);
    for (std::int64_t k = 0; k < count; ++k) {
      std::memcpy(to + k * element_, value, static_cast<std::size_t>(element_));
    }
  }

  View result_;
  View value_;
  std::int64_t element_;
  bool fills_ = false;
  std::vector<Paste> pastes_;
};

std::unique_ptr<PreparedStep> prepare_concat(const Step& step, const Program& program) {
  const View& result = step.outputs[0];
  auto made = std::make_unique<PasteStep>(result, bytes_of(element_type_of(result, program)));
  const auto axis = static_cast<std::size_t>(normalize_axis(
      AttrReader(*step.node->op, step.node->attrs).integer("axis"), static_cast<int>(result.sizes.size())));
  std::int64_t offset = 0;
  for (const View& input : step.inputs) {
    if (!made->add(input, offset, result.strides)) return nullptr;
    offset += input.sizes[axis] * result.strides[axis];
  }
  return made;
}

std::unique_ptr<PreparedStep> prepare_slice_grad(const Step& step, const Program& program) {
  const View& result = step.outputs[0];
  const auto starts = integers(step, program, 2);
  const auto ends = integers(step, program, 3);
  auto axes = integers(step, program, 4);
  auto steps = integers(step, program, 5);
  if (!starts || !ends || !axes || !steps) return nullptr;
  if (axes->empty()) {
    for (std::size_t k = 0; k < starts->size(); ++k) axes->push_back(static_cast<std::int64_t>(k));
  }
  if (steps->empty()) steps->assign(starts->size(), 1);
  std::int64_t offset = 0;
  Sizes strides = result.strides;
  const std::vector<ops::SliceRange> ranges = ops::slice_ranges(*starts, *ends, *axes, *steps, result.sizes);
  for (std::size_t axis = 0; axis < ranges.size(); ++axis) {
    offset += ranges[axis].count > 0 ? ranges[axis].start * strides[axis] : 0;
    strides[axis] *= ranges[axis].step;
  }
  auto made = std::make_unique<PasteStep>(result, bytes_of(element_type_of(result, program)));
  made->fill_with_zeros();
  return made->add(step.inputs[0], offset, strides) ? std::move(made) : nullptr;
}

// With a constant, what input and output have in common is a part of the one that stands somewhere in the other.
std::unique_ptr<PreparedStep> prepare_pad(const Step& step, const Program& program) {
  if (AttrReader(*step.node->op, step.node->attrs).text("mode") != "constant") return nullptr;
  const View& result = step.outputs[0];
  const auto pads = integers(step, program, 1);
  auto axes = integers(step, program, 3);
  if (!pads || !axes) return nullptr;
  const auto rank = static_cast<int>(result.sizes.size());
  if (axes->empty()) {
    for (int axis = 0; axis < rank; ++axis) axes->push_back(axis);
  }
  if (pads->size() != 2 * axes->size()) return nullptr;
  auto made = std::make_unique<PasteStep>(result, bytes_of(element_type_of(result, program)));
  made->fill_with_zeros();
  if (step.inputs.size() > 2 && step.inputs[2]) made->fill_with(step.inputs[2]);
  View source = step.inputs[0];
  std::int64_t offset = 0;
  for (std::size_t k = 0; k < axes->size(); ++k) {
    const auto axis = static_cast<std::size_t>(normalize_axis((*axes)[k], rank));
    const std::int64_t before = (*pads)[k];
    const std::int64_t first = std::max<std::int64_t>(0, -before);
    const std::int64_t past = std::min(source.sizes[axis], result.sizes[axis] - before);
    source.sizes[axis] = std::max<std::int64_t>(0, past - first);
    if (source.sizes[axis] == 0) return made->add(source, 0, result.strides) ? std::move(made) : nullptr;
    source.offset += first * source.strides[axis];
    offset += (first + before) * result.strides[axis];
  }
  return made->add(source, offset, result.strides) ? std::move(made) : nullptr;
}

using PrepareMove = std::unique_ptr<PreparedStep> (*)(const Step& step, const Program& program);

const std::map<std::string_view, PrepareMove>& moving_steps() {
  static const std::map<std::string_view, PrepareMove> ops = {
      {"Concat", prepare_concat},
      {"Pad", prepare_pad},
      {"SliceGrad", prepare_slice_grad},
  };
  return ops;
}

}  // namespace

bool is_moving_op(const OpCard& op) { return moving_steps().contains(op.name); }

bool moving_takes_strides(const Node& node, std::size_t input) { return node.op->name == "Concat" || input == 0; }

std::unique_ptr<PreparedStep> prepare_moving(const Step& step, const Program& program) {
  const auto found = moving_steps().find(step.node->op->name);
  if (found == moving_steps().end() || element_count(step.outputs[0].sizes) == 0) return nullptr;
  return found->second(step, program);
}

}  // namespace asg::cpu
