// Pools and their gradients against the reference kernels of the cards.
#include "backend/cpu/library/pooling.h"

#include <atomic>
#include <optional>

#include <gtest/gtest.h>

#include "asg/core/array.h"
#include "asg/graph/contexts.h"
#include "backend_cpu_library/card_samples.h"
#include "backend_cpu_library/library_cases.h"
#include "ops/pooling/pool_parts.h"
#include "support/compare.h"

namespace asg::test {
namespace {

using cpu::Pooling;

void* bytes_of(Array& array) {
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
        pooling.max(bytes_of(x), bytes_of(y), places.mutable_data<std::int64_t>().data(), pool);
        EXPECT_TRUE(near(y, sample.outputs[0], 0));
        EXPECT_TRUE(identical(places, sample.outputs[1]));
        Array again(dtype, sample.outputs[0].sizes());
        pooling.max(bytes_of(x), bytes_of(again), nullptr, pool);
        EXPECT_TRUE(identical(again, y));
      });
    }
  }
}

TEST(Pooling, GradientsOfMaximaGoBackToTheirPlaces) {
  for (const DType dtype : {DType::f32, DType::f64}) {
    for (const Computed& sample : samples_of("MaxPool", dtype)) {
      SCOPED_TRACE(sample.name + " " + std::string(name_of(dtype)));
      const Pooling pooling = pooling_of(sample, sample.inputs[0]->sizes(), dtype);
      if (pooling.spec().by_columns) continue;  // the gradient rule finds places by rows
      const auto places = sample.outputs[1].data<std::int64_t>();
      const auto values = numbers<double>(sample.outputs[0].count(), 9);
      Array grad = Array::of<double>(sample.outputs[0].sizes(), values).cast(dtype);
      Array right(DType::f64, sample.inputs[0]->sizes());
      for (std::size_t k = 0; k < places.size(); ++k) {
        right.mutable_data<double>()[static_cast<std::size_t>(places[k])] += values[k];
      }
      on_threads([&](ThreadPool& pool) {
        Array x(dtype, sample.inputs[0]->sizes());
        pooling.max_gradient(bytes_of(grad), places.data(), bytes_of(x), pool);
        EXPECT_TRUE(near(x, right, dtype == DType::f32 ? 1e-6 : 1e-14));
      });
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
        pooling.average(bytes_of(x), bytes_of(y), pool);
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
        pooling.average_gradient(bytes_of(grad), bytes_of(x), pool);
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
  pooling.max(bytes_of(x), bytes_of(y), nullptr, pool, count);
  for (const auto& times : seen) EXPECT_EQ(times, 1);
}

}  // namespace
}  // namespace asg::test
