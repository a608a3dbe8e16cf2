#include "train/gather.h"

#include "asg/graph/card.h"

namespace asg::train {
namespace {

std::shared_ptr<const Origin> update_origin(const Graph& graph, Value value) {
  Origin origin = graph.node(value.node).origin ? *graph.node(value.node).origin : Origin{};
  origin.role = Role::update;
  return std::make_shared<const Origin>(std::move(origin));
}

VarId add_variable(StepGraph& step, VarId parameter, const char* slot, TensorType type) {
  std::string name = "optimizer/";
  if (parameter) name += step.graph.variable(parameter).name + ".";
  const VarId id = step.graph.add_variable({.id = {},
                                            .name = name + slot,
                                            .type = std::move(type),
                                            .init = Initializer::zeros(),
                                            .kind = VarKind::optimizer,
                                            .trainable = false});
  step.updates.state[{parameter, slot}] = id;
  return id;
}

Tensor number_of(const Tensor& count, DType dtype) { return add_op("Cast", {count}, {{"to", dtype}}); }

Tensor zeros_like(const Tensor& x) {
  return add_op("Expand", {x.graph().scalar(x.dtype(), 0), x.graph().constant(Array::ints(x.shape().sizes()))});
}

}  // namespace

std::vector<Value> add_sums(StepGraph& step, const std::vector<Value>& gradients) {
  Graph& graph = step.graph;
  const Graph::ScopeGuard scope(graph, "optimizer");
  std::vector<Value> sums;
  for (std::size_t k = 0; k < gradients.size(); ++k) {
    const Graph::OriginGuard guard(graph, update_origin(graph, gradients[k]));
    const Tensor gradient = graph.tensor(gradients[k]);
    const VarId variable = add_variable(step, step.parameters[k], kSumSlot, gradient.type());
    const Tensor sum = graph.read(variable) + gradient;
    graph.add_update(variable, sum);
    sums.push_back(sum.value());
  }
  const VarId count = add_variable(step, {}, kMicroBatches, {DType::i64, {}});
  graph.add_update(count, graph.read(count) + graph.constant(Array::scalar_i64(1)));
  return sums;
}

void add_norm_of_mean(StepGraph& step, const std::vector<Value>& sums) {
  if (sums.empty()) return;
  Graph& graph = step.graph;
  const Graph::ScopeGuard scope(graph, "optimizer");
  std::vector<Tensor> tensors;
  for (const Value sum : sums) tensors.push_back(graph.tensor(sum));
  const Tensor norm = optim::norm_of(tensors);
  const Tensor before = graph.read(step.updates.state.at({VarId{}, kMicroBatches}));
  graph.set_output(std::string(optim::kGradientNorm), norm / (number_of(before, norm.dtype()) + 1.0));
}

void add_apply(StepGraph& step, const optim::Assignment& assignment, const std::vector<Value>& sums,
               const optim::Optimizer& optimizer) {
  Graph apply("apply", GraphId{step.graph.id().number + 1});
  apply.reserve_ids(apply.next_node_id(), step.graph.next_variable_id());
  for (const VarId id : step.parameters) apply.put(step.graph.variable(id));
  for (const auto& [key, id] : step.updates.state) apply.put(step.graph.variable(id));
  const VarId count = step.updates.state.at({VarId{}, kMicroBatches});
  std::vector<Value> means;
  {
    const Graph::ScopeGuard scope(apply, "mean");
    const Tensor gathered = apply.read(count);
    for (std::size_t k = 0; k < sums.size(); ++k) {
      const Graph::OriginGuard guard(apply, update_origin(step.graph, sums[k]));
      const VarId variable = step.updates.state.at({step.parameters[k], kSumSlot});
      const Tensor sum = apply.read(variable);
      means.push_back((sum / number_of(gathered, sum.dtype())).value());
      apply.add_update(variable, zeros_like(sum));
    }
    apply.add_update(count, apply.constant(Array::scalar_i64(0)));
  }
  optim::Updates updates = optim::add_updates(apply, assignment, means, optimizer);
  updates.state.merge(step.updates.state);
  step.updates = std::move(updates);
  for (const VarId id : apply.variable_ids()) {
    if (!step.graph.has(id)) step.graph.put(apply.variable(id));
  }
  step.apply = std::move(apply);
}

}  // namespace asg::train
