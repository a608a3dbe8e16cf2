#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "machine.h"

namespace asg::gpu_check {

// What NVRTC makes of a source, for the architecture "sm_90"; throws computation_error with its log.
std::string compiled(const std::string& source, const std::string& architecture);
// Many at a time.
std::vector<std::string> compiled_all(const std::vector<std::string>& sources, const std::string& architecture);
bool has_compiler();

// The first GPU, through libraries that are loaded at run time.
class CudaMachine : public Machine {
 public:
  virtual void copy_within(DevicePointer to, DevicePointer from, std::int64_t bytes) = 0;
  virtual void fill(DevicePointer to, unsigned char byte, std::int64_t bytes) = 0;
  using Machine::launch;
  // Launches the phases of a loaded kernel; pointers in the order of its arguments, the workspace and the flag last.
  virtual void launch(std::size_t kernel, const std::vector<DevicePointer>& pointers) = 0;
  virtual void wait() = 0;
  // The median time of some runs, in milliseconds.
  virtual double time(const std::function<void()>& work, int runs) = 0;
};

// Nothing, and a line that says why, where there is no GPU or no NVRTC.
std::unique_ptr<CudaMachine> cuda_machine();

}  // namespace asg::gpu_check
