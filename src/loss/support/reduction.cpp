#include "loss/support/reduction.h"

namespace asg::loss {

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

}  // namespace asg::loss
