#include "asg/graph/card.h"
#include "asg/optim/card.h"
#include "optim/parts.h"

namespace asg::optim {
namespace {

VarId add_variable(Graph& graph, std::string name, TensorType type, const Initializer& first) {
  return graph.add_variable({.id = {},
                             .name = "optimizer/" + std::move(name),
                             .type = std::move(type),
                             .init = first,
                             .kind = VarKind::optimizer,
                             .trainable = false});
}

// An update belongs to the layer whose gradient it follows.
std::shared_ptr<const Origin> origin_of(const Graph& graph, Value gradient) {
  Origin origin = graph.node(gradient.node).origin ? *graph.node(gradient.node).origin : Origin{};
  origin.role = Role::update;
  return std::make_shared<const Origin>(std::move(origin));
}

DType widest(std::span<const Tensor> tensors) {
  for (const Tensor& each : tensors) {
    if (each.dtype() == DType::f64) return DType::f64;
  }
  return DType::f32;
}

// Clips gradients, and turns each into an update.
class UpdateBuilder {
 public:
  UpdateBuilder(Graph& graph, const Assignment& assignment, std::span<const Value> gradients,
                const Optimizer& optimizer)
      : graph_(graph),
        assignment_(assignment),
        values_(gradients),
        optimizer_(optimizer),
        card_(optimizer_card(optimizer.kind)) {
    for (const Value gradient : gradients) gradients_.push_back(graph.tensor(gradient));
    const TensorType type = {widest(gradients_), {}};
    const Initializer first = Initializer::constant(optimizer.learning_rate());
    result_.learning_rate = add_variable(graph, "learning_rate", type, first);
    rate_ = graph.read(result_.learning_rate);
  }

  Updates build() {
    scale_down();
    if (optimizer_.ema.decay > 0) prepare_ema();
    for (std::size_t k = 0; k < gradients_.size(); ++k) {
      const Graph::OriginGuard guard(graph_, origin_of(graph_, values_[k]));
      update(assignment_.trained[k], held(gradients_[k]));
    }
    return std::move(result_);
  }

 private:
  // By the norm of all gradients: the direction of the whole step stays.
  void scale_down() {
    constexpr double kLeastDivisor = 1e-6;  // as PyTorch adds
    if ((optimizer_.clip_norm == 0 && !optimizer_.gradient_norm) || gradients_.empty()) return;
    const Tensor norm = norm_of(gradients_);
    graph_.set_output(std::string(kGradientNorm), norm);
    if (optimizer_.clip_norm == 0) return;
    const Tensor wanted = optimizer_.clip_norm / (norm + kLeastDivisor);
    const Tensor factor = add_op("Min", {wanted, graph_.scalar(norm.dtype(), 1)});
    for (std::size_t k = 0; k < gradients_.size(); ++k) {
      const Graph::OriginGuard guard(graph_, origin_of(graph_, values_[k]));
      gradients_[k] = gradients_[k] * as(gradients_[k].dtype(), factor);
    }
  }

  Tensor held(const Tensor& gradient) {
    if (optimizer_.clip_value == 0) return gradient;
    const auto bound = [&](double sign) { return graph_.scalar(gradient.dtype(), sign * optimizer_.clip_value); };
    return add_op("Clip", {gradient, bound(-1), bound(1)});
  }

  void update(VarId parameter, const Tensor& gradient) {
    const auto group = assignment_.group_of.find(parameter);
    const Group* own = group == assignment_.group_of.end() ? nullptr : &optimizer_.groups[group->second];
    const Tensor rate = own != nullptr && own->learning_rate_factor ? rate_of(group->second) : rate_;
    const Settings settings(card_.settings, optimizer_.settings, own != nullptr ? &own->settings : nullptr);
    ParameterUpdate update(graph_, parameter, gradient, as(gradient.dtype(), rate), settings, result_);
    const Tensor next = card_.next(update);
    graph_.add_update(parameter, next);
    if (optimizer_.ema.decay > 0) follow(update, next);
  }

