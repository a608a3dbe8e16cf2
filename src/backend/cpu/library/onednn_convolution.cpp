#include "backend/cpu/library/onednn_convolution.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "asg/core/error.h"
#include "backend/cpu/library/lanes.h"
#include "backend/cpu/library/onednn_parts.h"
#include "backend/cpu/library/onednn_primitive.h"
#include "backend/cpu/library/onednn_thread.h"

namespace asg::cpu {
namespace {

using dnnl::memory;

constexpr std::int64_t kWantedTasks = 8;
constexpr std::int64_t kPartialElements = 16 * 1024 * 1024;  // of sums of weights aside, all together
constexpr std::int64_t kAddGrain = 16 * 1024;

std::size_t aligned(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

memory::desc free_layout(const memory::desc& desc) {
  return {desc.dims(), memory::data_type::f32, memory::format_tag::any};
}

// What oneDNN made of a convolution: the primitive, and how its two operands and its result come into the layouts that
// it likes and back. Nothing of it changes in a run, so that all plans of the same convolution share it.
struct Made {
  dnnl::primitive primitive;
  Border left, right, result;
  memory::desc scratchpad;
  bool is_slow;
};

template <class Description>
Made made_of(const dnnl::primitive& primitive, const Description& description, const Border& left, const Border& right,
             const Border& result) {
  const std::string_view name = description.impl_info_str();
  return {primitive, left, right, result, description.scratchpad_desc(), name.find("ref") != std::string_view::npos};
}

Border border_into(const memory::desc& outer, const memory::desc& inner) { return {Border::Way::in, outer, inner}; }
Border border_out_of(const memory::desc& inner, const memory::desc& outer) { return {Border::Way::out, outer, inner}; }

Made make(ConvolutionKind kind, const ConvolutionParts& part) {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  dnnl::engine& engine = onednn_engine();
  constexpr auto kDirect = dnnl::algorithm::convolution_direct;
  const memory::desc x = free_layout(part.x);
  const memory::desc w = free_layout(part.w);
  const memory::desc y = free_layout(part.y);
  const dnnl::convolution_forward::primitive_desc forward(
      {dnnl::prop_kind::forward_training, kDirect, x, w, y, part.strides, part.dilations, part.pads, part.pads_after},
      attributes, engine);
  if (kind == ConvolutionKind::forward) {
    return made_of(dnnl::convolution_forward(forward), forward, border_into(part.x, forward.src_desc()),
                   border_into(part.w, forward.weights_desc()), border_out_of(forward.dst_desc(), part.y));
  }
  if (kind == ConvolutionKind::by_input) {
    const dnnl::convolution_backward_data::primitive_desc backward(
        {kDirect, x, w, y, part.strides, part.dilations, part.pads, part.pads_after}, attributes, engine, forward);
    return made_of(dnnl::convolution_backward_data(backward), backward, border_into(part.y, backward.diff_dst_desc()),
                   border_into(part.w, backward.weights_desc()), border_out_of(backward.diff_src_desc(), part.x));
  }
  const dnnl::convolution_backward_weights::primitive_desc backward(
      {kDirect, x, w, y, part.strides, part.dilations, part.pads, part.pads_after}, attributes, engine, forward);
  return made_of(dnnl::convolution_backward_weights(backward), backward, border_into(part.y, backward.diff_dst_desc()),
                 border_into(part.x, backward.src_desc()), border_out_of(backward.diff_weights_desc(), part.w));
}

std::shared_ptr<const Made> shared_convolution(ConvolutionKind kind, const ConvolutionParts& part) {
  return shared_onednn<Made>(part.key, [&] { return make(kind, part); });
}

class OnednnPlan : public ConvolutionPlan {
 public:
  OnednnPlan(const ConvolutionSpec& spec, std::int64_t wanted_parts, std::int64_t lanes)
      : kind_(spec.kind),
        all_(spec.geometry),
        parts_(spec, wanted_parts),
        made_(shared_convolution(spec.kind, parts_)) {
    scratchpad_bytes_ = made_->scratchpad.get_size();
    lanes_.reserve(static_cast<std::size_t>(lanes));
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      lanes_.push_back({made_->left.make_side(), made_->right.make_side(), made_->result.make_side(),
                        memory(made_->scratchpad, onednn_engine(), nullptr), dnnl::stream(onednn_engine())});
    }
  }

  bool is_slow() const { return made_->is_slow; }

 protected:
  // What one thread needs to run the primitive. Their handles change with every run, so a plan runs once at a time.
  struct Lane {
    Border::Side left;
    Border::Side right;
    Border::Side result;
    memory scratchpad;
    dnnl::stream stream;
  };
  Lane& lane(std::int64_t number) const { return lanes_[static_cast<std::size_t>(number)]; }
  std::int64_t x_picture() const { return all_.groups * all_.group_channels * all_.pixels(); }
  std::int64_t y_picture() const { return all_.groups * all_.group_outputs * all_.positions(); }

  // NOLINTBEGIN(readability-identifier-naming): members like all others, though derived classes see them
  ConvolutionKind kind_;
  ops::Convolution all_;
  ConvolutionParts parts_;
  std::shared_ptr<const Made> made_;
  std::size_t scratchpad_bytes_ = 0;
  // NOLINTEND(readability-identifier-naming)

 private:
  mutable std::vector<Lane> lanes_;
};

// Forward and by input: pictures are independent, weights are shared.
class OnednnByPicture final : public OnednnPlan {
 public:
  explicit OnednnByPicture(const ConvolutionSpec& spec)
      : OnednnPlan(spec, kWantedTasks / std::min(kWantedTasks, spec.geometry.batch), kMostLanes) {}

