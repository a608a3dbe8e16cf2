#include "train/training.h"

#include <algorithm>

namespace asg::train {

ErrorDetail detail_of(const std::exception& error) {
  if (const auto* user = dynamic_cast<const UserError*>(&error)) return user->detail();
  ErrorDetail detail;
  detail.code = ErrorCode::computation_error;
  detail.given = error.what();
  return detail;
}

Training::Training(TrainingSpec spec, Emit emit)
    : batch_(std::move(spec.batch)),
      datasets_(std::move(spec.datasets)),
      at_end_(std::move(spec.at_end)),
      emit_(std::move(emit)),
      trainer_(std::move(spec.model), std::move(spec.backend), std::move(spec.options)) {}

std::unique_ptr<Training> Training::make(TrainingSpec spec, Emit emit) {
  try {
    std::unique_ptr<Training> result(new Training(std::move(spec), emit));
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

void Training::guarded(std::string_view what, const std::function<void()>& action) {
  try {
    action();
  } catch (const std::exception& error) {
    steps_left_ = 0;
    emit_(events::Failed{std::string(what), detail_of(error)});
  }
}

void Training::step() {
  guarded("run", [this] {
    const StepReport report = trainer_.step(batch_(trainer_.steps()));
    emit_(events::StepDone{report.step, report.loss, report.committed});
    if (steps_left_ > 0 && --steps_left_ == 0) emit_(events::Paused{trainer_.steps()});
  });
}

void Training::end() {
  if (at_end_) guarded("stop", [this] { at_end_(trainer_); });
}

void Training::handle(const Message& message) {
  guarded(name_of(message), [&] { std::visit([this](const auto& each) { on(each); }, message); });
}

void Training::on(const messages::Run& message) {
  steps_left_ = message.steps;
  if (steps_left_ == 0) emit_(events::Paused{trainer_.steps()});
}

void Training::on(const messages::Pause& /*message*/) {
  steps_left_ = 0;
  emit_(events::Paused{trainer_.steps()});
}

// A refused edit is an answer, not a failure: the training goes on as it was.
void Training::edit(const char* how, const std::function<EditReport()>& change) {
  try {
    EditReport report = change();
    emit_(events::EditApplied{how, std::move(report)});
  } catch (const UserError& error) {
    emit_(events::EditRefused{how, {error}});
    return;
  }
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
  emit_(events::Returned{message.id, trainer_.steps()});
  tell_ready();
}

void Training::on(const messages::Read& message) {
  emit_(events::ValueRead{message.path, trainer_.read(message.path)});
}

void Training::on(const messages::SetLearningRate& message) {
  trainer_.set_learning_rate(message.rate);
  emit_(events::LearningRateSet{message.rate});
}

void Training::on(const messages::Evaluate& message) {
  const auto dataset = datasets_.find(message.dataset);
  if (dataset == datasets_.end()) {
    std::string known;
    for (const auto& [name, each] : datasets_) known += (known.empty() ? "" : ", ") + name;
    fail(ErrorCode::bad_command, "the dataset '" + message.dataset + "'",
         known.empty() ? "a training with datasets" : "one of: " + known);
  }
  emit_(events::Evaluated{message.dataset, trainer_.evaluate(dataset->second)});
}

void Training::on(const messages::Stop& /*message*/) { fail_internal("the engine stops trainings"); }

}  // namespace asg::train
