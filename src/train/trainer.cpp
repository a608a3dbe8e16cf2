#include "asg/train/trainer.h"

#include <cmath>

#include "asg/graph/validate.h"

namespace asg::train {

Trainer::Trainer(Graph model, std::shared_ptr<Backend> backend, TrainerOptions options)
    : backend_(std::move(backend)), options_(std::move(options)), model_(std::move(model)) {
  internal_check(backend_ != nullptr, "a trainer needs a backend");
  validate(model_.graph());
  built_ = build(model_.graph(), options_.optimizer, options_.empty_group);
  write_state(built_, initial_state(built_.step, model_.graph(), options_.optimizer, options_.seed));
  rate_.base = learning_rate();
}

Trainer::Built Trainer::build(const Graph& model, const optim::Optimizer& optimizer, optim::EmptyGroup empty) const {
  Built result;
  const CompileOptions training = {.mode = Mode::train, .bf16 = options_.bf16};
  result.step = make_step(model, options_.loss, optimizer, empty);
  result.executable = backend_->compile(result.step.graph, training);
  if (result.step.apply) {
    result.accumulation = std::make_unique<Accumulation>(result.step, *backend_, *result.executable, training);
  }
  const auto outputs = result.executable->graph().outputs();
  while (outputs[result.loss].name != options_.loss) ++result.loss;
  return result;
}

void Trainer::write_state(Built& built, const TrainingState& state) const {
  // Looked at first, so that a state that does not fit changes nothing.
  for (const auto& [key, id] : built.step.updates.state) {
    if (state.optimizer.contains(key)) continue;
    fail(ErrorCode::missing_value, "no value for '" + built.step.graph.variable(id).name + "' in the state",
         "the state of a training with the same optimiser", "set the optimiser that the state was taken with");
  }
  check_learning_rate(built, state.learning_rate);
  const auto check_fits = [&](VarId id, const Array& value) {
    const Variable& variable = built.step.graph.variable(id);
    const TensorType given = {value.dtype(), Shape::of(value.sizes())};
    if (given == variable.type || !variable.type.shape.is_known()) return;
    fail(ErrorCode::type_mismatch, given.to_string() + " for the variable '" + variable.name + "'",
         variable.type.to_string(), "take the state of a training of the same model");
  };
  for (const auto& [id, value] : state.variables) {
    if (built.step.graph.has(id)) check_fits(id, value);
  }
  for (const auto& [key, id] : built.step.updates.state) check_fits(id, state.optimizer.at(key));
  for (const auto& [id, value] : state.variables) {
    if (built.step.graph.has(id)) built.executable->write(id, value);
  }
  for (const auto& [key, id] : built.step.updates.state) built.executable->write(id, state.optimizer.at(key));
  write_learning_rate(built, state.learning_rate);
}

// In the dtype that the step has it in. A rate that is infinite there would ruin all parameters at once.
void Trainer::check_learning_rate(const Built& built, double rate) {
  const DType dtype = built.step.graph.variable(built.step.updates.learning_rate).type.dtype;
  if (rate >= 0 && std::isfinite(Array::scalar(dtype, rate).get(0))) return;
  fail(ErrorCode::bad_attribute, "a learning rate of " + Attr(rate).to_string(),
       "a number of at least 0 that " + std::string(name_of(dtype)) + " holds");
}

void Trainer::write_learning_rate(Built& built, double rate) {
  check_learning_rate(built, rate);
  const VarId variable = built.step.updates.learning_rate;
  built.executable->write(variable, Array::scalar(built.step.graph.variable(variable).type.dtype, rate));
}

TrainingState Trainer::state_by(const std::function<Array(VarId)>& value_of) const {
  TrainingState result;
  for (VarId id : model_.graph().variable_ids()) result.variables.emplace(id, value_of(id));
  for (const auto& [key, id] : built_.step.updates.state) result.optimizer.emplace(key, value_of(id));
  result.learning_rate = learning_rate();
  result.steps = steps_;
  result.committed = committed_;
  result.updates = updates_;
  return result;
}

TrainingState Trainer::state() const {
  return state_by([&](VarId id) { return built_.executable->read(id); });
}

TrainingState Trainer::held_state() {
  return state_by([&](VarId id) { return built_.executable->lend(id); });
}

void Trainer::set_state(const TrainingState& state) {
  write_state(built_, state);
  steps_ = state.steps;
  committed_ = state.committed;
  updates_ = state.updates;
  ++history_.moment;
  values_changed();
}

double Trainer::learning_rate() const { return built_.executable->read(built_.step.updates.learning_rate).get(0); }

void Trainer::set_learning_rate(double rate) { write_learning_rate(built_, rate); }

void Trainer::set_profiling(bool on) {
  options_.profile = on;
  if (!on) built_.executable->set_profiling(false);  // on: after the next step, which may have to compile
}

const std::string& Trainer::input_of(const std::string& field) const {
  if (field == data::kFeatures) return options_.features;
  return field == data::kLabels ? options_.labels : field;
}

NamedArrays Trainer::inputs_of(NamedArrays batch) const {
  NamedArrays result;
  for (auto& [field, array] : batch) result[input_of(field)] = std::move(array);
  return result;
}

std::vector<Array> Trainer::by_position(const NamedArrays& batch) const {
  const Graph& graph = built_.executable->graph();
  std::vector<Array> result;
  for (const NodeId id : graph.inputs()) {
    const auto value = batch.find(graph.node(id).path());
    if (value == batch.end()) {
      std::string given;
      for (const auto& [name, array] : batch) given += (given.empty() ? "" : ", ") + name;
      fail(ErrorCode::missing_value, "no value for input '" + graph.node(id).path() + "'",
           "a value of type " + graph.type({id, 0}).to_string(),
           given.empty() ? "give one under that name"
                         : "give one under that name; the batch has " + given +
                               ", and an input of the model takes the name of what feeds it");
    }
    result.push_back(value->second);
  }
  return result;
}

StepFigures Trainer::run_step(std::span<const Array> batch, std::span<Array> outputs) {
  StepFigures figures;
  try {
    figures.committed = built_.executable->run_into(batch, outputs);
  } catch (const UserError& error) {
    throw error_of_step(batch, error);
  }
  figures.updated = figures.committed && (built_.accumulation == nullptr || built_.accumulation->advance());
  if (options_.profile) built_.executable->set_profiling(true);
  if (!last_batch_) last_batch_.emplace();
  last_batch_->assign(batch.begin(), batch.end());
  figures.step = ++steps_;
  if (figures.updated) ++updates_;
  if (figures.committed) {
    ++committed_;
    ++history_.moment;
    values_changed();
  }
  figures.loss = outputs[built_.loss].get(0);
  return figures;
}

bool Trainer::flush() {
  if (built_.accumulation == nullptr || !built_.accumulation->flush()) return false;
  ++updates_;
  ++history_.moment;
  values_changed();
  return true;
}

StepFigures Trainer::step(std::span<const Array> batch) {
  outputs_.resize(built_.executable->graph().outputs().size());
  return run_step(batch, outputs_);
}

StepReport Trainer::step(const NamedArrays& batch) {
  const auto outputs = built_.executable->graph().outputs();
  std::vector<Array> results(outputs.size());
  StepReport report;
  static_cast<StepFigures&>(report) = run_step(by_position(batch), results);
  for (std::size_t k = 0; k < results.size(); ++k) {
    if (outputs[k].name != kAllFinite) report.outputs[outputs[k].name] = std::move(results[k]);
  }
  return report;
}

}  // namespace asg::train
