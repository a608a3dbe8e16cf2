#include "support/protocol.h"

#include <nlohmann/json.hpp>

#include "asg/core/platform.h"
#include "support/schema.h"

namespace asg::test {

using nlohmann::json;

const json& protocol() {
  static const json kSchema = json::parse(platform::read_file(ASG_SOURCE_DIR "/docs/protocol.schema.json"));
  return kSchema;
}

std::set<std::string> protocol_names(const std::string& list) {
  std::set<std::string> names;
  for (const json& each : protocol().at("$defs").at(list).at("oneOf")) {
    const std::string reference = each.at("$ref");
    names.insert(reference.substr(reference.rfind('.') + 1));
  }
  return names;
}

json protocol_example(const std::string& message) {
  return protocol().at("$defs").at("message." + message).at("examples").at(0);
}

std::string protocol_breach(const std::string& kind, const json& value) {
  const char* const field = kind == "message" ? "do" : "event";
  if (!value.is_object() || !value.contains(field)) return "no '" + std::string(field) + "' in " + value.dump();
  const auto definition = protocol().at("$defs").find(kind + "." + value.at(field).get<std::string>());
  if (definition == protocol().at("$defs").end()) return "the schema knows no " + kind + " like " + value.dump();
  return breach(value, *definition, protocol());
}

}  // namespace asg::test
