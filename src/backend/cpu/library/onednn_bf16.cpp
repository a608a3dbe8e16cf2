#include "backend/cpu/library/onednn_bf16.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <oneapi/dnnl/dnnl.hpp>

#include "backend/cpu/library/onednn_primitive.h"
#include "backend/cpu/library/onednn_thread.h"
#include "backend/cpu/library/onednn_tiles.h"
#include "backend/cpu/tile_convert_vector.h"

namespace asg::cpu {
namespace {

using dnnl::memory;

std::int64_t number_of_parts(std::int64_t length, std::int64_t part) { return (length + part - 1) / part; }

std::size_t rounded_up(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

// A matrix whose lines are dense, rows or columns.
struct Lines {
  std::int64_t count = 0;
  std::int64_t length = 0;
  std::int64_t step = 0;  // from line to line, in elements
  bool are_columns = false;

  // Steps of the dense copy.
  memory::dims steps() const { return are_columns ? memory::dims{1, length} : memory::dims{length, 1}; }
  std::int64_t elements() const { return count * length; }
};

Lines lines_of(std::int64_t rows, std::int64_t columns, std::int64_t row_step, std::int64_t column_step) {
  if (column_step == 1) return {rows, columns, row_step, false};
  return {columns, rows, column_step, true};
}

// A product of parts of these sizes; nothing of it changes in a run.
struct MadeProduct {
  dnnl::matmul primitive;
  memory::desc scratchpad;
};

std::shared_ptr<const MadeProduct> shared_product(const memory::desc& a, const memory::desc& b, const memory::desc& c,
                                                  const std::vector<std::int64_t>& key) {
  return shared_onednn<MadeProduct>(key, [&]() -> MadeProduct {
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    const OneThread alone;
    const dnnl::matmul::primitive_desc made(dnnl::matmul::desc(a, b, c), attributes, onednn_engine());
    return {dnnl::matmul(made), made.scratchpad_desc()};
  });
}

class Bf16Product : public ProductPlan {
 public:
  Bf16Product(const MatmulSpec& spec, const MatmulSplit& split)
      : spec_(spec),
        split_(split),
        a_(lines_of(spec.m, spec.k, spec.a_row_step, spec.a_column_step)),
        b_(lines_of(spec.k, spec.n, spec.b_row_step, spec.b_column_step)) {
    const std::int64_t column_parts = number_of_parts(spec.n, split.column_part);
    const std::int64_t tiles = number_of_parts(spec.m, split.row_part) * column_parts;
    for (std::int64_t tile = 0; tile < tiles; ++tile) {
      const std::int64_t row = tile / column_parts * split.row_part;
      const std::int64_t column = tile % column_parts * split.column_part;
      tiles_.push_back(make_tile(
          {row, std::min(spec.m, row + split.row_part), column, std::min(spec.n, column + split.column_part), 0}));
    }
  }

  std::size_t scratch_bytes() const override {
    return b_place() + rounded_up(static_cast<std::size_t>(b_.elements()) * 2) + scratchpad_bytes_ * tiles_.size();
  }

  void run(const void* a, const void* b, void* c, void* scratch, ThreadPool& pool,
           BlockDone after_block) const override {
    auto* bytes = static_cast<std::byte*>(scratch);
    auto* narrow_a = reinterpret_cast<std::uint16_t*>(bytes);
    auto* narrow_b = reinterpret_cast<std::uint16_t*>(bytes + b_place());
    std::byte* scratchpads = bytes + scratch_bytes() - scratchpad_bytes_ * tiles_.size();
    narrow(a_, static_cast<const float*>(a), narrow_a, pool);
    narrow(b_, static_cast<const float*>(b), narrow_b, pool);
    const auto multiply = [&](std::int64_t first, std::int64_t last) {
      const OneThread alone;
      for (std::int64_t number = first; number < last; ++number) {
        const Tile& tile = tiles_[static_cast<std::size_t>(number)];
        const MatrixBlock& block = tile.block;
        tile.a.set_data_handle(narrow_a + block.first_row * a_.steps()[0]);
        tile.b.set_data_handle(narrow_b + block.first_column * b_.steps()[1]);
        tile.c.set_data_handle(static_cast<float*>(c) + block.first_row * spec_.c_row_step + block.first_column);
        tile.scratchpad.set_data_handle(scratchpads + static_cast<std::size_t>(number) * scratchpad_bytes_);
        execute(tile.product->primitive, tile.stream,
                {{DNNL_ARG_SRC, tile.a.get()},
                 {DNNL_ARG_WEIGHTS, tile.b.get()},
                 {DNNL_ARG_DST, tile.c.get()},
                 {DNNL_ARG_SCRATCHPAD, tile.scratchpad.get()}});
        if (after_block) after_block(block);
      }
    };
    pool.for_ranges(static_cast<std::int64_t>(tiles_.size()), 1, std::ref(multiply));
  }

 private:
  // A part of c with what oneDNN needs for it. Handles change with every run, so a plan runs once at a time.
  struct Tile {
    MatrixBlock block;
    std::shared_ptr<const MadeProduct> product;
    mutable memory a;
    mutable memory b;
    mutable memory c;
    mutable memory scratchpad;
    dnnl::stream stream;
  };

  std::size_t b_place() const { return rounded_up(static_cast<std::size_t>(a_.elements()) * 2); }

  Tile make_tile(const MatrixBlock& block) {
    const memory::dim rows = block.last_row - block.first_row;
    const memory::dim columns = block.last_column - block.first_column;
    const memory::desc a({rows, spec_.k}, memory::data_type::bf16, a_.steps());
    const memory::desc b({spec_.k, columns}, memory::data_type::bf16, b_.steps());
    const memory::desc c({rows, columns}, memory::data_type::f32, memory::dims{spec_.c_row_step, 1});
    dnnl::engine& engine = onednn_engine();
    auto product = shared_product(
        a, b, c,
        {rows, columns, spec_.k, a_.steps()[0], a_.steps()[1], b_.steps()[0], b_.steps()[1], spec_.c_row_step});
    scratchpad_bytes_ = std::max(scratchpad_bytes_, rounded_up(product->scratchpad.get_size()));
    const memory scratchpad(product->scratchpad, engine, nullptr);
    return {block,
            std::move(product),
            memory(a, engine, nullptr),
            memory(b, engine, nullptr),
            memory(c, engine, nullptr),
            scratchpad,
            dnnl::stream(engine)};
  }

  static void narrow(const Lines& lines, const float* from, std::uint16_t* to, ThreadPool& pool) {
    constexpr std::int64_t kElements = 32768;  // of a task
    const auto convert = [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t line = first; line < last; ++line) {
        narrow_bf16(from + line * lines.step, to + line * lines.length, static_cast<std::size_t>(lines.length));
      }
    };
    pool.for_ranges(lines.count, std::max<std::int64_t>(1, kElements / lines.length), std::ref(convert));
  }

  MatmulSpec spec_;
  MatmulSplit split_;
  Lines a_;
  Lines b_;
  std::size_t scratchpad_bytes_ = 0;  // of one tile
  std::vector<Tile> tiles_;
};

}  // namespace

bool has_bf16() {
  keep_off_hidden_tiles();
  static const bool has = dnnl::get_effective_cpu_isa() >= dnnl::cpu_isa::avx512_core_bf16;
  return has;
}

std::unique_ptr<const ProductPlan> onednn_bf16_product(const MatmulSpec& spec, const MatmulSplit& split) {
  const auto is_dense = [](std::int64_t row_step, std::int64_t column_step) {
    return row_step == 1 || column_step == 1;
  };
  const bool fits = has_bf16() && spec.dtype == DType::f32 && !spec.accumulate && spec.batch_count() == 1 &&
                    spec.m > 0 && spec.n > 0 && spec.k > 0 && is_dense(spec.a_row_step, spec.a_column_step) &&
                    is_dense(spec.b_row_step, spec.b_column_step);
  if (!fits) return nullptr;
  return std::make_unique<Bf16Product>(spec, split);
}

}  // namespace asg::cpu
