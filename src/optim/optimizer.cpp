#include "asg/optim/optimizer.h"

#include "asg/graph/card.h"

namespace asg::optim {

std::string_view name_of(Kind kind) {
  if (kind == Kind::adamw) return "adamw";
  return kind == Kind::sgd ? "sgd" : "adam";
}

Optimizer Optimizer::sgd(double learning_rate, double momentum, bool nesterov) {
  Optimizer result;
  result.kind = Kind::sgd;
  result.learning_rate = learning_rate;
  result.momentum = momentum;
  result.nesterov = nesterov;
  return result;
}

Optimizer Optimizer::adam(double learning_rate) {
  Optimizer result;
  result.learning_rate = learning_rate;
  return result;
}

Optimizer Optimizer::adamw(double learning_rate, double weight_decay) {
  Optimizer result = adam(learning_rate);
  result.kind = Kind::adamw;
  result.weight_decay = weight_decay;
  return result;
}

namespace {

void check(const Optimizer& optimizer) {
  auto need = [](bool holds, const char* name, double given, const char* needed) {
    if (!holds) fail(ErrorCode::bad_attribute, std::string(name) + " = " + std::to_string(given), needed);
  };
  need(optimizer.learning_rate >= 0, "learning_rate", optimizer.learning_rate, "a number of at least 0");
  need(optimizer.weight_decay >= 0, "weight_decay", optimizer.weight_decay, "a number of at least 0");
  need(optimizer.momentum >= 0 && optimizer.momentum < 1, "momentum", optimizer.momentum, "a number in [0, 1)");
  need(!optimizer.nesterov || optimizer.momentum > 0, "momentum", optimizer.momentum, "more than 0 with nesterov");
  need(optimizer.beta1 >= 0 && optimizer.beta1 < 1, "beta1", optimizer.beta1, "a number in [0, 1)");
  need(optimizer.beta2 >= 0 && optimizer.beta2 < 1, "beta2", optimizer.beta2, "a number in [0, 1)");
  need(optimizer.epsilon > 0, "epsilon", optimizer.epsilon, "a number above 0");
}

// Builds the update of one parameter after the other.
class UpdateBuilder {
 public:
  UpdateBuilder(Graph& graph, const Optimizer& optimizer) : graph_(graph), optimizer_(optimizer) {
    result_.learning_rate = graph.add_variable({.id = {},
                                                .name = "optimizer/learning_rate",
                                                .type = {DType::f32, {}},
                                                .init = Initializer::constant(optimizer.learning_rate),
                                                .kind = VarKind::optimizer,
                                                .trainable = false});
    rate_ = graph.read(result_.learning_rate);
  }

  void add(VarId parameter, const Tensor& raw_gradient) {
    parameter_ = parameter;
    const Tensor value = graph_.read(parameter);
    const bool decays = optimizer_.weight_decay != 0;
    const bool decays_apart = optimizer_.kind == Kind::adamw;  // not scaled by what Adam knows of the gradient
    Tensor gradient = raw_gradient;
    if (decays && !decays_apart) gradient = gradient + value * optimizer_.weight_decay;
    Tensor direction = optimizer_.kind == Kind::sgd ? sgd_direction(gradient) : adam_direction(gradient);
    if (decays && decays_apart) direction = direction + value * optimizer_.weight_decay;
    const Tensor rate = as(value.dtype(), rate_);
    graph_.add_update(parameter, value - direction * rate);
  }

  Updates take() { return std::move(result_); }

 private:
  static Tensor as(DType dtype, const Tensor& tensor) {
    return tensor.dtype() == dtype ? tensor : add_op("Cast", {tensor}, {{"to", dtype}});
  }

  Tensor state(const char* slot, TensorType type) {
    const VarId id = graph_.add_variable({.id = {},
                                          .name = "optimizer/" + graph_.variable(parameter_).name + "." + slot,
                                          .type = std::move(type),
                                          .init = Initializer::zeros(),
                                          .kind = VarKind::optimizer,
                                          .trainable = false});
    result_.state[{parameter_, slot}] = id;
    return graph_.read(id);
  }

  void keep(const char* slot, const Tensor& value) { graph_.add_update(result_.state.at({parameter_, slot}), value); }

  // m ← β m + (1 − β) x
  Tensor running_mean(const char* slot, const Tensor& value, double beta) {
    const Tensor kept = state(slot, value.type()) * beta;
    const Tensor added = value * (1 - beta);
    const Tensor mean = kept + added;
    keep(slot, mean);
    return mean;
  }

  // v ← μ v + g; the step follows v, or g + μ v with Nesterov's look ahead.
  Tensor sgd_direction(const Tensor& gradient) {
    if (optimizer_.momentum == 0) return gradient;
    const Tensor velocity = state("velocity", gradient.type()) * optimizer_.momentum + gradient;
    keep("velocity", velocity);
    return optimizer_.nesterov ? gradient + velocity * optimizer_.momentum : velocity;
  }

  // Means of g and g², corrected for their start at zero. The count belongs to the parameter: one that an edit
  // made anew starts anew.
  Tensor adam_direction(const Tensor& gradient) {
    const DType dtype = gradient.dtype();
    const Tensor count = state("count", {dtype, {}}) + 1.0;
    keep("count", count);
    const Tensor mean = running_mean("mean", gradient, optimizer_.beta1);
    const Tensor square = running_mean("square", gradient * gradient, optimizer_.beta2);
    auto correction = [&](double beta) { return 1.0 - add_op("Pow", {graph_.scalar(dtype, beta), count}); };
    const Tensor deviation = add_op("Sqrt", {square / correction(optimizer_.beta2)}) + optimizer_.epsilon;
    const Tensor direction = mean / correction(optimizer_.beta1);
    return direction / deviation;
  }

  Graph& graph_;
  const Optimizer& optimizer_;
  Updates result_;
  Tensor rate_;
  VarId parameter_;
};

}  // namespace

Updates add_updates(Graph& graph, std::span<const VarId> parameters, std::span<const Value> gradients,
                    const Optimizer& optimizer) {
  check(optimizer);
  internal_check(parameters.size() == gradients.size(), "as many gradients as parameters");
  const Graph::ScopeGuard scope(graph, "optimizer");
  UpdateBuilder builder(graph, optimizer);
  for (std::size_t index = 0; index < parameters.size(); ++index) {
    // An update belongs to the layer whose gradient it follows.
    Origin origin = graph.node(gradients[index].node).origin ? *graph.node(gradients[index].node).origin : Origin{};
    origin.role = Role::update;
    const Graph::OriginGuard guard(graph, std::make_shared<const Origin>(std::move(origin)));
    builder.add(parameters[index], graph.tensor(gradients[index]));
  }
  return builder.take();
}

}  // namespace asg::optim
