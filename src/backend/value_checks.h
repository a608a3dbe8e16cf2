#pragma once

#include <string>
#include <unordered_map>

#include "asg/backend/backend.h"

namespace asg {

// Throws type_mismatch or bad_shape when a value is not what its type says, as far as the lengths are known.
void check_type(const TensorType& type, const DeviceArray& value, const std::string& what);

// The lengths that the symbols of a graph have in one run, as its inputs tell them.
class SymbolLengths {
 public:
  // As check_type; each symbol must have the same length wherever it appears, and none above its bound.
  void check(const TensorType& type, const DeviceArray& value, const std::string& what);

 private:
  std::unordered_map<std::string, std::int64_t> lengths_;
};

// Throws duplicate_name where an input and a variable share a name: a run is given both by name.
void check_names(const Graph& graph);

// Throws missing_output unless there is a value for every output and update.
void check_outputs(const Backend& backend, const Graph& graph, const NamedDeviceArrays& values);

[[noreturn]] void fail_missing_variable(const Variable& variable);

}  // namespace asg
