// What is made once and serves many: the cache itself, and convolutions and products by oneDNN from it.
#include "backend/cpu/library/shared_cache.h"

#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "backend/cpu/library/convolution.h"
#include "backend/cpu/library/matmul.h"
#include "backend/cpu/library/onednn_bf16.h"
#include "backend_cpu_library/library_cases.h"

namespace asg::test {
namespace {

using cpu::Convolution;
using cpu::ConvolutionKind;
using cpu::ConvolutionSpec;
using Cache = cpu::SharedCache<std::int64_t>;

TEST(SharedCache, MakesWhatItHasNot) {
  Cache cache(8);
  int made = 0;
  const auto make = [&] { return ++made; };
  const auto first = cache.get({1, 2}, make);
  EXPECT_EQ(*first, 1);
  EXPECT_EQ(cache.get({1, 2}, make), first);
  EXPECT_EQ(*cache.get({1, 2, 0}, make), 2);
  EXPECT_EQ(made, 2);
}

TEST(SharedCache, ForgetsWhatWasNotAskedForTheLongest) {
  Cache cache(2);
  const auto number = [](std::int64_t value) { return [value] { return value; }; };
  const auto held = cache.get({1}, number(1));
  cache.get({2}, number(2));
  cache.get({1}, number(0));
  cache.get({3}, number(3));  // 2 goes
  EXPECT_EQ(cache.size(), 2U);
  EXPECT_EQ(cache.get({1}, number(-1)), held);
  EXPECT_EQ(*cache.get({2}, number(-2)), -2);  // 3 goes
  EXPECT_EQ(*cache.get({3}, number(-3)), -3);  // 1 goes, but for whoever holds it
  EXPECT_EQ(*held, 1);
  EXPECT_EQ(cache.size(), 2U);
}

TEST(SharedCache, KeepsNothingOfWhatCannotBeMade) {
  Cache cache(2);
  EXPECT_THROW(cache.get({1}, []() -> std::int64_t { throw std::runtime_error("no"); }), std::runtime_error);
  EXPECT_EQ(cache.size(), 0U);
}

TEST(SharedCache, GivesAllThreadsTheSame) {
  Cache cache(64);
  std::vector<std::vector<std::shared_ptr<const std::int64_t>>> seen(4);
  std::vector<std::thread> threads;
  for (auto& mine : seen) {
    threads.emplace_back([&cache, &mine] {
      for (std::int64_t key = 0; key < 32; ++key) mine.push_back(cache.get({key}, [key] { return key; }));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& each : seen) EXPECT_EQ(each, seen.front());
}

ConvolutionSpec spec_of(ConvolutionKind kind, std::int64_t batch, std::int64_t outputs) {
  ops::Convolution geometry;
  geometry.batch = batch;
  geometry.group_channels = 16;
  geometry.group_outputs = outputs;
  const ops::Window window{.input = 11, .output = 9, .taps = 3};
  geometry.windows = ops::three_axes({window, window});
  return {kind, DType::f32, geometry};
}

TEST(SharedPrimitives, OfConvolutionsAreMadeOnce) {
  if (!cpu::has_onednn()) GTEST_SKIP() << "a build without oneDNN";
  for (const ConvolutionKind kind : {ConvolutionKind::forward, ConvolutionKind::by_input, ConvolutionKind::by_weight}) {
    const Convolution first(spec_of(kind, 8, 32));
    const std::int64_t made = cpu::onednn_primitives_made();
    const Convolution again(spec_of(kind, 8, 32));
    const Convolution longer(spec_of(kind, 16, 32));  // pictures are computed one by one
    EXPECT_EQ(cpu::onednn_primitives_made(), made);
    const Convolution wider(spec_of(kind, 8, 48));
    EXPECT_EQ(cpu::onednn_primitives_made(), made + 1);
  }
}

// Two that share a primitive run at the same time.
TEST(SharedPrimitives, ServeSeveralThreads) {
  const ConvolutionSpec spec = spec_of(ConvolutionKind::forward, 4, 32);
  const std::vector<float> x = numbers<float>(4 * 16 * 11 * 11, 1);
  const std::vector<float> w = numbers<float>(32 * 16 * 3 * 3, 2);
  const auto computed = [&] {
    const Convolution convolution(spec);
    Scratch scratch(convolution.scratch_bytes());
    ThreadPool pool(1);
    std::vector<float> y(4 * 32 * 9 * 9);
    for (int time = 0; time < 5; ++time) convolution.run(x.data(), w.data(), y.data(), scratch.data(), pool);
    return y;
  };
  const std::vector<float> expected = computed();
  std::vector<std::vector<float>> results(3);
  std::vector<std::thread> threads;
  for (auto& mine : results) threads.emplace_back([&computed, &mine] { mine = computed(); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& each : results) EXPECT_EQ(each, expected);
}

TEST(SharedPrimitives, OfNarrowProductsAreMadeOnce) {
  if (!cpu::has_bf16()) GTEST_SKIP() << "a processor that does not multiply bf16, or a build without oneDNN";
  cpu::MatmulSpec spec{.dtype = DType::f32, .m = 37, .n = 41, .k = 29};
  spec.a_row_step = spec.k;
  spec.b_row_step = spec.n;
  spec.c_row_step = spec.n;
  spec.narrow = true;
  const cpu::Matmul first(spec, cpu::Library::onednn);
  const std::int64_t made = cpu::onednn_primitives_made();
  const cpu::Matmul again(spec, cpu::Library::onednn);
  EXPECT_EQ(cpu::onednn_primitives_made(), made);
}

}  // namespace
}  // namespace asg::test
