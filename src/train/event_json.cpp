#include <algorithm>
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "asg/optim/json.h"
#include "asg/train/events.h"

namespace asg::train {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::int64_t kMostElements = 256;  // of a value that is written whole; of a larger one only the first

OrderedJson json_of(const ErrorDetail& error) {
  OrderedJson result = {{"code", name_of(error.code)}, {"given", error.given}, {"needed", error.needed}};
  if (!error.mend.empty()) result["mend"] = error.mend;
  if (!error.node.empty()) result["node"] = error.node;
  if (!error.where.empty()) result["where"] = error.where;
  return result;
}

OrderedJson json_of_way(const Message& message) {
  OrderedJson result = {{"do", name_of(message)}};
  if (const auto* back = std::get_if<messages::ReturnTo>(&message)) result["id"] = back->id.number;
  return result;
}

OrderedJson json_of(const Sentence& words) { return {{"en", words.en}, {"ru", words.ru}}; }

OrderedJson json_of(const Array& array) {
  OrderedJson values = OrderedJson::array();
  for (std::int64_t position = 0; position < std::min(array.count(), kMostElements); ++position) {
    if (is_float(array.dtype())) {
      values.push_back(array.get(position));
    } else {
      values.push_back(array.get_i64(position));
    }
  }
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  double sum = 0;
  for (std::int64_t position = 0; position < array.count(); ++position) {
    const double element = array.get(position);
    least = std::min(least, element);
    most = std::max(most, element);
    sum += element;
  }
  OrderedJson result = {{"type", array.type_string()}};
  if (array.count() > 0) {
    result["min"] = least;
    result["max"] = most;
    result["mean"] = sum / static_cast<double>(array.count());
  }
  result["elided"] = array.count() > kMostElements;
  result["values"] = std::move(values);
  return result;
}

OrderedJson json_of(const EditReport& report) {
  OrderedJson kept = OrderedJson::array();
  OrderedJson others = OrderedJson::array();
  for (const VarChange& change : report.variables) {
    if (change.fate == VarFate::kept) {
      kept.push_back(change.name);
      continue;
    }
    OrderedJson entry = {{"name", change.name}, {"fate", name_of(change.fate)}};
    if (change.fate != VarFate::added) entry["before"] = change.before.to_string();
    if (change.fate != VarFate::dropped) entry["after"] = change.after.to_string();
    if (change.policy) entry["policy"] = name_of(*change.policy);
    others.push_back(std::move(entry));
  }
  OrderedJson types = OrderedJson::array();
  for (const TypeChange& change : report.type_changes) {
    types.push_back(
        {{"path", change.path}, {"before", change.before.to_string()}, {"after", change.after.to_string()}});
  }
  OrderedJson result = {{"kept", std::move(kept)}, {"changed", std::move(others)}, {"type_changes", std::move(types)}};
  if (report.policy) result["policy"] = name_of(*report.policy);
  if (report.not_preserved) result["not_preserved"] = report.not_preserved->detail().given;
  return result;
}

OrderedJson json_of(const Histogram& histogram) {
  OrderedJson counts = OrderedJson::array();
  for (const double count : histogram.counts) counts.push_back(static_cast<std::int64_t>(count));
  return {{"low", histogram.min},
          {"high", histogram.max},
          {"sampled", histogram.count + histogram.not_finite},
          {"counts", std::move(counts)}};
}

// Of no finite elements there is nothing to tell.
void add_statistics_to(OrderedJson& out, const TapStatistics& statistics) {
  const bool is_known = statistics.not_finite < statistics.count;
  const auto number = [&](double value) { return is_known ? OrderedJson(value) : OrderedJson(); };
  OrderedJson preview = OrderedJson::array();
  for (std::int64_t k = 0; k < statistics.preview.count(); ++k) preview.push_back(statistics.preview.get(k));
  out["count"] = statistics.count;
  out["not_finite"] = statistics.not_finite;
  out["mean"] = number(statistics.mean);
  out["deviation"] = number(statistics.deviation);
  out["min"] = number(statistics.least);
  out["max"] = number(statistics.greatest);
  out["preview"] = std::move(preview);
  out["histogram"] = is_known ? json_of(statistics.histogram) : OrderedJson();
}

OrderedJson json_of(const std::string& path, const TapReading& reading) {
  OrderedJson result = {{"path", path}};
  add_statistics_to(result, reading);
  if (reading.gradient) add_statistics_to(result["gradient"], *reading.gradient);
  return result;
}

OrderedJson json_of(const JournalEntry& entry) {
  OrderedJson result = {{"id", entry.id}};
  if (entry.step >= 0) result["step"] = entry.step;
  result["how"] = name_of(entry.how);
  result["text"] = json_of(entry.text);
  result["undone"] = entry.undone;
  if (entry.edit != nullptr) result["edit"] = OrderedJson::parse(to_json(*entry.edit));
  if (entry.snapshot) result["snapshot"] = entry.snapshot->number;
  return result;
}

// Adds to `out` what an event says beyond its name.
struct Fields {
  OrderedJson& out;

