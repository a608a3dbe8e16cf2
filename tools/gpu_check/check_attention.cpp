#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

#include "asg/compile/gpu_attention.h"
#include "asg/core/random.h"
#include "cases.h"
#include "checks.h"
#include "cuda_machine.h"

namespace asg::gpu_check {
namespace {

struct Size {
  std::string name;
  int batch = 1;
  int heads = 1;
  int key_heads = 1;
  int queries = 1;
  int keys = 1;
  GpuAttention kind;
};

// Arrays of one attention, [batch, head, row, width]; output and gradients are written by the functions.
struct Operands {
  Array query, key, value, mask, output_gradient;
};

Array normal(DType dtype, Sizes sizes, std::uint64_t stream) {
  Array result(dtype, std::move(sizes));
  const RandomStream numbers(7, stream);
  for (std::int64_t k = 0; k < result.count(); ++k) result.set(k, numbers.normal(static_cast<std::uint64_t>(k)));
  return result;
}

Operands operands_of(const Size& size) {
  const GpuAttention& kind = size.kind;
  Operands operands{.query = normal(kind.dtype, {size.batch, size.heads, size.queries, kind.width}, 1),
                    .key = normal(kind.dtype, {size.batch, size.key_heads, size.keys, kind.width}, 2),
                    .value = normal(kind.dtype, {size.batch, size.key_heads, size.keys, kind.value_width}, 3),
                    .mask = Array(DType::boolean, {1}),
                    .output_gradient = normal(kind.dtype, {size.batch, size.heads, size.queries, kind.value_width}, 4)};
  if (kind.mask == GpuAttention::Mask::added) operands.mask = normal(DType::f32, {size.queries, size.keys}, 5);
  if (kind.mask == GpuAttention::Mask::boolean) {
    operands.mask = Array(DType::boolean, {size.queries, size.keys});
    const RandomStream numbers(7, 5);
    for (std::int64_t k = 0; k < operands.mask.count(); ++k) {
      // The second query may look nowhere.
      operands.mask.set(k, k / size.keys != 1 && numbers.uniform(static_cast<std::uint64_t>(k)) < 0.7 ? 1 : 0);
    }
  }
  return operands;
}

GpuAttentionShape shape_of(const Size& size) {
  GpuAttentionShape shape{.group = size.heads / size.key_heads,
                          .heads = size.heads,
                          .queries = size.queries,
                          .keys = size.keys,
                          .offset = 0,
                          .scale = 1 / std::sqrt(static_cast<float>(size.kind.width))};
  const auto dense = [](long long(&strides)[3], long long heads, long long rows, long long width) {
    strides[2] = width;
    strides[1] = rows * width;
    strides[0] = heads * rows * width;
  };
  dense(shape.query, size.heads, size.queries, size.kind.width);
  dense(shape.key, size.key_heads, size.keys, size.kind.width);
  dense(shape.value, size.key_heads, size.keys, size.kind.value_width);
  dense(shape.output, size.heads, size.queries, size.kind.value_width);
  shape.mask[2] = size.keys;
  shape.mask[3] = 1;
  return shape;
}

// The straightforward computation, in f64.
class Reference {
 public:
  Reference(const Size& size, const Operands& operands)
      : size_(size), operands_(operands), scale_(shape_of(size).scale) {
    const DType wide = DType::f64;
    output = Array(wide, operands.output_gradient.sizes());
    log_sum_exp = Array(wide, {size.batch, size.heads, size.queries});
    query_gradient = Array(wide, operands.query.sizes());
    key_gradient = Array(wide, operands.key.sizes());
    value_gradient = Array(wide, operands.value.sizes());
    query_ = operands.query.cast(wide);
    key_ = operands.key.cast(wide);
    value_ = operands.value.cast(wide);
    gradient_ = operands.output_gradient.cast(wide);
    for (int batch = 0; batch < size.batch; ++batch) {
      for (int head = 0; head < size.heads; ++head) {
        for (int query = 0; query < size.queries; ++query) row(batch, head, query);
      }
    }
  }

