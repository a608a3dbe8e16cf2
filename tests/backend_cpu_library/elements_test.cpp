// Gathers and scatters by elements and rows against the reference kernels of the cards.
#include "backend/cpu/library/elements.h"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "asg/core/array.h"
#include "asg/graph/contexts.h"
#include "backend/cpu/library/scatter.h"
#include "backend_cpu_library/card_samples.h"
#include "backend_cpu_library/library_cases.h"
#include "ops/support/kernels.h"
#include "support/compare.h"

namespace asg::test {
namespace {

using cpu::ElementsSpec;
using cpu::ScatterReduction;

constexpr const char* kReductions[] = {"none", "add", "mul", "max", "min"};

ElementsSpec spec_of(DType dtype, const Sizes& x, const Array& indices, std::int64_t axis) {
  return {.dtype = dtype,
          .index = indices.dtype(),
          .x = x,
          .indices = indices.sizes(),
          .axis = normalize_axis(axis, static_cast<int>(x.size()))};
}

// Shapes with indices of the same lengths as x, with shorter ones, of one index and of many for each place.
struct ElementsCase {
  Sizes x;
  Sizes indices;
  std::int64_t axis;
};

std::vector<ElementsCase> elements_cases() {
  return {{{6}, {6}, 0},
          {{40, 10}, {40, 1}, 1},
          {{40, 10}, {40, 3}, -1},
          {{5, 300}, {9, 300}, 0},
          {{4, 7, 600}, {4, 5, 600}, 1},
          {{4, 7, 6, 5}, {3, 9, 2, 4}, 1},
          {{3, 4, 5}, {2, 4, 5}, 2},
          {{1000, 2}, {30, 2}, 0},
          {{2, 70000}, {2, 9}, 1}};
}

Array numbers_of(DType dtype, const Sizes& sizes, int seed) {
  const auto values = numbers<double>(element_count(sizes), static_cast<unsigned>(seed));
  Array result = Array::of<double>(sizes, values);
  if (is_float(dtype)) return result.cast(dtype);
  for (std::int64_t k = 0; k < result.count(); ++k) result.set(k, std::floor(100 * result.get(k)));
  return result.cast(DType::i64).cast(dtype);
}

// Every place at most once along the axis where `once` says so; half of them counted from the end.
Array indices_of(const ElementsCase& each, DType dtype, bool once) {
  const std::int64_t length =
      each.x[static_cast<std::size_t>(normalize_axis(each.axis, static_cast<int>(each.x.size())))];
  Array result(DType::i64, each.indices);
  const ops::Lanes lanes = ops::lanes_of(each.indices, normalize_axis(each.axis, static_cast<int>(each.x.size())));
  for (std::int64_t k = 0; k < result.count(); ++k) {
    const std::int64_t along = k / lanes.after_count % lanes.length;
    const std::int64_t place = once ? (along + k % lanes.after_count) % length : (k * 7919 + along) % length;
    result.set_i64(k, k % 2 == 0 ? place : place - length);
  }
  return result.cast(dtype);
}

Array scattered(const ElementsSpec& spec, ScatterReduction reduction, const Array& x, bool repeated,
                const Array& indices, const Array& updates, int threads) {
  const cpu::ElementScatter scatter(spec, reduction);
  Array y(spec.dtype, spec.x);
  Array scratch(DType::u8, {scatter.scratch_bytes(threads)});
  ThreadPool pool(threads);
  scatter.run(x.raw(), repeated, indices.raw(), updates.raw(), y.raw(), scratch.raw(), pool);
  return y;
}

TEST(Elements, GatheredAreThoseOfTheCard) {
  const OpCard& op = *Registry::global().find("GatherElements");
  for (const DType dtype : {DType::f32, DType::f64, DType::bf16, DType::i8, DType::i64}) {
    for (const ElementsCase& each : elements_cases()) {
      for (const DType index : {DType::i32, DType::i64}) {
        const Array x = numbers_of(dtype, each.x, 3);
        const Array indices = indices_of(each, index, false);
        const Array right = run_op(op, {{"axis", each.axis}}, {x, indices})[0];
        const cpu::ElementGather gather(spec_of(dtype, each.x, indices, each.axis));
        for (const int threads : {1, 2, 3}) {
          Array y(dtype, each.indices);
          ThreadPool pool(threads);
          gather.run(x.raw(), indices.raw(), y.raw(), pool);
          EXPECT_TRUE(identical(y, right));
        }
      }
    }
  }
}

TEST(Elements, ScatteredAreThoseOfTheCard) {
  const OpCard& op = *Registry::global().find("ScatterElements");
  for (const DType dtype : {DType::f32, DType::f64, DType::f16, DType::i8, DType::u16, DType::i64}) {
    for (const ElementsCase& each : elements_cases()) {
      for (int reduction = 0; reduction < 5; ++reduction) {
        const auto how = static_cast<ScatterReduction>(reduction);
        const bool once = how == ScatterReduction::none;
        if (!cpu::ElementScatter::supports(dtype, how)) continue;
        const Sizes& lengths = each.x;
        const int axis = normalize_axis(each.axis, static_cast<int>(lengths.size()));
        if (once && each.indices[static_cast<std::size_t>(axis)] > lengths[static_cast<std::size_t>(axis)]) continue;
        SCOPED_TRACE(std::string(name_of(dtype)) + " " + kReductions[reduction] + " into " +
                     Shape::of(each.x).to_string());
        const Array x = numbers_of(dtype, each.x, 3);
        const Array updates = numbers_of(dtype, each.indices, 4);
        const Array indices = indices_of(each, reduction % 2 == 0 ? DType::i64 : DType::i32, once);
        const Attrs attrs = {{"axis", each.axis}, {"reduction", kReductions[reduction]}};
        const Array right = run_op(op, attrs, {x, indices, updates})[0];
        const ElementsSpec spec = spec_of(dtype, each.x, indices, each.axis);
        for (const int threads : {1, 2, 3}) {
          EXPECT_TRUE(identical(scattered(spec, how, x, false, indices, updates, threads), right));
        }
      }
    }
  }
}

TEST(Elements, ScatterIntoOneRepeatedElement) {
  const OpCard& op = *Registry::global().find("ScatterElements");
  for (const double start : {0.0, 2.5}) {
    const ElementsCase each{{40, 10}, {40, 3}, 1};
    const Array one = Array::scalar(DType::f32, start);
    const Array indices = indices_of(each, DType::i64, false);
    const Array updates = numbers_of(DType::f32, each.indices, 4);
    const Array right =
        run_op(op, {{"axis", 1}, {"reduction", "add"}}, {one.broadcast_to(each.x).copy(), indices, updates})[0];
    const ElementsSpec spec = spec_of(DType::f32, each.x, indices, 1);
    EXPECT_TRUE(identical(scattered(spec, ScatterReduction::add, one, true, indices, updates, 2), right));
  }
}

TEST(Elements, RowsAreAddedAsTheCardDoes) {
  struct Rows {
    Sizes x, indices;
    std::int64_t axis;
  };
  const OpCard& op = *Registry::global().find("GatherGrad");
  for (const Rows& each : {Rows{{65, 384}, {8, 40}, 0}, Rows{{3, 9, 7}, {20}, 1}, Rows{{9, 5}, {2, 3}, -1},
                           Rows{{9000, 20}, {64}, 0}, Rows{{4}, {}, 0}}) {
    for (const DType dtype : {DType::f32, DType::f64}) {
      const int axis = normalize_axis(each.axis, static_cast<int>(each.x.size()));
      Sizes sizes(each.x.begin(), each.x.begin() + axis);
      sizes.insert(sizes.end(), each.indices.begin(), each.indices.end());
      sizes.insert(sizes.end(), each.x.begin() + axis + 1, each.x.end());
      const Array grad = numbers_of(dtype, sizes, 3);
      const std::int64_t length = each.x[static_cast<std::size_t>(axis)];
      Array indices(DType::i64, each.indices);
      for (std::int64_t k = 0; k < indices.count(); ++k) indices.set_i64(k, k * 31 % length - (k % 2) * length);
      const Array right = run_op(op, {{"axis", each.axis}}, {grad, indices, Array::ints(each.x)})[0];
      const cpu::RowScatter scatter(spec_of(dtype, each.x, indices, each.axis));
      for (const int threads : {1, 2, 3}) {
        Array y(dtype, each.x);
        Array scratch(DType::u8, {scatter.scratch_bytes(threads)});
        ThreadPool pool(threads);
        scatter.run(grad.raw(), indices.raw(), y.raw(), scratch.raw(), pool);
        // Sums of long axes are kept in f32.
        EXPECT_TRUE(near(y, right, dtype == DType::f32 && length > 4000 ? 1e-6 : 0));
      }
    }
  }
}

std::string error_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const UserError& error) {
    return error.what();
  }
  return "none";
}

