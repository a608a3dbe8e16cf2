#include <cstdlib>
#include <cstring>
#include <fstream>
#include <utility>

#include <dlfcn.h>

#include "asg/core/error.h"
#include "machine.h"

namespace asg::gpu_check {
namespace {

using Entry = void (*)(void**, const unsigned*, unsigned);

class ShimMachine : public Machine {
 public:
  ShimMachine(std::string shim_folder, std::string folder)
      : shim_folder_(std::move(shim_folder)), folder_(std::move(folder)) {}

  ~ShimMachine() override {
    for (void* library : libraries_) dlclose(library);
  }
  ShimMachine(const ShimMachine&) = delete;
  ShimMachine& operator=(const ShimMachine&) = delete;

  std::string name() const override { return "the CPU, under the shim"; }

  DevicePointer allocate(std::int64_t bytes) override {
    void* memory = std::aligned_alloc(256, static_cast<std::size_t>(bytes / 256 + 1) * 256);
    return reinterpret_cast<DevicePointer>(memory);
  }
  void release(DevicePointer memory) override { std::free(reinterpret_cast<void*>(memory)); }
  void copy_in(DevicePointer to, const void* from, std::int64_t bytes) override {
    std::memcpy(reinterpret_cast<void*>(to), from, static_cast<std::size_t>(bytes));
  }
  void copy_out(void* to, DevicePointer from, std::int64_t bytes) override {
    std::memcpy(to, reinterpret_cast<const void*>(from), static_cast<std::size_t>(bytes));
  }

  std::vector<void*> load_functions(const std::string& source, const std::vector<CudaLaunch>& functions) override {
    CudaKernel kernel{.text = source, .launches = functions, .workspace_bytes = 0};
    void* library = library_of({kernel});
    std::vector<void*> found;
    for (const CudaLaunch& each : functions) found.push_back(dlsym(library, ("shim_run_" + each.function).c_str()));
    return found;
  }

  void launch(void* function, const unsigned (&grid)[3], int threads, std::int64_t,
              const std::vector<DevicePointer>& pointers, void* last) override {
    std::vector<void*> parameters;
    for (const DevicePointer pointer : pointers) parameters.push_back(reinterpret_cast<void*>(pointer));
    if (last != nullptr) parameters.push_back(last);
    reinterpret_cast<Entry>(function)(parameters.data(), grid, static_cast<unsigned>(threads));
  }

  std::size_t load(const std::vector<CudaKernel>& kernels) override {
    const std::size_t first = kernels_.size();
    void* library = library_of(kernels);
    for (const CudaKernel& kernel : kernels) {
      Loaded loaded{.kernel = kernel, .entries = {}};
      for (const CudaLaunch& each : kernel.launches) {
        loaded.entries.push_back(dlsym(library, ("shim_run_" + each.function).c_str()));
      }
      kernels_.push_back(std::move(loaded));
    }
    return first;
  }

  Ran run(std::size_t number, const std::vector<Array>& arguments) override {
    const Loaded& loaded = kernels_.at(number);
    Ran ran;
    std::vector<DevicePointer> pointers;
    for (const Array& argument : arguments) {
      ran.arguments.push_back(argument.copy());
      pointers.push_back(reinterpret_cast<DevicePointer>(ran.arguments.back().raw()));
    }
    const DevicePointer workspace = allocate(loaded.kernel.workspace_bytes);
    std::memset(reinterpret_cast<void*>(workspace), 0x7f, static_cast<std::size_t>(loaded.kernel.workspace_bytes));
    unsigned failed = 0;
    pointers.push_back(workspace);
    pointers.push_back(reinterpret_cast<DevicePointer>(&failed));
    for (std::size_t k = 0; k < loaded.entries.size(); ++k) {
      const CudaLaunch& each = loaded.kernel.launches[k];
      launch(loaded.entries[k], {static_cast<unsigned>(each.grid), 1, 1}, each.block, 0, pointers, nullptr);
    }
    release(workspace);
    ran.failed = failed != 0;
    return ran;
  }

 private:
  struct Loaded {
    CudaKernel kernel;
    std::vector<void*> entries;
  };

  // Compiled as one source, each kernel in a namespace of its own.
  void* library_of(const std::vector<CudaKernel>& kernels) {
    const std::string stem = folder_ + "/shim_" + std::to_string(next++);
    std::ofstream source(stem + ".cpp");
    source << "#include \"cuda_shim.h\"\n";
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      source << "namespace case_" << k << " {\n";
      if (kernels[k].text.find("shared_memory[]") != std::string::npos) {
        source << "thread_local __align__(16) unsigned char shared_memory[1 << 18];\n";
      }
      source << kernels[k].text << "}\n";
    }
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      source << "using namespace case_" << k << ";\n";
      for (const CudaLaunch& launch : kernels[k].launches) source << "SHIM_ENTRY(" << launch.function << ")\n";
    }
    source.close();
    const std::string command = "c++ -std=c++17 -O1 -w -fPIC -shared -ffp-contract=off -I '" + shim_folder_ + "' '" +
                                stem + ".cpp' -o '" + stem + ".so'";
    if (std::system(command.c_str()) != 0) {
      fail(ErrorCode::computation_error, stem + ".cpp does not compile",
           "rendered kernels that are C++ under the shim");
    }
    void* library = dlopen((stem + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) fail(ErrorCode::io_error, dlerror(), "a library that can be loaded");
    libraries_.push_back(library);
    return library;
  }

  std::string shim_folder_;
  std::string folder_;
  std::vector<Loaded> kernels_;
  std::vector<void*> libraries_;
  // Of all machines: a library that is loaded must not be written again.
  static inline int next = 0;
};

}  // namespace

std::unique_ptr<Machine> shim_machine(const std::string& shim_folder, const std::string& folder) {
  return std::make_unique<ShimMachine>(shim_folder, folder);
}

}  // namespace asg::gpu_check
