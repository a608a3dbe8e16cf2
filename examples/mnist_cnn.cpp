// A convolutional network reads handwritten digits: above 99 % after three epochs.
//
//   asg data get mnist && build/examples/example_mnist_cnn
#include "asg/asg.h"
#include "support/example.h"

using namespace asg;

namespace {

Graph digit_reader() {
  Graph graph("mnist_cnn");
  const Dim batch = Dim::symbol("batch");
  Tensor x = graph.input("features", {DType::f32, {batch, 1, 28, 28}});
  const Tensor labels = graph.input("labels", {DType::i64, {batch}});
  for (const std::int64_t channels : {32, 64}) {  // 28×28 becomes 14×14, and that 7×7
    x = relu(nn::conv2d(x, channels, {3, 3}, {.pads = {1, 1, 1, 1}, .name = "conv_" + std::to_string(channels)}));
    x = max_pool(x, {2, 2}, {.strides = {2, 2}}).y;
  }
  x = relu(nn::linear(flatten(x), 128, {.name = "hidden"}));
  x = nn::dropout(x, {.ratio = 0.3});
  const Tensor logits = nn::linear(x, 10, {.name = "head"});
  graph.set_output("logits", logits);
  graph.set_output("loss", loss::cross_entropy(logits, labels));
  return graph;
}

void learn_digits(examples::Example& example) {
  const data::Split mnist = example.pictures("mnist");
  const data::Transform prepare = data::chain({data::normalise({0.1307}, {0.3081}), data::reshape({1, 28, 28})});
  data::Loader loader(mnist.train.mapped(prepare), {.batch_size = 64});
  const std::int64_t epochs = example.pick(1, 3);
  const std::int64_t steps = epochs * loader.per_epoch();

  // A course says when a training ends, how the learning rate changes and when it is validated.
  train::TrainingSpec spec{
      .model = digit_reader(),
      .backend = BackendRegistry::global().make("cpu"),
      .options = {.optimizer = optim::Optimizer::adamw(3e-3)},
      .batch = [&](std::int64_t step) { return loader.at(step).arrays; },
      .datasets = {{"held_out", mnist.held_out.mapped(prepare)}},
      .course = {.epochs = epochs,
                 .steps_per_epoch = loader.per_epoch(),
                 .schedule = optim::schedule_named("one_cycle", {{"steps", steps}}),
                 .validate = "held_out"},
  };
  const train::TrainingResult result = train::run_training(
      std::move(spec), [&](const train::Event& event) { return example.note(event); },
      [&](train::Trainer& trainer) { example.check_parameters(trainer); });
  example.reached({.what = "held-out accuracy", .value = result.metrics.at("accuracy"), .at_least = 0.99});
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run(argc, argv, "A convolutional network learns handwritten digits.", learn_digits);
}