// Of several mistakes the first one is told, as by the card's kernel.
TEST(Elements, TellTheFirstIndexThatDoesNotFit) {
  const Array x = numbers_of(DType::f32, {3, 4}, 1);
  const Array updates = numbers_of(DType::f32, {3, 2}, 2);
  for (const std::vector<std::int64_t>& bad : std::vector<std::vector<std::int64_t>>{{0, 1, 2, 4, -5, 0},
                                                                                     {0, 1, 2, 2, 9, 0},
                                                                                     {0, 1, 2, 3, 1, 1},
                                                                                     {3, -1, 2, 3, 1, 0},
                                                                                     {0, -4, 7, 0, 0, 0},
                                                                                     {0, 1, 0, -5, 0, 1}}) {
    const Array indices = Array::of<std::int64_t>({3, 2}, bad);
    const ElementsSpec spec = spec_of(DType::f32, {3, 4}, indices, 1);
    for (const char* reduction : {"none", "add"}) {
      const auto how = std::string(reduction) == "none" ? ScatterReduction::none : ScatterReduction::add;
      const OpCard& op = *Registry::global().find("ScatterElements");
      const std::string right =
          error_of([&] { run_op(op, {{"axis", 1}, {"reduction", reduction}}, {x, indices, updates}); });
      EXPECT_EQ(error_of([&] { scattered(spec, how, x, false, indices, updates, 2); }), right);
    }
    const OpCard& op = *Registry::global().find("GatherElements");
    const std::string right = error_of([&] { run_op(op, {{"axis", 1}}, {x, indices}); });
    EXPECT_EQ(error_of([&] {
                ThreadPool pool(2);
                Array y(DType::f32, {3, 2});
                cpu::ElementGather(spec).run(x.raw(), indices.raw(), y.raw(), pool);
              }),
              right);
  }
}

}  // namespace
}  // namespace asg::test
