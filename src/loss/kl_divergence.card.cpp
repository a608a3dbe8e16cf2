#include "loss/support/pairs.h"
#include "ops/support/gradients.h"

namespace asg::loss_cards {
namespace {

// t ln t, which is 0 at 0.
Tensor entropy_term(const Tensor& target) {
  const Tensor is_zero = add_op("Equal", {target, ops::scalar_like(target, 0)});
  return target * add_op("Log", {ops::choose(is_zero, ops::scalar_like(target, 1), target)});
}

// A divergence is a sum over the classes; `batchmean` averages those sums over the examples.
Tensor reduced(const BodyContext& ctx, const Tensor& losses) {
  if (ctx.text("reduction") != "batchmean") return ops::reduced(ctx, losses);
  const Tensor sum = add_op("ReduceSum", {losses}, {{"keepdims", false}});
  if (losses.rank() == 0) return sum;
  const Tensor first = ops::ints(ctx.in(0).graph(), {0});
  const Tensor examples = add_op("Gather", {ops::shape_of(losses), first});
  const Tensor count = add_op("Cast", {add_op("Squeeze", {examples})}, {{"to", losses.dtype()}});
  return sum / count;
}

void body(BodyContext& ctx) {
  loss::check_equal_shapes(ctx, 0, 1);
  const Tensor& prediction = ctx.in(0);
  const Tensor& target = ctx.in(1);
  if (ctx.boolean("log_target")) {
    const Tensor weight = add_op("Exp", {target});
    ctx.output(reduced(ctx, weight * (target - prediction)));
  } else {
    const Tensor entropy = entropy_term(target);
    ctx.output(reduced(ctx, entropy - target * prediction));
  }
}

AttrSpec reduction() {
  AttrSpec spec = ops::reduction_attribute();
  spec.choices.push_back("batchmean");
  spec.words = {
      "mean over all elements, mean over examples (batchmean: the divergence itself), sum, or none",
      "среднее по всем элементам, среднее по примерам (batchmean — сама дивергенция), сумма или без редукции (none)"};
  return spec;
}

std::vector<Sample> samples() {
  const Attrs logarithms = {{"log_target", true}};
  const auto batch_mean = [](std::string name, bool log_target, double low, double high) {
    return Sample{.name = std::move(name),
                  .inputs = {in({3, 4}, -3, -0.5), in({3, 4}, low, high)},
                  .attrs = {{"reduction", "batchmean"}, {"log_target", log_target}}};
  };
  return ops::join(
      {loss::pair_samples({-3, -0.5}, {0.1, 0.9}),
       loss::pair_samples({-3, -0.5}, {-2, -0.1}, logarithms),
       {batch_mean("batch_mean", false, 0.1, 0.9), batch_mean("batch_mean_of_logarithms", true, -2, -0.1),
        loss::exact_pair("exact", {-1, -2, -0.5}, {0.2, 0, 0.8}, {-0.12188758248682008, 0, 0.22148515894863224}),
        loss::exact_pair("exact_logarithms", {-1, -2, -0.5}, {-1.5, -0.2, -1000},
                         {-0.11156508007421491, 1.4737153555403673, 0}, logarithms)}});
}

}  // namespace

OpCard card_kl_divergence() {
  return {
      .name = "loss.KLDivergence",
      .category = Category::loss,
      .inputs = loss::pair_ports(
          {"log-probabilities", "логарифмы вероятностей"},
          {"probabilities, or their logarithms with `log_target`", "вероятности или их логарифмы при `log_target`"}),
      .outputs = ops::loss_port(),
      .attributes = {reduction(),
                     {.name = "log_target",
                      .kind = AttrKind::boolean,
                      .fallback = false,
                      .words = {"the target holds logarithms too", "цель тоже задана логарифмами"}}},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.functional.kl_div",
      .peer_differences = {{{"exact"}, "the slope of t ln t at 0 counts as 0; PyTorch gives NaN"}},
      .words =
          {.what =
               {"How much longer messages become if they are coded for the predicted distribution while the target "
                "distribution is the true one. Single terms may be negative; their sum over the classes is 0 only "
                "where both distributions agree. A target of 0 costs nothing, but with `log_target` a logarithm of −∞ "
                "gives NaN.",
                "Насколько длиннее станут сообщения, если кодировать их по предсказанному распределению, когда верно "
                "целевое. Отдельные слагаемые бывают отрицательными; их сумма по классам равна 0, только если "
                "распределения совпадают. Нулевая цель ничего не стоит, но при `log_target` логарифм −∞ даёт NaN."},
           .formula = R"(l = t (\ln t - x))",
           .why = {"Distillation trains a small model to give the whole distribution of a large one, as DistilBERT "
                   "learned from BERT; tuning a language model on rewards, one keeps it near its starting point with "
                   "this penalty. Use `batchmean` for the divergence itself: the default mean also divides by the "
                   "number of classes.",
                   "При дистилляции малая модель учится выдавать всё распределение большой, как DistilBERT у BERT; при "
                   "дообучении языковой модели на вознаграждениях этот штраф удерживает её рядом с исходной. Сама "
                   "дивергенция — это `batchmean`: среднее по умолчанию делит ещё и на число классов."}},
      .samples = samples(),
      .bad_samples = {loss::refuse_other_shape()},
  };
}

}  // namespace asg::loss_cards
