#include "backend/cpu/library_steps.h"

#include <algorithm>
#include <map>
#include <optional>

#include "asg/graph/card.h"
#include "asg/graph/contexts.h"
#include "backend/cpu/attention_step.h"
#include "backend/cpu/element_steps.h"
#include "backend/cpu/epilogue.h"
#include "backend/cpu/library/convolution.h"
#include "backend/cpu/library/matmul.h"
#include "backend/cpu/moving_steps.h"
#include "backend/cpu/pool_steps.h"
#include "backend/cpu/slice_scatter_step.h"
#include "backend/cpu/tile_plan.h"

namespace asg::cpu {
namespace {

using PrepareProduct = std::unique_ptr<PreparedStep> (*)(const Step& step, DType dtype, const Means& means);

// ---- Matrix products

// Products with one b whose rows of a follow each other are one product with more rows.
void join_batch_to_rows(MatmulSpec& spec) {
  while (!spec.batch.empty()) {
    const MatmulSpec::BatchAxis& inner = spec.batch.back();
    const bool follow = inner.a_step == spec.m * spec.a_row_step && inner.c_step == spec.m * spec.c_row_step;
    if (inner.count != 1 && (inner.b_step != 0 || !follow)) return;
    spec.m *= inner.count;
    spec.batch.pop_back();
  }
}

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
  join_batch_to_rows(spec);
  return spec;
}

class MatmulStep : public PreparedStep {
 public:
  MatmulStep(const Step& step, DType dtype, const Means& means)
      : a_(step.inputs[0]),
        b_(step.inputs[1]),
        c_(step.outputs[0]),
        dtype_(dtype),
        matmul_(spec_of(step, dtype, means), means.library),
        row_pieces_((matmul_.spec().m + matmul_.split().row_part - 1) / matmul_.split().row_part),
        product_bytes_(aligned(static_cast<std::int64_t>(matmul_.scratch_bytes()))) {
    if (step.kernel != nullptr) epilogue_.emplace(step, row_pieces_ * matmul_.spec().batch_count());
  }

  std::int64_t scratch_bytes(int threads) const override {
    return product_bytes_ + (epilogue_ ? epilogue_->scratch_bytes(threads) : 0);
  }

  void run(const Bases& bases, std::byte* scratch, ThreadPool& pool) const override {
    const std::byte* a = start_of(a_, dtype_, bases);
    const std::byte* b = start_of(b_, dtype_, bases);
    std::byte* c = start_of(c_, dtype_, bases);
    if (!epilogue_) return matmul_.run(a, b, c, scratch, pool);
    epilogue_->begin(bases, scratch + product_bytes_, pool.threads());
    const auto finish_block = [&](const MatrixBlock& block) { finish(block); };
    matmul_.run(a, b, c, scratch, pool, finish_block);
    epilogue_->end();
  }

 private:
  static MatmulSpec spec_of(const Step& step, DType dtype, const Means& means) {
    MatmulSpec spec = matmul_spec(step.inputs[0], step.inputs[1], step.outputs[0], dtype);
    spec.narrow = means.bf16;
    spec.has_epilogue = step.kernel != nullptr;
    spec.whole_rows = step.kernel != nullptr && needs_rows(*step.kernel);
    return spec;
  }

  void finish(const MatrixBlock& block) const {
    const MatmulSpec& spec = matmul_.spec();
    const std::int64_t first = (block.batch * spec.m + block.first_row) * spec.n + block.first_column;
    const std::int64_t rows = block.last_row - block.first_row;
    const std::int64_t columns = block.last_column - block.first_column;
    const std::int64_t piece = block.batch * row_pieces_ + block.first_row / matmul_.split().row_part;
    if (columns == spec.n) return epilogue_->run({.first = first, .length = rows * columns}, piece);
    epilogue_->run({.first = first, .length = columns, .step = spec.n, .count = rows}, piece);
  }

