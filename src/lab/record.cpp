#include "lab/record.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "asg/optim/json.h"

namespace asg::lab {
namespace {

using RecordJson = nlohmann::ordered_json;

}  // namespace

std::string_view name_of(Condition condition) {
  switch (condition) {
    case Condition::running:
      return "running";
    case Condition::paused:
      return "paused";
    case Condition::stopped:
      return "stopped";
    case Condition::failed:
      return "failed";
  }
  return "";
}

Record::Record(std::string label, const train::TrainingSpec& spec)
    : label_(std::move(label)),
      learning_rate_(spec.options.optimizer.learning_rate()),
      schedule_(optim::to_text(spec.course.schedule)),
      optimizer_(spec.options.optimizer.kind),
      settings_(optim::settings_in_force(spec.options.optimizer)),
      can_save_(!spec.course.saving.folder.empty()),
      last_step_(spec.course.last_step()) {
  for (const auto& [name, data] : spec.datasets) datasets_.push_back(name);
}

// Nothing of a branch is saved where its origin is.
Record::Record(train::TrainingId id, std::string label, const Record& origin) : Record(origin) {
  id_ = id;
  label_ = std::move(label);
  parent_ = Parent{origin.id_, origin.step_};
  condition_ = Condition::paused;
  version_ = 0;
  can_save_ = false;
  snapshots_.clear();
  model_.reset();
  step_graph_.reset();
}

bool Record::take(const train::Event& event) {
  return std::visit([this](const auto& each) { return on(each); }, event);
}

void Record::mark(std::string kind, std::string english, std::string russian) {
  history_.mark(step_, std::move(kind), {std::move(english), std::move(russian)});
}

bool Record::on(const train::events::GraphReady& event) {
  model_ = event.model;
  step_graph_ = event.step;
  version_ = event.version;
  return true;
}

bool Record::on(const train::events::StepDone& event) {
  step_ = event.step;
  history_.take(event);
  return std::exchange(condition_, Condition::running) != Condition::running;
}

bool Record::on(const train::events::Paused& event) {
  step_ = event.step;
  condition_ = event.reason == "failed" ? Condition::failed : Condition::paused;
  return true;
}

bool Record::on(const train::events::EditApplied& event) {
  if (event.how == "undo") {
    mark("edit", "undone", "отменено");
  } else if (event.how == "redo") {
    mark("edit", "done again", "возвращено");
  } else {
    history_.mark(step_, "edit", edit_text_.value_or(train::Sentence{"edited", "правка"}));
  }
  edit_text_.reset();
  return false;
}

bool Record::on(const train::events::SnapshotTaken& event) {
  mark("snapshot", "snapshot " + event.label, "снимок " + event.label);
  return false;
}

bool Record::on(const train::events::Returned& event) {
  step_ = event.step;
  history_.return_to(step_);
  const std::string id = std::to_string(event.id.number);
  mark("snapshot", "returned to snapshot " + id, "возврат к снимку " + id);
  return true;
}

bool Record::set_snapshots(std::vector<train::SnapshotInfo> snapshots) {
  const auto is_same = [](const train::SnapshotInfo& a, const train::SnapshotInfo& b) { return a.id == b.id; };
  if (std::equal(snapshots.begin(), snapshots.end(), snapshots_.begin(), snapshots_.end(), is_same)) return false;
  snapshots_ = std::move(snapshots);
  return true;
}

bool Record::on(const train::events::ResetDone& event) {
  history_.mark(step_, "edit", event.text);
  return false;
}

bool Record::on(const train::events::LearningRateSet& event) {
  learning_rate_ = event.rate;
  if (settings_.find("learning_rate") != nullptr) settings_.set("learning_rate", event.rate);
  const std::string rate = RecordJson(event.rate).dump();
  mark("learning_rate", "learning rate " + rate, "скорость обучения " + rate);
  return true;
}

bool Record::on(const train::events::ScheduleSet& event) {
  schedule_ = optim::to_text(event.schedule);
  mark("learning_rate", "schedule " + schedule_, "расписание " + schedule_);
  return true;
}

bool Record::on(const train::events::OptimizerSet& event) {
  settings_ = event.settings;
  if (const Attr* rate = settings_.find("learning_rate")) learning_rate_ = rate->as_real();
  mark("learning_rate", "other settings of the optimiser", "другие настройки оптимизатора");
  return true;
}

bool Record::on(const train::events::Evaluated& event) {
  history_.take(event);
  return false;
}

bool Record::on(const train::events::CheckpointSaved& event) {
  history_.mark(event.step, "checkpoint", {"checkpoint", "контрольная точка"});
  return false;
}

bool Record::on(const train::events::CheckpointLoaded& event) {
  step_ = event.step;
  history_.return_to(step_);
  mark("checkpoint", "loaded", "загружено");
  return true;
}

bool Record::on(const train::events::Branched& event) {
  history_.mark(event.step, "branch", {"branch " + event.label, "ветвь " + event.label});
  return false;
}

bool Record::on(const train::events::Failed& event) {
  const bool never_began = event.message == "add";
  if (never_began) condition_ = Condition::failed;
  return never_began;
}

bool Record::on(const train::events::Stopped& event) {
  step_ = event.step;
  if (condition_ != Condition::failed || model_ != nullptr) condition_ = Condition::stopped;
  is_gone_ = true;
  snapshots_.clear();
  return true;
}

std::string Record::to_json() const {
  RecordJson parent;
  if (parent_) parent = {{"training", parent_->training.number}, {"step", parent_->step}};
  const RecordJson steps = last_step_ ? RecordJson(*last_step_) : RecordJson();
  RecordJson snapshots = RecordJson::array();
  for (const train::SnapshotInfo& each : snapshots_) {
    snapshots.push_back(
        {{"id", each.id.number}, {"step", each.step}, {"text", {{"en", each.text.en}, {"ru", each.text.ru}}}});
  }
  const RecordJson json = {
      {"id", id_.number},
      {"label", label_},
      {"state", name_of(condition_)},
      {"step", step_},
      {"version", version_},
      {"parent", std::move(parent)},
      {"learning_rate", learning_rate_},
      {"schedule", schedule_},
      {"optimizer", {{"name", optimizer_}, {"settings", RecordJson::parse(optim::to_json(settings_))}}},
      {"datasets", datasets_},
      {"can_save", can_save_},
      {"course", {{"steps", steps}}},
      {"snapshots", std::move(snapshots)}};
  return json.dump(-1, ' ', false, RecordJson::error_handler_t::replace);
}

}  // namespace asg::lab
