// One case through every surface of the contract.
#include <memory>

#include "asg/backend/single_op.h"
#include "asg/backend/walk.h"
#include "asg/graph/registry.h"
#include "backend/conformance/suite.h"

namespace asg::conformance {
namespace {

using Arrays = std::vector<Array>;

// The same array with gaps between its elements and its first axis innermost. The memory lives as long as the array.
Array with_gaps(const Array& dense) {
  Sizes strides(dense.sizes().size());
  std::int64_t reach = 2;
  for (std::size_t axis = 0; axis < strides.size(); ++axis) {
    strides[axis] = reach;
    reach *= std::max<std::int64_t>(dense.sizes()[axis], 1);
  }
  auto memory = std::make_shared<Array>(dense.dtype(), Sizes{reach});
  Array view = Array::wrap(dense.dtype(), dense.sizes(), memory->raw(), [memory](void*) {}, strides);
  if (dense.count() > 0) view.assign(dense);
  return view;
}

Array host_value(const Case& entry, const Array& array) { return entry.strided ? with_gaps(array) : array; }

// A value on the device: foreign memory where the case wants it and the backend can reach it, else uploaded.
DeviceArray give(Backend& backend, const Case& entry, const Array& array) {
  if (!entry.strided || array.count() == 0) return backend.upload(array);
  const Array gaps = with_gaps(array);
  auto keep = std::make_shared<Array>(gaps);
  try {
    return backend.wrap({.device = "host",
                         .dtype = gaps.dtype(),
                         .sizes = gaps.sizes(),
                         .data = keep->raw(),
                         .strides = gaps.strides(),
                         .release = [keep](void*) {}});
  } catch (const UserError& error) {
    if (error.code() != ErrorCode::no_such_device) throw;
    return backend.upload(gaps);
  }
}

DeviceArrays tensors_of(Backend& backend, const Case& entry) {
  DeviceArrays tensors;
  for (const Operand& operand : entry.operands) {
    if (operand.kind == Operand::Kind::tensor) tensors.push_back(give(backend, entry, operand.array));
  }
  return tensors;
}

DeviceArrays operands_of(Backend& backend, const Case& entry) {
  DeviceArrays values;
  for (const Operand& operand : entry.operands) {
    switch (operand.kind) {
      case Operand::Kind::tensor:
        values.push_back(give(backend, entry, operand.array));
        break;
      case Operand::Kind::integers:
        values.push_back(backend.upload(operand.array));
        break;
      case Operand::Kind::absent:
        values.emplace_back();
        break;
    }
  }
  while (!values.empty() && !values.back()) values.pop_back();
  return values;
}

// The case as a graph: the op on inputs, and once more on constants, so that there is more than one node to order.
struct CaseGraph {
  Graph graph{"case", GraphId{7}};
  NamedArrays inputs;
  NodeId node;  // the op on inputs
};

NodeId add_node(CaseGraph& made, const Case& entry, bool on_inputs) {
  NodeSpec spec;
  spec.op = &Registry::global().get(entry.op);
  spec.attrs = entry.attrs;
  for (const Operand& operand : entry.operands) {
    if (operand.kind == Operand::Kind::absent) {
      spec.inputs.emplace_back();
    } else if (operand.kind == Operand::Kind::integers || !on_inputs) {
      spec.inputs.push_back(made.graph.constant(operand.array).value());
    } else {
      const std::string name = "x" + std::to_string(made.inputs.size());
      const TensorType type{operand.array.dtype(), Shape::of(operand.array.sizes())};
      spec.inputs.push_back(made.graph.input(name, type).value());
      made.inputs[name] = operand.array;
    }
  }
  const std::vector<Tensor> outputs = made.graph.add_outputs(std::move(spec));
  for (std::size_t port = 0; port < outputs.size(); ++port) {
    made.graph.set_output((on_inputs ? "y" : "z") + std::to_string(port), outputs[port]);
  }
  return outputs.front().node();
}

CaseGraph graph_of(const Case& entry) {
  CaseGraph made;
  made.node = add_node(made, entry, true);
  add_node(made, entry, false);
  return made;
}

NamedDeviceArrays given_inputs(Backend& backend, const Case& entry, const CaseGraph& made) {
  NamedDeviceArrays values;
  for (const auto& [name, array] : made.inputs) values[name] = give(backend, entry, array);
  return values;
}

std::string compare(const Case& entry, const Arrays& actual) {
  if (actual.size() != entry.expected.size()) {
    return std::to_string(actual.size()) + " outputs, not " + std::to_string(entry.expected.size());
  }
  for (std::size_t port = 0; port < actual.size(); ++port) {
    std::string wrong = difference(actual[port], entry.expected[port], entry.tolerance);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

std::string compare(Backend& backend, const Case& entry, const DeviceArrays& actual) {
  Arrays arrays;
  for (const DeviceArray& array : actual) arrays.push_back(backend.download(array));
  return compare(entry, arrays);
}

// The outputs on inputs, then those on constants.
std::string compare_named(const Case& entry, const NamedArrays& named) {
  for (const char* stem : {"y", "z"}) {
    Arrays arrays;
    for (std::size_t port = 0; port < entry.expected.size(); ++port) {
      const auto value = named.find(stem + std::to_string(port));
      if (value == named.end()) return "no output '" + (stem + std::to_string(port)) + "'";
      arrays.push_back(value->second);
    }
    std::string wrong = compare(entry, arrays);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

std::string through_run_op(Backend& backend, const Case& entry) {
  const CaseGraph made = graph_of(entry);
  return compare(backend, entry, backend.run_op(made.graph.node(made.node), operands_of(backend, entry)));
}

std::string through_single(Backend& backend, const Case& entry) {
  return compare(backend, entry, run_single(backend, entry.op, operands_of(backend, entry), entry.attrs));
}

std::string through_execute(Backend& backend, const Case& entry) {
  const CaseGraph made = graph_of(entry);
  return compare_named(entry, backend.download_all(backend.execute(made.graph, given_inputs(backend, entry, made))));
}

std::string through_run(Backend& backend, const Case& entry) {
  const CaseGraph made = graph_of(entry);
  const CachedRun ran = backend.run(made.graph, cache_of(made.graph, given_inputs(backend, entry, made)));
  DeviceArrays cached;
  for (std::uint32_t port = 0; port < entry.expected.size(); ++port) {
    const auto value = ran.cache.find({made.graph.id(), {made.node, port}});
    if (value == ran.cache.end()) return "output " + std::to_string(port) + " is not in the cache";
    cached.push_back(value->second);
  }
  std::string wrong = compare(backend, entry, cached);
  if (!wrong.empty()) return wrong;
  NamedArrays named;
  if (ran.outputs.size() != made.graph.outputs().size()) return "another number of outputs than the graph has";
  for (std::size_t index = 0; index < ran.outputs.size(); ++index) {
    named[made.graph.outputs()[index].name] = backend.download(ran.outputs[index]);
  }
  return compare_named(entry, named);
}

std::string through_compile(Backend& backend, const Case& entry) {
  const CaseGraph made = graph_of(entry);
  NamedArrays inputs;
  for (const auto& [name, array] : made.inputs) inputs[name] = host_value(entry, array);
  const std::unique_ptr<Executable> executable = backend.compile(made.graph);
  std::string wrong = compare_named(entry, executable->run(inputs).outputs);
  return wrong.empty() ? compare_named(entry, executable->run(inputs).outputs) : wrong;
}

std::string through_submit(Backend& backend, const Case& entry) {
  const CaseGraph made = graph_of(entry);
  auto future = backend.submit(made.graph, given_inputs(backend, entry, made));
  return compare_named(entry, backend.download_all(future.get()));
}

}  // namespace

void check_case(Checks& checks, const Case& entry) {
  Backend& backend = checks.backend;
  auto check = [&](const char* surface, const std::function<std::string()>& run) {
    checks.check(entry.group, entry.name, surface, run);
  };
  check("typed", [&] { return compare(backend, entry, entry.typed(backend, tensors_of(backend, entry))); });
  check("run_op", [&] { return through_run_op(backend, entry); });
  check("single", [&] { return through_single(backend, entry); });
  check("execute", [&] { return through_execute(backend, entry); });
  check("run", [&] { return through_run(backend, entry); });
  check("compile", [&] { return through_compile(backend, entry); });
  check("submit", [&] { return through_submit(backend, entry); });
}

}  // namespace asg::conformance
