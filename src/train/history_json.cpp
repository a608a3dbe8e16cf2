#include "train/history_json.h"

#include <algorithm>
#include <array>

#include "asg/core/error.h"
#include "asg/optim/json.h"
#include "graph/json_dom.h"
#include "train/course_json.h"

namespace asg::train {
namespace {

using Json = nlohmann::json;
using NameOfArray = std::function<std::string(const Array&)>;
using ArrayOfName = std::function<Array(const std::string&)>;

constexpr std::string_view kHistoryFormat = "asg-history";
constexpr int kHistoryVersion = 1;

// ---- Writing

Json json_of(const JournalNote& note) {
  Json json = {{"how", name_of(note.how)}};
  if (note.step >= 0) json["step"] = note.step;
  if (!note.text.en.empty()) json["text"] = {{"en", note.text.en}, {"ru", note.text.ru}};
  return json;
}

Json json_of(const ResizeRule& rule) {
  Json kept = Json::array();
  for (const std::vector<KeptRun>& runs : rule.kept) {
    Json axis = Json::array();
    for (const KeptRun& run : runs) axis.push_back({run.from, run.to, run.count});
    kept.push_back(std::move(axis));
  }
  return {{"variable", rule.variable.number}, {"from", rule.old_sizes}, {"to", rule.new_sizes}, {"kept", kept}};
}

Json json_of(const Change& change, std::int64_t moment, const NameOfArray& name_of_array) {
  Json values = Json::array();
  for (const auto& [id, array] : change.other.variables) {
    values.push_back({{"variable", id.number}, {"tensor", name_of_array(array)}});
  }
  for (const auto& [key, array] : change.other.optimizer) {
    values.push_back({{"variable", key.parameter.number}, {"slot", key.slot}, {"tensor", name_of_array(array)}});
  }
  Json json = {{"how", name_of(change.how)},
               {"is_whole", change.moment == moment},
               {"values", std::move(values)},
               {"learning_rate", json_of_number(change.other.learning_rate)},
               {"optimizer", Json::parse(optim::to_json(change.optimizer))},
               {"base_rate", json_of_number(change.rate.base)},
               {"schedule", Json::parse(optim::to_json(change.rate.schedule))},
               {"seen", json_of_seen(change.rate.seen)}};
  if (!change.resizes) return json;
  json["resizes"] = Json::array();
  for (const ResizeRule& rule : *change.resizes) json["resizes"].push_back(json_of(rule));
  return json;
}

// ---- Reading

JournalEntry::How how_in(const Json& json) {
  using How = JournalEntry::How;
  constexpr std::array kAll = {How::apply,        How::undo,         How::redo,
                               How::reset,        How::set_value,    How::set_learning_rate,
                               How::set_schedule, How::set_optimizer};
  const std::string name = json.at("how").get<std::string>();
  for (const How how : kAll) {
    if (name_of(how) == name) return how;
  }
  fail(ErrorCode::bad_json, "'" + name + "' in the history of a checkpoint", "a kind of change");
}

VarId variable_in(const Json& json) {
  const std::int64_t number = integer_in(json);
  if (number >= 0 && number <= UINT32_MAX) return VarId{static_cast<std::uint32_t>(number)};
  fail(ErrorCode::bad_json, json.dump() + " as a variable", "the number of a variable");
}

JournalNote note_in(const Json& json) {
  JournalNote note{.how = how_in(json)};
  if (json.contains("step")) note.step = integer_in(json["step"]);
  if (json.contains("text")) {
    note.text = {json["text"].at("en").get<std::string>(), json["text"].at("ru").get<std::string>()};
  }
  return note;
}

// Throws where an element would be outside of its axis.
ResizeRule rule_in(const Json& json) {
  ResizeRule rule{.variable = variable_in(json.at("variable")),
                  .old_sizes = json.at("from").get<Sizes>(),
                  .new_sizes = json.at("to").get<Sizes>()};
  const std::size_t rank = rule.new_sizes.size();
  const Json& kept = json.at("kept");
  bool is_right = rule.old_sizes.size() == rank && (kept.empty() || kept.size() == rank);
  const auto is_size = [](std::int64_t size) { return size >= 0; };
  is_right = is_right && std::all_of(rule.old_sizes.begin(), rule.old_sizes.end(), is_size) &&
             std::all_of(rule.new_sizes.begin(), rule.new_sizes.end(), is_size);
  rule.zero_axes.assign(rank, false);
  for (std::size_t axis = 0; is_right && axis < kept.size(); ++axis) {
    std::vector<KeptRun>& runs = rule.kept.emplace_back();
    std::int64_t from = 0, to = 0;  // the ends of the run before
    for (const Json& run : kept[axis]) {
      runs.push_back({run.at(0).get<std::int64_t>(), run.at(1).get<std::int64_t>(), run.at(2).get<std::int64_t>()});
      const KeptRun& last = runs.back();
      is_right = is_right && last.count >= 0 && last.from >= from && last.to >= to &&
                 last.count <= rule.old_sizes[axis] - last.from && last.count <= rule.new_sizes[axis] - last.to;
      if (!is_right) break;
      from = last.from + last.count;
      to = last.to + last.count;
    }
  }
  if (!is_right) {
    fail(ErrorCode::bad_json, "the resize of variable " + json["variable"].dump() + " in the history of a checkpoint",
         "runs of elements in order, inside of both sizes");
  }
  return rule;
}

Change change_in(const Json& json, const ArrayOfName& array_of) {
  Change change{.how = how_in(json)};
  if (change.how == JournalEntry::How::undo || change.how == JournalEntry::How::redo) {
    fail(ErrorCode::bad_json, "an undo as a change that can be undone", "a change");
  }
  change.moment = json.at("is_whole").get<bool>() ? 0 : -1;
  for (const Json& value : json.at("values")) {
    const VarId id = variable_in(value.at("variable"));
    const Array array = array_of(value.at("tensor").get<std::string>());
    if (value.contains("slot")) {
      change.other.optimizer.emplace(optim::StateKey{id, value["slot"].get<std::string>()}, array);
    } else {
      change.other.variables.emplace(id, array);
    }
  }
  change.resizes.reset();
  if (json.contains("resizes")) {
    change.resizes.emplace();
    for (const Json& rule : json["resizes"]) change.resizes->push_back(rule_in(rule));
  }
  change.other.learning_rate = number_in(json.at("learning_rate"));
  change.optimizer = optim::settings_from_json(json.at("optimizer").dump());
  change.rate.base = number_in(json.at("base_rate"));
  change.rate.schedule = optim::schedule_from_json(json.at("schedule").dump());
  change.rate.seen = seen_in(json.at("seen"));
  return change;
}

}  // namespace

std::string to_json(const History& history, const NameOfArray& name_of_array) {
  Json json = {{"format", kHistoryFormat}, {"version", kHistoryVersion}, {"journal", Json::array()}};
  for (const auto& note : history.notes) json["journal"].push_back(json_of(*note));
  const auto list = [&](const History::Changes& changes) {
    Json result = Json::array();
    for (const auto& change : changes) result.push_back(json_of(*change, history.moment, name_of_array));
    return result;
  };
  json["undo"] = list(history.undo);
  json["redo"] = list(history.redo);
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

History history_from_json(std::string_view text, const ArrayOfName& array_of) {
  const Json json = dom_from_text(text, {.max_bytes = std::uint64_t{1} << 30, .max_depth = 64});
  History history;
  try {
    if (json.at("format") != kHistoryFormat) fail(ErrorCode::bad_json, "no history", "\"format\": \"asg-history\"");
    if (integer_in(json.at("version")) > kHistoryVersion) {
      fail(ErrorCode::unsupported_version, "a history of version " + json["version"].dump(),
           "at most version " + std::to_string(kHistoryVersion), "use a newer ASG");
    }
    for (const Json& note : json.at("journal")) {
      history.notes.push_back(std::make_shared<const JournalNote>(note_in(note)));
    }
    for (const Json& change : json.at("undo")) {
      history.undo.push_back(std::make_shared<const Change>(change_in(change, array_of)));
    }
    for (const Json& change : json.at("redo")) {
      history.redo.push_back(std::make_shared<const Change>(change_in(change, array_of)));
    }
  } catch (const Json::exception& error) {
    fail(ErrorCode::bad_json, std::string("the history of a checkpoint: ") + error.what(), "what ASG writes");
  }
  return history;
}

}  // namespace asg::train
