// A small residual network tells clothes apart: above 91 % on Fashion-MNIST.
//
//   asg data get fashion-mnist && build/examples/example_fashion_resnet
#include "asg/asg.h"
#include "support/example.h"

using namespace asg;

namespace {

// Three stages; each but the first halves the picture and doubles the channels.
Graph residual_network() {
  Graph graph("fashion_resnet");
  const Dim batch = Dim::symbol("batch");
  Tensor x = graph.input("features", {DType::f32, {batch, 1, 28, 28}});
  const Tensor labels = graph.input("labels", {DType::i64, {batch}});
  x = nn::conv2d(x, 16, {3, 3}, {.strides = {2, 2}, .pads = {1, 1, 1, 1}, .bias = false, .name = "stem"});
  x = relu(nn::batch_norm(x, {.name = "stem_norm"}));
  for (const std::int64_t channels : {16, 32, 64}) {
    // One node in the graph that can be folded out: two convolutions, their norms and the way around them.
    x = nn::residual_block(x, channels,
                           {.stride = channels == 16 ? 1 : 2, .name = "block_" + std::to_string(channels)});
  }
  x = nn::dropout(flatten(global_average_pool(x)), {.ratio = 0.1});
  const Tensor logits = nn::linear(x, 10, {.name = "head"});
  graph.set_output("logits", logits);
  graph.set_output("loss", loss::cross_entropy(logits, labels));
  return graph;
}

void learn_clothes(examples::Example& example) {
  const data::Split fashion = example.pictures("fashion-mnist");
  const data::Transform prepare = data::chain({data::normalise({0.2860}, {0.3530}), data::reshape({1, 28, 28})});
  // Pictures to learn from are shifted and mirrored, anew in each epoch; those held out are not.
  const data::Transform varied = data::chain({data::random_crop(28, 28, 2), data::flip_horizontally(), prepare});
  data::Loader loader(fashion.train.mapped(varied), {.batch_size = example.pick(32, 128)});
  const std::int64_t epochs = example.pick(1, 8);
  const std::int64_t steps = epochs * loader.per_epoch();

  train::TrainingSpec spec{
      .model = residual_network(),
      .backend = BackendRegistry::global().make("cpu"),
      .options = {.optimizer = optim::Optimizer::adamw(1e-2, 0.02)},
      .batch = [&](std::int64_t step) { return loader.at(step).arrays; },
      .datasets = {{"held_out", fashion.held_out.mapped(prepare)}},
      .course = {.epochs = epochs,
                 .steps_per_epoch = loader.per_epoch(),
                 .schedule = optim::schedule_named("one_cycle", {{"steps", steps}}),
                 .validate = "held_out"},
  };
  const train::TrainingResult result = train::run_training(
      std::move(spec), [&](const train::Event& event) { return example.note(event); },
      [&](train::Trainer& trainer) { example.check_parameters(trainer); });
  example.reached({.what = "held-out accuracy", .value = result.metrics.at("accuracy"), .at_least = 0.91});
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run(argc, argv, "A small residual network learns to tell clothes apart.", learn_clothes);
}
