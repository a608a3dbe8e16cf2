#include "asg/optim/optimizer.h"

#include <algorithm>
#include <set>

#include "asg/optim/card.h"

namespace asg::optim {
namespace {

std::string owner_of(const OptimizerCard& card) { return "optimiser '" + std::string(card.name) + "'"; }

void need(bool holds, std::string_view name, double given, const Range& range) {
  if (holds) return;
  fail(ErrorCode::bad_attribute, std::string(name) + " = " + Attr(given).to_string(), range.to_string());
}

void check_group(const OptimizerCard& card, const Optimizer& optimizer, std::size_t place) {
  const Group& group = optimizer.groups[place];
  const std::string name = name_of(group, place);
  const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
  if (!plain) {
    fail(ErrorCode::bad_name, "the group '" + name + "'", "a name of letters, digits and _",
         "a pattern of parameters goes into `match`");
  }
  if (group.settings.find("learning_rate") != nullptr) {
    fail(ErrorCode::bad_attribute, "a learning_rate of the group '" + name + "'", "a learning_rate_factor",
         "the learning rate of a group is that of the training times its factor");
  }
  if (group.learning_rate_factor) {
    need(kNotNegative.holds(*group.learning_rate_factor), "learning_rate_factor", *group.learning_rate_factor,
         kNotNegative);
  }
  check_settings("the group '" + name + "' of " + owner_of(card), card.settings, group.settings, true);
  if (card.check != nullptr) card.check(Settings(card.settings, optimizer.settings, &group.settings));
}

}  // namespace

Optimizer Optimizer::sgd(double learning_rate, double momentum, bool nesterov) {
  Optimizer result{.kind = "sgd", .settings = {{"learning_rate", learning_rate}}};
  if (momentum != 0) result.settings.set("momentum", momentum);
  if (nesterov) result.settings.set("nesterov", true);
  return result;
}

Optimizer Optimizer::adam(double learning_rate) {
  return {.kind = "adam", .settings = {{"learning_rate", learning_rate}}};
}

Optimizer Optimizer::adamw(double learning_rate, double weight_decay) {
  return {.kind = "adamw", .settings = {{"learning_rate", learning_rate}, {"weight_decay", weight_decay}}};
}

double Optimizer::learning_rate() const {
  return Settings(optimizer_card(kind).settings, settings).real("learning_rate");
}

Optimizer& Optimizer::set(std::string_view setting, Attr value) {
  const OptimizerCard& card = optimizer_card(kind);
  Attrs one;
  one.set(setting, value);
  check_settings(owner_of(card), card.settings, one, true);
  settings.set(setting, std::move(value));
  return *this;
}

Optimizer optimizer_named(std::string_view kind, Attrs settings) {
  Optimizer result{.kind = std::string(kind), .settings = std::move(settings)};
  check_optimizer(result);
  return result;
}

void check_optimizer(const Optimizer& optimizer) {
  const OptimizerCard& card = optimizer_card(optimizer.kind);
  check_settings(owner_of(card), card.settings, optimizer.settings);
  if (card.check != nullptr) card.check(Settings(card.settings, optimizer.settings));
  need(kNotNegative.holds(optimizer.clip_norm), "clip_norm", optimizer.clip_norm, kNotNegative);
  need(kNotNegative.holds(optimizer.clip_value), "clip_value", optimizer.clip_value, kNotNegative);
  need(kBelowOne.holds(optimizer.ema.decay), "the decay of the ema", optimizer.ema.decay, kBelowOne);
  need(optimizer.accumulate >= 1, "accumulate", static_cast<double>(optimizer.accumulate), kCount);
  std::set<std::string> names;
  for (std::size_t place = 0; place < optimizer.groups.size(); ++place) {
    check_group(card, optimizer, place);
    if (names.insert(name_of(optimizer.groups[place], place)).second) continue;
    fail(ErrorCode::duplicate_name, "two groups named '" + name_of(optimizer.groups[place], place) + "'",
         "a name of its own for each group");
  }
}

std::map<VarId, VarId> ema_variables(const Updates& updates) {
  std::map<VarId, VarId> result;
  for (const auto& [key, id] : updates.state) {
    if (key.slot == kEmaSlot) result.emplace(key.parameter, id);
  }
  return result;
}

}  // namespace asg::optim
