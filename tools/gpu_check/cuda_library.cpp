#include "cuda_library.h"

#include <initializer_list>

#include <dlfcn.h>

namespace asg::gpu_check {
namespace {

void* open_any(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
  }
  return nullptr;
}

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

bool fill(Driver& driver) {
  void* library = open_any({"libcuda.so.1"});
  return library != nullptr && find(library, "cuInit", driver.init) &&
         find(library, "cuDeviceGetCount", driver.device_count) && find(library, "cuDeviceGet", driver.device) &&
         find(library, "cuDeviceGetName", driver.device_name) &&
         find(library, "cuDeviceGetAttribute", driver.device_attribute) &&
         find(library, "cuDriverGetVersion", driver.version) &&
         find(library, "cuDevicePrimaryCtxRetain", driver.retain_context) &&
         find(library, "cuCtxSetCurrent", driver.set_context) &&
         find(library, "cuCtxSynchronize", driver.synchronize) &&
         find(library, "cuModuleLoadData", driver.load_module) &&
         find(library, "cuModuleGetFunction", driver.function) &&
         find(library, "cuFuncSetAttribute", driver.set_function_attribute) &&
         find(library, "cuMemAlloc_v2", driver.allocate) && find(library, "cuMemFree_v2", driver.release) &&
         find(library, "cuMemcpyHtoD_v2", driver.copy_in) && find(library, "cuMemcpyDtoH_v2", driver.copy_out) &&
         find(library, "cuMemcpyDtoD_v2", driver.copy_within) && find(library, "cuMemsetD8_v2", driver.fill) &&
         find(library, "cuLaunchKernel", driver.launch) && find(library, "cuEventCreate", driver.create_event) &&
         find(library, "cuEventRecord", driver.record_event) &&
         find(library, "cuEventSynchronize", driver.wait_for_event) &&
         find(library, "cuEventElapsedTime", driver.elapsed) && find(library, "cuGetErrorString", driver.error_text);
}

bool fill(Compiler& compiler) {
  void* library = open_any({"libnvrtc.so.13", "libnvrtc.so.12", "/usr/local/cuda/lib64/libnvrtc.so.13",
                            "/usr/local/cuda/lib64/libnvrtc.so.12"});
  return library != nullptr && find(library, "nvrtcVersion", compiler.version) &&
         find(library, "nvrtcCreateProgram", compiler.create) &&
         find(library, "nvrtcDestroyProgram", compiler.destroy) &&
         find(library, "nvrtcCompileProgram", compiler.compile) &&
         find(library, "nvrtcGetCUBINSize", compiler.code_size) && find(library, "nvrtcGetCUBIN", compiler.code) &&
         find(library, "nvrtcGetProgramLogSize", compiler.log_size) &&
         find(library, "nvrtcGetProgramLog", compiler.log);
}

}  // namespace

const Driver* driver() {
  static Driver loaded;
  static const bool complete = fill(loaded);
  return complete ? &loaded : nullptr;
}

const Compiler* compiler() {
  static Compiler loaded;
  static const bool complete = fill(loaded);
  return complete ? &loaded : nullptr;
}

}  // namespace asg::gpu_check
