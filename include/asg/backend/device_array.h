#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "asg/core/array.h"

namespace asg {

// Memory on some device. Each backend has its own kind. Its content never changes once others can see it.
class DeviceBuffer {
 public:
  virtual ~DeviceBuffer() = default;
  virtual std::string device() const = 0;  // "interp", "cuda:0"
  virtual DType dtype() const = 0;
  virtual const Sizes& sizes() const = 0;
};

// A reference-counted handle to an array on a device. Without a buffer it is an absent optional input.
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(std::shared_ptr<const DeviceBuffer> buffer) : buffer_(std::move(buffer)) {}

  explicit operator bool() const { return buffer_ != nullptr; }
  const DeviceBuffer& buffer() const;  // throws missing_value when absent
  std::string device() const { return buffer().device(); }
  DType dtype() const { return buffer().dtype(); }
  const Sizes& sizes() const { return buffer().sizes(); }
  std::string to_string() const;  // "interp f32[2, 3]", or "no array"

 private:
  std::shared_ptr<const DeviceBuffer> buffer_;
};

using DeviceArrays = std::vector<DeviceArray>;
using NamedDeviceArrays = std::map<std::string, DeviceArray, std::less<>>;

// Host memory as a device buffer, for backends that compute in it.
class HostBuffer : public DeviceBuffer {
 public:
  HostBuffer(std::string device, Array array) : device_(std::move(device)), array_(std::move(array)) {}
  std::string device() const override { return device_; }
  DType dtype() const override { return array_.dtype(); }
  const Sizes& sizes() const override { return array_.sizes(); }
  const Array& array() const { return array_; }

 private:
  std::string device_;
  Array array_;
};

// A handle to host memory; nothing is copied.
DeviceArray host_array(std::string device, Array array);
// The array behind a handle that host_array made. Throws missing_value when absent, no_such_device when it lies
// elsewhere.
const Array& array_of(const DeviceArray& array);

// Memory that another library owns (in the manner of DLPack), to be used where it lies.
struct ForeignMemory {
  std::string device = "host";
  DType dtype = DType::f32;
  Sizes sizes = {};
  void* data = nullptr;                     // the first element
  Sizes strides = {};                       // in elements; empty: dense
  std::function<void(void*)> release = {};  // called once with `data` when the last handle goes; may be empty
};

}  // namespace asg
