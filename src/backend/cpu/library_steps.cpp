#include "backend/cpu/library_steps.h"

#include <algorithm>
#include <map>

#include "asg/graph/card.h"
#include "asg/graph/contexts.h"
#include "backend/cpu/library/convolution.h"
#include "backend/cpu/library/matmul.h"
#include "backend/cpu/library/pooling.h"
#include "ops/pooling/pool_parts.h"

namespace asg::cpu {
namespace {

using Prepare = std::unique_ptr<PreparedStep> (*)(const Step& step, DType dtype);

// The address of the first element of a view.
std::byte* start_of(const View& view, DType dtype, const Bases& bases) {
  return bases[static_cast<std::size_t>(view.buffer)] + view.offset * bytes_of(dtype);
}

// ---- Matrix products

MatmulSpec matmul_spec(const View& a, const View& b, const View& c, DType dtype) {
  MatmulSpec spec{.dtype = dtype};
  const std::size_t a_rank = a.sizes.size();
  const std::size_t b_rank = b.sizes.size();
  // A vector is a row on the left and a column on the right.
  spec.m = a_rank == 1 ? 1 : a.sizes[a_rank - 2];
  spec.k = a.sizes[a_rank - 1];
  spec.n = b_rank == 1 ? 1 : b.sizes[b_rank - 1];
  spec.a_row_step = a_rank == 1 ? spec.k : a.strides[a_rank - 2];
  spec.a_column_step = a.strides[a_rank - 1];
  spec.b_row_step = b.strides[b_rank == 1 ? 0 : b_rank - 2];
  spec.b_column_step = b_rank == 1 ? 1 : b.strides[b_rank - 1];
  spec.c_row_step = spec.n;
  const std::size_t a_batch = a_rank > 2 ? a_rank - 2 : 0;
  const std::size_t b_batch = b_rank > 2 ? b_rank - 2 : 0;
  const std::size_t axes = std::max(a_batch, b_batch);
  std::int64_t step = spec.m * spec.n;
  const auto step_of = [&](const View& view, std::size_t batch, std::size_t axis) {
    if (axis + batch < axes) return std::int64_t{0};
    const std::size_t at = axis + batch - axes;
    return view.sizes[at] == 1 ? 0 : view.strides[at];
  };
  for (std::size_t axis = axes; axis-- > 0;) {
    const std::int64_t count = c.sizes[axis];
    spec.batch.insert(spec.batch.begin(), {count, step_of(a, a_batch, axis), step_of(b, b_batch, axis), step});
    step *= count;
  }
  return spec;
}

class MatmulStep : public PreparedStep {
 public:
  MatmulStep(const Step& step, DType dtype)
      : a_(step.inputs[0]),
        b_(step.inputs[1]),
        c_(step.outputs[0]),
        dtype_(dtype),
        matmul_(matmul_spec(a_, b_, c_, dtype)) {}

  std::int64_t scratch_bytes(int) const override { return static_cast<std::int64_t>(matmul_.scratch_bytes()); }

  void run(const Bases& bases, std::byte* scratch, ThreadPool& pool) const override {
    matmul_.run(start_of(a_, dtype_, bases), start_of(b_, dtype_, bases), start_of(c_, dtype_, bases), scratch, pool);
  }

 private:
  View a_;
  View b_;
  View c_;
  DType dtype_;
  Matmul matmul_;
};

// ---- Convolutions

class ConvolutionStep : public PreparedStep {
 public:
  ConvolutionStep(const Step& step, DType dtype, ConvolutionKind kind)
      : left_(step.inputs[0]),
        right_(step.inputs[1]),
        result_(step.outputs[0]),
        dtype_(dtype),
        convolution_({kind, dtype, geometry_of(step, kind)}) {
    if (kind == ConvolutionKind::forward && step.inputs.size() > 2) bias_ = step.inputs[2];
  }

  std::int64_t scratch_bytes(int) const override { return static_cast<std::int64_t>(convolution_.scratch_bytes()); }

  void run(const Bases& bases, std::byte* scratch, ThreadPool& pool) const override {
    std::byte* result = start_of(result_, dtype_, bases);
    if (!bias_) {
      convolution_.run(start_of(left_, dtype_, bases), start_of(right_, dtype_, bases), result, scratch, pool);
      return;
    }
    const std::byte* bias = start_of(bias_, dtype_, bases);
    const auto add_bias = [&](const ConvolutionBlock& block) {
      if (dtype_ == DType::f32)
        return add(reinterpret_cast<float*>(result), reinterpret_cast<const float*>(bias), block);
      add(reinterpret_cast<double*>(result), reinterpret_cast<const double*>(bias), block);
    };
    convolution_.run(start_of(left_, dtype_, bases), start_of(right_, dtype_, bases), result, scratch, pool, add_bias);
  }

