// The rates of products and convolutions of the CPU backend, in GFLOP/s: our code and oneDNN under our threads, and
// oneDNN under its own threads. Prints a table.
//   demanded: nothing; see how close each comes to the best rate of a large product on the same threads
//   bench_library [seconds per figure]
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "asg/core/thread_pool.h"
#include "backend/cpu/library/convolution.h"
#include "backend/cpu/library/matmul.h"

#ifdef ASG_ONEDNN
#include <oneapi/dnnl/dnnl.h>

#include "backend/cpu/library/onednn_thread.h"
#endif

namespace {

using asg::ThreadPool;
using asg::cpu::Library;

double seconds_per_figure = 0.3;

// Runs everything in turn, so that all suffer alike from what else the machine does; medians.
std::vector<double> seconds_of(const std::vector<std::function<void()>>& contenders) {
  std::vector<std::vector<double>> times(contenders.size());
  for (const auto& run : contenders) run();
  double total = 0;
  const double most = seconds_per_figure * static_cast<double>(contenders.size());
  while (total < most || times[0].size() < 5) {
    for (std::size_t k = 0; k < contenders.size(); ++k) {
      const auto start = std::chrono::steady_clock::now();
      contenders[k]();
      times[k].push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
      total += times[k].back();
    }
  }
  std::vector<double> medians;
  for (auto& series : times) {
    std::nth_element(series.begin(), series.begin() + static_cast<std::ptrdiff_t>(series.size() / 2), series.end());
    medians.push_back(series[series.size() / 2]);
  }
  return medians;
}

std::vector<float> numbers(std::int64_t count) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<float>(k * 7919 % 1009) / 1009.0F - 0.5F;
  return values;
}

double best_rate[2] = {0, 0};  // of the large products, by threads less 1

void print_row(const std::string& name, double operations, const std::vector<double>& seconds, bool is_limit) {
  std::printf("%-34s", name.c_str());
  const std::size_t each = seconds.size() / 2;
  for (std::size_t k = 0; k < seconds.size(); ++k) {
    const double rate = operations / seconds[k] / 1e9;
    const std::size_t threads = k / each;
    if (is_limit) best_rate[threads] = std::max(best_rate[threads], rate);
    std::printf(" %7.1f", rate);
  }
  for (std::size_t threads = 0; threads < 2; ++threads) {
    const std::size_t ours = threads * each + (each > 1 ? 1 : 0);
    std::printf("  %3.0f %%", 100 * operations / seconds[ours] / 1e9 / best_rate[threads]);
  }
  std::printf("\n");
  std::fflush(stdout);
}

struct Product {
  std::int64_t batch, m, n, k;
  bool turn_a, turn_b;
  const char* what;
};

asg::cpu::MatmulSpec spec_of(const Product& row) {
  asg::cpu::MatmulSpec spec{.m = row.m, .n = row.n, .k = row.k};
  spec.a_row_step = row.turn_a ? 1 : row.k;
  spec.a_column_step = row.turn_a ? row.m : 1;
  spec.b_row_step = row.turn_b ? 1 : row.n;
  spec.b_column_step = row.turn_b ? row.k : 1;
  spec.c_row_step = row.n;
  spec.batch = {{row.batch, row.m * row.k, row.k * row.n, row.m * row.n}};
  return spec;
}

#ifdef ASG_ONEDNN
// oneDNN under its own threads: product after product.
void run_alone(const Product& row, int threads, const float* a, const float* b, float* c) {
  omp_set_num_threads(threads);
  for (std::int64_t at = 0; at < row.batch; ++at) {
    dnnl_sgemm(row.turn_a ? 'T' : 'N', row.turn_b ? 'T' : 'N', row.m, row.n, row.k, 1.0F, a + at * row.m * row.k,
               row.turn_a ? row.m : row.k, b + at * row.k * row.n, row.turn_b ? row.k : row.n, 0.0F,
               c + at * row.m * row.n, row.n);
  }
}
#endif

void bench_product(const Product& row, ThreadPool* pools[2], bool is_limit) {
  const auto a = numbers(row.batch * row.m * row.k);
  const auto b = numbers(row.batch * row.k * row.n);
  std::vector<float> c(static_cast<std::size_t>(row.batch * row.m * row.n));
  const asg::cpu::Matmul builtin(spec_of(row), Library::builtin);
  const asg::cpu::Matmul usual(spec_of(row));
  std::vector<float> scratch(std::max(builtin.scratch_bytes(), usual.scratch_bytes()) / sizeof(float) + 64);
  std::vector<std::function<void()>> contenders;
  for (int threads = 0; threads < 2; ++threads) {
    ThreadPool* pool = pools[threads];
    contenders.emplace_back([&, pool] { builtin.run(a.data(), b.data(), c.data(), scratch.data(), *pool); });
#ifdef ASG_ONEDNN
    contenders.emplace_back([&, pool] { usual.run(a.data(), b.data(), c.data(), scratch.data(), *pool); });
    contenders.emplace_back([&, threads] { run_alone(row, threads + 1, a.data(), b.data(), c.data()); });
#endif
  }
  const std::string sizes = (row.batch > 1 ? std::to_string(row.batch) + " of " : "") + std::to_string(row.m) + "x" +
                            std::to_string(row.n) + "x" + std::to_string(row.k);
  const double operations =
      2.0 * static_cast<double>(row.batch) * static_cast<double>(row.m * row.n) * static_cast<double>(row.k);
  print_row(sizes + " " + row.what, operations, seconds_of(contenders), is_limit);
}

