#include <nlohmann/json.hpp>

#include "asg/graph/catalogue.h"
#include "asg/graph/formula.h"
#include "graph/attr_json.h"

namespace asg {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson json_of(const Words& words) { return {{"en", words.en}, {"ru", words.ru}}; }

OrderedJson json_of(DTypeSet dtypes) {
  OrderedJson names = OrderedJson::array();
  for (DType dtype : all_dtypes()) {
    if (dtypes.contains(dtype)) names.push_back(name_of(dtype));
  }
  return names;
}

std::string_view port_kind_name(PortKind kind) {
  switch (kind) {
    case PortKind::required:
      return "required";
    case PortKind::optional:
      return "optional";
    case PortKind::variadic:
      break;
  }
  return "variadic";
}

std::string_view gradient_kind_name(GradientKind kind) {
  switch (kind) {
    case GradientKind::rule:
      return "rule";
    case GradientKind::body:
      return "body";
    case GradientKind::zero:
      return "zero";
    case GradientKind::none:
      break;
  }
  return "none";
}

OrderedJson json_of(const std::vector<Port>& ports) {
  OrderedJson list = OrderedJson::array();
  for (const Port& port : ports) {
    list.push_back({{"name", port.name},
                    {"kind", port_kind_name(port.kind)},
                    {"type", port.type},
                    {"dtypes", json_of(port.dtypes)},
                    {"differentiable", port.differentiable},
                    {"words", json_of(port.words)}});
  }
  return list;
}

OrderedJson json_of(const AttrSpec& spec) {
  OrderedJson entry = {{"name", spec.name}, {"kind", name_of(spec.kind)}, {"required", !spec.fallback}};
  if (spec.fallback) entry["default"] = plain_json(*spec.fallback);
  if (!spec.choices.empty()) {
    OrderedJson choices = OrderedJson::array();
    for (const Attr& choice : spec.choices) choices.push_back(plain_json(choice));
    entry["choices"] = std::move(choices);
  }
  if (spec.least) entry["least"] = *spec.least;
  if (spec.most) entry["most"] = *spec.most;
  entry["words"] = json_of(spec.words);
  return entry;
}

OrderedJson traits_of(const OpCard& op) {
  OrderedJson names = OrderedJson::array();
  const std::pair<bool, const char*> traits[] = {
      {op.traits.elementwise, "elementwise"},
      {op.traits.reduction, "reduction"},
      {op.traits.view, "view"},
      {op.traits.random, "random"},
      {op.traits.leaf, "leaf"},
      {op.traits.commutative, "commutative"},
      {op.composite, "layer"},
      {op.traits.gradient_only, "gradient_only"},
  };
  for (const auto& [holds, name] : traits) {
    if (holds) names.push_back(name);
  }
  return names;
}

OrderedJson json_of(const OpCard& op) {
  OrderedJson onnx = OrderedJson::array();
  for (const OnnxMapping& mapping : op.onnx) {
    onnx.push_back({{"op", mapping.op}, {"since", mapping.since}, {"domain", mapping.domain}});
  }
  OrderedJson differences = OrderedJson::array();
  for (const PeerDifference& difference : op.peer_differences) {
    differences.push_back({{"samples", difference.samples}, {"reason", difference.reason}});
  }
  OrderedJson attributes = OrderedJson::array();
  for (const AttrSpec& spec : op.attributes) attributes.push_back(json_of(spec));
  OrderedJson formula = nullptr;
  if (!op.words.formula.empty()) {
    formula = {{"latex", op.words.formula},
               {"text", formula_to_text(op.words.formula)},
               {"mathml", formula_to_mathml(op.words.formula)}};
  }
  return {{"name", op.name},
          {"version", op.version},
          {"category", name_of(op.category)},
          {"traits", traits_of(op)},
          {"inputs", json_of(op.inputs)},
          {"attributes", std::move(attributes)},
          {"outputs", json_of(op.outputs)},
          {"what", json_of(op.words.what)},
          {"formula", std::move(formula)},
          {"why", json_of(op.words.why)},
          {"gradient", {{"kind", gradient_kind_name(op.gradient_kind)}, {"reason", op.gradient_reason}}},
          {"onnx", std::move(onnx)},
          {"torch", op.torch},
          {"peer_differences", std::move(differences)}};
}

}  // namespace

std::string catalogue_json(std::span<const OpCard* const> ops) {
  OrderedJson categories = OrderedJson::array();
  for (int number = 0; number <= static_cast<int>(Category::gradient); ++number) {
    const auto category = static_cast<Category>(number);
    categories.push_back({{"name", name_of(category)}, {"words", json_of(words_of(category))}});
  }
  OrderedJson list = OrderedJson::array();
  for (const OpCard* op : ops) list.push_back(json_of(*op));
  const OrderedJson page = {{"format", "asg.catalogue"}, {"version", 1}, {"categories", categories}, {"ops", list}};
  return page.dump(1) + "\n";
}

}  // namespace asg
