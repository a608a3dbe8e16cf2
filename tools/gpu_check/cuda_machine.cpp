#include "cuda_machine.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <exception>
#include <thread>
#include <utility>

#include "asg/core/error.h"
#include "cuda_library.h"

namespace asg::gpu_check {
namespace {

constexpr int kMaxDynamicSharedBytes = 8;  // attribute of a function
constexpr int kMajorCapability = 75;       // attributes of a device
constexpr int kMinorCapability = 76;

void check(Status status, const char* what) {
  if (status == 0) return;
  const char* text = nullptr;
  driver()->error_text(status, &text);
  fail(ErrorCode::computation_error, std::string(what) + ": " + (text != nullptr ? text : "unknown error"),
       "a call of CUDA that succeeds");
}

class FirstGpu : public CudaMachine {
 public:
  FirstGpu() {
    int device = 0;
    check(driver()->device(&device, 0), "cuDeviceGet");
    check(driver()->retain_context(&context_, device), "cuDevicePrimaryCtxRetain");
    check(driver()->set_context(context_), "cuCtxSetCurrent");
    std::array<char, 256> name = {};
    check(driver()->device_name(name.data(), static_cast<int>(name.size()), device), "cuDeviceGetName");
    int major = 0;
    int minor = 0;
    int version = 0;
    check(driver()->device_attribute(&major, kMajorCapability, device), "cuDeviceGetAttribute");
    check(driver()->device_attribute(&minor, kMinorCapability, device), "cuDeviceGetAttribute");
    check(driver()->version(&version), "cuDriverGetVersion");
    architecture_ = "sm_" + std::to_string(major) + std::to_string(minor);
    int nvrtc_major = 0;
    int nvrtc_minor = 0;
    compiler()->version(&nvrtc_major, &nvrtc_minor);
    name_ = std::string(name.data()) + " (" + architecture_ + ", CUDA of the driver " + std::to_string(version / 1000) +
            '.' + std::to_string(version % 1000 / 10) + ", NVRTC " + std::to_string(nvrtc_major) + '.' +
            std::to_string(nvrtc_minor) + ')';
    for (void*& event : events_) check(driver()->create_event(&event, 0), "cuEventCreate");
  }

  std::string name() const override { return name_; }

  std::size_t load(const std::vector<CudaKernel>& kernels) override {
    const std::size_t first = kernels_.size();
    std::vector<std::string> sources;
    for (const CudaKernel& kernel : kernels) sources.push_back(kernel.text);
    const std::vector<std::string> codes = compiled_all(sources, architecture_);
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      Loaded loaded{.kernel = kernels[k], .functions = {}};
      for (const CudaLaunch& launch : kernels[k].launches) {
        loaded.functions.push_back(function_of(codes[k], launch.function, launch.shared_bytes));
      }
      kernels_.push_back(std::move(loaded));
    }
    return first;
  }

  std::vector<void*> load_functions(const std::string& source, const std::vector<CudaLaunch>& functions) override {
    const std::string code = compiled(source, architecture_);
    std::vector<void*> found;
    for (const CudaLaunch& each : functions) found.push_back(function_of(code, each.function, each.shared_bytes));
    return found;
  }

  Ran run(std::size_t kernel, const std::vector<Array>& arguments) override {
    std::vector<DevicePointer> pointers;
    for (const Array& argument : arguments) {
      pointers.push_back(allocate(argument.bytes()));
      copy_in(pointers.back(), argument.raw(), argument.bytes());
    }
    const std::int64_t workspace = kernels_.at(kernel).kernel.workspace_bytes + 1;
    pointers.push_back(allocate(workspace));
    fill(pointers.back(), 0x7f, workspace);
    pointers.push_back(allocate(sizeof(unsigned)));
    fill(pointers.back(), 0, sizeof(unsigned));
    launch(kernel, pointers);
    wait();
    Ran ran;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      ran.arguments.push_back(arguments[k].copy());
      copy_out(ran.arguments.back().raw(), pointers[k], arguments[k].bytes());
    }
    unsigned failed = 0;
    copy_out(&failed, pointers.back(), sizeof(failed));
    ran.failed = failed != 0;
    for (const DevicePointer pointer : pointers) release(pointer);
    return ran;
  }

