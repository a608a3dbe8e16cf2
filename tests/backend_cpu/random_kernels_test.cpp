// Random kernels against the reference, and the same bits on any number of threads.

#include <gtest/gtest.h>

#include "asg/core/random.h"
#include "compile/accesses.h"
#include "kernel_maker.h"
#include "support/amount.h"

namespace asg::tests {
namespace {

constexpr std::uint64_t kKernels = test::amount(300, 30);

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : stream_(seed, 5) {}
  std::int64_t below(std::int64_t limit) {
    return static_cast<std::int64_t>(stream_.below(++drawn_, static_cast<std::uint64_t>(limit)));
  }
  int one_of(const std::vector<int>& values) {
    return values[static_cast<std::size_t>(below(static_cast<std::int64_t>(values.size())))];
  }

 private:
  RandomStream stream_;
  std::uint64_t drawn_ = 0;
};

std::vector<std::int64_t> some_strides(Dice& dice, const std::vector<std::int64_t>& space) {
  std::vector<std::int64_t> strides = dense_strides(space);
  switch (dice.below(4)) {
    case 0:
      for (std::int64_t& stride : strides) stride = dice.below(2) == 0 ? 0 : stride;
      break;
    case 1:
      for (std::int64_t& stride : strides) stride *= 2;
      break;
    default:
      break;
  }
  return strides;
}

// Comparisons look at loads only: of computed values, the last bit would decide.
int some_choice(Dice& dice, KernelMaker& make, DType dtype, const std::vector<int>& loads, int a, int b) {
  const auto op = static_cast<ScalarOp>(static_cast<int>(ScalarOp::equal) + dice.below(5));
  int condition = make.compute(op, DType::boolean, {dice.one_of(loads), dice.one_of(loads)});
  if (dice.below(2) == 0) condition = make.compute(ScalarOp::logical_not, DType::boolean, {condition});
  return make.compute(ScalarOp::select, dtype, {condition, a, b});
}

KernelMaker some_kernel_maker(Dice& dice) {
  const std::int64_t lengths[] = {1, 2, 3, 7, 16, 33, 64, 100, 257};
  std::vector<std::int64_t> space;
  for (std::int64_t axis = dice.below(3); axis >= 0; --axis) space.push_back(lengths[dice.below(axis > 0 ? 5 : 9)]);
  if (dice.below(20) == 0) space.back() = 17000 + dice.below(9000);
  const int row_axes = static_cast<int>(dice.below(static_cast<std::int64_t>(space.size()) + 1));
  const DType dtype = dice.below(4) == 0 ? DType::f64 : DType::f32;

  KernelMaker make(space, row_axes);
  std::vector<int> loads;
  for (std::int64_t k = dice.below(3); k >= 0; --k) loads.push_back(make.load(dtype, some_strides(dice, space)));
  std::vector<int> values = loads;
  values.push_back(make.constant(dtype, 0.75));
  for (std::int64_t k = 2 + dice.below(16); k > 0; --k) {
    const int a = dice.one_of(values);
    const int b = dice.one_of(values);
    constexpr ScalarOp kTwo[] = {ScalarOp::add, ScalarOp::sub, ScalarOp::mul, ScalarOp::min, ScalarOp::max};
    // Functions that keep numbers from growing.
    constexpr ScalarOp kOne[] = {ScalarOp::tanh, ScalarOp::erf,  ScalarOp::sigmoid, ScalarOp::sin,
                                 ScalarOp::cos,  ScalarOp::atan, ScalarOp::neg,     ScalarOp::abs};
    switch (dice.below(6)) {
      case 0:
        values.push_back(make.compute(kOne[dice.below(8)], dtype, {a}));
        break;
      case 1:
        values.push_back(some_choice(dice, make, dtype, loads, a, b));
        break;
      case 2:
        if (row_axes > 0) {
          const int tame = make.compute(ScalarOp::tanh, dtype, {a});
          constexpr Reduction kAll[] = {Reduction::max, Reduction::min, Reduction::sum};
          const int reduced = make.reduce(kAll[dice.below(3)], tame);
          values.push_back(make.compute(ScalarOp::atan, dtype, {reduced}));
        }
        break;
      default:
        values.push_back(make.compute(kTwo[dice.below(5)], dtype, {a, b}));
    }
  }
  make.store(make.compute(ScalarOp::atan, dtype, {values.back()}));
  if (dice.below(2) == 0) make.store(make.compute(ScalarOp::tanh, dtype, {dice.one_of(values)}));
  if (dice.below(3) == 0) make.sum(make.compute(ScalarOp::sigmoid, dtype, {dice.one_of(values)}));
  return make;
}

Kernel some_kernel(std::uint64_t seed) {
  Dice dice(seed);
  return some_kernel_maker(dice).kernel;
}

// A kernel with many chances to overwrite an input too early: loads that are stored unchanged, summed, read again after
// something has been stored, of another dtype of the same width, and the same along a row.
Kernel some_kernel_with_many_readers(std::uint64_t seed) {
  Dice dice(seed);
  KernelMaker make = some_kernel_maker(dice);
  const std::vector<std::int64_t> dense = make.dense();
  const auto leading = dense.size() - static_cast<std::size_t>(make.kernel.row_axes);
  std::vector<std::int64_t> per_row =
      dense_strides({make.kernel.space.begin(), make.kernel.space.begin() + static_cast<std::ptrdiff_t>(leading)});
  per_row.resize(dense.size(), 0);
  for (std::int64_t k = 1 + dice.below(3); k > 0; --k) {
    constexpr DType kDTypes[] = {DType::f32, DType::f32, DType::f64, DType::i32, DType::bf16, DType::f16, DType::i64};
    const DType dtype = kDTypes[dice.below(7)];
    const int load = make.load(dtype, make.kernel.row_axes > 0 && dice.below(4) == 0 ? per_row : dense);
    const DType float_dtype = is_float(dtype) ? dtype : DType::f32;
    const int as_float = is_float(dtype) ? load : make.compute(ScalarOp::cast, float_dtype, {load});
    if (dice.below(2) == 0) make.store(make.compute(ScalarOp::add, float_dtype, {as_float, as_float}));
    if (dice.below(2) == 0) make.sum(as_float);
    if (dice.below(3) == 0) make.store(load);
    if (dice.below(3) == 0) make.store(make.compute(ScalarOp::neg, float_dtype, {as_float}));
    if (dice.below(3) == 0 && make.kernel.row_axes > 0) {
      const int reduced = make.reduce(Reduction::max, as_float);
      make.store(reduced, per_row);
      if (dice.below(2) == 0) make.store(make.compute(ScalarOp::sub, float_dtype, {as_float, reduced}));
    }
  }
  return make.kernel;
}

TEST(RandomKernels, agree_with_the_reference) {
  for (std::uint64_t seed = 0; seed < kKernels; ++seed) {
    SCOPED_TRACE(seed);
    expect_like_reference(some_kernel(seed), seed);
    if (HasFatalFailure()) return;
  }
}

// Outputs that may overwrite an input give the same bits in its memory as in memory of their own, whichever of them do.
TEST(RandomKernels, have_the_same_bits_in_place) {
  int in_place = 0;
  for (std::uint64_t seed = 0; seed < 2 * kKernels; ++seed) {
    SCOPED_TRACE(seed);
    Dice dice(seed + 1000000);
    const Kernel kernel = some_kernel_with_many_readers(seed);
    const std::vector<Array> given = make_arguments(kernel, seed, false);
    const std::vector<Array> expected = copies_of(given);
    run_tiles(kernel, expected, 2);
    std::vector<Array> shared = copies_of(given);
    std::vector<bool> is_taken(given.size(), false);
    for (std::size_t output = 0; output < given.size(); ++output) {
      std::vector<std::size_t> inputs;
      for (std::size_t input = 0; input < given.size(); ++input) {
        if (!is_taken[input] && may_overwrite(kernel, input, output)) inputs.push_back(input);
      }
      if (inputs.empty()) continue;
      const std::size_t input = inputs[static_cast<std::size_t>(dice.below(static_cast<std::int64_t>(inputs.size())))];
      is_taken[input] = true;
      ++in_place;
      shared[output] = Array::wrap(given[output].dtype(), given[output].sizes(), shared[input].raw(), {});
    }
    run_tiles(kernel, shared, 2);
    for (std::size_t k = 0; k < given.size(); ++k) {
      if (!kernel.arguments[k].output) continue;
      ASSERT_TRUE(bit_equal(shared[k], expected[k])) << "argument " << k << "\n" << to_text(kernel);
    }
  }
  EXPECT_GT(in_place, static_cast<int>(kKernels));
}

TEST(RandomKernels, have_the_same_bits_on_any_number_of_threads) {
  for (std::uint64_t seed = 0; seed < kKernels / 4; ++seed) {
    Kernel kernel = some_kernel(seed);
    kernel.space.insert(kernel.space.begin(), 40);  // enough rows to split
    for (KernelArgument& argument : kernel.arguments) {
      std::int64_t step = 1;
      for (std::size_t axis = 0; axis < argument.strides.size(); ++axis) {
        step += (kernel.space[axis + 1] - 1) * argument.strides[axis];
      }
      const bool is_sum =
          argument.output && std::any_of(kernel.stores.begin(), kernel.stores.end(), [&](const KernelStore& store) {
            return store.sum_over_leading && &kernel.arguments[static_cast<std::size_t>(store.argument)] == &argument;
          });
      argument.strides.insert(argument.strides.begin(), is_sum ? 0 : step);
    }
    const std::vector<Array> one = make_arguments(kernel, seed, false);
    for (const int threads : {2, 3}) {
      const std::vector<Array> several = copies_of(one);
      run_tiles(kernel, several, threads);
      if (threads == 2) run_tiles(kernel, one, 1);
      for (std::size_t k = 0; k < one.size(); ++k) {
        ASSERT_TRUE(bit_equal(one[k], several[k])) << seed << " argument " << k << "\n" << to_text(kernel);
      }
    }
  }
}

}  // namespace
}  // namespace asg::tests
