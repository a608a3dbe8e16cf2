#include <nlohmann/json.hpp>

#include "asg/train/messages.h"
#include "graph/json_dom.h"

namespace asg::train {
namespace {

using Json = nlohmann::json;

constexpr const char* kKnown =
    "run, step, pause, apply, undo, redo, snapshot, return_to, read, set_learning_rate, evaluate, stop";

[[noreturn]] void refuse(std::string given, std::string needed) {
  fail(ErrorCode::bad_command, std::move(given), std::move(needed), R"(write for example {"do": "run", "steps": 10})");
}

// The fields of one message. Every field that is there must have been asked for.
class Fields {
 public:
  Fields(const Json& json, std::string what) : json_(json), what_(std::move(what)) {}

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
  void done() const {
    const std::size_t known = found_ + 1;  // "do"
    if (json_.size() > known)
      refuse("'" + what_ + "' with fields that it does not have: " + json_.dump(), "only its own");
  }

 private:
  const Json& json_;
  std::string what_;
  std::size_t found_ = 0;
};

messages::Run run_of(Fields& fields) {
  messages::Run run;
  const Json* steps = fields.find("steps");
  if (steps == nullptr) return run;
  run.steps = fields.integer(*steps, "steps");
  if (run.steps < 0) refuse("a run of " + std::to_string(run.steps) + " steps", "0 or more, or no 'steps' at all");
  return run;
}

messages::ReturnTo return_of(Fields& fields) {
  const std::int64_t id = fields.integer(fields.need("id"), "id");
  if (id < 0 || id > UINT32_MAX) refuse("snapshot " + std::to_string(id), "the id of a snapshot");
  return {SnapshotId{static_cast<std::uint32_t>(id)}};
}

messages::TakeSnapshot snapshot_of(Fields& fields) {
  const Json* label = fields.find("label");
  return {label == nullptr ? "" : fields.text(*label, "label")};
}

messages::Evaluate evaluation_of(Fields& fields) {
  const Json* dataset = fields.find("dataset");
  return {dataset == nullptr ? "held_out" : fields.text(*dataset, "dataset")};
}

Message message_of(const std::string& name, Fields& fields) {
  if (name == "run") return run_of(fields);
  if (name == "step") return messages::Run{1};
  if (name == "pause") return messages::Pause{};
  if (name == "apply") return messages::Apply{edit_from_json(fields.need("edit").dump())};
  if (name == "undo") return messages::Undo{};
  if (name == "redo") return messages::Redo{};
  if (name == "snapshot") return snapshot_of(fields);
  if (name == "return_to") return return_of(fields);
  if (name == "read") return messages::Read{fields.text(fields.need("path"), "path")};
  if (name == "set_learning_rate") return messages::SetLearningRate{fields.number("rate")};
  if (name == "evaluate") return evaluation_of(fields);
  if (name == "stop") return messages::Stop{};
  refuse("the message '" + name + "'", std::string("one of: ") + kKnown);
}

struct Name {
  std::string_view operator()(const messages::Run&) const { return "run"; }
  std::string_view operator()(const messages::Pause&) const { return "pause"; }
  std::string_view operator()(const messages::Apply&) const { return "apply"; }
  std::string_view operator()(const messages::Undo&) const { return "undo"; }
  std::string_view operator()(const messages::Redo&) const { return "redo"; }
  std::string_view operator()(const messages::TakeSnapshot&) const { return "snapshot"; }
  std::string_view operator()(const messages::ReturnTo&) const { return "return_to"; }
  std::string_view operator()(const messages::Read&) const { return "read"; }
  std::string_view operator()(const messages::SetLearningRate&) const { return "set_learning_rate"; }
  std::string_view operator()(const messages::Evaluate&) const { return "evaluate"; }
  std::string_view operator()(const messages::Stop&) const { return "stop"; }
};

}  // namespace

std::string_view name_of(const Message& message) { return std::visit(Name{}, message); }

Message message_from_json(std::string_view json) {
  const Json dom = dom_from_text(json);
  if (!dom.is_object()) refuse("a line that is no JSON object", "an object with the field 'do'");
  const auto name = dom.find("do");
  if (name == dom.end() || !name->is_string())
    refuse("a line without 'do'", std::string("'do' with one of: ") + kKnown);
  Fields fields(dom, name->get<std::string>());
  Message message = message_of(name->get<std::string>(), fields);
  fields.done();
  return message;
}

}  // namespace asg::train
