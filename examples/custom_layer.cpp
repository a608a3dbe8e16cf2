// A layer of one's own: Highway (Srivastava and others, 2015), y = t·h(x) + (1 − t)·x, whose gate t decides how much of
// the input passes by. It is one node of the model, with parameters and settings that can be edited while it trains.
#include <cstdio>

#include "asg/asg.h"
#include "support/example.h"

using namespace asg;

namespace {

// The layer in smaller layers and ops; this is all that there is to write. Gradients and kernels follow from it.
void highway_body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  const Dim width = x.shape()[x.rank() - 1];
  const Tensor changed = ctx.layer("change", "nn.Linear", {x}, {{"units", width.value()}});
  const Tensor h = ctx.op_named("activation", ctx.text("activation"), {changed});
  // The gate begins nearly closed, so that a deep network begins as a shallow one.
  const Tensor weight = ctx.parameter("gate_weight", {width, width}, Initializer::xavier_uniform());
  const Tensor bias = ctx.parameter("gate_bias", {width}, Initializer::constant(ctx.real("gate_bias")));
  const Tensor gate = sigmoid(mat_mul(x, weight) + bias);
  ctx.output(gate * h + (1.0 - gate) * x);
  ctx.governed("activation", "", "activation");  // an edit of the op inside is a change of this setting
}

const OpCard& highway_card() {
  static const OpCard& card = Registry::global().add({
      .name = "example.Highway",
      .category = Category::linear_algebra,
      .inputs = {{.name = "x"}},
      .outputs = {{.name = "y"}},
      .attributes = {{.name = "activation", .kind = AttrKind::text, .fallback = "Relu"},
                     {.name = "gate_bias", .kind = AttrKind::real, .fallback = -1.0}},
      .body = highway_body,
      .composite = true,
      .gradient_kind = GradientKind::body,
  });
  return card;
}

// A typed function, as the library has for its own layers.
Tensor highway(const Tensor& x, std::string name, std::string activation = "Relu") {
  return add_node(highway_card().name, {x},
                  {.attrs = {{"activation", std::move(activation)}}, .name = std::move(name)})[0];
}

Graph deep_classifier(std::int64_t layers) {
  Graph graph("highway");
  const Dim batch = Dim::symbol("batch");
  const Tensor pictures = graph.input("features", {DType::f32, {batch, 8, 8}});
  const Tensor labels = graph.input("labels", {DType::i64, {batch}});
  Tensor x = nn::linear(flatten(pictures), 32, {.name = "begin"});
  for (std::int64_t layer = 0; layer < layers; ++layer) x = highway(x, "highway_" + std::to_string(layer));
  const Tensor logits = nn::linear(x, 10, {.name = "head"});
  graph.set_output("logits", logits);
  graph.set_output("loss", loss::cross_entropy(logits, labels));
  return graph;
}

void learn_with_highways(examples::Example& example) {
  const data::Split digits = data::stratified_split(data::digits(), 0.2, /*seed=*/1);
  data::Loader loader(digits.train, {.batch_size = 64});
  train::Trainer trainer(deep_classifier(example.pick(3, 12)), BackendRegistry::global().make("cpu"),
                         {.optimizer = optim::Optimizer::adam(2e-3)});
  const std::int64_t steps = example.pick(60, 600);
  for (std::int64_t step = 0; step < steps; ++step) {
    if (step == steps / 2) {
      // The layer is known by its name like any other, and so are its settings.
      const NodeId first = trainer.model().graph().find_node("highway_0");
      trainer.apply({.commands = {edits::SetConfig{{first}, {{"activation", "Tanh"}}}}});
      example.mark(step, "Tanh");
      std::printf("step %lld: the first highway has Tanh now\n", static_cast<long long>(step));
    }
    example.note_loss(step + 1, trainer.step(loader.at(step).arrays).loss);
  }
  example.check_parameters(trainer);
  const train::Evaluation held_out = trainer.evaluate(digits.held_out);
  example.reached({.what = "held-out accuracy", .value = held_out.accuracy.value_or(0), .at_least = 0.95});
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run(argc, argv, "Layers of one's own read digits.", learn_with_highways);
}
