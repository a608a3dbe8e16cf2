#include "asg/graph/infer.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "asg/graph/body.h"
#include "asg/graph/input_values.h"

namespace asg {
namespace {

std::string count_text(int count) { return std::to_string(count) + (count == 1 ? " input" : " inputs"); }

void check_input_count(const OpCard& op, std::span<const OutputInfo* const> inputs) {
  const int count = static_cast<int>(inputs.size());
  const int least = op.least_inputs();
  const int most = op.most_inputs();
  if (count < least || (most >= 0 && count > most)) {
    std::string needed = most < 0        ? "at least " + count_text(least)
                         : least == most ? count_text(least)
                                         : std::to_string(least) + " to " + count_text(most);
    fail(ErrorCode::wrong_input_count, count_text(count) + " for op '" + op.name + "'", std::move(needed));
  }
}

// Each input is there if it must be, has an allowed dtype, and agrees with the others of its type letter.
void check_input_types(const OpCard& op, std::span<const OutputInfo* const> inputs) {
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    const Port& port = op.inputs[std::min(index, op.inputs.size() - 1)];
    if (inputs[index] == nullptr) {
      if (port.kind == PortKind::optional) continue;
      fail(ErrorCode::missing_input, "no value for input '" + std::string(port.name) + "' of op '" + op.name + "'",
           "a tensor; only optional inputs may be absent");
    }
    const DType dtype = inputs[index]->type.dtype;
    if (!port.dtypes.contains(dtype)) {
      fail(ErrorCode::bad_dtype,
           std::string(name_of(dtype)) + " for input '" + std::string(port.name) + "' of op '" + op.name + "'",
           "one of " + port.dtypes.to_string(), "convert it with cast");
    }
    if (port.type.empty()) continue;
    for (std::size_t earlier = 0; earlier < index; ++earlier) {
      const Port& other = op.inputs[std::min(earlier, op.inputs.size() - 1)];
      if (other.type != port.type || inputs[earlier] == nullptr) continue;
      if (inputs[earlier]->type.dtype != dtype) {
        fail(ErrorCode::type_mismatch,
             std::string(name_of(inputs[earlier]->type.dtype)) + " for input '" + std::string(other.name) + "' and " +
                 std::string(name_of(dtype)) + " for input '" + std::string(port.name) + "' of op '" + op.name + "'",
             "the same dtype for both", "convert one of them with cast");
      }
      break;
    }
  }
}

void check_output_count(const OpCard& op, const std::vector<OutputInfo>& outputs) {
  const bool variadic = op.outputs.back().kind == PortKind::variadic;
  const std::size_t fixed = op.outputs.size() - (variadic ? 1 : 0);
  internal_check(variadic ? outputs.size() >= fixed : outputs.size() == fixed,
                 "a type rule gives another number of outputs than its card has");
}

void check_range(const AttrSpec& spec, const std::string& where, double number) {
  if ((spec.least && !(number >= *spec.least)) || (spec.most && !(number <= *spec.most))) {
    std::string needed = "a number";
    auto text = [](double bound) { return Attr(bound).to_string(); };
    if (spec.least) needed += " of at least " + text(*spec.least);
    if (spec.least && spec.most) needed += " and";
    if (spec.most) needed += " of at most " + text(*spec.most);
    fail(ErrorCode::bad_attribute, Attr(number).to_string() + " for " + where, std::move(needed));
  }
}

void check_value(const OpCard& op, const AttrSpec& spec, const Attr& value) {
  const std::string where = "attribute '" + std::string(spec.name) + "' of op '" + op.name + "'";
  if (value.kind() != spec.kind) {
    fail(ErrorCode::bad_attribute, std::string(name_of(value.kind())) + " for " + where,
         std::string(name_of(spec.kind)));
  }
  if (!spec.choices.empty() && std::find(spec.choices.begin(), spec.choices.end(), value) == spec.choices.end()) {
    std::string needed;
    for (const Attr& choice : spec.choices) needed += (needed.empty() ? "one of " : ", ") + choice.to_string();
    fail(ErrorCode::bad_attribute, value.to_string() + " for " + where, std::move(needed));
  }
  if (value.kind() == AttrKind::integer) check_range(spec, where, static_cast<double>(value.as_integer()));
  if (value.kind() == AttrKind::real) check_range(spec, where, value.as_real());
  if (value.kind() == AttrKind::integers) {
    for (std::int64_t element : value.as_integers()) check_range(spec, where, static_cast<double>(element));
  }
}

[[noreturn]] void unknown_attribute(const OpCard& op, const std::string& name) {
  std::vector<std::string> names;
  std::string listed;
  for (const AttrSpec& spec : op.attributes) {
    names.emplace_back(spec.name);
    listed += (listed.empty() ? "" : ", ") + names.back();
  }
  const std::string nearest = nearest_name(name, names);
  fail(ErrorCode::unknown_attribute, "attribute '" + name + "' for op '" + op.name + "'",
       listed.empty() ? "no attributes; the op has none" : "one of " + listed,
       nearest.empty() ? "" : "did you mean '" + nearest + "'?");
}

// Contents of a small integer array, as inference follows them.
std::shared_ptr<const std::vector<Dim>> contents_of(const Array& array) {
  constexpr std::int64_t kMostElements = 64;
  if (array.rank() > 1 || array.count() > kMostElements || !is_integer(array.dtype())) return nullptr;
  auto contents = std::make_shared<std::vector<Dim>>();
  for (std::int64_t position = 0; position < array.count(); ++position) {
    contents->emplace_back(array.get_i64(position));
  }
  return contents;
}

// Lengths that only the data decides. They are named after the node that makes them, so that inferring it anew gives
// the same names.
constexpr std::string_view kDataLength = "data#";

std::function<Dim()> data_lengths_of(NodeId node) {
  return [node, made = 0]() mutable {
    return Dim::symbol(std::string(kDataLength) + std::to_string(node.number) + "." + std::to_string(++made));
  };
}

// Inside a body such lengths are named after its nodes, and two bodies would give the same names: outside they get
// new ones, but for those that came in from outside.
void rename_data_lengths(std::vector<OutputInfo>& outputs, std::span<const OutputInfo* const> inputs,
                         const std::function<Dim()>& fresh_symbol) {
  std::map<std::string, Dim, std::less<>> names;
  for (const OutputInfo* input : inputs) {
    if (input == nullptr) continue;
    for (const Dim& dim : input->type.shape) {
      for (std::string& name : dim.symbols()) names.try_emplace(name, Dim::symbol(name));
    }
  }
  for (OutputInfo& output : outputs) {
    output.type.shape = output.type.shape.substitute([&](std::string_view name) -> std::optional<Dim> {
      if (!name.starts_with(kDataLength)) return std::nullopt;
      const auto known = names.find(name);
      return known != names.end() ? known->second : names.emplace(name, fresh_symbol()).first->second;
    });
  }
}

const Array* constant_of(const Node& node) {
  const Attr* value = node.op->name == "Constant" ? node.attrs.find("value") : nullptr;
  return value != nullptr ? &value->as_tensor() : nullptr;
}

// An error that arose inside the body of a layer names the node there: its path follows that of the layer.
UserError inside(const UserError& error, const std::string& path) {
  ErrorDetail detail = error.detail();
  detail.node = detail.node.empty() ? path : path + "/" + detail.node;
  return UserError(std::move(detail));
}

}  // namespace

