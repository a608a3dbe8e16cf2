// Runs rendered kernels on the GPU and compares what they write with what the reference computed: relative to the
// largest magnitude, within the tolerance of the dtype (docs/numbers.md). Runs each twice: the bits must be the same.
//   gpu_check <folder with the .bin files>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace {

using Bytes = std::vector<char>;

struct Argument {
  std::string dtype;
  bool output;
  std::string file;  // an input, or what is expected
};

struct Case {
  std::string name;
  const void* kernel;
  unsigned grid;
  unsigned block;
  std::vector<Argument> arguments;
};

}  // namespace

#include "cases.inc"

namespace {

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

Bytes read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::printf("%s cannot be read\n", path.c_str());
    std::exit(1);
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

template <class Stored>
std::vector<double> numbers(const Bytes& bytes) {
  std::vector<double> result;
  const auto* first = reinterpret_cast<const Stored*>(bytes.data());
  for (std::size_t k = 0; k < bytes.size() / sizeof(Stored); ++k) {
    if constexpr (std::is_arithmetic_v<Stored>) {
      result.push_back(static_cast<double>(first[k]));
    } else {
      result.push_back(static_cast<double>(static_cast<float>(first[k])));
    }
  }
  return result;
}

std::vector<double> numbers_of(const std::string& dtype, const Bytes& bytes) {
  if (dtype == "f32") return numbers<float>(bytes);
  if (dtype == "f64") return numbers<double>(bytes);
  if (dtype == "f16") return numbers<__half>(bytes);
  if (dtype == "bf16") return numbers<__nv_bfloat16>(bytes);
  if (dtype == "i32") return numbers<int>(bytes);
  if (dtype == "i64") return numbers<long long>(bytes);
  return numbers<unsigned char>(bytes);
}

double tolerance_of(const std::string& dtype) {
  if (dtype == "f32") return 1e-5;
  if (dtype == "f64") return 1e-5;  // computed from f32 here
  if (dtype == "f16") return 5e-3;
  if (dtype == "bf16") return 4e-2;
  return 0;
}

// The largest difference, relative to the largest magnitude; infinity where one is NaN and the other is not.
double difference(const std::vector<double>& expected, const std::vector<double>& given) {
  double largest = 0;
  double apart = 0;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    if (std::isnan(expected[k]) != std::isnan(given[k])) return INFINITY;
    if (std::isnan(expected[k]) || expected[k] == given[k]) continue;
    apart = std::max(apart, std::abs(expected[k] - given[k]));
  }
  for (const double value : expected) largest = std::isfinite(value) ? std::max(largest, std::abs(value)) : largest;
  return apart == 0 ? 0 : apart / largest;
}

// What the kernel leaves in the arrays of its arguments; nothing where it says that it failed. Outputs are zeros
// before, as they were for the reference, since some may hold elements that no point addresses.
std::vector<Bytes> launched(const Case& test, const std::vector<Bytes>& files) {
  std::vector<void*> pointers;
  for (std::size_t k = 0; k < files.size(); ++k) {
    void* memory = nullptr;
    check(cudaMalloc(&memory, files[k].size()), "cudaMalloc");
    if (test.arguments[k].output) {
      check(cudaMemset(memory, 0, files[k].size()), "cudaMemset");
    } else {
      check(cudaMemcpy(memory, files[k].data(), files[k].size(), cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    pointers.push_back(memory);
  }
  void* failed = nullptr;
  check(cudaMalloc(&failed, sizeof(unsigned)), "cudaMalloc");
  check(cudaMemset(failed, 0, sizeof(unsigned)), "cudaMemset");
  pointers.push_back(failed);
  std::vector<void*> arguments;
  for (void*& pointer : pointers) arguments.push_back(&pointer);
  check(cudaLaunchKernel(test.kernel, dim3(test.grid), dim3(test.block), arguments.data(), 0, nullptr), "launch");
  check(cudaDeviceSynchronize(), "run");
  std::vector<Bytes> result = files;
  for (std::size_t k = 0; k < files.size(); ++k) {
    check(cudaMemcpy(result[k].data(), pointers[k], files[k].size(), cudaMemcpyDeviceToHost), "cudaMemcpy");
  }
  unsigned flag = 0;
  check(cudaMemcpy(&flag, failed, sizeof(flag), cudaMemcpyDeviceToHost), "cudaMemcpy");
  if (flag != 0) std::printf("%s: says that it failed\n", test.name.c_str());
  for (void* pointer : pointers) check(cudaFree(pointer), "cudaFree");
  if (flag != 0) result.clear();
  return result;
}

bool passes(const Case& test, const std::string& folder) {
  std::vector<Bytes> files;
  for (const Argument& argument : test.arguments) files.push_back(read(folder + "/" + argument.file));
  const std::vector<Bytes> first = launched(test, files);
  const std::vector<Bytes> second = launched(test, files);
  if (first.empty()) return false;
  bool passed = true;
  for (std::size_t k = 0; k < files.size(); ++k) {
    const Argument& argument = test.arguments[k];
    if (!argument.output) continue;
    const double apart = difference(numbers_of(argument.dtype, files[k]), numbers_of(argument.dtype, first[k]));
    const bool within = apart <= tolerance_of(argument.dtype);
    const bool same = first[k] == second[k];
    std::printf("%-32s arg%zu %-4s largest relative difference %.2e, at most %.0e%s%s\n", test.name.c_str(), k,
                argument.dtype.c_str(), apart, tolerance_of(argument.dtype), within ? "" : "  TOO FAR",
                same ? "" : "  OTHER BITS IN THE SECOND RUN");
    passed = passed && within && same;
  }
  return passed;
}

}  // namespace

int main(int argument_count, char** arguments) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("gpu-check: skipped: no GPU (the kernels compile)\n");
    return 0;
  }
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
  std::printf("gpu-check on %s\n", properties.name);
  bool passed = true;
  for (const Case& test : kCases) passed = passes(test, argument_count > 1 ? arguments[1] : ".") && passed;
  std::printf("gpu-check: %s\n", passed ? "passed" : "FAILED");
  return passed ? 0 : 1;
}
