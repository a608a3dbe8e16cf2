// A straight line through noisy points, found by gradient descent, beside the line that a formula gives.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "asg/asg.h"
#include "support/example.h"

using namespace asg;

namespace {

constexpr std::int64_t kPoints = 200;

struct Line {
  double slope = 0;
  double offset = 0;
};

// Points about y = 2x − 1.
data::Dataset noisy_points() {
  const RandomStream random(/*seed=*/1, /*stream=*/1);
  Array x(DType::f32, {kPoints, 1});
  Array y(DType::f32, {kPoints, 1});
  for (std::int64_t k = 0; k < kPoints; ++k) {
    const auto position = static_cast<std::uint64_t>(k);
    x.set(k, 4 * random.uniform(position) - 2);
    y.set(k, 2 * x.get(k) - 1 + 0.3 * random.normal(position + kPoints));
  }
  return data::make_dataset("noisy points", x, y, /*classes=*/0);
}

// Least squares: the slope is the covariance of x and y by the variance of x.
Line fitted_by_formula(const data::Dataset& points) {
  const Array x = points.column("features");
  const Array y = points.column("labels");
  double mean_x = 0, mean_y = 0, covariance = 0, variance = 0;
  for (std::int64_t k = 0; k < kPoints; ++k) {
    mean_x += x.get(k) / kPoints;
    mean_y += y.get(k) / kPoints;
  }
  for (std::int64_t k = 0; k < kPoints; ++k) {
    covariance += (x.get(k) - mean_x) * (y.get(k) - mean_y);
    variance += (x.get(k) - mean_x) * (x.get(k) - mean_x);
  }
  return {covariance / variance, mean_y - covariance / variance * mean_x};
}

void fit_line(examples::Example& example) {
  const data::Dataset points = noisy_points();

  Graph graph("line");
  const Dim batch = Dim::symbol("batch");
  const Tensor x = graph.input("features", {DType::f32, {batch, 1}});
  const Tensor target = graph.input("labels", {DType::f32, {batch, 1}});
  const Tensor y = nn::linear(x, 1, {.name = "line"});
  graph.set_output("loss", loss::mean_squared_error(y, target));

  train::Trainer trainer(graph, BackendRegistry::global().make("cpu"), {.optimizer = optim::Optimizer::sgd(0.1)});
  for (std::int64_t step = 1; step <= example.pick(30, 200); ++step) {
    example.note_loss(step, trainer.step(points).loss);
  }

  const Line learnt = {trainer.read("line.weight").get(0), trainer.read("line.bias").get(0)};
  const Line exact = fitted_by_formula(points);
  std::printf("learnt      y = %.5f x %+.5f\nby formula  y = %.5f x %+.5f\n", learnt.slope, learnt.offset, exact.slope,
              exact.offset);
  example.check_parameters(trainer);
  const double distance = std::max(std::abs(learnt.slope - exact.slope), std::abs(learnt.offset - exact.offset));
  example.reached({.what = "distance from the formula", .value = distance, .at_most = 1e-5});
}

}  // namespace

int main(int argc, char** argv) { return examples::run(argc, argv, "Gradient descent finds a line.", fit_line); }