void check_lengths(const TensorType& type) {
  for (const Dim& dim : type.shape) {
    if (!dim.is_known() || dim.value() >= 0) continue;
    fail(ErrorCode::bad_dim, "the length " + dim.to_string() + " in " + type.to_string(), "lengths of at least 0",
         "give a length that is open a name, like batch");
  }
}

Attrs checked_attributes(const OpCard& op, Attrs attrs) {
  if (attrs.empty() && op.attributes.empty()) return attrs;
  Attrs result;
  for (const auto& [name, value] : attrs) {
    const AttrSpec* spec = op.find_attribute(name);
    if (spec == nullptr) unknown_attribute(op, name);
    // A whole number is a fine real.
    const bool widen = spec->kind == AttrKind::real && value.kind() == AttrKind::integer;
    const Attr checked = widen ? Attr(value.as_real()) : value;
    check_value(op, *spec, checked);
    if (!spec->fallback || *spec->fallback != checked) result.set(name, checked);
  }
  for (const AttrSpec& spec : op.attributes) {
    if (spec.fallback || attrs.find(spec.name) != nullptr) continue;
    fail(ErrorCode::missing_attribute, "no attribute '" + std::string(spec.name) + "' for op '" + op.name + "'",
         std::string(name_of(spec.kind)) + "; it has no default");
  }
  return result;
}

Inferred infer(const OpCard& op, const Attrs& attrs, const GraphPtr& body, std::span<const OutputInfo* const> inputs,
               const std::function<Dim()>& fresh_symbol) {
  check_input_count(op, inputs);
  check_input_types(op, inputs);
  Inferred result;
  if (op.infer && !op.composite && body == nullptr) {
    InferContext context(op, attrs, inputs, fresh_symbol);
    op.infer(context);
    result.outputs = context.take_outputs();
  } else {
    const Body made = make_body(op, attrs, body, inputs, Mode::train);
    for (const Output& output : made.graph.outputs()) result.outputs.push_back(made.graph.info(output.value));
    for (VarId id : made.graph.variable_ids()) result.slots.push_back(made.graph.variable(id));
    rename_data_lengths(result.outputs, inputs, fresh_symbol);
  }
  check_output_count(op, result.outputs);
  for (const OutputInfo& output : result.outputs) check_lengths(output.type);
  return result;
}

std::vector<TensorType> infer_concrete(const OpCard& op, const Attrs& attrs, const GraphPtr& body,
                                       std::span<const Array* const> inputs) {
  std::vector<OutputInfo> infos(inputs.size());
  std::vector<const OutputInfo*> pointers(inputs.size(), nullptr);
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    if (inputs[index] == nullptr) continue;
    infos[index].type = {inputs[index]->dtype(), Shape::of(inputs[index]->sizes())};
    infos[index].known = contents_of(*inputs[index]);
    pointers[index] = &infos[index];
  }
  const InputValues values(inputs);
  const Inferred inferred = infer(op, attrs, body, pointers, data_lengths_of({}));
  std::vector<TensorType> types;
  types.reserve(inferred.outputs.size());
  for (const OutputInfo& output : inferred.outputs) types.push_back(output.type);
  return types;
}

Inferred infer_node(const Graph& graph, const Node& node) {
  if (node.op->traits.leaf && !node.op->infer) {
    internal_check(node.bindings.size() == 1, "a Variable node without its variable");
    return {{OutputInfo{graph.variable(node.bindings.front().variable).type, nullptr}}, {}};
  }
  std::vector<const OutputInfo*> inputs;
  std::vector<const Array*> values;
  inputs.reserve(node.inputs.size());
  values.reserve(node.inputs.size());
  for (Value input : node.inputs) {
    inputs.push_back(input ? &graph.info(input) : nullptr);
    values.push_back(input ? constant_of(graph.node(input.node)) : nullptr);
  }
  try {
    const InputValues known(values);
    return infer(*node.op, node.attrs, node.body, inputs, data_lengths_of(node.id));
  } catch (const UserError& error) {
    throw inside(error, node.path()).with_where(node.where.to_string());
  }
}

}  // namespace asg
