#include "lab/requests.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <nlohmann/json.hpp>

#include "asg/core/error.h"
#include "graph/edit_places.h"
#include "graph/json_dom.h"

namespace asg::lab {
namespace {

using RequestJson = nlohmann::json;

constexpr int kDeepest = 100;  // values inside each other
constexpr std::size_t kMostWatched = 256;
constexpr std::int64_t kMostFound = 500;
constexpr std::int64_t kMostElementsSent = std::int64_t{1} << 22;

[[noreturn]] void fail_field(std::string_view field, std::string_view needed) {
  fail(ErrorCode::bad_command, "the field '" + std::string(field) + "'", std::string(needed), "see docs/protocol.md");
}

std::string text_of(const RequestJson& json, const char* field) {
  const auto found = json.find(field);
  if (found == json.end() || !found->is_string()) fail_field(field, "a text");
  return found->get<std::string>();
}

// Of an item, a value or a scope.
std::string path_of(const RequestJson& json, const char* field) {
  std::string path = text_of(json, field);
  check_path_length(path);
  return path;
}

std::int64_t integer_of(const RequestJson& json, const char* field, std::int64_t otherwise, std::int64_t least,
                        std::int64_t most) {
  const auto found = json.find(field);
  if (found == json.end()) return otherwise;
  const std::string needed = "an integer from " + std::to_string(least) + " to " + std::to_string(most);
  if (!found->is_number_integer()) fail_field(field, needed);
  const bool beyond = found->is_number_unsigned() && found->get<std::uint64_t>() > static_cast<std::uint64_t>(most);
  if (beyond || found->get<std::int64_t>() < least) fail_field(field, needed);
  return found->get<std::int64_t>();
}

bool flag_of(const RequestJson& json, const char* field) {
  const auto found = json.find(field);
  if (found == json.end()) return false;
  if (!found->is_boolean()) fail_field(field, "true or false");
  return found->get<bool>();
}

View view_of(const RequestJson& json) {
  const auto view = parse_view(text_of(json, "view"));
  if (!view) fail_field("view", "one of: model, expanded, gradient, optimised, plan");
  return *view;
}

std::vector<std::string> values_of(const RequestJson& json) {
  const auto found = json.find("values");
  const bool is_list = found != json.end() && found->is_array() && found->size() <= kMostWatched;
  if (!is_list ||
      !std::all_of(found->begin(), found->end(), [](const RequestJson& each) { return each.is_string(); })) {
    fail_field("values", "a list of at most " + std::to_string(kMostWatched) + " texts");
  }
  std::vector<std::string> values = found->get<std::vector<std::string>>();
  for (const std::string& value : values) check_path_length(value);
  return values;
}

Question level(const RequestJson& json) { return requests::Level{view_of(json), path_of(json, "scope")}; }
Question describe_item(const RequestJson& json) { return requests::Describe{view_of(json), path_of(json, "path")}; }
Question locate_item(const RequestJson& json) { return requests::Locate{view_of(json), path_of(json, "path")}; }
Question find_items(const RequestJson& json) {
  return requests::Find{view_of(json), path_of(json, "text"),
                        static_cast<std::size_t>(integer_of(json, "limit", 50, 1, kMostFound))};
}
Question subscribe(const RequestJson& json) {
  return requests::Subscribe{values_of(json), flag_of(json, "gradients"), integer_of(json, "every", 1, 1, 1'000'000)};
}
Question read_tensor(const RequestJson& json) {
  return requests::ReadTensor{path_of(json, "value"), flag_of(json, "gradient"),
                              integer_of(json, "limit", 65536, 1, kMostElementsSent)};
}
Question history(const RequestJson& /*json*/) { return requests::History{}; }
Question plan(const RequestJson& /*json*/) { return requests::Plan{}; }
Question ask_costs(const RequestJson& /*json*/) { return requests::AskCosts{}; }
Question open_training(const RequestJson& json) {
  constexpr std::array<std::string_view, 4> kSources = {"zoo", "json", "run", "recipe"};
  const auto source = json.find("source");
  const bool fits = source != json.end() && source->is_object() && source->size() == 1 && source->front().is_string() &&
                    std::find(kSources.begin(), kSources.end(), source->begin().key()) != kSources.end();
  if (!fits) fail_field("source", R"(one of: {"zoo": name}, {"json": file}, {"run": folder}, {"recipe": file})");
  if (const auto data = json.find("data"); data != json.end() && !data->is_string()) fail_field("data", "a text");
  return requests::Open{json.dump()};
}

struct RequestReader {
  Question (*read)(const RequestJson&);
  std::vector<std::string_view> fields;  // beside those that every message may have
};

const std::map<std::string_view, RequestReader>& readers() {
  static const std::map<std::string_view, RequestReader> table = {
      {"level", {level, {"view", "scope"}}},
      {"describe", {describe_item, {"view", "path"}}},
      {"find", {find_items, {"view", "text", "limit"}}},
      {"locate", {locate_item, {"view", "path"}}},
      {"subscribe", {subscribe, {"values", "gradients", "every"}}},
      {"tensor", {read_tensor, {"value", "gradient", "limit"}}},
      {"history", {history, {}}},
      {"plan", {plan, {}}},
      {"costs", {ask_costs, {}}},
      {"open", {open_training, {"source", "data"}}},
  };
  return table;
}

Question read_question(const RequestJson& json, const std::string& name, const RequestReader& reader) {
  for (const auto& [field, value] : json.items()) {
    if (field == "do" || field == "training") continue;
    if (std::find(reader.fields.begin(), reader.fields.end(), field) != reader.fields.end()) continue;
    fail(ErrorCode::bad_command, std::string("'").append(name).append("' with the field '").append(field).append("'"),
         "only fields that it has", "see docs/protocol.md");
  }
  return reader.read(json);
}

}  // namespace

bool Request::changes_something() const {
  if (std::holds_alternative<requests::Open>(question)) return true;
  const auto* message = std::get_if<train::Message>(&question);
  if (message == nullptr) return false;
  constexpr std::array<std::string_view, 3> kLooking = {"read", "journal", "watch"};
  return std::find(kLooking.begin(), kLooking.end(), train::name_of(*message)) == kLooking.end();
}

Request request_from_json(std::string_view text, std::optional<std::int64_t>& ask) {
  RequestJson json = dom_from_text(text, {.max_depth = kDeepest});
  if (!json.is_object()) {
    fail(ErrorCode::bad_json, "a message that is no JSON object", "an object such as {\"do\": \"history\"}");
  }
  if (json.contains("ask")) {
    ask = integer_of(json, "ask", 0, 0, std::int64_t{1} << 53);
    json.erase("ask");
  }
  Request request;
  request.ask = ask;
  request.key = json.dump(-1, ' ', false, RequestJson::error_handler_t::replace);
  request.name = text_of(json, "do");
  request.training =
      train::TrainingId{static_cast<std::uint32_t>(integer_of(json, "training", 1, 1, std::int64_t{1} << 31))};
  const auto reader = readers().find(request.name);
  request.question = reader != readers().end() ? read_question(json, request.name, reader->second)
                                               : Question(train::message_from_json(request.key).message);
  return request;
}

}  // namespace asg::lab
