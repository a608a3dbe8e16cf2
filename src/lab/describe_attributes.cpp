#include <cmath>
#include <limits>

#include "asg/graph/infer.h"
#include "lab/describe_parts.h"

namespace asg::lab {
namespace {

bool allowed(const AttrSpec& spec, double number) {
  return (!spec.least || number >= *spec.least) && (!spec.most || number <= *spec.most);
}

// The sum, or the value itself where the sum is beyond all integers.
std::int64_t moved(std::int64_t value, std::int64_t change) {
  using Limits = std::numeric_limits<std::int64_t>;
  const bool beyond = change > 0 ? value > Limits::max() - change : value < Limits::min() - change;
  return beyond ? value : value + change;
}

// Other values that the attribute could have, the nearest first. None where nothing sensible is near.
std::vector<Attr> other_values(const AttrSpec& spec, const Attr& now) {
  std::vector<Attr> others;
  if (!spec.choices.empty()) {
    for (const Attr& choice : spec.choices) {
      if (!(choice == now)) others.push_back(choice);
    }
    return others;
  }
  switch (spec.kind) {
    case AttrKind::boolean:
      others.emplace_back(!now.as_boolean());
      break;
    case AttrKind::integer:
      for (const std::int64_t other : {moved(now.as_integer(), 1), moved(now.as_integer(), -1),
                                       moved(now.as_integer(), now.as_integer()), now.as_integer() / 2}) {
        if (other != now.as_integer() && allowed(spec, static_cast<double>(other))) others.emplace_back(other);
      }
      break;
    case AttrKind::real:
      for (const double other : {now.as_real() * 0.5, now.as_real() * 2, now.as_real() + 0.1, now.as_real() - 0.1}) {
        if (other != now.as_real() && allowed(spec, other)) others.emplace_back(other);
      }
      break;
    case AttrKind::integers:
      for (const std::int64_t change : {1, -1}) {
        std::vector<std::int64_t> list = now.as_integers();
        for (std::int64_t& each : list) each = moved(each, change);
        if (!list.empty() && allowed(spec, static_cast<double>(list.front()))) others.emplace_back(std::move(list));
      }
      break;
    default:
      break;
  }
  return others;
}

bool same_types(const Inferred& a, const Inferred& b) {
  if (a.outputs.size() != b.outputs.size() || a.slots.size() != b.slots.size()) return false;
  for (std::size_t k = 0; k < a.outputs.size(); ++k) {
    if (a.outputs[k].type != b.outputs[k].type) return false;
  }
  for (std::size_t k = 0; k < a.slots.size(); ++k) {
    if (a.slots[k].name != b.slots[k].name || a.slots[k].type != b.slots[k].type) return false;
  }
  return true;
}

// Asks inference about the node with other values, one after the other until it takes one.
class AttributeTrial {
 public:
  AttributeTrial(const Graph& graph, const Node& node) : node_(node) {
    for (const Value input : node.inputs) infos_.push_back(input ? &graph.info(input) : nullptr);
    try {
      now_ = infer_with(node.attrs);
    } catch (const UserError&) {
      known_ = false;
    }
  }

  bool keeps_shape(const AttrSpec& spec, const Attr& value) const {
    if (!known_) return false;
    for (const Attr& other : other_values(spec, value)) {
      Attrs attrs = node_.attrs;
      attrs.set(spec.name, other);
      try {
        return same_types(now_, infer_with(checked_attributes(*node_.op, std::move(attrs))));
      } catch (const UserError&) {
        continue;  // this value does not fit; another may
      }
    }
    return false;
  }

 private:
  Inferred infer_with(const Attrs& attrs) const {
    int fresh = 0;
    return infer(*node_.op, attrs, node_.body, infos_,
                 [&fresh] { return Dim::symbol("?t" + std::to_string(++fresh)); });
  }

  const Node& node_;
  std::vector<const OutputInfo*> infos_;
  Inferred now_;
  bool known_ = true;
};

}  // namespace

std::vector<Description::Attribute> attributes_of(const Graph& graph, const Node& node) {
  std::vector<Description::Attribute> attributes;
  if (node.op->attributes.empty()) return attributes;
  const AttributeTrial trial(graph, node);
  const AttrReader reader(*node.op, node.attrs);
  for (const AttrSpec& spec : node.op->attributes) {
    Description::Attribute attribute{.spec = &spec};
    if (const Attr* value = reader.find(spec.name)) {
      attribute.value = *value;
      attribute.keeps_shape = trial.keeps_shape(spec, *value);
    }
    attributes.push_back(std::move(attribute));
  }
  return attributes;
}

}  // namespace asg::lab
