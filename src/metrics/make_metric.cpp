// Metrics by name: the joined table, and settings checked against it.
#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "asg/core/error.h"
#include "core/json_depth.h"
#include "metrics/catalogue.h"

namespace asg::metrics {
namespace {

struct Catalogue {
  std::vector<MetricInfo> infos;
  std::vector<decltype(Entry::make)> makers;
};

const Catalogue& catalogue() {
  static const Catalogue instance = [] {
    Catalogue result;
    for (const auto& family : {class_entries(), ranking_entries(), regression_entries(), value_entries()}) {
      for (const Entry& entry : family) {
        result.infos.push_back(entry.info);
        result.makers.push_back(entry.make);
      }
    }
    return result;
  }();
  return instance;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known) {
  const std::string near = nearest_name(name, known);
  if (!near.empty()) return "did you mean '" + near + "'?";
  std::string all = "there are: ";
  for (std::size_t k = 0; k < known.size(); ++k) all.append(k == 0 ? "" : ", ").append(known[k]);
  return all;
}

std::string text_of(const Setting& setting) {
  struct Text {
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const { return Array::scalar(DType::f64, value).to_string(); }
    std::string operator()(const std::string& value) const { return "\"" + value + "\""; }
  };
  return std::visit(Text{}, setting);
}

std::string needed_of(const SettingInfo& info) {
  if (info.kind == "word") {
    std::string words;
    for (const std::string& each : info.allowed) words.append(words.empty() ? "\"" : ", \"").append(each).append("\"");
    return words;
  }
  std::string range;
  if (info.least) range += " of at least " + text_of(*info.least);
  if (info.most) range += (info.least ? " and at most " : " of at most ") + text_of(*info.most);
  return (info.kind == "integer" ? "an integer" : info.kind == "real" ? "a number" : "true or false") + range;
}

bool in_range(const SettingInfo& info, double value) {
  return std::isfinite(value) && (!info.least || value >= *info.least) && (!info.most || value <= *info.most);
}

// The value in the type of its kind; none where it does not fit. Integers serve as reals.
std::optional<Setting> fitted(const SettingInfo& info, const Setting& given) {
  if (info.kind == "word") {
    const auto* text = std::get_if<std::string>(&given);
    const bool known =
        text != nullptr && std::find(info.allowed.begin(), info.allowed.end(), *text) != info.allowed.end();
    return known ? std::optional(given) : std::nullopt;
  }
  if (info.kind == "truth") return std::holds_alternative<bool>(given) ? std::optional(given) : std::nullopt;
  const auto* integer = std::get_if<std::int64_t>(&given);
  if (info.kind == "integer") {
    return integer != nullptr && in_range(info, static_cast<double>(*integer)) ? std::optional(given) : std::nullopt;
  }
  const auto* real = std::get_if<double>(&given);
  if (integer == nullptr && real == nullptr) return std::nullopt;
  const double value = integer != nullptr ? static_cast<double>(*integer) : *real;
  return in_range(info, value) ? std::optional<Setting>(value) : std::nullopt;
}

Settings complete(const MetricInfo& info, const Settings& given) {
  std::vector<std::string> known;
  for (const SettingInfo& setting : info.settings) known.push_back(setting.name);
  for (const auto& [name, value] : given) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      fail(ErrorCode::unknown_attribute, "the setting '" + name + "' of the metric '" + info.name + "'",
           "a setting that it has", did_you_mean(name, known));
    }
  }
  Settings result;
  for (const SettingInfo& setting : info.settings) {
    const auto found = given.find(setting.name);
    if (found == given.end()) {
      if (setting.fallback) result[setting.name] = *setting.fallback;
      continue;
    }
    auto value = fitted(setting, found->second);
    if (!value) {
      fail(ErrorCode::bad_attribute,
           "the setting " + setting.name + " = " + text_of(found->second) + " of the metric '" + info.name + "'",
           needed_of(setting), setting.words);
    }
    result[setting.name] = *std::move(value);
  }
  return result;
}

Setting setting_of(const std::string& name, const nlohmann::json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  fail(ErrorCode::bad_json, "the setting '" + name + "' that is a JSON " + value.type_name(),
       "true, false, a number or a text");
}

}  // namespace

SettingInfo word_setting(std::string name, std::string words, std::vector<std::string> allowed) {
  Setting fallback = allowed.front();
  return {std::move(name), std::move(words), "word", std::move(fallback), std::move(allowed), {}, {}};
}

SettingInfo integer_setting(std::string name, std::string words, std::optional<std::int64_t> fallback, double least) {
  SettingInfo result{std::move(name), std::move(words), "integer", {}, {}, least, {}};
  if (fallback) result.fallback = *fallback;
  return result;
}

SettingInfo real_setting(std::string name, std::string words, double fallback, double least, double most) {
  return {std::move(name), std::move(words), "real", Setting(fallback), {}, least, most};
}

SettingInfo nan_setting() {
  return word_setting("nan", "what NaN does: makes the figure NaN, leaves its example out, or is refused",
                      {"propagate", "skip", "refuse"});
}

SettingInfo axis_setting() {
  return integer_setting("axis", "the axis of the scores that runs over the classes; below 0 counts from the last", -1,
                         -64);
}

SettingInfo input_setting() {
  return word_setting("input",
                      "what the scores are: probabilities, or logits, which are scores before softmax or sigmoid",
                      {"probabilities", "logits"});
}

SettingInfo ignore_setting() {
  SettingInfo result = integer_setting("ignore_index", "targets of this class are left out", std::nullopt, 0);
  result.least.reset();
  return result;
}

std::span<const MetricInfo> all_metrics() { return catalogue().infos; }

std::unique_ptr<Metric> make_metric(std::string_view name, const Settings& settings) {
  const Catalogue& table = catalogue();
  std::vector<std::string> names;
  for (std::size_t k = 0; k < table.infos.size(); ++k) {
    if (table.infos[k].name == name) return table.makers[k](table.infos[k], complete(table.infos[k], settings));
    names.push_back(table.infos[k].name);
  }
  fail(ErrorCode::unknown_attribute, "the metric '" + std::string(name) + "'", "the name of a metric",
       did_you_mean(name, names));
}

std::unique_ptr<Metric> metric_from_json(std::string_view json, const Settings& otherwise) {
  nlohmann::json form = parse_within_limits<nlohmann::json>(json);
  if (form.is_string()) form = {{"name", form}};
  if (!form.is_object() || !form.contains("name") || !form["name"].is_string()) {
    fail(ErrorCode::bad_json, "the description of a metric '" + std::string(json.substr(0, 60)) + "'",
         "a name, or an object with a name and settings", R"(write "f1" or {"name": "f1", "average": "macro"})");
  }
  const auto name_of_metric = form["name"].get<std::string>();
  Settings settings;
  for (const auto& [name, value] : form.items()) {
    if (name != "name") settings[name] = setting_of(name, value);
  }
  for (const MetricInfo& info : all_metrics()) {
    if (info.name != name_of_metric) continue;
    for (const SettingInfo& setting : info.settings) {
      const auto found = otherwise.find(setting.name);
      if (found != otherwise.end()) settings.emplace(*found);
    }
  }
  return make_metric(name_of_metric, settings);
}

}  // namespace asg::metrics
