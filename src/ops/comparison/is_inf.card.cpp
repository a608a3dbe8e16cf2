#include <limits>
#include <string>
#include <utility>

#include "asg/graph/card.h"
#include "ops/comparison/comparison_parts.h"
#include "ops/support/gradients.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void kernel(KernelContext& ctx) {
  const bool positive = ctx.boolean("detect_positive");
  const bool negative = ctx.boolean("detect_negative");
  ops::unary<double, bool>(
      ctx, [=](double x) { return (positive && x == ops::kInfinity) || (negative && x == -ops::kInfinity); });
}

void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  const bool positive = ctx.boolean("detect_positive");
  const bool negative = ctx.boolean("detect_negative");
  const Tensor infinity = ops::scalar_like(x, positive ? ops::kInfinity : -ops::kInfinity);
  if (!positive && !negative) return ctx.output(x < infinity);  // nothing is smaller than minus infinity
  const Tensor size = positive && negative ? add_op("Abs", {x}) : x;
  ctx.output(add_op("Equal", {size, infinity}));
}

Sample asked(std::string name, bool positive, bool negative) {
  return {.name = std::move(name),
          .inputs = {in_exact(
              ops::reals({ops::kInfinity, -ops::kInfinity, ops::kNan, std::numeric_limits<double>::max()}))},
          .attrs = {{"detect_positive", positive}, {"detect_negative", negative}},
          .gradient = false,
          .expected = {ops::bools({positive, negative, false, false})}};
}

}  // namespace

OpCard card_is_inf() {
  return ops::question({
      .name = "IsInf",
      .attributes = {{.name = "detect_negative",
                      .kind = AttrKind::boolean,
                      .fallback = Attr(true),
                      .words = {"whether minus infinity counts", "учитывается ли минус бесконечность"}},
                     {.name = "detect_positive",
                      .kind = AttrKind::boolean,
                      .fallback = Attr(true),
                      .words = {"whether plus infinity counts", "учитывается ли плюс бесконечность"}}},
      .body = body,
      .kernel = kernel,
      .onnx = {{.op = "IsInf", .since = 10}},
      .torch = "torch.isinf",
      .words = {.what = {"True where an element is infinite; two attributes choose which of the two infinities count. "
                         "NaN is not infinite.",
                         "Истина там, где элемент бесконечен; два атрибута выбирают, какие из двух бесконечностей "
                         "учитывать. NaN бесконечным не считается."},
                .formula = "y = (|x| = \\infty)",
                .why = {"Mixed precision watches for it: when scaled gradients overflow f16, the step is skipped and "
                        "the scale halved. Attention masks, on the other hand, contain minus infinity on purpose, "
                        "hence the choice of sign.",
                        "При смешанной точности следят за бесконечностями: если масштабированные градиенты переполнили "
                        "f16, шаг пропускают, а масштаб делят пополам. В масках внимания минус бесконечность, "
                        "напротив, стоит нарочно, поэтому знак можно выбрать."}},
      .samples = ops::join({ops::question_samples({0, ops::kInfinity, -ops::kInfinity, ops::kNan, -1e30},
                                                  {false, true, true, false, false}),
                            {asked("both", true, true), asked("only_positive", true, false),
                             asked("only_negative", false, true), asked("neither", false, false)}}),
  });
}

}  // namespace asg::cards