  Array output, log_sum_exp, query_gradient, key_gradient, value_gradient;

 private:
  bool may_look(int query, int key) const {
    if (size_.kind.causal && key > query) return false;
    if (size_.kind.mask != GpuAttention::Mask::boolean) return true;
    return operands_.mask.get(static_cast<std::int64_t>(query) * size_.keys + key) != 0;
  }

  static double* at(Array& array, int batch, int head, int row) {
    const Sizes& sizes = array.sizes();
    return array.mutable_data<double>().data() + ((batch * sizes[1] + head) * sizes[2] + row) * sizes[3];
  }

  void row(int batch, int head, int query) {
    const int key_head = head / (size_.heads / size_.key_heads);
    const int width = size_.kind.width;
    const int value_width = size_.kind.value_width;
    std::vector<double> shares(static_cast<std::size_t>(size_.keys), -std::numeric_limits<double>::infinity());
    double most = -std::numeric_limits<double>::infinity();
    const double* q = at(query_, batch, head, query);
    for (int key = 0; key < size_.keys; ++key) {
      if (!may_look(query, key)) continue;
      double score = 0;
      const double* k = at(key_, batch, key_head, key);
      for (int each = 0; each < width; ++each) score += q[each] * k[each];
      score *= scale_;
      if (size_.kind.mask == GpuAttention::Mask::added) {
        score += operands_.mask.get(static_cast<std::int64_t>(query) * size_.keys + key);
      }
      shares[static_cast<std::size_t>(key)] = score;
      most = std::max(most, score);
    }
    double sum = 0;
    for (double& share : shares) sum += share = std::isinf(most) ? 0 : std::exp(share - most);
    log_sum_exp.set((static_cast<std::int64_t>(batch) * size_.heads + head) * size_.queries + query,
                    sum > 0 ? most + std::log(sum) : -std::numeric_limits<double>::infinity());
    if (sum == 0) return;
    double* o = at(output, batch, head, query);
    const double* g = at(gradient_, batch, head, query);
    double part = 0;
    for (int key = 0; key < size_.keys; ++key) {
      const double share = shares[static_cast<std::size_t>(key)] /= sum;
      const double* v = at(value_, batch, key_head, key);
      double* dv = at(value_gradient, batch, key_head, key);
      for (int each = 0; each < value_width; ++each) {
        o[each] += share * v[each];
        dv[each] += share * g[each];
        part += share * v[each] * g[each];
      }
    }
    double* dq = at(query_gradient, batch, head, query);
    for (int key = 0; key < size_.keys; ++key) {
      const double* v = at(value_, batch, key_head, key);
      const double* k = at(key_, batch, key_head, key);
      double* dk = at(key_gradient, batch, key_head, key);
      double change = -part;
      for (int each = 0; each < value_width; ++each) change += v[each] * g[each];
      change *= shares[static_cast<std::size_t>(key)] * scale_;
      for (int each = 0; each < width; ++each) {
        dq[each] += change * k[each];
        dk[each] += change * q[each];
      }
    }
  }

