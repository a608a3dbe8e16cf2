#include "kernel_maker.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

#include "asg/core/random.h"
#include "backend/cpu/tile_runner.h"

namespace asg::tests {

using Kind = KernelInstruction::Kind;

int KernelMaker::argument(DType dtype, bool output, std::vector<std::int64_t> strides, std::int64_t offset) {
  kernel.arguments.push_back({dtype, output, offset, std::move(strides)});
  return static_cast<int>(kernel.arguments.size()) - 1;
}

int KernelMaker::add(KernelInstruction instruction) {
  kernel.instructions.push_back(std::move(instruction));
  return static_cast<int>(kernel.instructions.size()) - 1;
}

int KernelMaker::load(DType dtype, std::vector<std::int64_t> strides, std::int64_t offset) {
  return add({.kind = Kind::load, .dtype = dtype, .argument = argument(dtype, false, std::move(strides), offset)});
}

int KernelMaker::gather(DType dtype, std::vector<std::int64_t> strides, int index, std::int64_t stride,
                        std::int64_t length) {
  return add({.kind = Kind::load,
              .dtype = dtype,
              .operands = {index, -1, -1},
              .argument = argument(dtype, false, std::move(strides)),
              .gather_stride = stride,
              .gather_length = length});
}

int KernelMaker::constant(DType dtype, double number) {
  KernelInstruction instruction{.kind = Kind::constant, .dtype = dtype};
  if (is_float(dtype)) {
    instruction.number = number;
  } else {
    instruction.integer = static_cast<std::int64_t>(number);
  }
  return add(instruction);
}

int KernelMaker::position(std::vector<std::int64_t> strides) {
  return add({.kind = Kind::position, .dtype = DType::i64, .strides = std::move(strides)});
}

int KernelMaker::random(bool normal, DType dtype, int seed, int step, int position) {
  return add({.kind = normal ? Kind::normal : Kind::uniform,
              .dtype = dtype,
              .operands = {seed, step, position},
              .stream = 77});
}

int KernelMaker::compute(ScalarOp op, DType dtype, std::initializer_list<int> operands) {
  KernelInstruction instruction{.kind = Kind::compute, .op = op, .dtype = dtype};
  std::copy(operands.begin(), operands.end(), instruction.operands.begin());
  return add(instruction);
}

int KernelMaker::reduce(Reduction reduction, int operand) {
  return add({.kind = Kind::reduce, .reduction = reduction, .dtype = dtype_of(operand), .operands = {operand, -1, -1}});
}

void KernelMaker::store(int value, std::vector<std::int64_t> strides, std::int64_t offset) {
  kernel.stores.push_back({.argument = argument(dtype_of(value), true, std::move(strides), offset), .value = value});
}

void KernelMaker::sum(int value) {
  std::vector<std::int64_t> strides = dense();
  const std::size_t leading = strides.size() - static_cast<std::size_t>(kernel.row_axes);
  std::fill_n(strides.begin(), leading, 0);
  store(value, strides);
  kernel.stores.back().sum_over_leading = true;
}

namespace {

// One more than the farthest element that an argument reaches.
std::int64_t reach(const Kernel& kernel, std::size_t argument) {
  std::int64_t last = kernel.arguments[argument].offset;
  for (std::size_t axis = 0; axis < kernel.space.size(); ++axis) {
    last += std::max<std::int64_t>(0, (kernel.space[axis] - 1) * kernel.arguments[argument].strides[axis]);
  }
  for (const KernelInstruction& made : kernel.instructions) {
    if (made.kind == Kind::load && made.argument == static_cast<int>(argument) && made.operands[0] >= 0) {
      last += (made.gather_length - 1) * made.gather_stride;
    }
  }
  return last + 1;
}

double special_value(std::uint64_t which) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double values[] = {0.0,    -0.0,   kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN(),
                           1e-40,  -3e-42, 1.0,       -1.0,       88.9,
                           -104.5, 2.5,    -0.5,      1e30,       65520,
                           709.9};
  return values[which % std::size(values)];
}

void fill(Array& array, const RandomStream& stream, bool special_values) {
  for (std::int64_t k = 0; k < array.count(); ++k) {
    const auto at = static_cast<std::uint64_t>(k);
    if (!is_float(array.dtype())) {
      array.set_i64(k, static_cast<std::int64_t>(stream.below(at, 200)) - 100);
    } else if (special_values && stream.bits(at) % 5 == 0) {
      array.set(k, special_value(stream.below(at + 1000000, 1000)));
    } else {
      array.set(k, 4 * stream.uniform(at) - 2);
    }
  }
}

}  // namespace

