#include <cstring>
#include <fstream>
#include <utility>

#include <dlfcn.h>

#include "asg/core/error.h"
#include "machine.h"

namespace asg::gpu_check {
namespace {

using Entry = void (*)(void**, unsigned, unsigned);

class ShimMachine : public Machine {
 public:
  ShimMachine(std::string shim_folder, std::string folder)
      : shim_folder_(std::move(shim_folder)), folder_(std::move(folder)) {}

  std::string name() const override { return "the CPU, under the shim"; }

  void load(const std::vector<CudaKernel>& kernels) override {
    const std::string stem = folder_ + "/shim_" + std::to_string(kernels_.size());
    std::ofstream source(stem + ".cpp");
    source << "#include \"cuda_shim.h\"\n";
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      source << "namespace case_" << kernels_.size() + k << " {\n";
      if (kernels[k].text.find("shared_memory[]") != std::string::npos) {
        source << "thread_local __align__(16) unsigned char shared_memory[1 << 18];\n";
      }
      source << kernels[k].text << "}\n";
    }
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      source << "using namespace case_" << kernels_.size() + k << ";\n";
      for (const CudaLaunch& launch : kernels[k].launches) source << "SHIM_ENTRY(" << launch.function << ")\n";
    }
    source.close();
    const std::string command = "c++ -std=c++17 -O1 -w -fPIC -shared -ffp-contract=off -I '" + shim_folder_ + "' '" +
                                stem + ".cpp' -o '" + stem + ".so'";
    if (std::system(command.c_str()) != 0) {
      fail(ErrorCode::computation_error, stem + ".cpp does not compile", "rendered kernels that are C++ under the shim");
    }
    void* library = dlopen((stem + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) fail(ErrorCode::io_error, dlerror(), "a library that can be loaded");
    for (const CudaKernel& kernel : kernels) {
      Loaded loaded{.kernel = kernel, .entries = {}};
      for (const CudaLaunch& launch : kernel.launches) {
        loaded.entries.push_back(reinterpret_cast<Entry>(dlsym(library, ("shim_run_" + launch.function).c_str())));
      }
      kernels_.push_back(std::move(loaded));
    }
  }

  Ran run(std::size_t number, const std::vector<Array>& arguments) override {
    const Loaded& loaded = kernels_.at(number);
    Ran ran;
    std::vector<void*> pointers;
    for (const Array& argument : arguments) {
      ran.arguments.push_back(argument.copy());
      pointers.push_back(ran.arguments.back().raw());
    }
    std::vector<char> workspace(static_cast<std::size_t>(loaded.kernel.workspace_bytes) + 256, '\x7f');
    unsigned failed = 0;
    pointers.push_back(workspace.data() + 256 - reinterpret_cast<std::uintptr_t>(workspace.data()) % 256);
    pointers.push_back(&failed);
    for (std::size_t k = 0; k < loaded.entries.size(); ++k) {
      const CudaLaunch& launch = loaded.kernel.launches[k];
      loaded.entries[k](pointers.data(), static_cast<unsigned>(launch.grid), static_cast<unsigned>(launch.block));
    }
    ran.failed = failed != 0;
    return ran;
  }

 private:
  struct Loaded {
    CudaKernel kernel;
    std::vector<Entry> entries;
  };

  std::string shim_folder_;
  std::string folder_;
  std::vector<Loaded> kernels_;
};

}  // namespace

std::unique_ptr<Machine> shim_machine(const std::string& shim_folder, const std::string& folder) {
  return std::make_unique<ShimMachine>(shim_folder, folder);
}

}  // namespace asg::gpu_check
