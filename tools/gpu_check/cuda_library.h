#pragma once

#include <cstddef>

// The few functions of CUDA's driver and of NVRTC that the check calls, found at run time.
namespace asg::gpu_check {

using Status = int;  // 0: success

struct Driver {
  Status (*init)(unsigned) = nullptr;
  Status (*device_count)(int*) = nullptr;
  Status (*device)(int*, int) = nullptr;
  Status (*device_name)(char*, int, int) = nullptr;
  Status (*device_attribute)(int*, int, int) = nullptr;
  Status (*version)(int*) = nullptr;
  Status (*retain_context)(void**, int) = nullptr;
  Status (*set_context)(void*) = nullptr;
  Status (*synchronize)() = nullptr;
  Status (*load_module)(void**, const void*) = nullptr;
  Status (*function)(void**, void*, const char*) = nullptr;
  Status (*set_function_attribute)(void*, int, int) = nullptr;
  Status (*allocate)(unsigned long long*, std::size_t) = nullptr;
  Status (*release)(unsigned long long) = nullptr;
  Status (*copy_in)(unsigned long long, const void*, std::size_t) = nullptr;
  Status (*copy_out)(void*, unsigned long long, std::size_t) = nullptr;
  Status (*copy_within)(unsigned long long, unsigned long long, std::size_t) = nullptr;
  Status (*fill)(unsigned long long, unsigned char, std::size_t) = nullptr;
  Status (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                   void**) = nullptr;
  Status (*create_event)(void**, unsigned) = nullptr;
  Status (*record_event)(void*, void*) = nullptr;
  Status (*wait_for_event)(void*) = nullptr;
  Status (*elapsed)(float*, void*, void*) = nullptr;
  Status (*error_text)(Status, const char**) = nullptr;
};

struct Compiler {
  Status (*version)(int*, int*) = nullptr;
  Status (*create)(void**, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
  Status (*destroy)(void**) = nullptr;
  Status (*compile)(void*, int, const char* const*) = nullptr;
  Status (*code_size)(void*, std::size_t*) = nullptr;
  Status (*code)(void*, char*) = nullptr;
  Status (*log_size)(void*, std::size_t*) = nullptr;
  Status (*log)(void*, char*) = nullptr;
};

// Null where a library or one of its functions is missing.
const Driver* driver();
const Compiler* compiler();

}  // namespace asg::gpu_check
