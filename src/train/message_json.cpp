#include <utility>

#include <nlohmann/json.hpp>

#include "asg/optim/json.h"
#include "asg/train/messages.h"
#include "graph/json_dom.h"

namespace asg::train {
namespace {

using Json = nlohmann::json;

constexpr const char* kKnown =
    "run, step, pause, apply, undo, redo, journal, snapshot, return_to, read, set_value, set_learning_rate, "
    "set_schedule, set_optimizer, reset, watch, evaluate, save, load, branch, stop";

constexpr std::pair<std::string_view, const char*> kExamples[] = {
    {"run", R"({"do": "run", "steps": 10})"},
    {"apply",
     R"({"do": "apply", "edit": {"commands": [{"do": "replace_op", "at": "block/activation", "op": "Gelu"}]}})"},
    {"snapshot", R"({"do": "snapshot", "label": "before"})"},
    {"return_to", R"({"do": "return_to", "id": 1})"},
    {"read", R"({"do": "read", "path": "head.weight"})"},
    {"set_value", R"({"do": "set_value", "path": "head.bias", "value": 0})"},
    {"set_learning_rate", R"({"do": "set_learning_rate", "rate": 0.001})"},
    {"set_schedule", R"({"do": "set_schedule", "schedule": {"kind": "cosine", "steps": 1000}})"},
    {"set_optimizer", R"({"do": "set_optimizer", "settings": {"weight_decay": 0.1}})"},
    {"reset", R"({"do": "reset", "paths": ["head"]})"},
    {"watch", R"({"do": "watch", "paths": ["head"], "every": 10})"},
    {"evaluate", R"({"do": "evaluate", "dataset": "held_out"})"},
    {"load", R"({"do": "load", "which": "latest"})"},
    {"branch", R"({"do": "branch", "label": "other"})"}};

[[noreturn]] void refuse_message(std::string given, std::string needed, std::string_view name = "run") {
  std::string example = "write {\"do\": \"" + std::string(name) + "\"}";
  for (const auto& [each, text] : kExamples) {
    if (each == name) example = std::string("write for example ") + text;
  }
  fail(ErrorCode::bad_command, std::move(given), std::move(needed), std::move(example));
}

[[noreturn]] void refuse_unknown_message(const std::string& name) {
  std::vector<std::string> known;
  const std::string_view all = kKnown;
  for (std::size_t first = 0, end = 0; end != std::string_view::npos; first = end + 2) {
    end = all.find(", ", first);
    known.emplace_back(all.substr(first, end - first));
  }
  const std::string near = nearest_name(name, known);
  fail(ErrorCode::bad_command, "the message '" + name + "'", std::string("one of: ") + kKnown,
       near.empty() ? "" : "did you mean '" + near + "'?");
}

// The fields of one message. Every field that is there must have been asked for.
class MessageFields {
 public:
  MessageFields(const Json& json, std::string what) : json_(json), what_(std::move(what)) {}

  const Json* find(const char* name) {
    const auto field = json_.find(name);
    if (field == json_.end()) return nullptr;
    ++found_;
    return &*field;
  }
  const Json& need(const char* name) {
    const Json* field = find(name);
    if (field == nullptr) refuse("'" + what_ + "' without '" + name + "'", "the field '" + std::string(name) + "'");
    return *field;
  }
  std::int64_t integer(const Json& field, const char* name) const {
    if (!field.is_number_integer()) refuse("'" + std::string(name) + "' of '" + what_ + "'", "a whole number");
    return field.get<std::int64_t>();
  }
  double number(const char* name) {
    const Json& field = need(name);
    if (!field.is_number()) refuse("'" + std::string(name) + "' of '" + what_ + "'", "a number");
    return field.get<double>();
  }
  std::string text(const Json& field, const char* name) const {
    if (!field.is_string()) refuse("'" + std::string(name) + "' of '" + what_ + "'", "a text");
    return field.get<std::string>();
  }
  std::vector<std::string> texts(const char* name) {
    const Json& field = need(name);
    if (!field.is_array()) refuse("'" + std::string(name) + "' of '" + what_ + "'", "a list of paths");
    std::vector<std::string> result;
    for (const Json& each : field) result.push_back(text(each, name));
    return result;
  }
  bool flag(const Json& field, const char* name) const {
    if (!field.is_boolean()) refuse("'" + std::string(name) + "' of '" + what_ + "'", "true or false");
    return field.get<bool>();
  }
  void done() const {
    const std::size_t known = found_ + 1;  // "do"
    if (json_.size() > known)
      refuse("'" + what_ + "' with fields that it does not have: " + json_.dump(), "only its own");
  }

  [[noreturn]] void refuse(std::string given, std::string needed) const {
    refuse_message(std::move(given), std::move(needed), what_);
  }

