// An LSTM learns to remember: of a long row of numbers two are marked, and it shall say their sum when the row is over.
// The task is from the paper on the LSTM (Hochreiter and Schmidhuber, 1997); who does not remember guesses 1, and is
// wrong by 1/6 in the mean of squares.
#include <cstdio>
#include <random>

#include "asg/asg.h"
#include "support/example.h"

using namespace asg;

namespace {

// features f32[length, 2]: the numbers from 0 to 1, and beside them 1 where one is marked; labels f32[1]: the sum. One
// mark lies in each half.
data::Dataset rows(std::string name, std::int64_t examples, std::int64_t length, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> number(0, 1);
  std::uniform_int_distribution<std::int64_t> place(0, length / 2 - 1);
  std::vector<float> features, labels;
  for (std::int64_t example = 0; example < examples; ++example) {
    const std::int64_t first = place(random);
    const std::int64_t second = length / 2 + place(random);
    float sum = 0;
    for (std::int64_t k = 0; k < length; ++k) {
      const bool marked = k == first || k == second;
      const float drawn = number(random);
      features.push_back(drawn);
      features.push_back(marked ? 1.0F : 0.0F);
      if (marked) sum += drawn;
    }
    labels.push_back(sum);
  }
  return data::make_dataset(std::move(name), Array::of<float>({examples, length, 2}, features),
                            Array::of<float>({examples, 1}, labels), /*classes=*/0);
}

Graph adder(std::int64_t length, std::int64_t hidden) {
  Graph graph("adder");
  const Dim batch = Dim::symbol("batch");
  const Tensor x = graph.input("features", {DType::f32, {batch, length, 2}});
  const Tensor sum = graph.input("labels", {DType::f32, {batch, 1}});
  const nn::LSTMOutputs states = nn::lstm(x, hidden, {.name = "memory"});
  const Tensor last = squeeze(states.h, {1});  // after the last number, of the only layer
  const Tensor y = nn::linear(last, 1, {.name = "head"});
  graph.set_output("sum", y);
  graph.set_output("loss", loss::mean_squared_error(y, sum));
  return graph;
}

void learn_to_remember(examples::Example& example) {
  const std::int64_t length = example.pick(6, 20);
  const data::Dataset train = rows("seen", example.pick(640, 6400), length, 1);
  const data::Dataset held_out = rows("held out", example.pick(64, 1000), length, 2);

  const auto loader = std::make_shared<data::Loader>(train, data::LoaderOptions{.batch_size = 64});
  train::TrainingSpec spec{.model = adder(length, example.pick(16, 32)),
                           .backend = BackendRegistry::global().make("cpu"),
                           .options = {.optimizer = optim::Optimizer::adam(5e-3)},
                           .batch = [loader](std::int64_t step) { return loader->at(step).arrays; },
                           .datasets = {{"held out", held_out}}};
  spec.options.optimizer.clip_norm = 1;  // gradients through many steps of time can be large now and then
  spec.course = {.epochs = example.pick(3, 10), .steps_per_epoch = loader->per_epoch(), .validate = "held out"};
  const train::TrainingResult result = train::run_training(
      std::move(spec), [&](const train::Event& event) { return example.note(event); },
      [&](train::Trainer& trainer) {
        example.check_parameters(trainer);
        const NamedArrays some = held_out.take(0, 3);
        const Array sums = trainer.infer(some).at("sum");
        for (std::int64_t k = 0; k < 3; ++k)
          std::printf("sum %.3f, said %.3f\n", some.at("labels").get(k), sums.get(k));
      });
  example.reached({.what = "held-out mean of squares", .value = result.metrics.at("loss"), .at_most = 0.005});
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run(argc, argv, "An LSTM remembers two numbers of a long row.", learn_to_remember);
}