  std::size_t scratch_bytes() const override {
    return static_cast<std::size_t>(parts_.count) * aligned(made_->right.inner_bytes()) +
           static_cast<std::size_t>(lanes_for(tasks())) * slot();
  }

  void run(const void* left, const void* right, void* result, void* scratch, ThreadPool& pool,
           ConvolutionDone after_block) const override {
    auto* packed = static_cast<std::byte*>(scratch);
    pack_weights(static_cast<const float*>(right), packed, pool);
    run_packed(static_cast<const float*>(left), static_cast<const float*>(right), packed, static_cast<float*>(result),
               packed + static_cast<std::size_t>(parts_.count) * aligned(made_->right.inner_bytes()), pool,
               after_block);
  }

 private:
  std::int64_t tasks() const { return all_.batch * parts_.count; }
  std::size_t slot() const {
    return aligned(made_->left.inner_bytes()) + aligned(made_->result.inner_bytes()) + aligned(scratchpad_bytes_);
  }

  void pack_weights(const float* w, std::byte* packed, ThreadPool& pool) const {
    const auto pack = [&](std::int64_t part, std::int64_t) {
      const OneThread alone;
      Lane& with = lane(part);
      made_->right.place(with.right, w + part * parts_.w_step, packed_at(packed, part));
      made_->right.cross(with.right, with.stream);
    };
    if (made_->right.inner_bytes() > 0) pool.for_ranges(parts_.count, 1, std::ref(pack));
  }
  std::byte* packed_at(std::byte* packed, std::int64_t part) const {
    return packed + static_cast<std::size_t>(part) * aligned(made_->right.inner_bytes());
  }