  void operator()(const events::GraphReady& event) const {
    out["model_nodes"] = event.model->node_count();
    out["step_nodes"] = event.step_nodes;
    out["parameters"] = event.parameters;
    out["warnings"] = event.warnings;
    out["version"] = event.version;
  }
  void operator()(const events::StepDone& event) const {
    out["step"] = event.step;
    if (event.epoch > 0) out["epoch"] = event.epoch;
    out["loss"] = event.loss;
    out["learning_rate"] = event.learning_rate;
    if (event.gradient_norm) out["gradient_norm"] = *event.gradient_norm;
    out["committed"] = event.committed;
    out["seconds"] = event.seconds;
  }
  void operator()(const events::EpochDone& event) const {
    out["epoch"] = event.epoch;
    out["step"] = event.step;
    out["loss"] = event.loss;
    out["seconds"] = event.seconds;
  }
  void operator()(const events::Paused& event) const {
    out["step"] = event.step;
    out["reason"] = event.reason;
  }
  void operator()(const events::Warned& event) const {
    out["text"] = json_of(event.text);
    if (!event.node.empty()) out["node"] = event.node;
  }
  void operator()(const events::EditApplied& event) const {
    out["how"] = event.how;
    out.update(json_of(event.report));
  }
  void operator()(const events::EditRefused& event) const {
    out["how"] = event.how;
    out["problems"] = OrderedJson::array();
    for (const UserError& problem : event.problems) out["problems"].push_back(json_of(problem.detail()));
  }
  void operator()(const events::SnapshotTaken& event) const {
    out["id"] = event.id.number;
    out["label"] = event.label;
    out["step"] = event.step;
  }
  void operator()(const events::Returned& event) const {
    out["id"] = event.id.number;
    out["step"] = event.step;
  }
  void operator()(const events::ValueRead& event) const {
    out["path"] = event.path;
    out["value"] = json_of(event.value);
  }
  void operator()(const events::ValueSet& event) const { out["path"] = event.path; }
  void operator()(const events::LearningRateSet& event) const { out["rate"] = event.rate; }
  void operator()(const events::ResetDone& event) const { out["variables"] = event.variables; }
  void operator()(const events::ScheduleSet& event) const {
    out["schedule"] = OrderedJson::parse(optim::to_json(event.schedule));
    out["text"] = optim::to_text(event.schedule);
  }
  void operator()(const events::OptimizerSet& event) const {
    out["name"] = event.name;
    out["settings"] = OrderedJson::parse(optim::to_json(event.settings));
    out["graph_changed"] = event.graph_changed;
  }
  void operator()(const events::Journal& event) const {
    out["entries"] = OrderedJson::array();
    for (const JournalEntry& entry : event.entries) out["entries"].push_back(json_of(entry));
    out["can_undo"] = event.can_undo;
    out["can_redo"] = event.can_redo;
  }
  void operator()(const events::NotFinite& event) const {
    out["step"] = event.step;
    out["view"] = "model";
    out["path"] = event.path;
    out["op"] = event.op;
    out["what"] = json_of(event.what);
    out["count"] = event.count;
  }
  void operator()(const events::CheckpointSaved& event) const {
    out["step"] = event.step;
    out["path"] = event.path;
    out["is_best"] = event.is_best;
  }
  void operator()(const events::CheckpointLoaded& event) const {
    out["step"] = event.step;
    out["path"] = event.path;
    if (!event.part) return;
    OrderedJson& part = out["part"] = {{"loaded", event.part->loaded}, {"skipped", OrderedJson::array()}};
    for (const auto& [name, why] : event.part->skipped) part["skipped"].push_back({{"name", name}, {"why", why}});
    part["left"] = event.part->left;
    part["optimizer"] = event.part->optimizer_loaded;
  }
  void operator()(const events::Branched& event) const {
    out["branch"] = event.branch.number;
    out["label"] = event.label;
    out["step"] = event.step;
  }
  void operator()(const events::Watched& event) const {
    out["step"] = event.step;
    out["values"] = OrderedJson::array();
    for (std::size_t k = 0; k < event.readings.size(); ++k) {
      out["values"].push_back(json_of(event.paths[k], event.readings[k]));
    }
  }
  void operator()(const events::Evaluated& event) const {
    out["step"] = event.step;
    out["dataset"] = event.dataset;
    out["examples"] = event.result.examples;
    out["loss"] = event.result.loss;
    if (event.result.accuracy) out["accuracy"] = *event.result.accuracy;
    if (!event.result.metrics.empty()) out["metrics"] = event.result.metrics;
  }
  void operator()(const events::Failed& event) const {
    out["message"] = event.message;
    out["error"] = json_of(event.error);
    for (const Message& message : event.way_back) out["way_back"].push_back(json_of_way(message));
  }
  void operator()(const events::Stopped& event) const { out["step"] = event.step; }
};

struct EventName {
  std::string_view operator()(const events::GraphReady&) const { return "graph_ready"; }
  std::string_view operator()(const events::StepDone&) const { return "step_done"; }
  std::string_view operator()(const events::EpochDone&) const { return "epoch_done"; }
  std::string_view operator()(const events::Paused&) const { return "paused"; }
  std::string_view operator()(const events::Warned&) const { return "warned"; }
  std::string_view operator()(const events::EditApplied&) const { return "edit_applied"; }
  std::string_view operator()(const events::EditRefused&) const { return "edit_refused"; }
  std::string_view operator()(const events::SnapshotTaken&) const { return "snapshot_taken"; }
  std::string_view operator()(const events::Returned&) const { return "returned"; }
  std::string_view operator()(const events::ValueRead&) const { return "value_read"; }
  std::string_view operator()(const events::ValueSet&) const { return "value_set"; }
  std::string_view operator()(const events::LearningRateSet&) const { return "learning_rate_set"; }
  std::string_view operator()(const events::ResetDone&) const { return "reset_done"; }
  std::string_view operator()(const events::ScheduleSet&) const { return "schedule_set"; }
  std::string_view operator()(const events::OptimizerSet&) const { return "optimizer_set"; }
  std::string_view operator()(const events::Journal&) const { return "journal"; }
  std::string_view operator()(const events::NotFinite&) const { return "not_finite"; }
  std::string_view operator()(const events::CheckpointSaved&) const { return "checkpoint_saved"; }
  std::string_view operator()(const events::CheckpointLoaded&) const { return "checkpoint_loaded"; }
  std::string_view operator()(const events::Branched&) const { return "branched"; }
  std::string_view operator()(const events::Watched&) const { return "watched"; }
  std::string_view operator()(const events::Evaluated&) const { return "evaluated"; }
  std::string_view operator()(const events::Failed&) const { return "failed"; }
  std::string_view operator()(const events::Stopped&) const { return "stopped"; }
};

}  // namespace

std::string_view name_of(const Event& event) { return std::visit(EventName{}, event); }

std::string to_json(TrainingId training, const Event& event) {
  OrderedJson out = {{"event", name_of(event)}, {"training", training.number}};
  std::visit(Fields{out}, event);
  return out.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace asg::train
