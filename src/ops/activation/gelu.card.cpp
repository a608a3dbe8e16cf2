#include <cmath>

#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/elementwise.h"
#include "ops/support/gradients.h"
#include "ops/support/kernels.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

constexpr double kHalfSqrt = 0.7071067811865476;       // sqrt(1/2)
constexpr double kDensityAtZero = 0.3989422804014327;  // 1/sqrt(2 pi), of the normal distribution
constexpr double kInner = 0.7978845608028654;          // sqrt(2/pi)
constexpr double kCubic = 0.044715;

// erfc keeps the small values of negative x, which 1 + erf would lose.
double exact_gelu(double x) { return 0.5 * x * std::erfc(-x * kHalfSqrt); }

double tanh_gelu(double x) { return 0.5 * x * (1 + std::tanh(kInner * (x + kCubic * x * x * x))); }

void kernel(KernelContext& ctx) {
  const bool by_tanh = ctx.text("approximate") == "tanh";
  ops::unary<double>(ctx, by_tanh ? tanh_gelu : exact_gelu);
}

// The share of x that passes, between 0 and 1.
Tensor gate_of(const Tensor& x, const std::string& approximate) {
  if (approximate == "tanh") return 0.5 * (1 + add_op("Tanh", {kInner * (x + kCubic * (x * x * x))}));
  return 0.5 * (1 + add_op("Erf", {kHalfSqrt * x}));
}

void body(BodyContext& ctx) { ctx.output(ctx.in(0) * gate_of(ctx.in(0), ctx.text("approximate"))); }

// gate + x * gate'
void gradient(GradientContext& ctx) {
  const std::string& approximate = ctx.text("approximate");
  if (approximate == "tanh") {
    // The gate is that of the forward pass, so its Tanh is computed once. Beyond 10 its slope is 0 to the last bit; x
    // is held there, so that its square cannot overflow in a narrow dtype and make NaN of that 0.
    const Tensor gate = gate_of(ctx.in(0), approximate);
    const Tensor x = add_op("Clip", {ctx.in(0), ops::scalar_like(ctx.in(0), -10), ops::scalar_like(ctx.in(0), 10)});
    const Tensor tanh_slope = gate * (1 - gate);
    const Tensor inner_slope = 1 + (3 * kCubic) * (x * x);
    return ctx.set(0, ctx.grad() * (gate + x * ((2 * kInner) * tanh_slope * inner_slope)));
  }
  const Tensor& x = ctx.in(0);
  const Tensor gate = gate_of(x, approximate);
  const Tensor density = kDensityAtZero * add_op("Exp", {-0.5 * (x * x)});
  ctx.set(0, ctx.grad() * (gate + x * density));
}

Sample extremes(const char* name, const char* approximate, std::vector<double> expected) {
  return ops::exact(name, {0, 1, -1, 30, -30, ops::kNan}, std::move(expected), {{"approximate", approximate}});
}

}  // namespace

OpCard card_gelu() {
  return ops::unary_op({
      .name = "Gelu",
      .category = Category::activation,
      .attributes = {{.name = "approximate",
                      .kind = AttrKind::text,
                      .fallback = Attr("none"),
                      .choices = {Attr("none"), Attr("tanh")},
                      .words = {"none: the exact form by the error function; tanh: the older, cheaper approximation",
                                "none: точная форма через функцию ошибок; tanh: старое, более дешёвое приближение"}}},
      .body = body,
      .kernel = kernel,
      .gradient = gradient,
      .cost = ops::cost_per_output(ops::kTranscendental + 5),
      .onnx = {{.op = "Gelu", .since = 20}},
      .torch = "torch.nn.functional.gelu",
      .words =
          {.what =
               {"Multiplies every element by the probability that a standard normal random number is smaller than it. "
                "Large numbers pass, very negative ones become zero, and just below zero it dips to about -0.17.",
                "Умножает каждый элемент на вероятность того, что стандартная нормальная величина меньше него. Большие "
                "числа проходят, сильно отрицательные становятся нулём, а чуть ниже нуля есть впадина примерно до "
                "−0,17."},
           .formula =
               "y = \\begin{cases} \\frac{x}{2} (1 + \\operatorname{erf}(\\frac{x}{\\sqrt{2}})) & \\text{none} \\\\ "
               "\\frac{x}{2} (1 + \\tanh(\\sqrt{\\frac{2}{\\pi}} (x + 0.044715 x^{3}))) & \\text{tanh} \\end{cases}",
           .why = {"The usual activation of transformers since BERT and GPT-2: smooth where Relu has a corner, so the "
                   "gradient is never cut off at once. GPT-2 was trained with the tanh form; weights work best with "
                   "the form they were trained with.",
                   "Обычная активация трансформеров со времён BERT и GPT-2: гладкая там, где у Relu угол, поэтому "
                   "градиент не обрывается разом. GPT-2 обучали с формой tanh; веса работают лучше всего с той формой, "
                   "с которой обучены."}},
      .samples = ops::join(
          {ops::unary_samples(-2, 2),
           {{.name = "tanh_form", .inputs = {in({2, 3, 4}, -2, 2)}, .attrs = {{"approximate", "tanh"}}},
            extremes("exact_values", "none", {0, 0.8413447460685429, -0.15865525393145707, 30, 0, ops::kNan}),
            extremes("tanh_values", "tanh", {0, 0.8411919906082768, -0.15880800939172324, 30, 0, ops::kNan})}}),
      .bad_samples = {ops::refuse_integers(),
                      {.name = "unknown_form",
                       .inputs = {in({2})},
                       .attrs = {{"approximate", "sigmoid"}},
                       .code = ErrorCode::bad_attribute,
                       .contains = "attribute 'approximate' of op 'Gelu'"}},
  });
}

}  // namespace asg::cards
