#include <algorithm>

#include <nlohmann/json.hpp>

#include "asg/backend/interpreter.h"
#include "asg/graph/json.h"
#include "asg/optim/card.h"
#include "asg/train/trainer.h"
#include "samples.h"

namespace asg::samples {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSteps = 20;

// A small model around a layer or loss, and the batch on which it is trained.
struct Model {
  Graph graph{"training"};
  NamedArrays batch;
};

Tensor batch_input(Model& model, const std::string& name, const Array& value) {
  model.batch[name] = value;
  return model.graph.input(name, {value.dtype(), Shape::of(value.sizes())});
}

// The inputs of the sample as a batch; integers as well, unless the op must know them while building.
std::vector<Value> sample_inputs(Model& model, const OpCard& op, const Sample& sample, std::size_t first) {
  std::vector<Value> inputs;
  for (std::size_t index = first; index < sample.inputs.size(); ++index) {
    if (sample.inputs[index].absent) {
      inputs.emplace_back();
      continue;
    }
    const Array value = sample_value(sample.inputs[index], op.name, sample.name, index);
    inputs.push_back(is_float(value.dtype()) ? batch_input(model, "input_" + std::to_string(index), value).value()
                                             : model.graph.constant(value).value());
  }
  return inputs;
}

Tensor mean_of(const Tensor& x) { return add_op("ReduceMean", {x}, {{"keepdims", false}}); }

// Targets of the shape of a prediction.
Array drawn_like(const Tensor& prediction) {
  return sample_value(in(prediction.shape().sizes(), -1, 1), "training", "target", 0);
}

// The layer learns to give drawn targets: the mean of squared differences over all its float outputs.
Model layer_model(const OpCard& op, const Sample& sample) {
  Model model;
  NodeSpec spec{.op = &op, .inputs = sample_inputs(model, op, sample, 0), .attrs = sample.attrs, .name = "layer"};
  Tensor loss = model.graph.scalar(DType::f64, 0);
  int number = 0;
  for (const Tensor& output : model.graph.add_outputs(std::move(spec))) {
    if (output.dtype() != DType::f64) continue;
    const Tensor target = batch_input(model, "target_" + std::to_string(number++), drawn_like(output));
    const Tensor difference = output - target;
    loss = loss + mean_of(difference * difference);
  }
  model.graph.set_output("loss", loss);
  return model;
}

// A linear layer learns to please the loss. Where the loss wants probabilities, a sigmoid makes them.
Model loss_model(const OpCard& op, const Sample& sample) {
  Model model;
  const SampleInput& first = sample.inputs.front();
  Sizes sizes = first.sizes;
  const std::int64_t units = sizes.back();
  sizes.back() = 3;
  const Array features = sample_value(in(sizes, -1, 1), op.name, "features", 0);
  const Tensor x = batch_input(model, "features", features);
  Tensor prediction = add_op("nn.Linear", {x}, {{"units", units}});
  if (first.low >= 0) prediction = add_op("Sigmoid", {prediction});
  std::vector<Value> inputs = sample_inputs(model, op, sample, 1);
  inputs.insert(inputs.begin(), prediction.value());
  const NodeId node = model.graph.add({.op = &op, .inputs = std::move(inputs), .attrs = sample.attrs, .name = "loss"});
  const Tensor loss = model.graph.tensor({node, 0});
  model.graph.set_output("loss", loss.rank() == 0 ? loss : mean_of(loss));
  return model;
}

struct Recipe {
  const char* name;
  optim::Optimizer optimizer;
};

std::vector<Recipe> recipes() {
  optim::Optimizer decayed = optim::Optimizer::sgd(0.05, 0.9, true).set("weight_decay", 0.01);
  // A parameter whose exact gradient is 0 follows rounding errors divided by epsilon; a larger one keeps them small.
  optim::Optimizer adam = optim::Optimizer::adam(0.01).set("epsilon", 1e-6);
  return {{"sgd", optim::Optimizer::sgd(0.1)}, {"nesterov", decayed}, {"adam", adam}};
}

Attrs variables_of(const train::Trainer& trainer) {
  Attrs values;
  for (const auto& [id, value] : trainer.state().variables) {
    values.set(trainer.model().graph().variable(id).name, value);
  }
  return values;
}

Json optimizer_json(const optim::Optimizer& optimizer) {
  Json result = {{"kind", optimizer.kind}};
  const optim::OptimizerCard& card = optim::optimizer_card(optimizer.kind);
  const optim::Settings settings(card.settings, optimizer.settings);
  for (const optim::Setting& setting : card.settings) {
    const std::string name(setting.name);
    if (setting.kind == AttrKind::boolean) {
      result[name] = settings.flag(name);
    } else {
      result[name] = settings.real(name);
    }
  }
  return result;
}

Attrs attrs_of(const NamedArrays& arrays) {
  Attrs values;
  for (const auto& [name, value] : arrays) values.set(name, value);
  return values;
}

Json trained(const OpCard& op, const Sample& sample, const Model& model, const Recipe& recipe) {
  train::Trainer trainer(model.graph, std::make_shared<Interpreter>(), {.optimizer = recipe.optimizer, .seed = 3});
  Json line = {{"training", op.name}, {"sample", sample.name}, {"recipe", recipe.name}};
  line["optimizer"] = optimizer_json(recipe.optimizer);
  line["graph"] = Json::parse(to_json(model.graph));
  line["batch"] = Json::parse(to_json(attrs_of(model.batch)));
  line["initial"] = Json::parse(to_json(variables_of(trainer)));
  Json losses = Json::array();
  for (int step = 0; step < kSteps; ++step) losses.push_back(trainer.step(model.batch).loss);
  line["losses"] = std::move(losses);
  line["final"] = Json::parse(to_json(variables_of(trainer)));
  return line;
}

// A random op draws where it has a seed: Attention has one only where it drops some of its weights.
bool draws_numbers(const Node& node) {
  if (!node.op->traits.random) return false;
  const auto& ports = node.op->inputs;
  const auto seed = std::find_if(ports.begin(), ports.end(), [](const Port& port) { return port.name == "seed"; });
  const auto index = static_cast<std::size_t>(seed - ports.begin());
  return seed == ports.end() || (index < node.inputs.size() && node.inputs[index]);
}

bool draws_numbers(const Graph& model) {
  const Graph graph = expand(model, Mode::train).graph;
  const std::vector<NodeId> ids = graph.node_ids();
  return std::any_of(ids.begin(), ids.end(), [&](NodeId id) { return draws_numbers(graph.node(id)); });
}

bool has_parameters(const Graph& graph) {
  const std::vector<VarId> ids = graph.variable_ids();
  return std::any_of(ids.begin(), ids.end(), [&](VarId id) { return graph.variable(id).kind == VarKind::parameter; });
}

// Samples of f64 from which a training can start.
bool is_trainable(const Sample& sample) {
  return sample.gradient && !sample.inputs.empty() && sample.inputs.front().dtype == DType::f64 &&
         element_count(sample.inputs.front().sizes) > 0;
}

}  // namespace

std::string training_lines(const OpCard& op) {
  std::string lines;
  if (!op.composite) return lines;
  for (const Sample& sample : op.samples) {
    if (!is_trainable(sample)) continue;
    const bool is_loss = op.category == Category::loss;
    if (is_loss && sample.inputs.front().sizes.empty()) continue;
    const Model model = is_loss ? loss_model(op, sample) : layer_model(op, sample);
    if (!has_parameters(model.graph) || draws_numbers(model.graph)) continue;
    for (const Recipe& recipe : recipes()) lines += trained(op, sample, model, recipe).dump() + "\n";
  }
  return lines;
}

}  // namespace asg::samples
