#pragma once

#include <cstdint>
#include <vector>

#include "asg/core/array.h"
#include "asg/core/thread_pool.h"

// Picking single elements by indices, and writing them there, over dense tensors. Nothing here allocates in a run, but
// for the error of an index that does not fit; the bits of the results do not depend on the number of threads.
namespace asg::cpu {

// A tensor of shape `x` with an index for each element of `indices`, which counts along `axis`.
struct ElementsSpec {
  DType dtype = DType::f32;
  DType index = DType::i64;  // or i32
  Sizes x = {};
  Sizes indices = {};
  int axis = 0;
};

// The index counted from 0. One that does not fit becomes 0, and is noted.
inline std::int64_t fitted_index(std::int64_t index, std::int64_t length, bool& misfit) {
  const bool fits = index >= -length && index < length;
  misfit = misfit || !fits;
  if (!fits) return 0;
  return index < 0 ? index + length : index;
}

// Work on this many elements is worth a task.
inline constexpr std::int64_t kElementsPerTask = 16 * 1024;

// How the indices lie over x. A row is a run of indices along the innermost axes behind `axis`, whose elements are
// neighbours in x.
class ElementRows {
 public:
  ElementRows(const Sizes& x, const Sizes& indices, int axis);

  std::int64_t before() const { return before_count_; }  // positions on the axes before `axis`
  std::int64_t along() const { return along_; }          // indices along `axis`
  std::int64_t behind() const { return behind_count_; }  // rows behind each of them
  std::int64_t run() const { return run_; }              // elements of a row
  std::int64_t rows() const { return before_count_ * along_ * behind_count_; }
  std::int64_t length() const { return length_; }  // of `axis` in x
  std::int64_t step() const { return step_; }      // from one position on `axis` to the next, in x
  // Where the row begins in x when its index is 0.
  std::int64_t place(std::int64_t before, std::int64_t behind) const {
    return folded(before_, before) + folded(behind_, behind);
  }

 private:
  struct Axis {
    std::int64_t size;
    std::int64_t stride;
  };
  static std::vector<Axis> merged(const Sizes& x, const Sizes& indices, std::size_t first, std::size_t last);
  static std::int64_t folded(const std::vector<Axis>& axes, std::int64_t number);

  std::vector<Axis> before_;
  std::vector<Axis> behind_;
  std::int64_t before_count_ = 1;
  std::int64_t along_ = 1;
  std::int64_t behind_count_ = 1;
  std::int64_t run_ = 1;
  std::int64_t length_ = 1;
  std::int64_t step_ = 1;
};

// The card of GatherElements.
class ElementGather {
 public:
  explicit ElementGather(const ElementsSpec& spec);
  // Throws computation_error for the first index that does not fit.
  void run(const void* x, const void* indices, void* y, ThreadPool& pool) const;

 private:
  ElementsSpec spec_;
  ElementRows rows_;
};

}  // namespace asg::cpu
