#include "loss/support/pairs.h"

namespace asg::loss_cards {
namespace {

void body(BodyContext& ctx) {
  loss::check_equal_shapes(ctx, 0, 1);
  ctx.output(ops::reduced(ctx, add_op("Relu", {1.0 - ctx.in(0) * ctx.in(1)})));
}

}  // namespace

OpCard card_hinge() {
  return {
      .name = "loss.Hinge",
      .category = Category::loss,
      .inputs = loss::pair_ports({"scores", "оценки"}, {"−1 or 1", "−1 или 1"}),
      .outputs = ops::loss_port(),
      .attributes = {ops::reduction_attribute()},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.functional.margin_ranking_loss",
      .peer_differences = {{{"exact"}, "at the corner the gradient is 0; PyTorch takes the slope of the line"}},
      .words = {.what = {"Costs nothing once the score lies on the right side of 0 by at least 1, and grows linearly "
                         "with the shortfall otherwise. At the corner the gradient is 0.",
                         "Не стоит ничего, если оценка лежит по верную сторону от нуля и не ближе 1 к нему, иначе "
                         "растёт линейно с недостачей. В самом углу градиент равен 0."},
                .formula = R"(l = \max(0, 1 - t p))",
                .why = {"It is the loss of support vector machines: examples that are already safe stop pulling, and "
                        "only those near the border shape it. The discriminators of SAGAN and BigGAN use it too.",
                        "Функция потерь метода опорных векторов: уже надёжные примеры перестают тянуть, и границу "
                        "определяют только те, что рядом с ней. Её же используют дискриминаторы SAGAN и BigGAN."}},
      .samples = ops::join({loss::pair_samples({-0.9, 0.9}, {-1, 1}),
                            {loss::exact_pair("exact", {0.5, -1, 2, 0.25}, {1, -1, -1, 1}, {0.5, 0, 3, 0.75})}}),
      .bad_samples = {loss::refuse_other_shape()},
  };
}

}  // namespace asg::loss_cards
