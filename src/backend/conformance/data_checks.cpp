// Upload, download and foreign memory.
#include "backend/conformance/suite.h"

namespace asg::conformance {
namespace {

std::string round_trip(Backend& backend, const Array& array) {
  return difference(backend.download(backend.upload(array)), array, 0);
}

std::string bulk(Backend& backend) {
  const NamedArrays arrays = {{"a", reals({2}, {1, 2})}, {"b", reals({}, {3})}};
  const NamedArrays back = backend.download_all(backend.upload_all(arrays));
  if (back.size() != arrays.size()) return "another number of arrays comes back";
  for (const auto& [name, array] : arrays) {
    std::string wrong = difference(back.at(name), array, 0);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

std::string upload_copies(Backend& backend) {
  Array array = reals({2}, {1, 2});
  const DeviceArray uploaded = backend.upload(array);
  array.set(0, 9);
  return difference(backend.download(uploaded), reals({2}, {1, 2}), 0);
}

std::string download_copies(Backend& backend) {
  const DeviceArray uploaded = backend.upload(reals({2}, {1, 2}));
  Array first = backend.download(uploaded);
  first.set(0, 9);
  return difference(backend.download(uploaded), reals({2}, {1, 2}), 0);
}

std::string prints(Backend& backend) {
  const DeviceArray uploaded = backend.upload(reals({2, 3}, {1, 2, 3, 4, 5, 6}));
  const std::string expected = uploaded.device() + " f32[2, 3]";
  return uploaded.to_string() == expected ? "" : "prints '" + uploaded.to_string() + "', not '" + expected + "'";
}

// Memory of another owner: the transpose of a matrix, released once.
std::string foreign(Backend& backend) {
  std::vector<float> memory = {1, 2, 3, 4, 5, 6};
  int released = 0;
  try {
    const DeviceArray wrapped = backend.wrap({.device = "host",
                                              .dtype = DType::f32,
                                              .sizes = {3, 2},
                                              .data = memory.data(),
                                              .strides = {1, 3},
                                              .release = [&](void*) { ++released; }});
    std::string wrong = difference(backend.download(wrapped), reals({3, 2}, {1, 4, 2, 5, 3, 6}), 0);
    if (!wrong.empty()) return wrong;
    if (released != 0) return "the memory is released while a handle lives";
  } catch (const UserError& error) {
    // A device that cannot reach host memory says so.
    return error.code() == ErrorCode::no_such_device ? "" : error.what();
  }
  return released == 1 ? "" : "the memory is released " + std::to_string(released) + " times";
}

}  // namespace

void check_data(Checks& checks) {
  Backend& backend = checks.backend;
  auto check = [&](std::string name, const std::function<std::string()>& run) {
    checks.check("data", std::move(name), "", run);
  };
  for (DType dtype : all_dtypes()) {
    if (!backend.capabilities().dtypes.contains(dtype)) continue;
    check("round trip of " + std::string(name_of(dtype)),
          [&] { return round_trip(backend, reals({2, 2}, {1, 0, 0, 1}, dtype)); });
  }
  check("round trip of a scalar", [&] { return round_trip(backend, reals({}, {5})); });
  check("round trip of an empty tensor", [&] { return round_trip(backend, reals({0, 2}, {})); });
  check("round trip of a view",
        [&] { return round_trip(backend, reals({2, 3}, {1, 2, 3, 4, 5, 6}).transposed({1, 0}).sliced(0, 2, 2, -1)); });
  check("many by name", [&] { return bulk(backend); });
  check("upload copies", [&] { return upload_copies(backend); });
  check("download copies", [&] { return download_copies(backend); });
  check("handles print device, dtype and shape", [&] { return prints(backend); });
  check("foreign memory", [&] { return foreign(backend); });
}

}  // namespace asg::conformance
