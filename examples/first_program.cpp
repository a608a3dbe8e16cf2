// The README's first program: trains XOR, then changes the model while it trains.
#include <cstdio>

#include "asg/asg.h"

int main() {
  using namespace asg;

  Graph graph("xor");
  const Dim batch = Dim::symbol("batch");
  const Tensor x = graph.input("features", {DType::f32, {batch, 2}});
  const Tensor target = graph.input("labels", {DType::f32, {batch, 1}});
  const Tensor hidden = nn::linear(x, 4, {.name = "hidden"});
  const Tensor active = tanh(hidden).named("activation");
  const Tensor y = nn::linear(active, 1, {.name = "out"});
  graph.set_output("prediction", y);
  graph.set_output("loss", loss::mean_squared_error(y, target));

  train::Trainer trainer(graph, BackendRegistry::global().make("cpu"), {.optimizer = optim::Optimizer::adam(0.05)});
  const NamedArrays data = {{"features", Array::of<float>({4, 2}, {0, 0, 0, 1, 1, 0, 1, 1})},
                            {"labels", Array::of<float>({4, 1}, {0, 1, 1, 0})}};
  for (int step = 0; step < 100; ++step) trainer.step(data);
  std::printf("after 100 steps: loss %.6f\n", trainer.step(data).loss);

  // Eight hidden units instead of four, and another activation. What was learnt is kept.
  trainer.apply({.commands = {edits::SetConfig{{hidden.node()}, {{"units", 8}}}}, .policy = ResizePolicy::preserve});
  trainer.apply({.commands = {edits::ReplaceOp{{active.node()}, "Gelu"}}});
  for (int step = 0; step < 300; ++step) trainer.step(data);
  const double loss = trainer.step(data).loss;
  std::printf("after the edits and 300 more: loss %.6f\n", loss);
  return loss < 1e-3 ? 0 : 1;
}
