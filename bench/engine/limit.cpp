#include "limit.h"

#include <cstring>

#include "asg/core/thread_pool.h"
#include "backend/cpu/library/matmul.h"
#include "numbers.h"
#include "timing.h"

#ifdef ASG_ONEDNN
#include <oneapi/dnnl/dnnl.h>

#include "backend/cpu/library/onednn_thread.h"
#endif

namespace asg::bench {
namespace {

template <class Work>
double median_seconds(double seconds, const Work& work) {
  constexpr std::size_t kLeast = 5;
  std::vector<double> times;
  work();
  for (const Stopwatch watch; watch.seconds() < seconds || times.size() < kLeast;) times.push_back(seconds_of(work));
  return median(std::move(times));
}

Rate product_rate(std::int64_t length, ThreadPool& pool, double seconds) {
  const Array a = uniform("a", {length, length}, 1);
  const Array b = uniform("b", {length, length}, 1);
  Array c(DType::f32, {length, length});
  cpu::MatmulSpec spec{.m = length, .n = length, .k = length};
  spec.a_row_step = spec.b_row_step = spec.c_row_step = length;
  const cpu::Matmul product(spec);
  std::vector<std::byte> scratch(product.scratch_bytes());
  const auto side = static_cast<double>(length);
  const double operations = 2 * side * side * side;
  Rate rate{.length = length};
  rate.pool =
      operations / median_seconds(seconds, [&] { product.run(a.raw(), b.raw(), c.raw(), scratch.data(), pool); });
#ifdef ASG_ONEDNN
  omp_set_num_threads(pool.threads());
  rate.own = operations / median_seconds(seconds, [&] {
               dnnl_sgemm('N', 'N', length, length, length, 1.0F, a.data<float>().data(), length,
                          b.data<float>().data(), length, 0.0F, c.mutable_data<float>().data(), length);
             });
#endif
  return rate;
}

}  // namespace

std::vector<Rate> product_rates(int threads, double seconds_each) {
  ThreadPool pool(threads);
  std::vector<Rate> rates;
  for (const std::int64_t length : {512, 1024, 2048}) {
    rates.push_back(product_rate(length, pool, seconds_each));
  }
  return rates;
}

double largest(const std::vector<Rate>& rates) {
  double result = 0;
  for (const Rate& rate : rates) result = std::max({result, rate.pool, rate.own});
  return result;
}

double copy_seconds(double seconds) {
  constexpr std::int64_t kFloats = 10'000'000;
  const Array from = uniform("x", {kFloats}, 1);
  Array to(DType::f32, {kFloats});
  return median_seconds(seconds, [&] { std::memcpy(to.raw(), from.raw(), static_cast<std::size_t>(from.bytes())); });
}

}  // namespace asg::bench
