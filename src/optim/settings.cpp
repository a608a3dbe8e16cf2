#include "asg/optim/settings.h"

#include <cmath>

namespace asg::optim {
namespace {

std::string number_text(double number) { return Attr(number).to_string(); }

[[noreturn]] void fail_unknown(std::string_view owner, std::span<const Setting> known, const std::string& name) {
  std::vector<std::string> names;
  std::string listed;
  for (const Setting& setting : known) {
    names.emplace_back(setting.name);
    if (!listed.empty()) listed += ", ";
    listed += setting.name;
  }
  const std::string near = nearest_name(name, names);
  fail(ErrorCode::unknown_attribute, "the setting '" + name + "' of " + std::string(owner),
       listed.empty() ? "no settings; it has none" : "one of " + listed,
       near.empty() ? "" : "did you mean '" + near + "'?");
}

bool is_of_kind(const Attr& value, AttrKind kind) {
  return value.kind() == kind || (kind == AttrKind::real && value.kind() == AttrKind::integer);
}

void check_value(std::string_view owner, const Setting& setting, const Attr& value) {
  const std::string given = std::string(setting.name) + " = " + value.to_string() + " of " + std::string(owner);
  if (!is_of_kind(value, setting.kind)) {
    fail(ErrorCode::bad_attribute, given, "a value of the kind '" + std::string(name_of(setting.kind)) + "'");
  }
  if (setting.kind == AttrKind::boolean) return;
  std::vector<double> numbers;
  if (setting.kind == AttrKind::integers) {
    for (const std::int64_t each : value.as_integers()) numbers.push_back(static_cast<double>(each));
  } else {
    numbers.push_back(value.as_real());
  }
  for (const double number : numbers) {
    if (!setting.range.holds(number)) fail(ErrorCode::bad_attribute, given, setting.range.to_string());
  }
}

const Setting* find_setting(std::span<const Setting> known, std::string_view name) {
  for (const Setting& setting : known) {
    if (setting.name == name) return &setting;
  }
  return nullptr;
}

}  // namespace

bool Range::holds(double number) const {
  if (!std::isfinite(number)) return false;
  const bool above = least_open ? number > least : number >= least;
  const bool below = most_open ? number < most : number <= most;
  return above && below;
}

std::string Range::to_string() const {
  const bool has_least = std::isfinite(least);
  const bool has_most = std::isfinite(most);
  if (has_least && has_most) {
    std::string text = least_open ? "a number in (" : "a number in [";
    text += number_text(least);
    text += ", ";
    text += number_text(most);
    return text + (most_open ? ")" : "]");
  }
  if (has_least) return (least_open ? "a number above " : "a number of at least ") + number_text(least);
  if (has_most) return (most_open ? "a number below " : "a number of at most ") + number_text(most);
  return "a finite number";
}

void check_settings(std::string_view owner, std::span<const Setting> known, const Attrs& given, bool partial) {
  for (const auto& [name, value] : given) {
    const Setting* setting = find_setting(known, name);
    if (setting == nullptr) fail_unknown(owner, known, name);
    check_value(owner, *setting, value);
  }
  if (partial) return;
  for (const Setting& setting : known) {
    if (setting.fallback || given.find(setting.name) != nullptr) continue;
    fail(ErrorCode::missing_attribute, "no '" + std::string(setting.name) + "' for " + std::string(owner),
         setting.range.to_string() + "; it has no default");
  }
}

const Attr& Settings::find(std::string_view name) const {
  const Setting* setting = find_setting(known_, name);
  internal_check(setting != nullptr, "a setting that the card does not have");
  const Attr* value = over_ != nullptr ? over_->find(name) : nullptr;
  if (value == nullptr) value = given_.find(name);
  if (value == nullptr && setting->fallback) value = &*setting->fallback;
  internal_check(value != nullptr, "a setting without a value");
  return *value;
}

}  // namespace asg::optim
