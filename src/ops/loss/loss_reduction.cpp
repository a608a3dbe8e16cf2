#include "ops/loss/loss_reduction.h"

namespace asg::ops {

AttrSpec reduction_attribute() {
  return {.name = "reduction",
          .kind = AttrKind::text,
          .fallback = "mean",
          .choices = {"mean", "sum", "none"},
          .words = {"how the losses of all elements become one number; none keeps them",
                    "как потери всех элементов становятся одним числом; none оставляет их"}};
}

Tensor reduced(const BodyContext& ctx, const Tensor& losses) {
  const std::string& reduction = ctx.text("reduction");
  if (reduction == "none") return losses;
  return add_op(reduction == "mean" ? "ReduceMean" : "ReduceSum", {losses}, {{"keepdims", false}});
}

Tensor reduced(const BodyContext& ctx, const Tensor& losses, const Tensor& weights) {
  const std::string& reduction = ctx.text("reduction");
  if (reduction == "none") return losses;
  const Tensor sum = add_op("ReduceSum", {losses}, {{"keepdims", false}});
  if (reduction == "sum") return sum;
  return sum / add_op("ReduceSum", {weights}, {{"keepdims", false}});
}

std::vector<Port> loss_port() {
  return {{.name = "loss",
           .words = {"one number, or one for each element that is judged",
                     "одно число или по числу на каждый оцениваемый элемент"}}};
}

std::vector<Sample> for_each_reduction(const Sample& sample) {
  std::vector<Sample> samples;
  for (const char* reduction : {"mean", "sum", "none"}) {
    Sample variant = sample;
    variant.name += std::string("_") + reduction;
    variant.attrs.set("reduction", reduction);
    samples.push_back(std::move(variant));
  }
  return samples;
}

}  // namespace asg::ops
