#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "asg/compile/render_cuda.h"
#include "asg/core/array.h"

namespace asg::gpu_check {

// What a run of a kernel left.
struct Ran {
  std::vector<Array> arguments;
  bool failed = false;  // as the kernel says
};

using DevicePointer = std::uint64_t;

// Where rendered kernels run: a GPU, or the CPU under the shim.
class Machine {
 public:
  virtual ~Machine() = default;

  virtual std::string name() const = 0;
  virtual DevicePointer allocate(std::int64_t bytes) = 0;
  virtual void release(DevicePointer memory) = 0;
  virtual void copy_in(DevicePointer to, const void* from, std::int64_t bytes) = 0;
  virtual void copy_out(void* to, DevicePointer from, std::int64_t bytes) = 0;
  // The functions of a source, and a launch of one of them; `last` is a parameter that is passed by value, or null.
  virtual std::vector<void*> load_functions(const std::string& source, const std::vector<CudaLaunch>& functions) = 0;
  virtual void launch(void* function, const unsigned (&grid)[3], int threads, std::int64_t shared_bytes,
                      const std::vector<DevicePointer>& pointers, void* last) = 0;
  // Compiles all kernels, and gives the number of the first one; those of later calls are numbered on.
  virtual std::size_t load(const std::vector<CudaKernel>& kernels) = 0;
  virtual Ran run(std::size_t kernel, const std::vector<Array>& arguments) = 0;
};

// Compiles as C++ with the system's compiler into `folder`; runs threads of a block as fibers.
std::unique_ptr<Machine> shim_machine(const std::string& shim_folder, const std::string& folder);

}  // namespace asg::gpu_check