  Size size_;
  const Operands& operands_;
  double scale_;
  Array query_, key_, value_, gradient_;
};

// Buffers and functions of one attention on a machine.
class Runner {
 public:
  Runner(Machine& machine, const Size& size, const Operands& operands)
      : machine_(machine), size_(size), shape_(shape_of(size)), kernels_(render_gpu_attention(size.kind, size.name)) {
    std::vector<CudaLaunch> launches;
    for (const GpuAttentionLaunch& each : {kernels_.forward, kernels_.delta, kernels_.by_key, kernels_.by_query}) {
      launches.push_back(
          {.function = each.function, .grid = 1, .block = each.threads, .shared_bytes = each.shared_bytes});
    }
    functions_ = machine.load_functions(kernels_.text, launches);
    query = upload(operands.query);
    key = upload(operands.key);
    value = upload(operands.value);
    mask = upload(operands.mask);
    output_gradient = upload(operands.output_gradient);
    const Array statistics(DType::f32, {size.batch, size.heads, size.queries});
    log_sum_exp = upload(statistics);
    delta = upload(statistics);
    // What is not written is noticed.
    output = upload(poisoned(operands.output_gradient));
    query_gradient = upload(poisoned(operands.query));
    key_gradient = upload(poisoned(operands.key));
    value_gradient = upload(poisoned(operands.value));
  }
  ~Runner() {
    for (const DevicePointer each : {query, key, value, mask, output_gradient, log_sum_exp, delta, output,
                                     query_gradient, key_gradient, value_gradient}) {
      machine_.release(each);
    }
  }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  void forward() {
    launch(0, kernels_.forward, size_.queries, size_.heads, {query, key, value, mask, output, log_sum_exp});
  }
  void backward() {
    launch(1, kernels_.delta, size_.queries, size_.heads, {output, output_gradient, delta});
    launch(2, kernels_.by_key, size_.keys, size_.key_heads,
           {query, key, value, mask, output_gradient, log_sum_exp, delta, key_gradient, value_gradient});
    launch(3, kernels_.by_query, size_.queries, size_.heads,
           {query, key, value, mask, output_gradient, log_sum_exp, delta, query_gradient});
  }

  Array fetched(DevicePointer from, DType dtype, const Sizes& sizes) {
    Array result(dtype, sizes);
    machine_.copy_out(result.raw(), from, result.bytes());
    return result;
  }

  DevicePointer query, key, value, mask, output_gradient, log_sum_exp, delta, output, query_gradient, key_gradient,
      value_gradient;

 private:
  DevicePointer upload(const Array& array) {
    const DevicePointer memory = machine_.allocate(array.bytes());
    machine_.copy_in(memory, array.raw(), array.bytes());
    return memory;
  }

  static Array poisoned(const Array& like) {
    Array result(like.dtype(), like.sizes());
    for (std::int64_t k = 0; k < result.count(); ++k) result.set(k, std::nan(""));
    return result;
  }

  void launch(std::size_t number, const GpuAttentionLaunch& each, int rows, int heads,
              const std::vector<DevicePointer>& pointers) {
    machine_.launch(functions_[number],
                    {static_cast<unsigned>((rows + each.rows - 1) / each.rows), static_cast<unsigned>(heads),
                     static_cast<unsigned>(size_.batch)},
                    each.threads, each.shared_bytes, pointers, &shape_);
  }