  View a_;
  View b_;
  View c_;
  DType dtype_;
  Matmul matmul_;
  std::int64_t row_pieces_;
  std::int64_t product_bytes_;
  std::optional<Epilogue> epilogue_;
};

// Rows are whole where the product is split by rows only, which costs little if there are enough of them.
bool matmul_takes(const Step& step, const Kernel& epilogue) {
  if (!needs_rows(epilogue)) return true;
  constexpr std::int64_t kFewestRows = 64;
  const MatmulSpec spec = matmul_spec(step.inputs[0], step.inputs[1], step.outputs[0], DType::f32);
  return spec.m >= kFewestRows && spec.batch_count() == 1 && spec.n % epilogue.row_length() == 0;
}

// ---- Convolutions

class ConvolutionStep : public PreparedStep {
 public:
  ConvolutionStep(const Step& step, DType dtype, ConvolutionKind kind, const Means& means)
      : left_(step.inputs[0]),
        right_(step.inputs[1]),
        result_(step.outputs[0]),
        dtype_(dtype),
        convolution_({kind, dtype, geometry_of(step, kind)}, means.library),
        result_bytes_(aligned(static_cast<std::int64_t>(convolution_.scratch_bytes()))),
        plane_(element_count(result_.sizes) / (result_.sizes[0] * result_.sizes[1])) {
    if (kind == ConvolutionKind::forward && step.node->inputs.size() > 2) bias_ = step.inputs[2];
    if (step.kernel != nullptr) epilogue_.emplace(step, 1);
  }

  std::int64_t scratch_bytes(int threads) const override {
    return result_bytes_ + (epilogue_ ? epilogue_->scratch_bytes(threads) : 0);
  }

