#include "backend/value_checks.h"

namespace asg {
namespace {

[[noreturn]] void fail_shape(const TensorType& type, const DeviceArray& value, const std::string& what,
                             const std::string& needed) {
  fail(ErrorCode::bad_shape, value.to_string() + " for " + what + " of type " + type.to_string(), needed,
       "give a value of that shape, or change the graph");
}

std::string on_axis(const std::string& needed, int axis) { return needed + " on axis " + std::to_string(axis); }

}  // namespace

void check_type(const TensorType& type, const DeviceArray& value, const std::string& what) {
  if (value.dtype() != type.dtype) {
    fail(ErrorCode::type_mismatch, value.to_string() + " for " + what, type.to_string(),
         "convert it with cast, or change the graph");
  }
  const Sizes& sizes = value.sizes();
  if (static_cast<int>(sizes.size()) != type.shape.rank()) {
    fail_shape(type, value, what, "rank " + std::to_string(type.shape.rank()));
  }
  for (int axis = 0; axis < type.shape.rank(); ++axis) {
    const Dim& dim = type.shape[axis];
    if (dim.is_known() && dim.value() != sizes[static_cast<std::size_t>(axis)]) {
      fail_shape(type, value, what, on_axis("a length of " + dim.to_string(), axis));
    }
  }
}

void SymbolLengths::check(const TensorType& type, const DeviceArray& value, const std::string& what) {
  check_type(type, value, what);
  for (int axis = 0; axis < type.shape.rank(); ++axis) {
    const Dim& dim = type.shape[axis];
    if (dim.is_known()) continue;
    const std::int64_t length = value.sizes()[static_cast<std::size_t>(axis)];
    if (const auto most = dim.upper_bound(); most && length > *most) {
      fail_shape(type, value, what, on_axis("a length of at most " + std::to_string(*most), axis));
    }
    if (!dim.is_symbol()) continue;
    const auto [entry, added] = lengths_.try_emplace(dim.symbols().front(), length);
    if (!added && entry->second != length) {
      fail_shape(
          type, value, what,
          on_axis("a length of " + std::to_string(entry->second) + ", which " + entry->first + " has elsewhere", axis));
    }
  }
}

void check_names(const Graph& graph) {
  for (NodeId id : graph.inputs()) {
    const std::string name = graph.node(id).path();
    if (!graph.find_variable(name)) continue;
    fail(ErrorCode::duplicate_name, "an input and a variable that are both named '" + name + "'",
         "different names: a run is given both by name", "rename the input");
  }
}

void check_outputs(const Backend& backend, const Graph& graph, const NamedDeviceArrays& values) {
  auto need = [&](const std::string& name, Value value) {
    const auto found = values.find(name);
    if (found != values.end() && found->second) return;
    const std::string path = graph.has(value.node) ? graph.node(value.node).path() : "";
    throw UserError(
        {ErrorCode::missing_output,
         "no value for output '" + name + "' of graph '" + graph.name() + "' from backend '" + backend.name() + "'",
         "a value for every output and update of the graph",
         "let execute return outputs under their names and updates as \"update:<variable>\"", path, ""});
  };
  for (const Output& output : graph.outputs()) need(output.name, output.value);
  for (const Update& update : graph.updates()) need(update_name(graph.variable(update.variable)), update.value);
}

void fail_missing_variable(const Variable& variable) {
  fail(ErrorCode::missing_value, "no value for " + std::string(name_of(variable.kind)) + " '" + variable.name + "'",
       "a value of type " + variable.type.to_string(), "write the variable first; initial_value gives its first value");
}

}  // namespace asg