  DevicePointer allocate(std::int64_t bytes) override {
    unsigned long long memory = 0;
    check(driver()->allocate(&memory, static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1))), "cuMemAlloc");
    return memory;
  }
  void release(DevicePointer memory) override { check(driver()->release(memory), "cuMemFree"); }
  void copy_in(DevicePointer to, const void* from, std::int64_t bytes) override {
    if (bytes > 0) check(driver()->copy_in(to, from, static_cast<std::size_t>(bytes)), "cuMemcpyHtoD");
  }
  void copy_out(void* to, DevicePointer from, std::int64_t bytes) override {
    if (bytes > 0) check(driver()->copy_out(to, from, static_cast<std::size_t>(bytes)), "cuMemcpyDtoH");
  }
  void copy_within(DevicePointer to, DevicePointer from, std::int64_t bytes) override {
    check(driver()->copy_within(to, from, static_cast<std::size_t>(bytes)), "cuMemcpyDtoD");
  }
  void fill(DevicePointer to, unsigned char byte, std::int64_t bytes) override {
    check(driver()->fill(to, byte, static_cast<std::size_t>(bytes)), "cuMemsetD8");
  }

  void launch(void* function, const unsigned (&grid)[3], int threads, std::int64_t shared_bytes,
              const std::vector<DevicePointer>& pointers, void* last) override {
    std::vector<DevicePointer> places = pointers;
    std::vector<void*> parameters;
    for (DevicePointer& place : places) parameters.push_back(&place);
    if (last != nullptr) parameters.push_back(last);
    check(driver()->launch(function, grid[0], grid[1], grid[2], static_cast<unsigned>(threads), 1, 1,
                           static_cast<unsigned>(shared_bytes), nullptr, parameters.data(), nullptr),
          "cuLaunchKernel");
  }

  void launch(std::size_t kernel, const std::vector<DevicePointer>& pointers) override {
    const Loaded& loaded = kernels_.at(kernel);
    for (std::size_t k = 0; k < loaded.functions.size(); ++k) {
      const CudaLaunch& each = loaded.kernel.launches[k];
      launch(loaded.functions[k], {static_cast<unsigned>(each.grid), 1, 1}, each.block, each.shared_bytes, pointers,
             nullptr);
    }
  }

  void wait() override { check(driver()->synchronize(), "a kernel"); }

  double time(const std::function<void()>& work, int runs) override {
    for (int k = 0; k < 3; ++k) work();
    std::vector<float> times;
    for (int k = 0; k < runs; ++k) {
      check(driver()->record_event(events_[0], nullptr), "cuEventRecord");
      work();
      check(driver()->record_event(events_[1], nullptr), "cuEventRecord");
      check(driver()->wait_for_event(events_[1]), "a kernel");
      times.push_back(0);
      check(driver()->elapsed(&times.back(), events_[0], events_[1]), "cuEventElapsedTime");
    }
    std::sort(times.begin(), times.end());
    return static_cast<double>(times[times.size() / 2]);
  }

 private:
  struct Loaded {
    CudaKernel kernel;
    std::vector<void*> functions;
  };

  static void* function_of(const std::string& code, const std::string& name, std::int64_t shared_bytes) {
    void* module = nullptr;
    check(driver()->load_module(&module, code.data()), "cuModuleLoadData");
    void* function = nullptr;
    check(driver()->function(&function, module, name.c_str()), "cuModuleGetFunction");
    if (shared_bytes > 0) {
      check(driver()->set_function_attribute(function, kMaxDynamicSharedBytes, static_cast<int>(shared_bytes)),
            "cuFuncSetAttribute");
    }
    return function;
  }

  void* context_ = nullptr;
  std::array<void*, 2> events_ = {};
  std::string architecture_;
  std::string name_;
  std::vector<Loaded> kernels_;
};

}  // namespace

bool has_compiler() { return compiler() != nullptr; }

std::string compiled(const std::string& source, const std::string& architecture) {
  const Compiler& nvrtc = *compiler();
  void* program = nullptr;
  nvrtc.create(&program, source.c_str(), "kernel.cu", 0, nullptr, nullptr);
  const std::string option = "--gpu-architecture=" + architecture;
  const std::array<const char*, 2> options = {option.c_str(), "--std=c++17"};
  std::size_t size = 0;
  if (nvrtc.compile(program, static_cast<int>(options.size()), options.data()) != 0) {
    nvrtc.log_size(program, &size);
    std::string log(size, ' ');
    nvrtc.log(program, log.data());
    fail(ErrorCode::computation_error, source + log, "a source that NVRTC compiles");
  }
  nvrtc.code_size(program, &size);
  std::string code(size, ' ');
  nvrtc.code(program, code.data());
  nvrtc.destroy(&program);
  return code;
}

std::vector<std::string> compiled_all(const std::vector<std::string>& sources, const std::string& architecture) {
  std::vector<std::string> codes(sources.size());
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failure;
  std::atomic<bool> failed = false;
  const auto work = [&] {
    for (std::size_t k = next++; k < sources.size() && !failed; k = next++) {
      try {
        codes[k] = compiled(sources[k], architecture);
      } catch (...) {
        if (!failed.exchange(true)) failure = std::current_exception();
      }
    }
  };
  std::vector<std::thread> threads;
  for (unsigned k = 0; k < std::max(1U, std::thread::hardware_concurrency()); ++k) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
  return codes;
}

std::unique_ptr<CudaMachine> cuda_machine() {
  int devices = 0;
  if (driver() == nullptr || driver()->init(0) != 0 || driver()->device_count(&devices) != 0 || devices == 0) {
    std::printf("gpu-check: skipped: no GPU\n");
    return nullptr;
  }
  if (compiler() == nullptr) {
    std::printf("gpu-check: skipped: no libnvrtc (it comes with the CUDA toolkit)\n");
    return nullptr;
  }
  return std::make_unique<FirstGpu>();
}

}  // namespace asg::gpu_check
