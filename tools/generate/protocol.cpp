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
  if (const auto values = field.find("additionalProperties"); values != field.end() && values->is_object()) {
    return type_of(*values) + " by name";
  }
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

// What every message and event may carry is said once, at the top of the page.
bool is_told_above(const std::string& kind, const std::string& name, const Json& field) {
  return field.contains("const") || (!kind.empty() && (name == "training" || name == "ask"));
}

std::string field_table(const std::string& kind, const Json& object) {
  std::string rows;
  if (!object.contains("properties")) return rows;
  for (const auto& [name, field] : object.at("properties").items()) {
    if (is_told_above(kind, name, field)) continue;
    const std::string words = words_of(field);
    const char* optional = is_required(object, name) ? "" : words.empty() ? "optional" : "optional; ";
    rows.append("| `").append(name).append("` | ").append(type_of(field)).append(" | ").append(optional).append(words);
    rows += " |\n";
  }
  return rows.empty() ? "" : "\n| field | type | |\n|---|---|---|\n" + rows;
}

// `kind` is "message", "event" or, of what these are made of, "".
void add_section(const std::string& kind, const std::string& name, const Json& object, std::string& page) {
  page += "\n### " + name + "\n\n" + words_of(object) + "\n" + field_table(kind, object);
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
      "every message and event against it. [script.md](script.md) tells how to write a script.\n\n"
      "Each message may carry `training`, the number of the training it is for; each event carries that of the "
      "training it comes from. In the Lab a message may also carry `ask`, a number of the client's choice: the direct "
      "answer, or the refusal, carries the same one.\n";
  const auto add_all = [&](const std::string& heading, const std::string& list) {
    page += "\n## " + heading + "\n";
    if (definitions.at(list).contains("description")) page += "\n" + words_of(definitions.at(list)) + "\n";
    for (const Json& each : definitions.at(list).at("oneOf")) {
      const std::string name = referred(each.at("$ref"));
      const std::size_t dot = name.find('.');
      add_section(name.substr(0, dot), name.substr(dot + 1), definitions.at(name), page);
    }
  };
  add_all("Messages", "message");
  add_all("Events", "event");
  add_all("Messages to the Lab", "lab_message");
  add_all("Events of the Lab", "lab_event");
  page += "\n## What they are made of\n";
  for (const auto& [name, object] : definitions.items()) {
    if (name.find('.') == std::string::npos && !object.contains("oneOf")) add_section("", name, object, page);
  }
  return {"docs/protocol.md", std::move(page)};
}

}  // namespace asg::generate