  void run_packed(const float* left, const float* w, std::byte* packed, float* result, std::byte* scratch,
                  ThreadPool& pool, ConvolutionDone after_block) const {
    const bool forward = kind_ == ConvolutionKind::forward;
    const std::int64_t left_picture = forward ? x_picture() : y_picture();
    const std::int64_t left_step = forward ? parts_.x_step : parts_.y_step;
    const std::int64_t result_picture = forward ? y_picture() : x_picture();
    const std::int64_t result_step = forward ? parts_.y_step : parts_.x_step;
    const std::int64_t elements = forward ? all_.positions() : all_.pixels();
    for_each_in_lanes(pool, tasks(), [&](std::int64_t number, std::int64_t task) {
      const OneThread alone;
      const std::int64_t picture = task / parts_.count;
      const std::int64_t part = task % parts_.count;
      Lane& with = lane(number);
      std::byte* memory = scratch + static_cast<std::size_t>(number) * slot();
      std::byte* result_memory = memory + aligned(made_->left.inner_bytes());
      made_->left.place(with.left, left + picture * left_picture + part * left_step, memory);
      made_->right.place(with.right, w + part * parts_.w_step, packed_at(packed, part));
      made_->result.place(with.result, result + picture * result_picture + part * result_step, result_memory);
      with.scratchpad.set_data_handle(result_memory + aligned(made_->result.inner_bytes()));
      made_->left.cross(with.left, with.stream);
      execute(made_->primitive, with.stream,
              {{forward ? DNNL_ARG_SRC : DNNL_ARG_DIFF_DST, made_->left.argument(with.left)},
               {DNNL_ARG_WEIGHTS, made_->right.argument(with.right)},
               {forward ? DNNL_ARG_DST : DNNL_ARG_DIFF_SRC, made_->result.argument(with.result)},
               {DNNL_ARG_SCRATCHPAD, with.scratchpad.get()}});
      made_->result.cross(with.result, with.stream);
      if (after_block) after_block({picture, part * parts_.channels, (part + 1) * parts_.channels, 0, elements});
    });
  }
};

// By weight: chunks of the pictures are summed aside, in the inner layout, then added in their order.
class OnednnByWeight final : public OnednnPlan {
 public:
  explicit OnednnByWeight(const ConvolutionSpec& spec)
      : OnednnPlan(spec, kWantedTasks / chunks_for(spec.geometry), kMostLanes), chunks_(chunks_for(spec.geometry)) {}

  std::size_t scratch_bytes() const override {
    return static_cast<std::size_t>(lanes_for(tasks())) * slot() + static_cast<std::size_t>(tasks()) * sum_bytes();
  }

  void run(const void* left, const void* right, void* result, void* scratch, ThreadPool& pool,
           ConvolutionDone after_block) const override {
    auto* memory = static_cast<std::byte*>(scratch);
    std::byte* sums = memory + static_cast<std::size_t>(lanes_for(tasks())) * slot();
    for_each_in_lanes(pool, tasks(), [&](std::int64_t number, std::int64_t task) {
      const OneThread alone;
      sum_chunk(static_cast<const float*>(left), static_cast<const float*>(right), task, lane(number),
                memory + static_cast<std::size_t>(number) * slot(), sums);
    });
    add_chunks(reinterpret_cast<float*>(sums), pool);
    const auto finish = [&](std::int64_t part, std::int64_t) {
      const OneThread alone;
      Lane& with = lane(part);
      float* to = static_cast<float*>(result) + part * parts_.w_step;
      std::byte* sum = sums + static_cast<std::size_t>(part) * sum_bytes();
      made_->result.place(with.result, to, sum);
      if (made_->result.inner_bytes() == 0) std::memcpy(to, sum, made_->result.whole_bytes());
      made_->result.cross(with.result, with.stream);
      if (after_block) {
        after_block({0, part * parts_.channels, (part + 1) * parts_.channels, 0, all_.patch_rows()});
      }
    };
    pool.for_ranges(parts_.count, 1, std::ref(finish));
  }

 private:
  static std::int64_t chunks_for(const ops::Convolution& conv) {
    const std::int64_t weights = conv.groups * conv.group_outputs * conv.patch_rows();
    const std::int64_t affordable = std::clamp<std::int64_t>(kPartialElements / weights, 1, kWantedTasks);
    return std::min(conv.batch, affordable);
  }
  std::int64_t tasks() const { return chunks_ * parts_.count; }
  std::size_t sum_bytes() const { return aligned(made_->result.whole_bytes()); }
  std::size_t slot() const {
    return aligned(made_->left.inner_bytes()) + aligned(made_->right.inner_bytes()) + sum_bytes() +
           aligned(scratchpad_bytes_);
  }