void bench_convolution(const std::string& name, const asg::ops::Convolution& geometry, ThreadPool* pools[2]) {
  using asg::cpu::ConvolutionKind;
  const auto x = numbers(geometry.batch * geometry.group_channels * geometry.pixels());
  const auto w = numbers(geometry.group_outputs * geometry.patch_rows());
  const auto y = numbers(geometry.batch * geometry.group_outputs * geometry.positions());
  std::vector<float> result(std::max({x.size(), w.size(), y.size()}));
  const double operations = 2.0 * static_cast<double>(y.size()) * static_cast<double>(geometry.patch_rows());
  const std::vector<std::pair<ConvolutionKind, const char*>> kinds = {{ConvolutionKind::forward, "forward"},
                                                                      {ConvolutionKind::by_input, "by input"},
                                                                      {ConvolutionKind::by_weight, "by weight"}};
  for (const auto& [kind, words] : kinds) {
    const asg::cpu::ConvolutionSpec spec{kind, asg::DType::f32, geometry};
    const asg::cpu::Convolution builtin(spec, Library::builtin);
    const asg::cpu::Convolution usual(spec);
    std::vector<float> scratch(std::max(builtin.scratch_bytes(), usual.scratch_bytes()) / sizeof(float) + 64);
    const float* left = kind == ConvolutionKind::forward ? x.data() : y.data();
    const float* right = kind == ConvolutionKind::by_weight ? x.data() : w.data();
    std::vector<std::function<void()>> contenders;
    for (int threads = 0; threads < 2; ++threads) {
      ThreadPool* pool = pools[threads];
      contenders.emplace_back([&, pool] { builtin.run(left, right, result.data(), scratch.data(), *pool); });
#ifdef ASG_ONEDNN
      contenders.emplace_back([&, pool] { usual.run(left, right, result.data(), scratch.data(), *pool); });
#endif
    }
    print_row(name + " " + words, operations, seconds_of(contenders), false);
  }
}

asg::ops::Convolution picture_convolution(std::int64_t channels, std::int64_t length, std::int64_t outputs) {
  const asg::ops::Window window{.input = length, .output = length - 2, .taps = 3};
  return {.batch = 64,
          .groups = 1,
          .group_channels = channels,
          .group_outputs = outputs,
          .windows = {asg::ops::Window{}, window, window}};
}

// A linear layer of this batch and these widths, and its gradients.
std::vector<Product> layer(std::int64_t batch, std::int64_t from, std::int64_t to) {
  return {{1, batch, to, from, false, false, "layer"},
          {1, batch, from, to, false, true, "by input"},
          {1, from, to, batch, true, false, "by weight"}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) seconds_per_figure = std::atof(argv[1]);
  ThreadPool one(1);
  ThreadPool two(2);
  ThreadPool* pools[2] = {&one, &two};
#ifdef ASG_ONEDNN
  std::printf(
      "GFLOP/s, medians. On 1 thread: built in, oneDNN under our threads, oneDNN under its own (products);\n"
      "then the same on 2; then oneDNN under our threads as a share of the best large product.\n");
#else
  std::printf("GFLOP/s, medians: built in, on 1 and on 2 threads; then as a share of the best large product.\n");
#endif
  for (const std::int64_t length : {512, 1024, 2048}) {
    bench_product({1, length, length, length, false, false, "square"}, pools, true);
  }
  std::vector<Product> rows;
  for (const auto& [batch, from, to] : std::vector<std::array<std::int64_t, 3>>{{128, 784, 256},
                                                                                {128, 256, 256},
                                                                                {768, 128, 384},
                                                                                {768, 128, 512},
                                                                                {2048, 384, 1152},
                                                                                {2048, 384, 1536},
                                                                                {2048, 1536, 384}}) {
    for (const Product& row : layer(batch, from, to)) rows.push_back(row);
  }
  rows.push_back({48, 64, 64, 32, false, true, "scores"});
  rows.push_back({48, 64, 32, 64, false, false, "values"});
  rows.push_back({48, 256, 256, 64, false, true, "scores"});
  rows.push_back({48, 256, 64, 256, false, false, "values"});
  rows.push_back({1, 1, 768, 768, false, false, "vector"});
  rows.push_back({1, 1, 768, 768, false, true, "vector"});
  for (const Product& row : rows) bench_product(row, pools, false);
  bench_convolution("64x1x28x28 to 32, 3x3", picture_convolution(1, 28, 32), pools);
  bench_convolution("64x32x26x26 to 64, 3x3", picture_convolution(32, 26, 64), pools);
  return 0;
}
