#include <nlohmann/json.hpp>

#include "asg/core/platform.h"
#include "generate.h"

namespace asg::generate {
namespace {

using Json = nlohmann::ordered_json;

std::string joined(const Json& list, std::string_view between) {
  std::string text;
  for (const Json& each : list) {
    if (!text.empty()) text += between;
    text += each.get<std::string>();
  }
  return text;
}

// "#/$defs/error" → "error"
std::string referred(const std::string& reference) { return reference.substr(reference.rfind('/') + 1); }

std::string type_of(const Json& field) {
  if (const auto reference = field.find("$ref"); reference != field.end()) return referred(*reference);
  if (const auto choices = field.find("oneOf"); choices != field.end()) {
    std::string text;
    for (const Json& choice : *choices) text += (text.empty() ? "" : " or ") + type_of(choice);
    return text;
  }
  const auto type = field.find("type");
  if (type == field.end()) return "";
  if (type->is_array()) return joined(*type, " or ");
  if (*type == "array") return "list of " + type_of(field.at("items"));
  return *type;
}

std::string words_of(const Json& field) {
  std::string text = field.value("description", "");
  if (const auto choices = field.find("enum"); choices != field.end()) text += ": `" + joined(*choices, "`, `") + "`";
  return text;
}

bool is_required(const Json& object, const std::string& field) {
  const auto required = object.find("required");
  return required != object.end() && std::find(required->begin(), required->end(), field) != required->end();
}

std::string field_table(const Json& object) {
  std::string rows;
  for (const auto& [name, field] : object.at("properties").items()) {
    if (field.contains("const") || name == "training") continue;
    rows += "| `" + name + "` | " + type_of(field) + " | " + (is_required(object, name) ? "" : "optional; ") +
            words_of(field) + " |\n";
  }
  return rows.empty() ? "" : "\n| field | type | |\n|---|---|---|\n" + rows;
}

void add_section(const std::string& name, const Json& object, std::string& page) {
  page += "\n### " + name + "\n\n" + object.at("description").get<std::string>() + "\n" + field_table(object);
  if (const auto answers = object.find("x-answered-by"); answers != object.end()) {
    page += "\nAnswered by " + joined(*answers, " or ") + ".\n";
  }
  if (const auto examples = object.find("examples"); examples != object.end()) {
    page += "\n```json\n" + examples->at(0).dump() + "\n```\n";
  }
}

}  // namespace

File protocol_page(const std::string& root) {
  const Json schema = Json::parse(platform::read_file(root + "/docs/protocol.schema.json"));
  const Json& definitions = schema.at("$defs");
  std::string page =
      "# The protocol of a training\n\n<!-- Made from protocol.schema.json by `make generate`. -->\n\n" +
      schema.at("description").get<std::string>() +
      " [protocol.schema.json](protocol.schema.json) says it to programs; this page is made from it, and tests hold "
      "every "
      "message and event against it. [script.md](script.md) tells how to write a script.\n\nEach message may carry "
      "`training`, the number of the training it is for; each event carries that of the training it comes from.\n";
  const auto add_all = [&](const std::string& kind) {
    for (const Json& each : definitions.at(kind).at("oneOf")) {
      const std::string name = referred(each.at("$ref"));
      add_section(name.substr(kind.size() + 1), definitions.at(name), page);
    }
  };
  page += "\n## Messages\n";
  add_all("message");
  page += "\n## Events\n";
  add_all("event");
  page += "\n## What they are made of\n";
  for (const auto& [name, object] : definitions.items()) {
    if (name.find('.') == std::string::npos && name != "message" && name != "event") add_section(name, object, page);
  }
  return {"docs/protocol.md", std::move(page)};
}

}  // namespace asg::generate
