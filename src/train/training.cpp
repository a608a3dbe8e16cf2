#include "train/training.h"

#include <algorithm>
#include <utility>

namespace asg::train {

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
      trainer_(std::exchange(spec_.model, Graph()), spec_.backend, spec_.options) {}

std::unique_ptr<Training> Training::make(TrainingSpec spec, Emit emit) {
  try {
    check_course(spec.course);
    std::unique_ptr<Training> result(new Training(std::move(spec), emit));
    result->start();
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
  ready.step_nodes = step.graph.node_count();
  for (VarId id : step.parameters) ready.parameters += step.graph.variable(id).type.shape.element_count().value();
  ready.warnings = step.warnings;
  emit_(std::move(ready));
}

// Data and what is told at the end are shared; nothing of the branch is saved where its origin is.
std::unique_ptr<Training> Training::branch(Emit emit) {
  TrainingSpec spec = spec_;
  spec.model = trainer_.model().graph();
  spec.course.saving = {};
  spec.resume = false;
  std::unique_ptr<Training> result(new Training(std::move(spec), std::move(emit)));
  result->trainer_.restore(trainer_.checkpoint());
  result->state_ = state_;
  result->tell_ready();
  return result;
}

void Training::guarded(std::string_view what, const std::function<void()>& action) {
  try {
    action();
  } catch (const std::exception& error) {
    const bool ran = running();
    steps_left_ = 0;
    emit_(events::Failed{std::string(what), detail_of(error)});
    if (ran) emit_(events::Paused{trainer_.steps(), "failed"});
  }
}

void Training::pause(const char* reason) {
  steps_left_ = 0;
  emit_(events::Paused{trainer_.steps(), reason});
}

void Training::end() {
  if (spec_.at_end) guarded("stop", [this] { spec_.at_end(trainer_); });
}

void Training::handle(const Message& message) {
  guarded(name_of(message), [&] { std::visit([this](const auto& each) { on(each); }, message); });
}

void Training::on(const messages::Run& message) {
  steps_left_ = message.steps;
  if (steps_left_ == 0) pause("steps_done");
}

void Training::on(const messages::Pause& /*message*/) { pause("asked"); }

// A refused edit is an answer, not a failure: the training goes on as it was.
void Training::edit(const char* how, const std::function<EditReport()>& change) {
  try {
    EditReport report = change();
    emit_(events::EditApplied{how, std::move(report)});
  } catch (const UserError& error) {
    emit_(events::EditRefused{how, {error}});
    return;
  }
  taps_.reset();
  tell_ready();
}

void Training::on(const messages::Apply& message) {
  const EditReport dry = trainer_.model().check(message.edit).report;
  if (!dry.ok()) {
    emit_(events::EditRefused{"apply", dry.problems});
    return;
  }
  edit("apply", [&] { return trainer_.apply(message.edit); });
}

void Training::on(const messages::Undo& /*message*/) {
  edit("undo", [this] { return trainer_.undo(); });
}

void Training::on(const messages::Redo& /*message*/) {
  edit("redo", [this] { return trainer_.redo(); });
}

void Training::on(const messages::TakeSnapshot& message) {
  const SnapshotId id = trainer_.snapshot(message.label);
  emit_(events::SnapshotTaken{id, message.label, trainer_.steps()});
}

void Training::on(const messages::ReturnTo& message) {
  trainer_.return_to(message.id);
  taps_.reset();
  emit_(events::Returned{message.id, trainer_.steps()});
  tell_ready();
}

void Training::on(const messages::Read& message) {
  emit_(events::ValueRead{message.path, trainer_.read(message.path)});
}

void Training::on(const messages::SetLearningRate& message) {
  trainer_.set_learning_rate(message.rate);
  state_.base_rate = message.rate;
  emit_(events::LearningRateSet{message.rate});
}

void Training::on(const messages::SetValue& message) {
  trainer_.set_value(message.path, message.values);
  emit_(events::ValueSet{message.path});
}

void Training::on(const messages::Watch& message) {
  std::vector<std::string> before = std::exchange(watched_, message.paths);
  taps_.reset();
  try {
    watch_every_ = message.every;
    read_taps();
  } catch (...) {
    watched_ = std::move(before);
    throw;
  }
}

void Training::on(const messages::Evaluate& message) { evaluate(message.dataset); }

void Training::on(const messages::Save& /*message*/) { save(); }

void Training::on(const messages::Load& message) {
  if (message.which != "latest" && message.which != "best") {
    return go_on_from(load_checkpoint(message.which), message.which);
  }
  if (!store_) fail(ErrorCode::bad_command, "'load' in a training without a folder", "a folder with checkpoints");
  const auto loaded = message.which == "latest" ? store_->load_latest() : store_->load_best();
  if (!loaded) {
    fail(ErrorCode::io_error, "the folder '" + store_->folder() + "' without a checkpoint", "one that was saved",
         "`save` first");
  }
  go_on_from(loaded->data, loaded->info.path);
}

void Training::on(const messages::Branch& /*message*/) { fail_internal("the engine branches trainings"); }

void Training::on(const messages::Stop& /*message*/) { fail_internal("the engine stops trainings"); }

}  // namespace asg::train
