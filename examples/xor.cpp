// The smallest network that cannot be replaced by a straight line: exclusive or.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "asg/asg.h"
#include "support/example.h"

using namespace asg;

namespace {

void learn_xor(examples::Example& example) {
  Graph graph("xor");
  const Dim batch = Dim::symbol("batch");  // any number of examples
  const Tensor x = graph.input("features", {DType::f32, {batch, 2}});
  const Tensor target = graph.input("labels", {DType::f32, {batch, 1}});
  const Tensor hidden = tanh(nn::linear(x, 8, {.name = "hidden"}));
  const Tensor score = nn::linear(hidden, 1, {.name = "out"});
  graph.set_output("probability", sigmoid(score));
  graph.set_output("loss", loss::binary_cross_entropy_with_logits(score, target));

  train::Trainer trainer(graph, BackendRegistry::global().make("cpu"), {.optimizer = optim::Optimizer::adam(0.05)});
  const NamedArrays all = {{"features", Array::of<float>({4, 2}, {0, 0, 0, 1, 1, 0, 1, 1})},
                           {"labels", Array::of<float>({4, 1}, {0, 1, 1, 0})}};
  for (std::int64_t step = 1; step <= example.pick(50, 500); ++step) {
    example.note_loss(step, trainer.step(all).loss);
  }

  const NamedArrays answers = trainer.infer(all);
  double worst = 0;  // distance from the truth
  for (std::int64_t k = 0; k < 4; ++k) {
    const double truth = all.at("labels").get(k);
    const double answer = answers.at("probability").get(k);
    std::printf("%g xor %g: %.3f\n", all.at("features").get(2 * k), all.at("features").get(2 * k + 1), answer);
    worst = std::max(worst, std::abs(answer - truth));
  }
  example.check_parameters(trainer);
  example.reached({.what = "largest distance from the truth", .value = worst, .at_most = 0.05});
}

}  // namespace

int main(int argc, char** argv) { return examples::run(argc, argv, "A network learns exclusive or.", learn_xor); }
