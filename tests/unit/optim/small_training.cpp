#include "unit/optim/small_training.h"

#include <cmath>

#include "asg/backend/backend_registry.h"
#include "asg/ops/ops.h"
#include "asg/train/state.h"

namespace asg::test {

SmallTraining::SmallTraining(const Graph& model, const optim::Optimizer& optimizer, const std::string& backend)
    : backend_(BackendRegistry::global().make(backend)),
      step_(train::make_step(model, "loss", optimizer)),
      executable_(backend_->compile(step_.graph)) {
  if (step_.apply) accumulation_ = std::make_unique<train::Accumulation>(step_, *backend_, *executable_);
  const train::TrainingState state = train::initial_state(step_, model, optimizer, 1);
  for (const auto& [id, value] : state.variables) executable_->write(id, value);
  for (const auto& [key, id] : step_.updates.state) executable_->write(id, state.optimizer.at(key));
  set_learning_rate(optimizer.learning_rate());
}

bool SmallTraining::step(const NamedArrays& batch) {
  StepResult result = executable_->run(batch);
  outputs_ = std::move(result.outputs);
  updated_ = result.committed && (accumulation_ == nullptr || accumulation_->advance());
  return result.committed;
}

void SmallTraining::set_learning_rate(double rate) {
  const VarId id = step_.updates.learning_rate;
  executable_->write(id, Array::scalar(step_.graph.variable(id).type.dtype, rate));
}

VarId SmallTraining::find(const std::string& variable) const {
  const VarId id = step_.graph.find_variable(variable);
  if (!id) fail(ErrorCode::unknown_variable, "'" + variable + "'", "a variable of the step");
  return id;
}

Array wave(const Sizes& sizes, int phase) {
  Array values(DType::f64, sizes);
  for (std::int64_t k = 0; k < values.count(); ++k) values.set(k, std::sin(static_cast<double>(k * 7 + phase * 13)));
  return values;
}

Graph small_model() {
  Graph graph("small");
  const Dim batch = Dim::symbol("batch");
  const Tensor x = graph.input("x", {DType::f64, {batch, 3}});
  const Tensor target = graph.input("y", {DType::f64, {batch, 2}});
  const auto parameter = [&](const char* name, const Sizes& sizes, int phase) {
    return graph.parameter(name, {DType::f64, Shape::of(sizes)}, Initializer::given(wave(sizes, phase)));
  };
  const Tensor first_weight = parameter("first.weight", {3, 4}, 1);
  const Tensor first_bias = parameter("first.bias", {4}, 2);
  const Tensor second_weight = parameter("second.weight", {4, 2}, 3);
  const Tensor second_bias = parameter("second.bias", {2}, 4);
  const Tensor hidden = tanh(mat_mul(x, first_weight) + first_bias);
  const Tensor y = mat_mul(hidden, second_weight) + second_bias;
  const Tensor difference = y - target;
  graph.set_output("loss", reduce_mean(difference * difference, {}, {.keepdims = false}));
  return graph;
}

}  // namespace asg::test
