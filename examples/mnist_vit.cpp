// A vision transformer reads handwritten digits: a picture becomes a sequence of patches that look at each other.
//
//   asg data get mnist && build/examples/example_mnist_vit
#include "asg/asg.h"
#include "support/example.h"

using namespace asg;

namespace {

Graph vision_transformer() {
  constexpr std::int64_t kPatch = 7;
  constexpr std::int64_t kPatches = (28 / kPatch) * (28 / kPatch);
  constexpr std::int64_t kWidth = 64;
  Graph graph("mnist_vit");
  const Dim batch = Dim::symbol("batch");
  const Tensor pictures = graph.input("features", {DType::f32, {batch, 1, 28, 28}});
  const Tensor labels = graph.input("labels", {DType::i64, {batch}});

  // A convolution that never overlaps itself is a linear layer for each patch. Then [batch, width, 4, 4] becomes
  // [batch, 16, width]: 16 words of a sentence.
  Tensor x = nn::conv2d(pictures, kWidth, {kPatch, kPatch}, {.strides = {kPatch, kPatch}, .name = "patches"});
  x = transpose(reshape(x, {0, kWidth, kPatches}), {.perm = {0, 2, 1}});
  x = nn::learned_position(x, kPatches, {.name = "position"});
  x = nn::transformer_encoder(x, /*heads=*/4, /*hidden=*/128, {.layers = 4, .name = "encoder"});
  x = reduce_mean(x, {1}, {.keepdims = false});  // what all patches have found
  const Tensor logits = nn::linear(x, 10, {.name = "head"});
  graph.set_output("logits", logits);
  graph.set_output("loss", loss::cross_entropy(logits, labels));
  return graph;
}

void learn_digits(examples::Example& example) {
  const data::Split mnist = example.pictures("mnist");
  const data::Transform prepare = data::chain({data::normalise({0.1307}, {0.3081}), data::reshape({1, 28, 28})});
  // A transformer does not know that a shifted digit is the same digit, so it is shown some.
  const data::Transform varied = data::chain({data::random_crop(28, 28, 2), prepare});
  data::Loader loader(mnist.train.mapped(varied), {.batch_size = example.pick(32, 128)});
  const std::int64_t epochs = example.pick(1, 8);

  train::TrainingSpec spec{
      .model = vision_transformer(),
      .backend = BackendRegistry::global().make("cpu"),
      .options = {.optimizer = optim::Optimizer::adamw(2e-3, 0.05)},
      .batch = [&](std::int64_t step) { return loader.at(step).arrays; },
      .datasets = {{"held_out", mnist.held_out.mapped(prepare)}},
      .course = {.epochs = epochs,
                 .steps_per_epoch = loader.per_epoch(),
                 .schedule = optim::schedule_named("one_cycle", {{"steps", epochs * loader.per_epoch()}}),
                 .validate = "held_out"},
  };
  spec.options.optimizer.clip_norm = 1;
  const train::TrainingResult result = train::run_training(
      std::move(spec), [&](const train::Event& event) { return example.note(event); },
      [&](train::Trainer& trainer) { example.check_parameters(trainer); });
  example.reached({.what = "held-out accuracy", .value = result.metrics.at("accuracy"), .at_least = 0.98});
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run(argc, argv, "A vision transformer learns handwritten digits.", learn_digits);
}
