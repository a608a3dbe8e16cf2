#pragma once

#include <memory>
#include <string>

#include "asg/core/array.h"

namespace asg {

// Memory on some device. Each backend has its own kind.
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
  std::string to_string() const;  // "interp f32[2, 3]"

 private:
  std::shared_ptr<const DeviceBuffer> buffer_;
};

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

}  // namespace asg
