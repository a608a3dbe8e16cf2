#include "asg/recipe/toml.h"

#include <sstream>

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include "recipe/table.h"

namespace asg::recipe {
namespace {

Json json_of(const toml::node& node) {
  if (const auto* table = node.as_table()) {
    Json json = Json::object();
    for (const auto& [key, value] : *table) json[std::string(key.str())] = json_of(value);
    return json;
  }
  if (const auto* array = node.as_array()) {
    Json json = Json::array();
    for (const toml::node& each : *array) json.push_back(json_of(each));
    return json;
  }
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* integer = node.as_integer()) return integer->get();
  if (const auto* number = node.as_floating_point()) return number->get();
  if (const auto* flag = node.as_boolean()) return flag->get();
  const toml::source_position place = node.source().begin;
  fail(ErrorCode::bad_attribute,
       "a date or time in line " + std::to_string(place.line) + ", column " + std::to_string(place.column),
       "texts, numbers, true, false, lists and tables");
}

}  // namespace

Json json_of_toml(std::string_view text) {
  try {
    const toml::table table = toml::parse(text);
    return json_of(table);
  } catch (const toml::parse_error& error) {
    const toml::source_position place = error.source().begin;
    fail(ErrorCode::bad_attribute,
         "a text that is no TOML: " + std::string(error.description()) + " in line " + std::to_string(place.line) +
             ", column " + std::to_string(place.column),
         "TOML", "texts stand in quotes, and a table begins with its name in brackets");
  }
}

std::string toml_text(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  constexpr unsigned char kDelete = 0x7f;
  std::string quoted = "\"";
  for (const char each : text) {
    const auto code = static_cast<unsigned char>(each);
    if (each == '"' || each == '\\') {
      quoted.append({'\\', each});
    } else if (code < ' ' || code == kDelete) {
      quoted.append("\\u00").append({kDigits[code / 16], kDigits[code % 16]});
    } else {
      quoted += each;
    }
  }
  quoted += '"';
  try {
    json_of_toml("text = " + quoted);
  } catch (const UserError&) {
    fail(ErrorCode::bad_attribute, "the text '" + std::string(text) + "' with bytes that are no UTF-8",
         "a text in UTF-8", "rename the file or folder");
  }
  return quoted;
}

}  // namespace asg::recipe
