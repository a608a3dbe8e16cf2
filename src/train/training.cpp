#include "train/training.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "asg/optim/json.h"

namespace asg::train {

namespace {

Sentence words_of_load(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().string();
  return {"before: loaded " + name, "перед: загрузка " + name};
}

}  // namespace

ErrorDetail detail_of(const std::exception& error) {
  if (const auto* user = dynamic_cast<const UserError*>(&error)) return user->detail();
  ErrorDetail detail;
  detail.code = ErrorCode::computation_error;
  detail.given = error.what();
  return detail;
}

Training::Training(TrainingSpec spec, Emit emit)
    : spec_(std::move(spec)),
      emit_(std::move(emit)),
      trainer_(std::exchange(spec_.model, Graph()), spec_.backend, spec_.options) {
  Feed feed;
  feed.batch = [this] { return like_next_batch(); };
  for (const auto& [name, dataset] : spec_.datasets) feed.evaluated.push_back(dataset);
  feed.evaluation = {.metrics = spec_.course.metrics, .mean = spec_.course.evaluate_mean};
  if (spec_.course.early_stopping.patience > 0) feed.watched_figure = spec_.course.early_stopping.metric;
  trainer_.set_feed(std::move(feed));
}

// Data that fail are told by the step that reads them.
NamedArrays Training::like_next_batch() {
  if (!batch_.empty()) return batch_;
  try {
    batch_ = spec_.batch(trainer_.steps());
  } catch (const std::exception&) {
    batch_.clear();
  }
  return batch_;
}

std::unique_ptr<Training> Training::make(TrainingSpec spec, Emit emit) {
  try {
    check_course(spec.course);
    std::unique_ptr<Training> result(new Training(std::move(spec), emit));
    result->start();
    if (result->spec_.before_start) result->spec_.before_start();
    result->tell_ready();
    return result;
  } catch (const std::exception& error) {
    emit(events::Failed{"add", detail_of(error)});
    emit(events::Stopped{0});
    return nullptr;
  }
}

void Training::tell_ready() {
  const StepGraph& step = trainer_.step_graph();
  events::GraphReady ready;
  ready.model = std::make_shared<const Graph>(trainer_.model().graph());
  ready.step = std::make_shared<const StepGraph>(step);
  ready.step_nodes = step.graph.node_count();
  for (VarId id : step.parameters) ready.parameters += step.graph.variable(id).type.shape.element_count().value();
  ready.warnings = step.warnings;
  ready.version = trainer_.version();
  emit_(std::move(ready));
}

// Data and what is told at the end are shared; nothing of the branch is saved where its origin is.
std::unique_ptr<Training> Training::branch(Emit emit) {
  TrainingSpec spec = spec_;
  spec.model = trainer_.model().graph();
  spec.options.optimizer = trainer_.optimizer();
  spec.options.empty_group = optim::EmptyGroup::is_warning;  // an edit may have taken the parameters of one away
  spec.course.saving = {};
  spec.resume = false;
  std::unique_ptr<Training> result(new Training(std::move(spec), std::move(emit)));
  result->trainer_.restore(trainer_.checkpoint());
  result->trainer_.look_on_batch_of(trainer_);
  result->take_course(course_state());
  return result;
}

void Training::answer(std::string_view what, const std::function<void()>& action) {
  try {
    action();
  } catch (const std::exception& error) {
    emit_(events::Failed{std::string(what), detail_of(error)});
  }
}

void Training::guarded(std::string_view what, const std::function<void()>& action) {
  try {
    action();
  } catch (const std::exception& error) {
    const bool ran = running();
    steps_left_ = 0;
    emit_(events::Failed{std::string(what), detail_of(error), way_back()});
    if (ran) emit_(events::Paused{trainer_.steps(), "failed"});
  }
}

// A change of the model may be why the training cannot go on.
std::vector<Message> Training::way_back() const {
  std::vector<Message> way;
  if (trainer_.can_undo()) way.emplace_back(messages::Undo{});
  const std::vector<SnapshotInfo> taken = trainer_.snapshots();
  if (!taken.empty()) way.emplace_back(messages::ReturnTo{taken.back().id});
  return way;
}

void Training::pause(const char* reason) {
  steps_left_ = 0;
  read_taps_at_rest();
  emit_(events::Paused{trainer_.steps(), reason});
}

void Training::end() {
  if (spec_.at_end) answer("stop", [this] { spec_.at_end(trainer_); });
}

void Training::handle(const Message& message) {
  answer(name_of(message), [&] { std::visit([this](const auto& each) { on(each); }, message); });
}

void Training::show(const Engine::Look& look) {
  answer("ask", [&] { look(&trainer_); });
}

void Training::on(const messages::Run& message) {
  steps_left_ = message.steps;
  is_beyond_end_ = is_over() && !message.within_course;
  if (steps_left_ == 0) pause("steps_done");
}

void Training::on(const messages::Pause& /*message*/) { pause("asked"); }

// A refused edit is an answer, not a failure: the training goes on as it was.
void Training::edit(const char* how, const std::function<EditReport()>& change) {
  const InForce before = in_force();
  std::optional<EditReport> report;
  try {
    report = change();
  } catch (const UserError& error) {
    emit_(events::EditRefused{how, {error}});
    return;
  }
  emit_(events::EditApplied{how, *std::move(report)});
  changed();
  keep_courses();
  forget();
  tell_settings(before);
  tell_ready();
  read_again();
}

void Training::changed() {
  saved_step_ = -1;
  metrics_hold_ = false;
}

void Training::forget() {
  taps_.reset();
  told_not_finite_ = false;
}

void Training::on(const messages::Apply& message) {
  EditOutcome checked = trainer_.model().check(message.edit);
  if (!checked.report.ok()) {
    emit_(events::EditRefused{"apply", checked.report.problems});
    return;
  }
  edit("apply", [&] { return trainer_.apply(message.edit, std::move(checked)); });
}

void Training::on(const messages::Undo& /*message*/) {
  edit("undo", [this] { return trainer_.undo(); });
}

void Training::on(const messages::Redo& /*message*/) {
  edit("redo", [this] { return trainer_.redo(); });
}

void Training::on(const messages::TakeSnapshot& message) {
  const SnapshotId id = trainer_.snapshot(message.label);
  keep_courses();
  emit_(events::SnapshotTaken{id, message.label, trainer_.steps()});
}

void Training::on(const messages::ReturnTo& message) {
  const InForce before = in_force();
  trainer_.return_to(message.id);
  take_course(courses_.at(message.id));
  changed();
  forget();
  emit_(events::Returned{message.id, trainer_.steps()});
  tell_settings(before);
  tell_ready();
  read_again();
}

Training::InForce Training::in_force() const { return {trainer_.rate_settings(), trainer_.optimizer().settings}; }

void Training::tell_settings(const InForce& before) {
  const InForce now = in_force();
  if (now.rate.base != before.rate.base) emit_(events::LearningRateSet{now.rate.base});
  if (now.rate.schedule != before.rate.schedule) emit_(events::ScheduleSet{now.rate.schedule});
  if (now.optimizer != before.optimizer) tell_optimizer(true);
}

// Remembers where the course stands for the snapshots that were just taken, and forgets it for those that are gone.
void Training::keep_courses() {
  std::map<SnapshotId, CourseState> courses;
  for (const SnapshotInfo& snapshot : trainer_.snapshots()) {
    const auto known = courses_.find(snapshot.id);
    courses.emplace(snapshot.id, known == courses_.end() ? course_state() : std::move(known->second));
  }
  courses_ = std::move(courses);
}

void Training::on(const messages::Read& message) {
  emit_(events::ValueRead{message.path, trainer_.read(message.path)});
}

void Training::on(const messages::SetLearningRate& message) {
  trainer_.set_base_rate(message.rate);
  saved_step_ = -1;
  emit_(events::LearningRateSet{message.rate});
}

void Training::on(const messages::SetValue& message) {
  const InForce before = in_force();
  trainer_.set_value(message.path, message.values);
  changed();
  told_not_finite_ = false;
  emit_(events::ValueSet{message.path});
  tell_settings(before);  // the learning rate is a value too
  read_again();
}

void Training::on(const messages::Reset& message) {
  std::vector<std::string> names = trainer_.reset(message.paths);
  changed();
  keep_courses();
  forget();
  emit_(events::ResetDone{std::move(names), words_of_reset(message.paths)});
  read_again();
}

// The number of updates goes on; what a schedule has seen of a metric begins anew.
void Training::on(const messages::SetSchedule& message) {
  Course course = spec_.course;
  course.schedule = message.schedule;
  check_course(course);
  trainer_.set_schedule(message.schedule);
  saved_step_ = -1;
  emit_(events::ScheduleSet{message.schedule});
}

void Training::on(const messages::SetOptimizer& message) {
  const bool is_new = trainer_.set_optimizer(message.settings);
  saved_step_ = -1;
  tell_optimizer(is_new);
  if (!is_new) return;
  forget();
  tell_ready();
}

void Training::tell_optimizer(bool graph_changed) {
  const optim::Optimizer& optimizer = trainer_.optimizer();
  Attrs settings = optim::settings_in_force(optimizer);
  settings.set("learning_rate", trainer_.rate_settings().base);
  emit_(events::OptimizerSet{optimizer.kind, std::move(settings), graph_changed});
}

void Training::on(const messages::Journal& /*message*/) {
  emit_(events::Journal{trainer_.journal(), trainer_.can_undo(), trainer_.can_redo()});
}

void Training::on(const messages::Watch& message) {
  const auto is_unknown = [this](const std::string& path) { return !trainer_.has_value(path); };
  if (std::any_of(message.paths.begin(), message.paths.end(), is_unknown)) {
    trainer_.watch_paths(message.paths);  // throws, with help
  }
  messages::Watch before = std::exchange(watched_, message);
  reading_.set_share(message.share);
  taps_.reset();
  try {
    // A training that runs makes and reads them after one of its next steps, when there is time.
    if (!running() || watched_.share >= 1) read_taps();
  } catch (...) {
    watched_ = std::move(before);
    reading_.set_share(watched_.share);
    taps_.reset();
    throw;
  }
}

// Statistics of where the training stands now, unless they were told already.
void Training::read_taps_at_rest() {
  if (watched_.share < 1 && !watched_.paths.empty() && read_step_ != trainer_.steps()) try_taps();
}

// What is watched, after a change while the training waits: on the last batch, without training.
void Training::read_again() {
  if (!running() && !watched_.paths.empty() && trainer_.has_batch()) try_taps();
}

void Training::on(const messages::Evaluate& message) { evaluate(message.dataset); }

void Training::on(const messages::Save& /*message*/) { save(); }

void Training::on(const messages::Load& message) {
  const auto go_on = [&](const CheckpointData& data, const std::string& path) {
    const CourseState before = course_state();
    const SnapshotId id = trainer_.change_with_snapshot(words_of_load(path), [&] {
      message.partial ? load_partly(data, path) : go_on_from(data, course_of(data), path);
    });
    courses_.emplace(id, before);
    keep_courses();
    tell_ready();
    read_again();
  };
  if (message.which != "latest" && message.which != "best") return go_on(load_checkpoint(message.which), message.which);
  if (!store_) fail(ErrorCode::bad_command, "'load' in a training without a folder", "a folder with checkpoints");
  const auto loaded = message.which == "latest" ? store_->load_latest() : store_->load_best();
  if (!loaded) {
    fail(ErrorCode::io_error, "the folder '" + store_->folder() + "' without a checkpoint", "one that was saved",
         "`save` first");
  }
  go_on(loaded->data, loaded->info.path);
}

// Other values for the same model; the training is where it was.
void Training::load_partly(const CheckpointData& data, const std::string& path) {
  RestoreReport report = trainer_.restore_partly(data);
  changed();
  told_not_finite_ = false;
  emit_(events::CheckpointLoaded{trainer_.steps(), path, std::move(report)});
}

void Training::on(const messages::Branch& /*message*/) { fail_internal("the engine branches trainings"); }

void Training::on(const messages::Stop& /*message*/) { fail_internal("the engine stops trainings"); }

}  // namespace asg::train