  // Tasks count chunks, then parts; their sums lie in that order. The sum of the first picture is made where it stays.
  void sum_chunk(const float* grad, const float* x, std::int64_t task, Lane& with, std::byte* slot_memory,
                 std::byte* sums) const {
    const std::int64_t chunk = task / parts_.count;
    const std::int64_t part = task % parts_.count;
    std::byte* right_memory = slot_memory + aligned(made_->left.inner_bytes());
    std::byte* aside = right_memory + aligned(made_->right.inner_bytes());
    auto* sum = reinterpret_cast<float*>(sums + static_cast<std::size_t>(task) * sum_bytes());
    with.scratchpad.set_data_handle(aside + sum_bytes());
    const std::int64_t begin = chunk * all_.batch / chunks_;
    const std::int64_t end = (chunk + 1) * all_.batch / chunks_;
    for (std::int64_t picture = begin; picture < end; ++picture) {
      float* target = picture == begin ? sum : reinterpret_cast<float*>(aside);
      made_->left.place(with.left, grad + picture * y_picture() + part * parts_.y_step, slot_memory);
      made_->right.place(with.right, x + picture * x_picture() + part * parts_.x_step, right_memory);
      made_->result.place(with.result, target, target);  // whichever form the primitive writes
      made_->left.cross(with.left, with.stream);
      made_->right.cross(with.right, with.stream);
      execute(made_->primitive, with.stream,
              {{DNNL_ARG_DIFF_DST, made_->left.argument(with.left)},
               {DNNL_ARG_SRC, made_->right.argument(with.right)},
               {DNNL_ARG_DIFF_WEIGHTS, made_->result.argument(with.result)},
               {DNNL_ARG_SCRATCHPAD, with.scratchpad.get()}});
      if (picture > begin) add(target, sum, static_cast<std::int64_t>(made_->result.whole_bytes() / sizeof(float)));
    }
  }

  static void add(const float* __restrict from, float* __restrict to, std::int64_t count) {
    for (std::int64_t k = 0; k < count; ++k) to[k] += from[k];
  }

  void add_chunks(float* sums, ThreadPool& pool) const {
    const auto step = static_cast<std::int64_t>(sum_bytes() / sizeof(float)) * parts_.count;
    const auto add_range = [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t chunk = 1; chunk < chunks_; ++chunk) {
        add(sums + chunk * step + first, sums + first, last - first);
      }
    };
    if (chunks_ > 1) pool.for_ranges(step, kAddGrain, std::ref(add_range));
  }

  std::int64_t chunks_;
};

// With few input channels its gradient by the input is far slower than a product of matrices.
bool worth_it(const ConvolutionSpec& spec) {
  const ops::Convolution& conv = spec.geometry;
  const bool empty = conv.batch == 0 || conv.groups == 0 || conv.group_outputs == 0 || conv.group_channels == 0 ||
                     conv.pixels() == 0 || conv.positions() == 0;
  const bool few = spec.kind == ConvolutionKind::by_input && conv.groups == 1 && conv.group_channels < 4;
  return spec.dtype == DType::f32 && !empty && !few;
}

}  // namespace

std::unique_ptr<const ConvolutionPlan> onednn_convolution(const ConvolutionSpec& spec) {
  if (!worth_it(spec)) return nullptr;
  const OneThread alone;  // primitives are made for as many threads as they will have
  try {
    std::unique_ptr<const OnednnPlan> plan;
    if (spec.kind == ConvolutionKind::by_weight) {
      plan = std::make_unique<OnednnByWeight>(spec);
    } else {
      plan = std::make_unique<OnednnByPicture>(spec);
    }
    if (plan->is_slow()) return nullptr;
    return plan;
  } catch (const dnnl::error&) {
    return nullptr;  // it does not know this one
  }
}

}  // namespace asg::cpu
