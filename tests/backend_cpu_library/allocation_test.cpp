// Runs allocate nothing. Every operator new of the program is counted, oneDNN's own among them: those of a run by
// oneDNN are reported, those of our own code must be none.
#include <cstdio>

#include <gtest/gtest.h>

#include "asg/graph/contexts.h"
#include "asg/graph/registry.h"
#include "backend/cpu/library/convolution.h"
#include "backend/cpu/library/matmul.h"
#include "backend/cpu/library/max_pool_gradient.h"
#include "backend/cpu/library/pooling.h"
#include "backend/cpu/library/scatter.h"
#include "backend_cpu_library/count_new.h"
#include "backend_cpu_library/library_cases.h"

namespace asg::test {
namespace {

// Allocations of five runs after a first one.
template <class Run>
long allocations_of(const Run& run) {
  run();
  const long before = allocations();
  for (int k = 0; k < 5; ++k) run();
  return allocations() - before;
}

void expect_none(const std::string& what, cpu::Library library, long count) {
  if (library == cpu::Library::builtin) {
    EXPECT_EQ(count, 0) << what;
  } else {
    std::printf("%s: %ld allocations by oneDNN in five runs\n", what.c_str(), count);
  }
}

TEST(Allocations, ProductsMakeNone) {
  ThreadPool pool(2);
  for (const cpu::Library library : libraries()) {
    for (const std::int64_t inner : {64, 5000}) {
      const cpu::Matmul matmul({.m = 64, .n = 48, .k = inner, .a_row_step = inner, .b_row_step = 48, .c_row_step = 48},
                               library);
      const auto a = numbers<float>(64 * inner, 1);
      const auto b = numbers<float>(48 * inner, 2);
      std::vector<float> c(64 * 48);
      Scratch scratch(matmul.scratch_bytes());
      expect_none("product over " + std::to_string(inner), library,
                  allocations_of([&] { matmul.run(a.data(), b.data(), c.data(), scratch.data(), pool); }));
    }
  }
}

TEST(Allocations, ConvolutionsMakeNone) {
  ThreadPool pool(2);
  const Sizes x = {4, 16, 12, 12};
  const Sizes w = {32, 16, 3, 3};
  const ops::Convolution geometry = ops::convolution_of(AttrReader(*Registry::global().find("Conv"), {}), x, w);
  const auto many = numbers<float>(4 * 32 * 12 * 12, 1);  // enough for any operand
  std::vector<float> result(many.size());
  for (const cpu::Library library : libraries()) {
    for (const auto kind :
         {cpu::ConvolutionKind::forward, cpu::ConvolutionKind::by_input, cpu::ConvolutionKind::by_weight}) {
      const cpu::Convolution convolution({kind, DType::f32, geometry}, library);
      Scratch scratch(convolution.scratch_bytes());
      expect_none("convolution " + std::to_string(static_cast<int>(kind)), library, allocations_of([&] {
                    convolution.run(many.data(), many.data(), result.data(), scratch.data(), pool);
                  }));
    }
  }
}

TEST(Allocations, PoolsMakeNone) {
  ThreadPool pool(2);
  const ops::Window window{.input = 24, .output = 12, .taps = 2, .stride = 2};
  const cpu::Pooling pooling({.planes = 200, .windows = {ops::Window{}, window, window}});
  const auto x = numbers<float>(200 * 24 * 24, 1);
  std::vector<float> y(200 * 12 * 12);
  std::vector<float> gradient(x.size());
  std::vector<std::int64_t> places(y.size());
  EXPECT_EQ(allocations_of([&] {
              pooling.max(x.data(), y.data(), places.data(), pool);
              cpu::max_pool_gradient({.planes = 200, .positions = 12 * 12, .pixels = 24 * 24}, y.data(), places.data(),
                                     gradient.data(), pool);
              pooling.average(x.data(), y.data(), pool);
              pooling.average_gradient(y.data(), gradient.data(), pool);
            }),
            0);
}

TEST(Allocations, GathersAndScattersMakeNone) {
  ThreadPool pool(2);
  const cpu::ElementsSpec spec{.x = {300, 40}, .indices = {300, 3}, .axis = 1};
  const cpu::ElementGather gather(spec);
  const auto x = numbers<float>(300 * 40, 1);
  const std::vector<std::int64_t> indices(300 * 3, 7);
  std::vector<float> picked(indices.size());
  std::vector<float> y(x.size());
  EXPECT_EQ(allocations_of([&] { gather.run(x.data(), indices.data(), picked.data(), pool); }), 0);
  for (const auto reduction : {cpu::ScatterReduction::add, cpu::ScatterReduction::max}) {
    const cpu::ElementScatter scatter(spec, reduction);
    Scratch scratch(static_cast<std::size_t>(scatter.scratch_bytes(2)));
    EXPECT_EQ(allocations_of([&] {
                scatter.run(x.data(), false, indices.data(), picked.data(), y.data(),
                            static_cast<std::byte*>(scratch.data()), pool);
              }),
              0);
  }
  const cpu::RowScatter rows({.x = {300, 40}, .indices = {200}, .axis = 0});
  Scratch scratch(static_cast<std::size_t>(rows.scratch_bytes(2)));
  EXPECT_EQ(allocations_of(
                [&] { rows.run(x.data(), indices.data(), y.data(), static_cast<std::byte*>(scratch.data()), pool); }),
            0);
}

}  // namespace
}  // namespace asg::test
