#include "checkpoint_manifest.h"

#include <cmath>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

#include "asg/core/error.h"
#include "checksum.h"
#include "graph/json_dom.h"

namespace asg::train {
namespace {

// An object that keeps the order of its names is searched through for each that is added: only for those with few.
using OrderedJson = nlohmann::ordered_json;
using Json = nlohmann::json;

constexpr std::string_view kFormat = "asg-checkpoint";
constexpr std::string_view kChecksumKey = "\"crc32_of_the_text_before\": \"";
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;

[[noreturn]] void refuse(const std::string& pointer, std::string needed) {
  throw UserError({ErrorCode::bad_json, "a manifest whose " + pointer + " is not as it should be", std::move(needed),
                   "", "", pointer});
}

// JSON has no words for these.
OrderedJson number_json(double value) {
  if (std::isfinite(value)) return value;
  if (std::isnan(value)) return "nan";
  return value > 0 ? "inf" : "-inf";
}

double number_of(const Json& value, const std::string& pointer) {
  if (value.is_number()) return value.get<double>();
  if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (value == "inf") return std::numeric_limits<double>::infinity();
  if (value == "-inf") return -std::numeric_limits<double>::infinity();
  refuse(pointer, "a number");
}

OrderedJson extras_json(const std::string& text) {
  const Json value = dom_from_text(text, {.max_bytes = kMostBytes});  // within the limits, and errors with their place
  if (!value.is_object()) fail(ErrorCode::bad_json, "extras that are no JSON object", R"(an object: {"epoch": 3})");
  return value;
}

OrderedJson metrics_json(const std::map<std::string, double>& metrics) {
  std::map<std::string, OrderedJson> numbers;
  for (const auto& [name, value] : metrics) numbers.emplace_hint(numbers.end(), name, number_json(value));
  return numbers;
}

// ---- Reading

const Json& member(const Json& object, const char* name, Json::value_t type, const std::string& pointer) {
  const bool fits = object.is_object() && object.contains(name) && object[name].type() == type;
  if (!fits) refuse(pointer + "/" + name, "a value of the kind " + std::string(Json(type).type_name()));
  return object[name];
}

template <class T>
T count(const Json& object, const char* name, const std::string& pointer = "") {
  const auto value = member(object, name, Json::value_t::number_unsigned, pointer).get<std::uint64_t>();
  if (value > static_cast<std::uint64_t>(std::numeric_limits<T>::max()))
    refuse(pointer + "/" + name, "a smaller number");
  return static_cast<T>(value);
}

std::string text(const Json& object, const char* name, const std::string& pointer = "") {
  return member(object, name, Json::value_t::string, pointer).get<std::string>();
}

ManifestTensor tensor_of(const Json& value, const std::string& pointer) {
  ManifestTensor tensor;
  tensor.name = text(value, "name", pointer);
  tensor.variable = VarId{count<std::uint32_t>(value, "variable", pointer)};
  if (value.contains("slot")) tensor.slot = text(value, "slot", pointer);
  return tensor;
}

// What precedes the checksum, once it has been found right.
std::string_view checked(std::string_view whole) {
  const std::size_t at = whole.rfind(kChecksumKey);
  const std::size_t digits = at + kChecksumKey.size();
  Checksum sum;
  if (at != std::string_view::npos) sum.add(whole.substr(0, at));
  if (at == std::string_view::npos || whole.substr(digits) != sum.hex() + "\"}\n") {
    fail(ErrorCode::io_error, "a manifest that is cut off or changed", "the manifest as it was written");
  }
  return whole;
}

void check_version(const Json& json) {
  if (!json.is_object() || !json.contains("format") || json["format"] != kFormat) {
    refuse("/format", "\"asg-checkpoint\"");
  }
  const int version = count<int>(json, "version");
  if (version <= kCheckpointVersion) return;
  throw UserError({ErrorCode::unsupported_version, "a checkpoint of version " + std::to_string(version),
                   "at most version " + std::to_string(kCheckpointVersion), "use a newer ASG", "", "/version"});
}

}  // namespace

std::string to_json(const Manifest& manifest) {
  OrderedJson json;
  json["format"] = kFormat;
  json["version"] = kCheckpointVersion;
  json["program"] = manifest.program;
  json["steps"] = manifest.steps;
  json["committed"] = manifest.committed;
  json["updates"] = manifest.updates;
  json["learning_rate"] = number_json(manifest.learning_rate);
  json["seed"] = manifest.seed;
  if (!manifest.optimizer.empty()) json["optimizer"] = manifest.optimizer;
  json["metrics"] = metrics_json(manifest.metrics);
  json["extras"] = extras_json(manifest.extras);
  for (const auto& [name, file] : manifest.files) {
    json["files"][name] = {{"bytes", file.bytes}, {"crc32", file.crc32}};
  }
  for (const auto& [name, tensors] : manifest.tensors) {
    OrderedJson& list = json["tensors"][name] = OrderedJson::array();
    for (const ManifestTensor& tensor : tensors) {
      list.push_back({{"name", tensor.name}, {"variable", tensor.variable.number}});
      if (!tensor.slot.empty()) list.back()["slot"] = tensor.slot;
    }
  }
  std::string result;
  try {
    result = json.dump(1);
  } catch (const nlohmann::json::exception&) {
    fail(ErrorCode::bad_name, "a name or a metric that is not UTF-8", "texts in UTF-8");
  }
  result.resize(result.size() - 2);  // the end of the line and the closing bracket
  result += ",\n ";
  Checksum sum;
  sum.add(result);
  result += kChecksumKey;
  return result + sum.hex() + "\"}\n";
}

Manifest manifest_from_json(std::string_view whole) {
  const Json json = dom_from_text(checked(whole), {.max_bytes = kMostBytes});
  check_version(json);
  Manifest manifest;
  manifest.program = text(json, "program");
  manifest.steps = count<std::int64_t>(json, "steps");
  manifest.committed = count<std::int64_t>(json, "committed");
  manifest.updates = count<std::int64_t>(json, "updates");
  if (!json.contains("learning_rate")) refuse("/learning_rate", "a number");
  manifest.learning_rate = number_of(json["learning_rate"], "/learning_rate");
  manifest.seed = count<std::uint64_t>(json, "seed");
  if (json.contains("optimizer")) manifest.optimizer = text(json, "optimizer");
  for (const auto& [name, value] : member(json, "metrics", Json::value_t::object, "").items()) {
    manifest.metrics.emplace(name, number_of(value, "/metrics/" + name));
  }
  manifest.extras = member(json, "extras", Json::value_t::object, "").dump();
  if (json.contains("edit_steps")) {
    for (const Json& step : member(json, "edit_steps", Json::value_t::array, "")) {
      if (!step.is_number_integer()) refuse("/edit_steps", "a list of whole numbers");
      manifest.edit_steps.push_back(step.get<std::int64_t>());
    }
  }
  for (const auto& [name, file] : member(json, "files", Json::value_t::object, "").items()) {
    const std::string pointer = "/files/" + name;
    manifest.files.emplace(name,
                           ManifestFile{count<std::uint64_t>(file, "bytes", pointer), text(file, "crc32", pointer)});
  }
  for (const auto& [name, list] : member(json, "tensors", Json::value_t::object, "").items()) {
    if (!list.is_array()) refuse("/tensors/" + name, "a list");
    auto& tensors = manifest.tensors[name];
    for (std::size_t k = 0; k < list.size(); ++k) {
      tensors.push_back(tensor_of(list[k], "/tensors/" + name + "/" + std::to_string(k)));
    }
  }
  return manifest;
}

}  // namespace asg::train