  Machine& machine_;
  Size size_;
  GpuAttentionShape shape_;
  GpuAttentionKernels kernels_;
  std::vector<void*> functions_;
};

std::vector<Size> small_sizes() {
  using Mask = GpuAttention::Mask;
  const auto kind = [](DType dtype, int width, int value_width, bool causal, Mask mask, bool aligned = true) {
    return GpuAttention{
        .dtype = dtype, .width = width, .value_width = value_width, .causal = causal, .mask = mask, .aligned = aligned};
  };
  return {
      {"plain_64", 2, 1, 1, 130, 130, kind(DType::bf16, 64, 64, false, Mask::none)},
      {"causal_64", 1, 1, 1, 150, 150, kind(DType::bf16, 64, 64, true, Mask::none)},
      {"causal_128_grouped", 1, 2, 1, 100, 100, kind(DType::bf16, 128, 128, true, Mask::none)},
      {"masked_64", 1, 2, 1, 70, 130, kind(DType::f16, 64, 64, false, Mask::boolean)},
      {"added_mask_80", 1, 1, 1, 65, 66, kind(DType::f16, 80, 48, true, Mask::added)},
      {"odd_widths", 1, 2, 1, 33, 40, kind(DType::bf16, 20, 13, false, Mask::none, false)},
      {"wide_192", 1, 1, 1, 70, 70, kind(DType::bf16, 192, 192, true, Mask::none)},
  };
}

bool agrees(const std::string& name, const char* what, const Array& expected, const Array& given, double tolerance) {
  const double apart = difference(expected, given);
  std::printf("attention %-20s %-14s largest relative difference %.2e, at most %.0e%s\n", name.c_str(), what, apart,
              tolerance, apart <= tolerance ? "" : "  TOO FAR");
  return apart <= tolerance;
}

}  // namespace

std::vector<GpuAttention> attention_kinds() {
  std::vector<GpuAttention> kinds;
  for (const Size& size : small_sizes()) kinds.push_back(size.kind);
  return kinds;
}

bool check_attention(Machine& machine) {
  bool passed = true;
  for (const Size& size : small_sizes()) {
    const Operands operands = operands_of(size);
    const Reference expected(size, operands);
    Runner runner(machine, size, operands);
    runner.forward();
    runner.backward();
    const DType dtype = size.kind.dtype;
    const auto all = [&] {
      return std::vector<Array>{runner.fetched(runner.output, dtype, expected.output.sizes()),
                                runner.fetched(runner.log_sum_exp, DType::f32, expected.log_sum_exp.sizes()),
                                runner.fetched(runner.query_gradient, dtype, expected.query_gradient.sizes()),
                                runner.fetched(runner.key_gradient, dtype, expected.key_gradient.sizes()),
                                runner.fetched(runner.value_gradient, dtype, expected.value_gradient.sizes())};
    };
    const std::vector<Array> first = all();
    runner.forward();
    runner.backward();
    const std::vector<Array> second = all();
    const double tolerance = tolerance_of(dtype);
    passed = agrees(size.name, "output", expected.output, first[0], tolerance) && passed;
    passed = agrees(size.name, "log_sum_exp", expected.log_sum_exp, first[1], 1e-4) && passed;
    passed = agrees(size.name, "by query", expected.query_gradient, first[2], tolerance) && passed;
    passed = agrees(size.name, "by key", expected.key_gradient, first[3], tolerance) && passed;
    passed = agrees(size.name, "by value", expected.value_gradient, first[4], tolerance) && passed;
    for (std::size_t k = 0; k < first.size(); ++k) {
      if (bit_equal(first[k], second[k])) continue;
      std::printf("attention %s: OTHER BITS IN THE SECOND RUN\n", size.name.c_str());
      passed = false;
    }
  }
  std::printf("gpu-check: attention: %s\n", passed ? "passed" : "FAILED");
  return passed;
}

void check_attention_speed(CudaMachine& machine) {
  const auto kind = [](int width, bool causal) {
    return GpuAttention{.dtype = DType::bf16, .width = width, .value_width = width, .causal = causal};
  };
  const std::vector<Size> sizes = {
      {"gpt2_b16_t1024_64_causal", 16, 12, 12, 1024, 1024, kind(64, true)},
      {"b4_h16_t4096_64", 4, 16, 16, 4096, 4096, kind(64, false)},
      {"b4_h16_t4096_64_causal", 4, 16, 16, 4096, 4096, kind(64, true)},
      {"b4_h16_t4096_128", 4, 16, 16, 4096, 4096, kind(128, false)},
      {"b4_h16_t4096_128_causal", 4, 16, 16, 4096, 4096, kind(128, true)},
  };
  std::printf("| attention | forward, ms | TFLOP/s | backward, ms | TFLOP/s |\n|---|---:|---:|---:|---:|\n");
  for (const Size& size : sizes) {
    Size few = size;  // random numbers for one batch entry, repeated
    few.batch = 1;
    Operands operands = operands_of(few);
    for (Array* each : {&operands.query, &operands.key, &operands.value, &operands.output_gradient}) {
      Sizes whole = each->sizes();
      whole[0] = size.batch;
      *each = each->broadcast_to(whole).copy();
    }
    Runner runner(machine, size, operands);
    const double forward = machine.time([&] { runner.forward(); }, 20);
    const double backward = machine.time([&] { runner.backward(); }, 20);
    const double products = 2.0 * size.batch * size.heads * size.queries * size.keys * size.kind.width *
                            (size.kind.causal ? 0.5 : 1.0) * 1e-9;
    std::printf("| %s | %.3f | %.0f | %.3f | %.0f |\n", size.name.c_str(), forward, 2 * products / forward, backward,
                5 * products / backward);
    std::fflush(stdout);
  }
}

}  // namespace asg::gpu_check
