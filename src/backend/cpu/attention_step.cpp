#include "backend/cpu/attention_step.h"

#include <cmath>

#include "asg/graph/card.h"
#include "asg/graph/contexts.h"
#include "backend/cpu/library/attention.h"

namespace asg::cpu {
namespace {

constexpr std::size_t kQuery = 0;
constexpr std::size_t kKey = 1;
constexpr std::size_t kValue = 2;
constexpr std::size_t kGradient = 3;  // of AttentionGrad only
constexpr std::string_view kForward = "Attention";
constexpr std::string_view kBackward = "AttentionGrad";

bool is_backward(const Node& node) { return node.op->name == kBackward; }

// Inputs after the operands: mask, seed, step.
std::size_t first_option(const Node& node) { return is_backward(node) ? kGradient + 1 : kValue + 1; }

View input_of(const Step& step, std::size_t input) { return input < step.inputs.size() ? step.inputs[input] : View{}; }

AttentionSpec::Steps steps_of(const View& view) { return {view.strides[0], view.strides[1], view.strides[2]}; }

// A mask lies along the last axes; where its length is 1, it is the same for all.
std::array<std::int64_t, 4> mask_steps_of(const View& mask) {
  std::array<std::int64_t, 4> steps = {};
  const std::size_t lead = steps.size() - mask.sizes.size();
  for (std::size_t k = 0; k < mask.sizes.size(); ++k) steps[lead + k] = mask.sizes[k] == 1 ? 0 : mask.strides[k];
  return steps;
}

AttentionSpec spec_of(const Step& step) {
  const AttrReader attributes(*step.node->op, step.node->attrs);
  const Sizes& query = step.inputs[kQuery].sizes;
  const Sizes& value = step.inputs[kValue].sizes;
  AttentionSpec spec;
  spec.batch = query[0];
  spec.heads = query[1];
  spec.length = query[2];
  spec.width = query[3];
  spec.shared_heads = value[1];
  spec.others = value[2];
  spec.value_width = value[3];
  spec.query = steps_of(step.inputs[kQuery]);
  spec.key = steps_of(step.inputs[kKey]);
  spec.value = steps_of(step.inputs[kValue]);
  spec.causal = attributes.boolean("is_causal");
  spec.dropout = attributes.real("dropout");
  const double scale = attributes.real("scale");
  spec.scale = scale != 0 ? scale : 1 / std::sqrt(static_cast<double>(spec.width));
  // The stream of the Dropout in the op's body.
  spec.stream = combine(step.node->stream, "dropout");
  return spec;
}

class AttentionStep : public PreparedStep {
 public:
  AttentionStep(const Step& step, const Program& program)
      : backward_(is_backward(*step.node)),
        query_(step.inputs[kQuery]),
        key_(step.inputs[kKey]),
        value_(step.inputs[kValue]),
        gradient_(backward_ ? step.inputs[kGradient] : View{}),
        mask_(input_of(step, first_option(*step.node))),
        seed_(input_of(step, first_option(*step.node) + 1)),
        step_(input_of(step, first_option(*step.node) + 2)),
        outputs_(step.outputs) {
    AttentionSpec spec = spec_of(step);
    if (backward_) {
      spec.result = steps_of(gradient_);
      spec.query_gradient = steps_of(outputs_[kQuery]);
      spec.key_gradient = steps_of(outputs_[kKey]);
      spec.value_gradient = steps_of(outputs_[kValue]);
    } else {
      spec.result = steps_of(outputs_.front());
    }
    place_mask(spec, program);
    attention_.emplace(spec);
  }

  std::int64_t scratch_bytes(int) const override {
    return static_cast<std::int64_t>(backward_ ? attention_->gradient_scratch_bytes() : attention_->scratch_bytes()) +
           rounded_mask_bytes_;
  }

  void run(const Bases& bases, std::byte* scratch, ThreadPool& pool) const override {
    AttentionOperands operands{.query = start_of<float>(query_, bases),
                               .key = start_of<float>(key_, bases),
                               .value = start_of<float>(value_, bases)};
    if (mask_) operands.mask = rounded_mask_bytes_ > 0 ? rounded_mask(bases, scratch) : start_of_mask(bases);
    if (seed_) operands.seed = start_of<std::uint64_t>(seed_, bases);
    if (step_) operands.step = start_of<std::uint64_t>(step_, bases);
    void* rest = scratch + rounded_mask_bytes_;
    if (!backward_) return attention_->run(operands, start_of<float>(outputs_.front(), bases), rest, pool);
    const AttentionGradients to{.query = start_of<float>(outputs_[kQuery], bases),
                                .key = start_of<float>(outputs_[kKey], bases),
                                .value = start_of<float>(outputs_[kValue], bases)};
    attention_->run_gradient(operands, start_of<float>(gradient_, bases), to, rest, pool);
  }

 private:
  template <class T>
  static T* start_of(const View& view, const Bases& bases) {
    return reinterpret_cast<T*>(bases[static_cast<std::size_t>(view.buffer)]) + view.offset;
  }

  void place_mask(AttentionSpec& spec, const Program& program) {
    if (!mask_) return;
    mask_dtype_ = program.buffers[static_cast<std::size_t>(mask_.buffer)].dtype;
    spec.mask = mask_dtype_ == DType::boolean ? AttentionSpec::Mask::allowed : AttentionSpec::Mask::added;
    View read = mask_;
    if (mask_dtype_ != DType::boolean && mask_dtype_ != DType::f32) {
      constexpr std::int64_t kAlignment = 64;
      const std::int64_t bytes = element_count(mask_.sizes) * bytes_of(DType::f32);
      rounded_mask_bytes_ = (bytes + kAlignment) / kAlignment * kAlignment;
      read.strides = dense_strides(mask_.sizes);
    }
    spec.mask_steps = mask_steps_of(read);
  }

  std::byte* start_of_mask(const Bases& bases) const {
    return bases[static_cast<std::size_t>(mask_.buffer)] + mask_.offset * bytes_of(mask_dtype_);
  }

  // A mask of another float type, as f32.
  const void* rounded_mask(const Bases& bases, std::byte* scratch) const {
    const Array mask = Array::wrap(mask_dtype_, mask_.sizes, start_of_mask(bases), {}, mask_.strides);
    auto* rounded = reinterpret_cast<float*>(scratch);
    for (std::int64_t at = 0; at < mask.count(); ++at) rounded[at] = static_cast<float>(mask.get(at));
    return rounded;
  }

  bool backward_;
  View query_;
  View key_;
  View value_;
  View gradient_;  // of the result; of the backward pass only
  View mask_;
  View seed_;
  View step_;
  std::vector<View> outputs_;
  DType mask_dtype_ = DType::f32;
  std::int64_t rounded_mask_bytes_ = 0;
  std::optional<Attention> attention_;
};

}  // namespace

bool is_attention(const OpCard& op) { return op.name == kForward || op.name == kBackward; }

bool attention_takes(const Node& node, std::size_t input, const Sizes& sizes, const Sizes& strides) {
  const std::size_t option = first_option(node);
  if (input == option) return true;  // a mask
  return input < option && (sizes.back() <= 1 || strides.back() == 1);
}

std::unique_ptr<PreparedStep> prepare_attention(const Step& step, const Program& program) {
  return std::make_unique<AttentionStep>(step, program);
}

}  // namespace asg::cpu
