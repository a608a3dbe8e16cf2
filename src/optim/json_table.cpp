#include "optim/json_table.h"

#include <cmath>

namespace asg::optim {
namespace {

using Json = JsonTable::Json;

const Json& nothing() {
  static const Json kNothing = Json::object();
  return kNothing;
}

std::string names_listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text.append(text.empty() ? "" : ", ").append(name);
  return text;
}

std::optional<Attr> attr_of(const Json& json) {
  if (json.is_boolean()) return Attr(json.get<bool>());
  if (json.is_number_integer()) return Attr(json.get<std::int64_t>());
  if (json.is_number()) return Attr(json.get<double>());
  if (json.is_string()) return Attr(json.get<std::string>());
  if (!json.is_array()) return std::nullopt;
  std::vector<std::int64_t> integers;
  for (const Json& each : json) {
    if (!each.is_number_integer()) return std::nullopt;
    integers.push_back(each.get<std::int64_t>());
  }
  return Attr(std::move(integers));
}

}  // namespace

JsonTable::JsonTable(const Json& json, std::string place) : json_(json), place_(std::move(place)) {
  if (!json_.is_object()) {
    fail(ErrorCode::bad_attribute, json_.dump() + " for '" + place_ + "'", "a table with named values");
  }
}

const Json* JsonTable::find(const std::string& key) {
  asked_.insert(key);
  const auto found = json_.find(key);
  return found == json_.end() ? nullptr : &*found;
}

void JsonTable::refuse(const std::string& key, const std::string& needed) const {
  const auto found = json_.find(key);
  fail(ErrorCode::bad_attribute, (found == json_.end() ? "nothing" : found->dump()) + " for '" + at(key) + "'", needed);
}

void JsonTable::read(const std::string& key, std::string& to) {
  const Json* value = find(key);
  if (value == nullptr) return;
  if (!value->is_string()) refuse(key, "a text");
  to = value->get<std::string>();
}

void JsonTable::read(const std::string& key, double& to) {
  const Json* value = find(key);
  if (value == nullptr) return;
  if (!value->is_number() || !std::isfinite(value->get<double>())) refuse(key, "a finite number");
  to = value->get<double>();
}

void JsonTable::read(const std::string& key, std::int64_t& to, std::int64_t least) {
  const Json* value = find(key);
  if (value == nullptr) return;
  if (!value->is_number_integer() || value->get<std::int64_t>() < least) {
    refuse(key, "a whole number of at least " + std::to_string(least));
  }
  to = value->get<std::int64_t>();
}

void JsonTable::read(const std::string& key, int& to, int least) {
  constexpr std::int64_t kMost = 1 << 20;
  std::int64_t wide = to;
  read(key, wide, least);
  if (wide > kMost) refuse(key, "at most " + std::to_string(kMost));
  to = static_cast<int>(wide);
}

void JsonTable::read(const std::string& key, std::uint64_t& to) {
  auto wide = static_cast<std::int64_t>(to);
  read(key, wide);
  to = static_cast<std::uint64_t>(wide);
}

void JsonTable::read(const std::string& key, bool& to) {
  const Json* value = find(key);
  if (value == nullptr) return;
  if (!value->is_boolean()) refuse(key, "true or false");
  to = value->get<bool>();
}

void JsonTable::read(const std::string& key, std::vector<std::string>& to) {
  const Json* value = find(key);
  if (value == nullptr) return;
  if (!value->is_array()) refuse(key, "a list of texts");
  to.clear();
  for (const Json& each : *value) {
    if (!each.is_string()) refuse(key, "a list of texts");
    to.push_back(each.get<std::string>());
  }
}

std::string JsonTable::choice(const std::string& key, const std::vector<std::string>& among,
                              const std::string& otherwise) {
  std::string value = otherwise;
  read(key, value);
  if (std::find(among.begin(), among.end(), value) == among.end()) refuse(key, "one of " + names_listed(among));
  return value;
}

JsonTable JsonTable::table(const std::string& key) {
  const Json* value = find(key);
  return {value == nullptr ? nothing() : *value, at(key)};
}

std::vector<JsonTable> JsonTable::tables(const std::string& key) {
  std::vector<JsonTable> result;
  const Json* value = find(key);
  if (value == nullptr) return result;
  if (!value->is_array()) refuse(key, "a list of tables");
  for (std::size_t k = 0; k < value->size(); ++k)
    result.emplace_back((*value)[k], at(key) + "[" + std::to_string(k) + "]");
  return result;
}

std::vector<std::string> JsonTable::descriptions(const std::string& key) {
  std::vector<std::string> result;
  const Json* value = find(key);
  if (value == nullptr) return result;
  if (!value->is_array()) refuse(key, "a list of names and tables");
  for (const Json& each : *value) {
    if (!each.is_string() && !each.is_object()) refuse(key, "a list of names and tables");
    result.push_back(each.is_string() ? each.get<std::string>() : each.dump());
  }
  return result;
}

Attrs JsonTable::rest() {
  Attrs attrs;
  for (const auto& [key, value] : json_.items()) {
    if (asked_.contains(key)) continue;
    asked_.insert(key);
    auto attr = attr_of(value);
    if (!attr) refuse(key, "a number, a text, true or false, or a list of whole numbers");
    attrs.set(key, std::move(*attr));
  }
  return attrs;
}

void JsonTable::done() const {
  const std::vector<std::string> known(asked_.begin(), asked_.end());
  for (const auto& [key, value] : json_.items()) {
    if (asked_.contains(key)) continue;
    const std::string near = nearest_name(key, known);
    fail(ErrorCode::unknown_attribute, "'" + at(key) + "', which is not known", "one of " + names_listed(known),
         near.empty() ? "" : "did you mean '" + near + "'?");
  }
}

}  // namespace asg::optim