 private:
  static ops::Convolution geometry_of(const Step& step, ConvolutionKind kind) {
    const Sizes& result = step.outputs[0].sizes;
    const Sizes& x = kind == ConvolutionKind::forward    ? step.inputs[0].sizes
                     : kind == ConvolutionKind::by_input ? result
                                                         : step.inputs[1].sizes;
    const Sizes& w = kind == ConvolutionKind::by_weight ? result : step.inputs[1].sizes;
    return ops::convolution_of(AttrReader(*step.node->op, step.node->attrs), x, w);
  }

  template <class T>
  void add(T* result, const T* bias, const ConvolutionBlock& block) const {
    const ops::Convolution& conv = convolution_.spec().geometry;
    const std::int64_t positions = conv.positions();
    const std::int64_t channels = conv.groups * conv.group_outputs;
    for (std::int64_t channel = block.first_channel; channel < block.last_channel; ++channel) {
      T* plane = result + (block.picture * channels + channel) * positions;
      for (std::int64_t k = block.first_element; k < block.last_element; ++k) plane[k] += bias[channel];
    }
  }

  View left_;
  View right_;
  View result_;
  View bias_;
  DType dtype_;
  Convolution convolution_;
};

template <ConvolutionKind kind>
std::unique_ptr<PreparedStep> prepare_convolution(const Step& step, DType dtype) {
  return std::make_unique<ConvolutionStep>(step, dtype, kind);
}

std::unique_ptr<PreparedStep> prepare_matmul(const Step& step, DType dtype) {
  return std::make_unique<MatmulStep>(step, dtype);
}

// ---- Pools

class MaxPoolStep : public PreparedStep {
 public:
  MaxPoolStep(const Step& step, DType dtype)
      : x_(step.inputs[0]), outputs_(step.outputs), dtype_(dtype), pool_(spec_of(step, dtype)) {}

  void run(const Bases& bases, std::byte*, ThreadPool& pool) const override {
    std::int64_t* places = nullptr;
    if (outputs_.size() > 1) places = reinterpret_cast<std::int64_t*>(start_of(outputs_[1], DType::i64, bases));
    pool_.max(start_of(x_, dtype_, bases), start_of(outputs_[0], dtype_, bases), places, pool);
  }

 private:
  static PoolingSpec spec_of(const Step& step, DType dtype) {
    const AttrReader attributes(*step.node->op, step.node->attrs);
    const Sizes& x = step.inputs[0].sizes;
    return {.dtype = dtype,
            .planes = x[0] * x[1],
            .windows = ops::three_axes(ops::pool_windows(attributes, Shape::of(x))),
            .by_columns = attributes.integer("storage_order") != 0};
  }

  View x_;
  std::vector<View> outputs_;
  DType dtype_;
  Pooling pool_;
};

std::unique_ptr<PreparedStep> prepare_max_pool(const Step& step, DType dtype) {
  return std::make_unique<MaxPoolStep>(step, dtype);
}

const std::map<std::string_view, Prepare>& table() {
  static const std::map<std::string_view, Prepare> ops = {
      {"MatMul", prepare_matmul},
      {"Conv", prepare_convolution<ConvolutionKind::forward>},
      {"ConvInputGrad", prepare_convolution<ConvolutionKind::by_input>},
      {"ConvWeightGrad", prepare_convolution<ConvolutionKind::by_weight>},
      {"MaxPool", prepare_max_pool},
  };
  return ops;
}

bool is_empty(const View& view) { return element_count(view.sizes) == 0; }

}  // namespace

bool is_library_op(const OpCard& op) { return table().contains(op.name); }

bool takes_strides(const Node& node, std::size_t input, const Sizes& sizes, const Sizes& strides) {
  if (node.op->name != "MatMul" || input > 1) return false;
  const std::size_t rank = sizes.size();
  if (std::any_of(strides.begin(), strides.end(), [](std::int64_t stride) { return stride < 0; })) return false;
  if (rank == 1) return strides[0] == 1;
  const std::int64_t row = strides[rank - 2];
  const std::int64_t column = strides[rank - 1];
  return (column == 1 && row >= sizes[rank - 1]) || (row == 1 && column >= sizes[rank - 2]);
}

std::unique_ptr<PreparedStep> prepare_library(const Step& step, const Program& program) {
  const auto found = table().find(step.node->op->name);
  if (found == table().end()) return nullptr;
  const DType dtype = program.buffers[static_cast<std::size_t>(step.outputs[0].buffer)].dtype;
  if (dtype != DType::f32 && dtype != DType::f64) return nullptr;
  if (is_empty(step.outputs[0]) || is_empty(step.inputs[0]) || is_empty(step.inputs[1 % step.inputs.size()]))
    return nullptr;
  return found->second(step, dtype);
}

}  // namespace asg::cpu
