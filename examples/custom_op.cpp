// An op of one's own: Snake, y = x + sin²(f·x) / f, an activation for what repeats itself (Liu and others, 2020). The
// program tells the library what it is, lets it check the gradient, and trains a network with it.
#include <cmath>
#include <cstdio>

#include "asg/asg.h"
#include "asg/check/gradcheck.h"
#include "support/example.h"

using namespace asg;

namespace {

// What it computes, in the plainest way: the interpreter runs it, and everything else is compared with it. Elements
// come in f64, whatever the model has.
void snake_kernel(KernelContext& ctx) {
  const double f = ctx.real("frequency");
  const auto x = ctx.in(0).data<double>();
  const auto y = ctx.out().mutable_data<double>();
  for (std::size_t k = 0; k < x.size(); ++k) y[k] = x[k] + std::sin(f * x[k]) * std::sin(f * x[k]) / f;
}

// The same in smaller ops. Compilers take this one, and fuse it with what stands around it.
void snake_body(BodyContext& ctx) {
  const double f = ctx.real("frequency");
  const Tensor wave = sin(ctx.in(0) * f);
  ctx.output(ctx.in(0) + wave * wave / f);
}

// dy/dx = 1 + sin(2·f·x): a graph like any other, so that it can be differentiated again.
void snake_gradient(GradientContext& ctx) {
  const double f = ctx.real("frequency");
  ctx.set(0, ctx.grad() * (1.0 + sin(ctx.in(0) * (2 * f))));
}

const OpCard& snake_card() {
  static const OpCard& card = Registry::global().add({
      .name = "example.Snake",
      .category = Category::activation,
      .inputs = {{.name = "x"}},
      .outputs = {{.name = "y"}},
      .attributes = {{.name = "frequency", .kind = AttrKind::real, .fallback = 1.0, .least = 0.01}},
      .traits = {.elementwise = true},
      .infer = [](InferContext& ctx) { ctx.output(ctx.type(0)); },
      .body = snake_body,
      .kernel = snake_kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = snake_gradient,
      .samples = {{.name = "plain", .inputs = {in({2, 3}, -2, 2)}},
                  {.name = "fast", .inputs = {in({4})}, .attrs = {{"frequency", 3.0}}}},
  });
  return card;
}

// A typed function, as the library has for its own ops.
Tensor snake(const Tensor& x, double frequency = 1) {
  return add_op(snake_card().name, {x}, {{"frequency", frequency}});
}

void check_snake(examples::Example& example) {
  for (const int order : {1, 2}) {
    const OpGradientReport report = check_gradients(snake_card(), order);
    std::printf("gradient of order %d: %d samples, differs from central differences by %.1e\n", order, report.samples,
                report.max_error);
    example.expect(report.passed, "the gradient of order " + std::to_string(order) + " is wrong");
  }
}

// A line with a wave on it, x + sin(3x), at `count` places from `first` to `last`.
NamedArrays wave(std::int64_t count, double first, double last) {
  Array x(DType::f32, {count, 1});
  Array y(DType::f32, {count, 1});
  for (std::int64_t k = 0; k < count; ++k) {
    const double place = first + (last - first) * static_cast<double>(k) / static_cast<double>(count - 1);
    x.set(k, place);
    y.set(k, place + std::sin(3 * place));
  }
  return {{"features", x}, {"labels", y}};
}

void learn_a_wave(examples::Example& example) {
  check_snake(example);

  Graph graph("wave");
  const Dim places = Dim::symbol("places");
  const Tensor x = graph.input("features", {DType::f32, {places, 1}});
  const Tensor target = graph.input("labels", {DType::f32, {places, 1}});
  const Tensor hidden = snake(nn::linear(x, 32, {.name = "hidden"}), 2);
  const Tensor y = nn::linear(hidden, 1, {.name = "out"});
  graph.set_output("y", y);
  graph.set_output("loss", loss::mean_squared_error(y, target));

  train::Trainer trainer(graph, BackendRegistry::global().make("cpu"), {.optimizer = optim::Optimizer::adam(0.01)});
  const NamedArrays seen = wave(128, -3, 3);
  for (std::int64_t step = 1; step <= example.pick(100, 4000); ++step) {
    example.note_loss(step, trainer.step(seen).loss);
  }
  example.check_parameters(trainer);

  // Where it has never been: a network of Relu goes on in a straight line there.
  const double beyond = trainer.infer(wave(64, 3, 6)).at("loss").get(0);
  example.reached({.what = "mean of squares beyond what was seen", .value = beyond, .at_most = 0.05});
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run(argc, argv, "A network learns a wave with an op of its own.", learn_a_wave);
}
