// Pictures of 784 pixels go through 32 numbers and come out again: the network learns what they have in common.
//
//   asg data get mnist && build/examples/example_autoencoder
#include <algorithm>
#include <cstdio>
#include <string>

#include "asg/asg.h"
#include "support/example.h"

using namespace asg;

namespace {

constexpr std::int64_t kCode = 32;

// What is to be predicted is the input itself, so there are no labels.
Graph autoencoder() {
  Graph graph("autoencoder");
  const Tensor pictures = graph.input("features", {DType::f32, {Dim::symbol("batch"), 784}});
  Tensor x = relu(nn::linear(pictures, 256, {.name = "encoder_1"}));
  const Tensor code = nn::linear(x, kCode, {.name = "encoder_2"});
  x = relu(nn::linear(code, 256, {.name = "decoder_1"}));
  const Tensor restored = sigmoid(nn::linear(x, 784, {.name = "decoder_2"}));
  graph.set_output("code", code);
  graph.set_output("restored", restored);
  graph.set_output("loss", loss::mean_squared_error(restored, pictures));
  return graph;
}

// A picture and what became of it, side by side.
void show(const Array& picture, const Array& restored) {
  constexpr std::string_view kShades = " .:+#@";
  for (std::int64_t row = 2; row < 28; row += 2) {
    std::string line;
    for (const Array* side : {&picture, &restored}) {
      if (side == &restored) line += "|";
      for (std::int64_t column = 0; column < 28; ++column) {
        const double shade = std::clamp(side->get(row * 28 + column), 0.0, 0.999);
        line += kShades[static_cast<std::size_t>(shade * static_cast<double>(kShades.size()))];
      }
    }
    std::printf("%s\n", line.c_str());
  }
}

void learn_to_restore(examples::Example& example) {
  const data::Split mnist = example.pictures("mnist");
  const data::Dataset held_out = mnist.held_out.mapped(data::flatten());
  data::Loader loader(mnist.train.mapped(data::flatten()), {.batch_size = 128});
  const std::int64_t epochs = example.pick(2, 10);

  train::TrainingSpec spec{
      .model = autoencoder(),
      .backend = BackendRegistry::global().make("cpu"),
      .options = {.optimizer = optim::Optimizer::adam(2e-3)},
      .batch = [&](std::int64_t step) { return loader.at(step).arrays; },
      .datasets = {{"held_out", held_out}},
      .course = {.epochs = epochs,
                 .steps_per_epoch = loader.per_epoch(),
                 .schedule = optim::schedule_named("one_cycle", {{"steps", epochs * loader.per_epoch()}}),
                 .validate = "held_out"},
  };
  const train::TrainingResult result = train::run_training(
      std::move(spec), [&](const train::Event& event) { return example.note(event); },
      [&](train::Trainer& trainer) {
        const NamedArrays first = held_out.take(0, 1);
        show(first.at("features"), trainer.infer(first).at("restored"));
        example.check_parameters(trainer);
      });
  // The best that 32 numbers can do by linear means, principal components, is 0.0168.
  example.reached({.what = "held-out mean squared error", .value = result.metrics.at("loss"), .at_most = 0.008});
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run(argc, argv, "An autoencoder squeezes digits into 32 numbers.", learn_to_restore);
}
