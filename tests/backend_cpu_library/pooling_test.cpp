// Pools and their gradients against the reference kernels of the cards.
#include "backend/cpu/library/pooling.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <optional>

#include <gtest/gtest.h>

#include "asg/core/array.h"
#include "asg/graph/contexts.h"
#include "backend/cpu/library/max_pool_gradient.h"
#include "backend_cpu_library/card_samples.h"
#include "backend_cpu_library/library_cases.h"
#include "ops/pooling/pool_parts.h"
#include "support/compare.h"

namespace asg::test {
namespace {

using cpu::Pooling;

void* first_byte_of(Array& array) {
  return array.dtype() == DType::f32 ? static_cast<void*>(array.mutable_data<float>().data())
                                     : static_cast<void*>(array.mutable_data<double>().data());
}

Pooling pooling_of(const Computed& sample, const Sizes& x, DType dtype) {
  const AttrReader attributes(*sample.op, sample.attrs);
  const bool is_max = sample.op->name == "MaxPool";
  return Pooling({.dtype = dtype,
                  .planes = x[0] * x[1],
                  .windows = ops::three_axes(ops::pool_windows(attributes, Shape::of(x))),
                  .by_columns = is_max && attributes.integer("storage_order") == 1,
                  .count_padding = !is_max && attributes.boolean("count_include_pad")});
}

// Runs on one, two and three threads, which must give the same bits.
template <class Run>
void on_threads(const Run& run) {
  for (const int threads : {1, 2, 3}) {
    SCOPED_TRACE(std::to_string(threads) + " threads");
    ThreadPool pool(threads);
    run(pool);
  }
}

// The samples of a card, and a tensor of more planes than a task takes.
std::vector<Computed> samples_of(const std::string& op_name, DType dtype) {
  std::vector<Computed> all = computed_samples(op_name, dtype);
  const OpCard& op = *Registry::global().find(op_name);
  const Attrs attrs = {{"kernel_shape", Sizes{3, 2}}, {"strides", Sizes{2, 1}}, {"pads", Sizes{1, 0, 0, 1}}};
  const Array x = Array::of<double>({8, 20, 15, 600}, numbers<double>(8 * 20 * 15 * 600, 5)).cast(dtype);
  Computed large{&op, "large", attrs, {x}, {}};
  if (op_name == "AveragePoolGrad") {
    const Array y = run_op(*Registry::global().find("AveragePool"), attrs, {x})[0];
    large.inputs = {y, Array::ints(x.sizes())};
  }
  large.outputs = run_op(op, attrs, large.inputs);
  all.push_back(large);
  return all;
}

TEST(Pooling, MaximaAndPlacesAreThoseOfTheCard) {
  for (const DType dtype : {DType::f32, DType::f64}) {
    for (const Computed& sample : samples_of("MaxPool", dtype)) {
      SCOPED_TRACE(sample.name + " " + std::string(name_of(dtype)));
      Array x = *sample.inputs[0];
      const Pooling pooling = pooling_of(sample, x.sizes(), dtype);
      on_threads([&](ThreadPool& pool) {
        Array y(dtype, sample.outputs[0].sizes());
        Array places(DType::i64, sample.outputs[1].sizes());
        pooling.max(first_byte_of(x), first_byte_of(y), places.mutable_data<std::int64_t>().data(), pool);
        EXPECT_TRUE(near(y, sample.outputs[0], 0));
        EXPECT_TRUE(identical(places, sample.outputs[1]));
        Array again(dtype, sample.outputs[0].sizes());
        pooling.max(first_byte_of(x), first_byte_of(again), nullptr, pool);
        EXPECT_TRUE(identical(again, y));
      });
    }
  }
}

cpu::MaxPoolGradientSpec gradient_of(const Sizes& x, const Sizes& grad, DType dtype) {
  const std::int64_t planes = x[0] * x[1];
  const std::int64_t most = std::max<std::int64_t>(planes, 1);
  return {.dtype = dtype, .planes = planes, .positions = element_count(grad) / most, .pixels = element_count(x) / most};
}

TEST(Pooling, GradientsOfMaximaGoBackToTheirPlaces) {
  for (const DType dtype : {DType::f32, DType::f64}) {
    for (const Computed& sample : samples_of("MaxPool", dtype)) {
      SCOPED_TRACE(sample.name + " " + std::string(name_of(dtype)));
      if (AttrReader(*sample.op, sample.attrs).integer("storage_order") == 1) continue;  // found anew, by rows
      const auto places = sample.outputs[1].data<std::int64_t>();
      const auto values = numbers<double>(sample.outputs[0].count(), 9);
      Array grad = Array::of<double>(sample.outputs[0].sizes(), values).cast(dtype);
      Array right(DType::f64, sample.inputs[0]->sizes());
      for (std::size_t k = 0; k < places.size(); ++k) {
        right.mutable_data<double>()[static_cast<std::size_t>(places[k])] += values[k];
      }
      on_threads([&](ThreadPool& pool) {
        Array x(dtype, sample.inputs[0]->sizes());
        const auto spec = gradient_of(x.sizes(), grad.sizes(), dtype);
        cpu::max_pool_gradient(spec, first_byte_of(grad), places.data(), first_byte_of(x), pool);
        EXPECT_TRUE(near(x, right, dtype == DType::f32 ? 1e-6 : 1e-14));
      });
    }
  }
}

TEST(Pooling, GradientsOfMaximaAreThoseOfTheCardWhereverTheyGo) {
  for (const DType dtype : {DType::f32, DType::f64}) {
    for (const Computed& sample : computed_samples("MaxPoolGrad", dtype)) {
      SCOPED_TRACE(sample.name + " " + std::string(name_of(dtype)));
      Array grad = *sample.inputs[0];
      Array x(dtype, sample.outputs[0].sizes());
      ThreadPool pool(2);
      cpu::max_pool_gradient(gradient_of(x.sizes(), grad.sizes(), dtype), first_byte_of(grad),
                             sample.inputs[1]->data<std::int64_t>().data(), first_byte_of(x), pool);
      EXPECT_TRUE(near(x, sample.outputs[0], dtype == DType::f32 ? 1e-6 : 1e-14));
    }
  }
}

// Two planes of two pixels: each place counted from the end, of the own plane and of the other one.
TEST(Pooling, GradientsOfMaximaGoToPlacesCountedFromTheEnd) {
  const OpCard& op = *Registry::global().find("MaxPoolGrad");
  for (const std::vector<std::int64_t>& from_the_end :
       std::vector<std::vector<std::int64_t>>{{-4, -1}, {-3, -2}, {0, -1}, {-1, -4}, {-2, 1}, {3, -1}}) {
    const std::vector<float> grad = {1, 2};
    std::vector<float> x(4);
    const cpu::MaxPoolGradientSpec spec{.dtype = DType::f32, .planes = 2, .positions = 1, .pixels = 2};
    ThreadPool pool(2);
    cpu::max_pool_gradient(spec, grad.data(), from_the_end.data(), x.data(), pool);
    const Array right = run_op(op, {},
                               {Array::of<float>({1, 2, 1}, grad), Array::of<std::int64_t>({1, 2, 1}, from_the_end),
                                Array::ints({1, 2, 2})})[0];
    EXPECT_TRUE(identical(Array::of<float>({1, 2, 2}, x), right)) << from_the_end[0] << " and " << from_the_end[1];
  }
}

TEST(Pooling, RefusesPlacesOutsideTheInput) {
  ThreadPool pool(2);
  std::vector<float> grad = {1, 2};
  std::vector<float> x(4);
  for (const std::int64_t place : {4, -5}) {
    const std::vector<std::int64_t> places = {0, place};
    const cpu::MaxPoolGradientSpec spec{.dtype = DType::f32, .planes = 2, .positions = 1, .pixels = 2};
    EXPECT_THROW(cpu::max_pool_gradient(spec, grad.data(), places.data(), x.data(), pool), UserError);
  }
}

// Windows that are common, with rows longer and shorter than a vector, maxima that are equal, and NaN.
TEST(Pooling, CommonWindowsChooseTheFirstOfEqualMaxima) {
  struct Windows {
    std::int64_t taps, stride, pad, width;
  };
  const OpCard& op = *Registry::global().find("MaxPool");
  for (const Windows& each : {Windows{2, 2, 0, 24}, Windows{2, 2, 0, 67}, Windows{3, 2, 1, 37}, Windows{3, 1, 1, 35},
                              Windows{2, 1, 0, 9}, Windows{3, 3, 1, 41}, Windows{5, 2, 2, 80}}) {
    SCOPED_TRACE(std::to_string(each.taps) + " by " + std::to_string(each.stride) + " on " +
                 std::to_string(each.width));
    std::vector<double> values;
    for (std::int64_t k = 0; k < 2 * 3 * 11 * each.width; ++k) {
      const std::int64_t mixed = k * 7919 % 13;
      values.push_back(mixed == 12 && k % 5 == 0 ? std::numeric_limits<double>::quiet_NaN()
                                                 : static_cast<double>(mixed / 3));
    }
    const Attrs attrs = {{"kernel_shape", Sizes{each.taps, each.taps}},
                         {"strides", Sizes{each.stride, each.stride}},
                         {"pads", Sizes{each.pad, each.pad, each.pad, each.pad}}};
    for (const DType dtype : {DType::f32, DType::f64}) {
      Array x = Array::of<double>({2, 3, 11, each.width}, values).cast(dtype);
      const std::vector<Array> right = run_op(op, attrs, {x});
      const Pooling pooling = pooling_of({&op, "", attrs, {x}, right}, x.sizes(), dtype);
      ThreadPool pool(2);
      Array y(dtype, right[0].sizes());
      Array places(DType::i64, right[0].sizes());
      pooling.max(first_byte_of(x), first_byte_of(y), places.mutable_data<std::int64_t>().data(), pool);
      EXPECT_TRUE(near(y, right[0], 0));
      EXPECT_TRUE(identical(places, right[1]));
    }
  }
}

TEST(Pooling, AveragesAreThoseOfTheCard) {
  for (const DType dtype : {DType::f32, DType::f64}) {
    for (const Computed& sample : samples_of("AveragePool", dtype)) {
      SCOPED_TRACE(sample.name + " " + std::string(name_of(dtype)));
      Array x = *sample.inputs[0];
      const Pooling pooling = pooling_of(sample, x.sizes(), dtype);
      std::optional<Array> first;
      on_threads([&](ThreadPool& pool) {
        Array y(dtype, sample.outputs[0].sizes());
        pooling.average(first_byte_of(x), first_byte_of(y), pool);
        EXPECT_TRUE(near(y, sample.outputs[0], dtype == DType::f32 ? 1e-6 : 1e-13));
        if (!first) first = y;
        EXPECT_TRUE(identical(y, *first));
      });
    }
  }
}

TEST(Pooling, GradientsOfAveragesAreThoseOfTheCard) {
  for (const DType dtype : {DType::f32, DType::f64}) {
    for (const Computed& sample : samples_of("AveragePoolGrad", dtype)) {
      SCOPED_TRACE(sample.name + " " + std::string(name_of(dtype)));
      Array grad = *sample.inputs[0];
      const Pooling pooling = pooling_of(sample, sample.outputs[0].sizes(), dtype);
      std::optional<Array> first;
      on_threads([&](ThreadPool& pool) {
        Array x(dtype, sample.outputs[0].sizes());
        pooling.average_gradient(first_byte_of(grad), first_byte_of(x), pool);
        EXPECT_TRUE(near(x, sample.outputs[0], dtype == DType::f32 ? 1e-6 : 1e-13));
        if (!first) first = x;
        EXPECT_TRUE(identical(x, *first));
      });
    }
  }
}

TEST(Pooling, TellsOfEveryPlaneOnce) {
  const Computed sample = samples_of("MaxPool", DType::f32).back();
  Array x = *sample.inputs[0];
  const Pooling pooling = pooling_of(sample, x.sizes(), DType::f32);
  Array y(DType::f32, sample.outputs[0].sizes());
  ThreadPool pool(2);
  std::vector<std::atomic<int>> seen(static_cast<std::size_t>(pooling.spec().planes));
  const auto count = [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t plane = first; plane < last; ++plane) ++seen[static_cast<std::size_t>(plane)];
  };
  pooling.max(first_byte_of(x), first_byte_of(y), nullptr, pool, count);
  for (const auto& times : seen) EXPECT_EQ(times, 1);
}

}  // namespace
}  // namespace asg::test