std::vector<Array> make_arguments(const Kernel& kernel, std::uint64_t seed, bool special_values) {
  std::vector<Array> arguments;
  for (std::size_t k = 0; k < kernel.arguments.size(); ++k) {
    Array array(kernel.arguments[k].dtype, {reach(kernel, k)});
    if (!kernel.arguments[k].output) fill(array, RandomStream(seed, k), special_values);
    arguments.push_back(array);
  }
  return arguments;
}

std::vector<Array> copies_of(const std::vector<Array>& arguments) {
  std::vector<Array> copies;
  for (const Array& argument : arguments) copies.push_back(argument.copy());
  return copies;
}

void run_tiles(const Kernel& kernel, const std::vector<Array>& arguments, int threads) {
  ThreadPool pool(threads);
  const cpu::TileRunner runner(kernel);
  std::vector<std::byte*> addresses;
  for (Array argument : arguments) addresses.push_back(argument.raw());
  // Exactly as much as is asked for, so that sanitizers see what is beyond.
  Array scratch(DType::u8, {runner.scratch_bytes(threads)});
  runner.run(addresses, scratch.raw(), pool);
}

void expect_like_reference(const Kernel& kernel, const std::vector<Array>& arguments, double tolerance) {
  const std::vector<Array> expected = copies_of(arguments);
  const std::vector<Array> got = copies_of(arguments);
  run_kernel_reference(kernel, expected);
  run_tiles(kernel, got);
  for (std::size_t k = 0; k < expected.size(); ++k) {
    double largest = 0;
    for (std::int64_t at = 0; at < expected[k].count(); ++at) {
      const double size = std::fabs(expected[k].get(at));
      if (std::isfinite(size)) largest = std::max(largest, size);
    }
    for (std::int64_t at = 0; at < expected[k].count(); ++at) {
      const double want = expected[k].get(at);
      const double have = got[k].get(at);
      if (want == have || (std::isnan(want) && std::isnan(have))) continue;
      ASSERT_LE(std::fabs(want - have), tolerance * largest)
          << "argument " << k << " element " << at << " of " << expected[k].count() << ": " << have << " for " << want
          << "\n"
          << to_text(kernel);
    }
  }
}

// How many roundings a sum of numbers about 0 carries, in the mean: they lie by chance up or down. Wider vectors add in
// another order, so it is not the same number on every processor.
static double roundings_of_sums(const Kernel& kernel) {
  const bool adds_up = std::any_of(kernel.instructions.begin(), kernel.instructions.end(), [](const auto& each) {
    return each.kind == Kind::reduce && each.reduction == Reduction::sum;
  });
  std::int64_t row = 1;
  for (std::size_t axis = kernel.space.size() - static_cast<std::size_t>(kernel.row_axes); axis < kernel.space.size();
       ++axis) {
    row *= kernel.space[axis];
  }
  return adds_up ? std::max(1.0, std::sqrt(static_cast<double>(row))) : 1.0;
}

void expect_like_reference(const Kernel& kernel, std::uint64_t seed) {
  const bool wide = std::all_of(kernel.arguments.begin(), kernel.arguments.end(), [](const KernelArgument& argument) {
    return !is_float(argument.dtype) || argument.dtype == DType::f64;
  });
  const double rounding = wide ? 1e-13 : 1e-6;
  expect_like_reference(kernel, make_arguments(kernel, seed, false), rounding * roundings_of_sums(kernel));
}

}  // namespace asg::tests
