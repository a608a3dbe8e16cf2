#include <nlohmann/json.hpp>

#include "asg/optim/card.h"
#include "asg/optim/json.h"
#include "graph/attr_json.h"

namespace asg::optim {
namespace {

using OrderedJson = nlohmann::ordered_json;

void add_to(OrderedJson& json, const Attrs& settings) {
  for (const auto& [name, value] : settings) json[name] = plain_json(value);
}

// By name, the kind of each as its card has it: 1 for a real number is 1.0.
Attrs in_force(std::span<const Setting> known, const Attrs& given) {
  Attrs result;
  for (const Setting& setting : known) {
    const Attr* value = given.find(setting.name);
    if (value == nullptr && setting.fallback) value = &*setting.fallback;
    if (value == nullptr) continue;
    result.set(setting.name, setting.kind == AttrKind::real ? Attr(value->as_real()) : *value);
  }
  return result;
}

}  // namespace

std::string to_json(const Attrs& settings) {
  OrderedJson json = OrderedJson::object();
  add_to(json, settings);
  return json.dump();
}

std::string to_json(const Schedule& schedule) {
  OrderedJson json = {{"kind", schedule.kind}};
  add_to(json, schedule.settings);
  return json.dump();
}

Attrs settings_in_force(const Optimizer& optimizer) {
  return in_force(optimizer_card(optimizer.kind).settings, optimizer.settings);
}

Attrs settings_in_force(const Schedule& schedule) {
  return in_force(schedule_card(schedule.kind).settings, schedule.settings);
}

std::string to_text(const Schedule& schedule) {
  std::string chosen;
  for (const auto& [name, value] : schedule.settings) {
    chosen += (chosen.empty() ? "" : ", ") + name + " " + value.to_string();
  }
  return chosen.empty() ? schedule.kind : schedule.kind + "(" + chosen + ")";
}

}  // namespace asg::optim
