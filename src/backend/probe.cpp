// Finds out whether a backend overrides anything: under the guard of the default methods, one that does not says
// "not implemented" to every op.
#include <algorithm>

#include "asg/backend/backend_registry.h"
#include "asg/backend/primitives.h"
#include "asg/backend/walk.h"
#include "asg/graph/registry.h"
#include "asg/ops/ops.h"

namespace asg {
namespace {

// One element for a port: a number, an index, a shape.
std::optional<Array> element_for(const OpCard& op, const Port& port, DTypeSet dtypes) {
  if (op.name == "Reshape" && port.name == "shape") return Array::ints({1, 1});
  if (port.dtypes.bits == kInt64.bits || port.dtypes.bits == kIndex.bits) {
    const bool is_one = port.name == "ends" || port.name == "steps" || port.name == "split";
    return Array::ints({is_one ? 1 : 0});
  }
  if (port.dtypes.bits == kBool.bits) return Array(DType::boolean, {1, 1});
  for (DType dtype : all_dtypes()) {
    if (dtypes.contains(dtype) && port.dtypes.contains(dtype)) return Array(dtype, {1, 1});
  }
  return std::nullopt;
}

Attrs attributes_for(const OpCard& op) {
  Attrs attrs;
  for (const AttrSpec& spec : op.attributes) {
    if (spec.fallback) continue;
    if (spec.kind == AttrKind::integer) attrs.set(spec.name, 0);
    if (spec.kind == AttrKind::dtype) attrs.set(spec.name, DType::f32);
  }
  return attrs;
}

// Whether the op gets any further than the default methods.
bool implements(Backend& backend, const OpCard& op, const Capabilities& device) {
  Node node;
  node.op = &op;
  node.attrs = attributes_for(op);
  DeviceArrays inputs;
  for (const Port& port : op.inputs) {
    const auto element = element_for(op, port, device.dtypes);
    if (!element || !device.dtypes.contains(element->dtype())) return false;
    inputs.push_back(backend.upload(*element));
  }
  try {
    run_node(backend, node, inputs);
  } catch (const UserError& error) {
    return error.code() != ErrorCode::not_implemented;
  }
  return true;
}

}  // namespace

bool overrides_a_side(Backend& backend) {
  const Capabilities device = backend.capabilities();
  const auto cards = Registry::global().all();
  return std::any_of(cards.begin(), cards.end(), [&](const OpCard* op) {
    // A constant says nothing: it ends in `upload` where nothing is overridden. Tanh stands for all beyond the
    // primitives.
    const bool tried = (is_primitive(*op) && !op->traits.leaf) || op->name == "Tanh";
    return tried && device.supports(*op) && implements(backend, *op, device);
  });
}

}  // namespace asg