  // The learning rate of a group, made once.
  Tensor rate_of(std::size_t place) {
    const auto known = rates_.find(place);
    if (known != rates_.end()) return known->second;
    const Group& group = optimizer_.groups[place];
    const std::string slot = name_of(group, place) + ".factor";
    const VarId factor =
        add_variable(graph_, slot, {rate_.dtype(), {}}, Initializer::constant(*group.learning_rate_factor));
    result_.state[{VarId{}, slot}] = factor;
    return rates_.emplace(place, rate_ * graph_.read(factor)).first->second;
  }

  // What of the distance between parameter and mean is made up for in this update.
  void prepare_ema() {
    ema_share_ = graph_.scalar(rate_.dtype(), 1 - optimizer_.ema.decay);
    if (!optimizer_.ema.warmup) return;
    const std::string slot = "ema.count";
    const VarId count = add_variable(graph_, slot, {DType::i64, {}}, Initializer::zeros());
    result_.state[{VarId{}, slot}] = count;
    const Tensor before = graph_.read(count);
    graph_.add_update(count, before + graph_.constant(Array::scalar_i64(1)));
    // 1 − (1 + t) / (10 + t)
    ema_share_ = add_op("Max", {ema_share_, 9.0 / (as(rate_.dtype(), before) + 10.0)});
  }

  void follow(ParameterUpdate& update, const Tensor& next) {
    const Tensor mean = update.state(kEmaSlot);
    update.keep(kEmaSlot, mean + (next - mean) * as(next.dtype(), ema_share_));
  }

  Graph& graph_;
  const Assignment& assignment_;
  std::span<const Value> values_;
  const Optimizer& optimizer_;
  const OptimizerCard& card_;
  std::vector<Tensor> gradients_;
  Updates result_;
  Tensor rate_;
  std::map<std::size_t, Tensor> rates_;  // of groups
  Tensor ema_share_;
};

}  // namespace

ParameterUpdate::ParameterUpdate(Graph& graph, VarId parameter, const Tensor& gradient, const Tensor& rate,
                                 Settings settings, Updates& updates)
    : graph_(graph),
      parameter_(parameter),
      value_(graph.read(parameter)),
      gradient_(gradient),
      rate_(rate),
      settings_(settings),
      updates_(updates) {}

Tensor ParameterUpdate::add_state(std::string_view slot, TensorType type, const Initializer& first) {
  std::string name = graph_.variable(parameter_).name + ".";
  name += slot;
  const VarId id = add_variable(graph_, std::move(name), std::move(type), first);
  updates_.state[{parameter_, std::string(slot)}] = id;
  return graph_.read(id);
}

Tensor ParameterUpdate::state(std::string_view slot, const Initializer& first) {
  return add_state(slot, value_.type(), first);
}

Tensor ParameterUpdate::count_state(std::string_view slot) {
  return add_state(slot, {DType::i64, {}}, Initializer::zeros());
}

void ParameterUpdate::keep(std::string_view slot, const Tensor& value) {
  graph_.add_update(updates_.state.at({parameter_, std::string(slot)}), value);
}

Tensor norm_of(std::span<const Tensor> gradients) {
  internal_check(!gradients.empty(), "a norm of something");
  Graph& graph = gradients.front().graph();
  const DType dtype = widest(gradients);
  std::vector<Tensor> squares;
  for (const Tensor& gradient : gradients) {
    const Graph::OriginGuard guard(graph, origin_of(graph, gradient.value()));
    const Tensor wide = as(dtype, gradient);
    squares.push_back(add_op("ReduceSum", {wide * wide}, {{"keepdims", false}}));
  }
  return add_op("Sqrt", {squares.size() == 1 ? squares.front() : add_op("Sum", squares)});
}

Updates add_updates(Graph& graph, const Assignment& assignment, std::span<const Value> gradients,
                    const Optimizer& optimizer) {
  check_optimizer(optimizer);
  internal_check(assignment.trained.size() == gradients.size(), "as many gradients as parameters");
  const Graph::ScopeGuard scope(graph, "optimizer");
  return UpdateBuilder(graph, assignment, gradients, optimizer).build();
}

}  // namespace asg::optim
