#include "asg/backend/device_array.h"

namespace asg {

const DeviceBuffer& DeviceArray::buffer() const {
  if (buffer_ == nullptr) {
    fail(ErrorCode::missing_value, "an empty device array", "an array on a device", "upload a value first");
  }
  return *buffer_;
}

std::string DeviceArray::to_string() const {
  if (!*this) return "no array";
  std::string text = device() + ' ' + std::string(name_of(dtype())) + '[';
  for (std::size_t axis = 0; axis < sizes().size(); ++axis) {
    text += (axis == 0 ? "" : ", ") + std::to_string(sizes()[axis]);
  }
  return text + ']';
}

DeviceArray host_array(std::string device, Array array) {
  return DeviceArray(std::make_shared<const HostBuffer>(std::move(device), std::move(array)));
}

const Array& array_of(const DeviceArray& array) {
  if (const auto* host = dynamic_cast<const HostBuffer*>(&array.buffer())) return host->array();
  fail(ErrorCode::no_such_device, "a value on device '" + array.device() + "'", "a value in host memory",
       "download it from its own backend, then upload it to this one");
}

}  // namespace asg