  void run(const Bases& bases, std::byte* scratch, ThreadPool& pool) const override {
    const std::byte* left = start_of(left_, dtype_, bases);
    const std::byte* right = start_of(right_, dtype_, bases);
    std::byte* result = start_of(result_, dtype_, bases);
    if (!bias_ && !epilogue_) return convolution_.run(left, right, result, scratch, pool);
    if (epilogue_) epilogue_->begin(bases, scratch + result_bytes_, pool.threads());
    const std::byte* bias = bias_ ? start_of(bias_, dtype_, bases) : nullptr;
    const auto finish_block = [&](const ConvolutionBlock& block) {
      if (bias != nullptr) add_bias(result, bias, block);
      if (epilogue_) finish(block);
    };
    convolution_.run(left, right, result, scratch, pool, finish_block);
    if (epilogue_) epilogue_->end();
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

  // The first element of a plane of the result.
  std::int64_t plane_at(const ConvolutionBlock& block, std::int64_t channel) const {
    return (block.picture * result_.sizes[1] + channel) * plane_;
  }

  void finish(const ConvolutionBlock& block) const {
    const std::int64_t elements = block.last_element - block.first_element;
    const std::int64_t channels = block.last_channel - block.first_channel;
    const std::int64_t first = plane_at(block, block.first_channel) + block.first_element;
    if (elements == plane_) return epilogue_->run({.first = first, .length = elements * channels}, 0);
    epilogue_->run({.first = first, .length = elements, .step = plane_, .count = channels}, 0);
  }

  void add_bias(std::byte* result, const std::byte* bias, const ConvolutionBlock& block) const {
    if (dtype_ == DType::f32) return add(reinterpret_cast<float*>(result), reinterpret_cast<const float*>(bias), block);
    add(reinterpret_cast<double*>(result), reinterpret_cast<const double*>(bias), block);
  }

  template <class T>
  void add(T* result, const T* bias, const ConvolutionBlock& block) const {
    for (std::int64_t channel = block.first_channel; channel < block.last_channel; ++channel) {
      T* plane = result + plane_at(block, channel);
      for (std::int64_t k = block.first_element; k < block.last_element; ++k) plane[k] += bias[channel];
    }
  }

  View left_;
  View right_;
  View result_;
  View bias_;
  DType dtype_;
  Convolution convolution_;
  std::int64_t result_bytes_;
  std::int64_t plane_;  // elements of the result in one picture and channel
  std::optional<Epilogue> epilogue_;
};

template <ConvolutionKind kind>
std::unique_ptr<PreparedStep> prepare_convolution(const Step& step, DType dtype, const Means& means) {
  return std::make_unique<ConvolutionStep>(step, dtype, kind, means);
}

std::unique_ptr<PreparedStep> prepare_matmul(const Step& step, DType dtype, const Means& means) {
  return std::make_unique<MatmulStep>(step, dtype, means);
}

const std::map<std::string_view, PrepareProduct>& product_steps() {
  static const std::map<std::string_view, PrepareProduct> ops = {
      {"MatMul", prepare_matmul},
      {"Conv", prepare_convolution<ConvolutionKind::forward>},
      {"ConvInputGrad", prepare_convolution<ConvolutionKind::by_input>},
      {"ConvWeightGrad", prepare_convolution<ConvolutionKind::by_weight>},
  };
  return ops;
}

bool is_empty(const View& view) { return element_count(view.sizes) == 0; }

DType dtype_of(const Step& call, const Program& program) {
  return program.buffers[static_cast<std::size_t>(call.outputs[0].buffer)].dtype;
}

bool is_prepared(const Step& call, const Program& program) {
  if (!product_steps().contains(call.node->op->name)) return false;
  const DType dtype = dtype_of(call, program);
  if (dtype != DType::f32 && dtype != DType::f64) return false;
  return !is_empty(call.outputs[0]) && !is_empty(call.inputs[0]) &&
         !is_empty(call.inputs[1 % call.node->inputs.size()]);
}

bool is_convolution(std::string_view op) { return op == "Conv" || op == "ConvInputGrad"; }

}  // namespace

bool is_library_op(const OpCard& op) {
  return product_steps().contains(op.name) || is_attention(op) || is_pool_op(op) || is_element_op(op) ||
         is_slice_scatter(op);
}

bool lacks_types_of(const Node& node) {
  return is_attention(*node.op) && node.outputs.front().type.dtype != DType::f32;
}

// Heads side by side, as they come out of projections and go into them: [batch, length, heads, width].
std::vector<int> output_order(const Node& node, std::uint32_t) {
  if (!is_attention(*node.op)) return {};
  return {0, 2, 1, 3};
}

bool takes_strides(const Node& node, std::size_t input, const Sizes& sizes, const Sizes& strides) {
  if (is_attention(*node.op)) return attention_takes(node, input, sizes, strides);
  if (is_element_op(*node.op)) return element_op_takes(node, input, strides);
  if (is_moving_op(*node.op)) return moving_takes_strides(node, input);
  if (node.op->name != "MatMul" || input > 1) return false;
  const std::size_t rank = sizes.size();
  if (std::any_of(strides.begin(), strides.end(), [](std::int64_t stride) { return stride < 0; })) return false;
  if (rank == 1) return strides[0] == 1;
  const std::int64_t row = strides[rank - 2];
  const std::int64_t column = strides[rank - 1];
  return (column == 1 && row >= sizes[rank - 1]) || (row == 1 && column >= sizes[rank - 2]);
}

std::unique_ptr<PreparedStep> prepare_library(const Step& step, const Program& program, const Means& means) {
  if (is_attention(*step.node->op)) return prepare_attention(step, program);
  if (auto pool = prepare_pool(step, program)) return pool;
  if (auto elements = prepare_elements(step, program)) return elements;
  if (auto slices = prepare_slice_scatter(step, program)) return slices;
  if (!is_prepared(step, program)) return nullptr;
  return product_steps().at(step.node->op->name)(step, dtype_of(step, program), means);
}

bool changes_in_place(const Node& node) { return scatters_in_place(node); }

bool takes_epilogue(const Program& program, const Step& call, const Kernel& epilogue) {
  if (!is_prepared(call, program) || !TileRunner::supports(epilogue)) return false;
  if (call.node->op->name == "MatMul") return matmul_takes(call, epilogue);
  return is_convolution(call.node->op->name) && !needs_rows(epilogue);
}

}  // namespace asg::cpu
