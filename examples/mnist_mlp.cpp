// A plain network of three layers reads handwritten digits, in a loop of its own; then a metric tells its mistakes.
//
//   asg data get mnist && build/examples/example_mnist_mlp
#include <cstdio>

#include "asg/asg.h"
#include "asg/metrics/confusion.h"
#include "support/example.h"

using namespace asg;

namespace {

Graph digit_reader() {
  Graph graph("mnist_mlp");
  const Dim batch = Dim::symbol("batch");
  Tensor x = graph.input("features", {DType::f32, {batch, 784}});
  const Tensor labels = graph.input("labels", {DType::i64, {batch}});
  for (const char* name : {"hidden_1", "hidden_2"}) {
    x = relu(nn::linear(x, 256, {.name = name}));
    x = nn::dropout(x, {.ratio = 0.2});
  }
  const Tensor logits = nn::linear(x, 10, {.name = "head"});
  graph.set_output("logits", logits);
  graph.set_output("loss", loss::cross_entropy(logits, labels));
  return graph;
}

// The mistake that is made most often.
void tell_mistakes(train::Trainer& trainer, const data::Dataset& held_out) {
  const auto metric = metrics::make_metric("confusion_matrix");
  data::Loader loader(held_out, {.batch_size = 500, .shuffle = false, .drop_last = false});
  while (loader.position() < loader.per_epoch()) {
    const NamedArrays batch = loader.next().arrays;
    metric->add(trainer.infer(batch).at("logits"), batch.at("labels"));
  }
  const metrics::ConfusionMatrix& matrix = *metric->confusion();
  std::int64_t most = 0, actual = 0, predicted = 0;
  for (std::int64_t row = 0; row < matrix.classes(); ++row) {
    for (std::int64_t column = 0; column < matrix.classes(); ++column) {
      if (row == column || matrix.at(row, column) <= most) continue;
      most = matrix.at(row, column);
      actual = row;
      predicted = column;
    }
  }
  std::printf("the most frequent mistake: a %d read as a %d, %d times\n", static_cast<int>(actual),
              static_cast<int>(predicted), static_cast<int>(most));
}

void learn_digits(examples::Example& example) {
  const data::Split mnist = example.pictures("mnist");
  const data::Transform prepare = data::chain({data::normalise({0.1307}, {0.3081}), data::flatten()});
  const data::Dataset held_out = mnist.held_out.mapped(prepare);
  data::Loader loader(mnist.train.mapped(prepare), {.batch_size = 128});
  const std::int64_t epochs = example.pick(3, 10);

  const optim::Optimizer optimizer = optim::Optimizer::adamw(2e-3);
  const optim::Schedule cosine = optim::schedule_named("cosine", {{"steps", epochs * loader.per_epoch()}});
  train::Trainer trainer(digit_reader(), BackendRegistry::global().make("cpu"), {.optimizer = optimizer});
  double accuracy = 0;
  for (std::int64_t epoch = 1; epoch <= epochs; ++epoch) {
    for (std::int64_t k = 0; k < loader.per_epoch(); ++k) {
      trainer.set_learning_rate(optimizer.learning_rate() * optim::factor_at(cosine, trainer.steps()));
      const train::StepReport report = trainer.step(loader.next().arrays);
      example.note_loss(report.step, report.loss);
    }
    accuracy = trainer.evaluate(held_out).accuracy.value();
    std::printf("epoch %d: held-out accuracy %.2f %%\n", static_cast<int>(epoch), 100 * accuracy);
  }
  tell_mistakes(trainer, held_out);
  example.check_parameters(trainer);
  example.reached({.what = "held-out accuracy", .value = accuracy, .at_least = 0.98});
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run(argc, argv, "A network of three layers learns handwritten digits.", learn_digits);
}
