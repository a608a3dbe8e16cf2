#pragma once

#include "backend/cpu/library/elements.h"

namespace asg::cpu {

enum class ScatterReduction : std::uint8_t { none, add, mul, max, min };

// The card of ScatterElements.
class ElementScatter {
 public:
  ElementScatter(const ElementsSpec& spec, ScatterReduction reduction);

  // f16 and bf16 are only moved: sums of many would be rounded too often.
  static bool supports(DType dtype, ScatterReduction reduction);
  std::int64_t scratch_bytes(int threads) const;
  // `repeated`: x is one element, which stands everywhere. Throws computation_error for the first index that does not
  // fit or, where nothing reduces, that names an element twice.
  void run(const void* x, bool repeated, const void* indices, const void* updates, void* y, std::byte* scratch,
           ThreadPool& pool) const;

 private:
  template <class Index>
  void dispatch(const Index* indices, const void* updates, void* y, std::byte* scratch, ThreadPool& pool) const;
  template <class Index>
  [[noreturn]] void fail_at_first(const Index* indices) const;
  // Calls body(first place in x, first index, columns, slot) for each task; it answers whether something did not fit.
  template <class Index, class Body>
  void for_each_strip(const Index* indices, std::byte* scratch, ThreadPool& pool, const Body& body) const;
  template <class T, class Index>
  void replace(const Index* indices, const T* updates, T* y, std::byte* scratch, ThreadPool& pool) const;
  template <class T, class Index>
  void reduce(const Index* indices, const T* updates, T* y, std::byte* scratch, ThreadPool& pool) const;
  template <class T, class Index, class Fold>
  void fold_all(const Index* indices, const T* updates, T* y, std::byte* scratch, ThreadPool& pool, Fold fold) const;
  std::int64_t tasks() const { return rows_.before() * rows_.behind() * strips_; }

  ElementsSpec spec_;
  ScatterReduction reduction_;
  ElementRows rows_;
  std::int64_t columns_;     // of a strip: a task works on so many elements of each row
  std::int64_t strips_;      // of a row
  std::int64_t slot_bytes_;  // what a task keeps: sums in f64, or which elements are taken; 0: nothing
};

// The card of GatherGrad: each row of the gradient is added at its index. Sums of f32 are kept in f64 unless that
// would take more than the second cache.
class RowScatter {
 public:
  // `spec.x` is the shape of the result; the indices may have any shape.
  explicit RowScatter(const ElementsSpec& spec);

  std::int64_t scratch_bytes(int threads) const;
  void run(const void* grad, const void* indices, void* y, std::byte* scratch, ThreadPool& pool) const;

 private:
  template <class T, class Index>
  void add_all(const T* grad, const Index* indices, T* y, std::byte* scratch, ThreadPool& pool) const;

  DType dtype_;
  DType index_;
  std::int64_t before_;
  std::int64_t length_;
  std::int64_t after_;
  std::int64_t count_;  // of the indices
  std::int64_t columns_;
  std::int64_t strips_;
  std::int64_t slot_bytes_;
};

}  // namespace asg::cpu
