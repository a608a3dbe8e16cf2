#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "asg/core/dtype.h"
#include "asg/core/thread_pool.h"
#include "backend/cpu/library/function_ref.h"
#include "backend/cpu/library/gemm.h"
#include "backend/cpu/library/library.h"
#include "backend/cpu/library/turned_matrix.h"

namespace asg::cpu {

// c = a · b, or c += a · b, for each of a batch: a[m, k], b[k, n], c[m, n]. All steps count elements.
struct MatmulSpec {
  // One axis of the batch, outermost first. A step of 0 broadcasts; that of c may not be 0 where there are several.
  struct BatchAxis {
    std::int64_t count = 1;
    std::int64_t a_step = 0;
    std::int64_t b_step = 0;
    std::int64_t c_step = 0;
  };

  DType dtype = DType::f32;  // or f64
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  std::vector<BatchAxis> batch = {};
  std::int64_t a_row_step = 0;
  std::int64_t a_column_step = 1;
  std::int64_t b_row_step = 0;
  std::int64_t b_column_step = 1;
  std::int64_t c_row_step = 0;  // columns of c are dense
  bool accumulate = false;
  bool has_epilogue = false;  // somebody works on each block of c, run by run: long runs are better
  bool whole_rows = false;    // and needs whole rows
  bool narrow = false;        // operands of f32 may be rounded to bf16, where that is faster

  std::int64_t batch_count() const;
  // One row times one matrix that is read where it lies: nothing is used twice, so memory decides how long it takes.
  bool is_row() const;
};

// How the work is divided; a function of the spec alone.
struct MatmulSplit {
  std::int64_t row_part = 1;
  std::int64_t column_part = 1;
  std::int64_t inner_part = 1;
  std::int64_t batch_grain = 1;  // products of a batch in one task

  bool operator==(const MatmulSplit&) const = default;
};
MatmulSplit split_matmul(const MatmulSpec& spec);

// A part of c, of one product of the batch (counted over all axes).
struct MatrixBlock {
  std::int64_t first_row = 0;
  std::int64_t last_row = 0;  // one past it; columns too
  std::int64_t first_column = 0;
  std::int64_t last_column = 0;
  std::int64_t batch = 0;
};
// Called by a worker as soon as a block of c is complete, while it is in its cache. Blocks cover c once.
using BlockDone = FunctionRef<void(const MatrixBlock&)>;

// Another way to compute a product.
class ProductPlan {
 public:
  virtual ~ProductPlan() = default;
  virtual std::size_t scratch_bytes() const = 0;
  virtual void run(const void* a, const void* b, void* c, void* scratch, ThreadPool& pool,
                   BlockDone after_block) const = 0;
};

// A product whose sizes are known: made once, run often. The bits of the result do not depend on the number of threads.
class Matmul {
 public:
  explicit Matmul(MatmulSpec spec, Library library = default_library());

  const MatmulSpec& spec() const { return spec_; }  // of what the threads compute: with b as it lies once it is turned
  const MatmulSplit& split() const { return split_; }
  // Memory that a run needs beside its operands; any content, aligned to 64 bytes. Mostly 0.
  std::size_t scratch_bytes() const;
  // Allocates nothing (oneDNN may). Thread-safe with different scratch, unless operands are rounded.
  void run(const void* a, const void* b, void* c, void* scratch, ThreadPool& pool, BlockDone after_block = {}) const;

 private:
  template <class T>
  void run_typed(const T* a, const T* b, T* c, T* partial, ThreadPool& pool, BlockDone after_block) const;
  template <class T>
  void run_inner_parts(const T* a, const T* b, T* c, T* partial, ThreadPool& pool, BlockDone after_block) const;
  template <class T>
  void multiply(const GemmSizes& sizes, const T* a, const T* b, T* c, std::int64_t c_step, bool accumulate) const;

  struct Offsets {
    std::int64_t a = 0;
    std::int64_t b = 0;
    std::int64_t c = 0;
  };
  Offsets offsets_of(std::int64_t batch) const;
  std::int64_t inner_parts() const;
  std::size_t partial_bytes() const;

  MatmulSpec spec_;
  MatmulSplit split_;
  bool is_row_;
  std::int64_t b_column_step_;          // of the operand, before it is turned
  std::optional<TurnedMatrix> turned_;  // b, where it pays to turn it beforehand
  bool onednn_ = false;                 // this product, not the build
  std::unique_ptr<const ProductPlan> narrow_;
};

}  // namespace asg::cpu