 private:
  const Json& json_;
  std::string what_;
  std::size_t found_ = 0;
};

messages::Run run_of(MessageFields& fields) {
  messages::Run run;
  const Json* steps = fields.find("steps");
  if (steps == nullptr) return run;
  run.steps = fields.integer(*steps, "steps");
  if (run.steps < 0)
    fields.refuse("a run of " + std::to_string(run.steps) + " steps", "0 or more, or no 'steps' at all");
  return run;
}

messages::ReturnTo return_of(MessageFields& fields) {
  const std::int64_t id = fields.integer(fields.need("id"), "id");
  if (id < 0 || id > UINT32_MAX) fields.refuse("snapshot " + std::to_string(id), "the id of a snapshot");
  return {SnapshotId{static_cast<std::uint32_t>(id)}};
}

std::string text_or(MessageFields& fields, const char* name, const char* otherwise) {
  const Json* field = fields.find(name);
  return field == nullptr ? otherwise : fields.text(*field, name);
}

messages::SetValue value_of(MessageFields& fields) {
  messages::SetValue message{fields.text(fields.need("path"), "path"), {}};
  const Json& value = fields.need("value");
  const auto add = [&](const Json& number) {
    if (!number.is_number()) fields.refuse("'value' of 'set_value'", "a number, or a list of numbers by rows");
    message.values.push_back(number.get<double>());
  };
  if (value.is_array()) {
    for (const Json& number : value) add(number);
  } else {
    add(value);
  }
  return message;
}

messages::Load load_of(MessageFields& fields) {
  messages::Load message{.which = text_or(fields, "which", "latest")};
  if (const Json* partial = fields.find("partial")) message.partial = fields.flag(*partial, "partial");
  return message;
}

messages::Watch watch_of(MessageFields& fields) {
  messages::Watch message;
  message.paths = fields.texts("paths");
  if (const Json* every = fields.find("every")) message.every = fields.integer(*every, "every");
  if (message.every < 1) fields.refuse("'every' of 'watch'", "at least 1 step");
  if (const Json* gradients = fields.find("gradients")) message.gradients = fields.flag(*gradients, "gradients");
  if (fields.find("share") != nullptr) message.share = fields.number("share");
  if (!(message.share >= 0.001)) fields.refuse("'share' of 'watch'", "at least 0.001 of the time");
  return message;
}

Message message_of(const std::string& name, MessageFields& fields) {
  if (name == "run") return run_of(fields);
  if (name == "step") return messages::Run{1};
  if (name == "pause") return messages::Pause{};
  if (name == "apply") return messages::Apply{edit_from_json(fields.need("edit").dump())};
  if (name == "undo") return messages::Undo{};
  if (name == "redo") return messages::Redo{};
  if (name == "snapshot") return messages::TakeSnapshot{text_or(fields, "label", "")};
  if (name == "return_to") return return_of(fields);
  if (name == "read") return messages::Read{fields.text(fields.need("path"), "path")};
  if (name == "set_learning_rate") return messages::SetLearningRate{fields.number("rate")};
  if (name == "set_value") return value_of(fields);
  if (name == "watch") return watch_of(fields);
  if (name == "evaluate") return messages::Evaluate{text_or(fields, "dataset", "held_out")};
  if (name == "reset") return messages::Reset{fields.texts("paths")};
  if (name == "set_schedule") return messages::SetSchedule{optim::schedule_from_json(fields.need("schedule").dump())};
  if (name == "set_optimizer") return messages::SetOptimizer{optim::settings_from_json(fields.need("settings").dump())};
  if (name == "journal") return messages::Journal{};
  if (name == "save") return messages::Save{};
  if (name == "load") return load_of(fields);
  if (name == "branch") return messages::Branch{text_or(fields, "label", "")};
  if (name == "stop") return messages::Stop{};
  refuse_unknown_message(name);
}

struct MessageName {
  std::string_view operator()(const messages::Run&) const { return "run"; }
  std::string_view operator()(const messages::Pause&) const { return "pause"; }
  std::string_view operator()(const messages::Apply&) const { return "apply"; }
  std::string_view operator()(const messages::Undo&) const { return "undo"; }
  std::string_view operator()(const messages::Redo&) const { return "redo"; }
  std::string_view operator()(const messages::TakeSnapshot&) const { return "snapshot"; }
  std::string_view operator()(const messages::ReturnTo&) const { return "return_to"; }
  std::string_view operator()(const messages::Read&) const { return "read"; }
  std::string_view operator()(const messages::SetLearningRate&) const { return "set_learning_rate"; }
  std::string_view operator()(const messages::SetValue&) const { return "set_value"; }
  std::string_view operator()(const messages::Watch&) const { return "watch"; }
  std::string_view operator()(const messages::Evaluate&) const { return "evaluate"; }
  std::string_view operator()(const messages::Reset&) const { return "reset"; }
  std::string_view operator()(const messages::SetSchedule&) const { return "set_schedule"; }
  std::string_view operator()(const messages::SetOptimizer&) const { return "set_optimizer"; }
  std::string_view operator()(const messages::Journal&) const { return "journal"; }
  std::string_view operator()(const messages::Save&) const { return "save"; }
  std::string_view operator()(const messages::Load&) const { return "load"; }
  std::string_view operator()(const messages::Branch&) const { return "branch"; }
  std::string_view operator()(const messages::Stop&) const { return "stop"; }
};

}  // namespace

std::string_view name_of(const Message& message) { return std::visit(MessageName{}, message); }

AddressedMessage message_from_json(std::string_view json) {
  const Json dom = dom_from_text(json);
  if (!dom.is_object()) refuse_message("a line that is no JSON object", "an object with the field 'do'");
  const auto name = dom.find("do");
  if (name == dom.end() || !name->is_string())
    refuse_message("a line without 'do'", std::string("'do' with one of: ") + kKnown);
  MessageFields fields(dom, name->get<std::string>());
  AddressedMessage result;
  if (const Json* training = fields.find("training")) {
    const std::int64_t number = fields.integer(*training, "training");
    if (number < 1 || number > UINT32_MAX)
      refuse_message("training " + std::to_string(number), "the number of a training");
    result.training = TrainingId{static_cast<std::uint32_t>(number)};
  }
  result.message = message_of(name->get<std::string>(), fields);
  fields.done();
  return result;
}

}  // namespace asg::train
