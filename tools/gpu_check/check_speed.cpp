#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "cases.h"
#include "checks.h"
#include "cuda_machine.h"

namespace asg::gpu_check {
namespace {

namespace fs = std::filesystem;

constexpr double kBytesPerMillisecond = 4.3e9;  // what an H200 copies, reads and writes counted

struct Timed {
  std::string name;
  Kernel kernel;
  std::vector<DevicePointer> pointers;
  std::int64_t bytes = 0;  // that have to be read or written
};

std::vector<std::pair<std::string, Kernel>> kernels_in(const std::string& folder) {
  std::vector<std::pair<std::string, Kernel>> kernels;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".kernel") continue;
    std::ifstream file(entry.path());
    std::ostringstream text;
    text << file.rdbuf();
    kernels.emplace_back(entry.path().stem().string(), kernel_from_text(text.str()));
  }
  std::sort(kernels.begin(), kernels.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return kernels;
}

// Elements that a kernel touches of an argument; the rows that a gather reads at most.
std::int64_t touched(const Kernel& kernel, std::size_t number) {
  std::int64_t count = 1;
  for (std::size_t axis = 0; axis < kernel.space.size(); ++axis) {
    if (kernel.arguments[number].strides[axis] != 0) count *= kernel.space[axis];
  }
  return count;
}

Array numbers(DType dtype, std::int64_t count) {
  Array result(dtype, {count});
  const RandomStream stream(1, 2);
  for (std::int64_t k = 0; k < count; ++k) {
    if (is_integer(dtype)) {
      result.set_i64(k, static_cast<std::int64_t>(stream.below(static_cast<std::uint64_t>(k), 1000)));
    } else {
      result.set(k, stream.normal(static_cast<std::uint64_t>(k)));
    }
  }
  return result;
}

// Random numbers, the same ones again after every million.
DevicePointer filled(CudaMachine& machine, DType dtype, std::int64_t count) {
  constexpr std::int64_t kDrawn = 1 << 20;
  const std::int64_t bytes = count * bytes_of(dtype);
  const DevicePointer memory = machine.allocate(bytes);
  const Array drawn = numbers(dtype, std::min(count, kDrawn));
  machine.copy_in(memory, drawn.raw(), drawn.bytes());
  for (std::int64_t done = drawn.bytes(); done < bytes;) {
    const std::int64_t more = std::min(done, bytes - done);
    machine.copy_within(memory + static_cast<DevicePointer>(done), memory, more);
    done += more;
  }
  return memory;
}

Timed prepared(CudaMachine& machine, std::string name, const Kernel& kernel, std::int64_t workspace) {
  Timed timed{.name = std::move(name), .kernel = kernel, .pointers = {}, .bytes = 0};
  for (std::size_t k = 0; k < kernel.arguments.size(); ++k) {
    const DType dtype = kernel.arguments[k].dtype;
    timed.pointers.push_back(filled(machine, dtype, elements_of(kernel, k)));
    timed.bytes += touched(kernel, k) * bytes_of(dtype);
  }
  timed.pointers.push_back(machine.allocate(workspace + 256));
  timed.pointers.push_back(machine.allocate(sizeof(unsigned)));
  machine.fill(timed.pointers.back(), 0, sizeof(unsigned));
  return timed;
}

}  // namespace

void check_speed(CudaMachine& machine, const std::string& folder) {
  std::printf("Speed on %s; the floor is what memory moves at 4.3 TB/s\n", machine.name().c_str());
  const auto kernels = kernels_in(folder + "/timed");
  std::vector<CudaKernel> rendered;
  std::vector<GpuPlan> plans;
  for (const auto& [name, kernel] : kernels) {
    plans.push_back(plan_gpu(kernel));
    rendered.push_back(render_cuda(plans.back(), name));
  }
  const auto begin = std::chrono::steady_clock::now();
  machine.load(rendered);
  const std::chrono::duration<double> compiling = std::chrono::steady_clock::now() - begin;
  std::printf("| kernel | plan | ms | floor | of the limit |\n|---|---|---:|---:|---:|\n");
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    Timed timed = prepared(machine, kernels[k].first, kernels[k].second, rendered[k].workspace_bytes);
    const double taken = machine.time([&] { machine.launch(k, timed.pointers); }, 20);
    const double floor = static_cast<double>(timed.bytes) / kBytesPerMillisecond;
    std::printf("| %s | %s, %d × %d threads, vectors of %d | %.3f | %.3f | %.0f %% |\n", timed.name.c_str(),
                std::string(name_of(plans[k].shape)).c_str(), plans[k].block_rows, plans[k].row_threads,
                plans[k].vector, taken, floor, 100 * floor / taken);
    std::fflush(stdout);
    for (const DevicePointer pointer : timed.pointers) machine.release(pointer);
  }
  std::printf("%zu kernels compiled in %.2f s\n", kernels.size(), compiling.count());
}

bool check_compiles(const std::string& folder) {
  if (!has_compiler()) {
    std::printf("gpu-check: not compiled: no libnvrtc\n");
    return true;
  }
  std::vector<std::string> sources;
  for (const char* part : {"/kernels", "/timed"}) {
    for (const auto& [name, kernel] : kernels_in(folder + part)) {
      sources.push_back(render_cuda(plan_gpu(kernel), name).text);
    }
  }
  for (const GpuAttention& kind : attention_kinds()) sources.push_back(render_gpu_attention(kind, "attention").text);
  compiled_all(sources, "sm_90");
  std::printf("gpu-check: NVRTC compiles %zu sources\n", sources.size());
  return true;
}

}  // namespace asg::gpu_check
