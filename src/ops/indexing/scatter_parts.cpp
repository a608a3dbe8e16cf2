#include "ops/indexing/scatter_parts.h"

#include "ops/support/gradients.h"

namespace asg::ops {
namespace {

class ScatterGradient {
 public:
  ScatterGradient(GradientContext& ctx, const ScatterFamily& family) : ctx_(ctx), family_(family), grad_(ctx.grad()) {}

  void sum() {
    ctx_.set(0, grad_);
    if (ctx_.needs(2)) ctx_.set(2, gather(grad_));
  }

  // An element that was overwritten has no influence any more.
  void replacement() {
    if (ctx_.needs(0)) ctx_.set(0, scatter(grad_, zeros_like(updates()), "none"));
    if (ctx_.needs(2)) ctx_.set(2, gather(grad_));
  }

  // Each factor's gradient is the product of the others in its place: the product of all that are not 0, divided by the
  // factor itself, where no other one is 0.
  void product() {
    if (ctx_.needs(0)) {
      const Tensor ones = expand_like(scalar_like(x(), 1), x());
      ctx_.set(0, grad_ * scatter(ones, updates(), "mul"));
    }
    if (!ctx_.needs(2)) return;
    const Tensor is_zero = add_op("Equal", {updates(), scalar_like(x(), 0)});
    const Tensor zeros = as_numbers(is_zero, x());
    const Tensor safe = choose(is_zero, scalar_like(x(), 1), updates());
    const Tensor others = gather(scatter(x(), safe, "mul")) / safe;
    const Tensor other_zeros = gather(scatter(zeros_like(x()), zeros, "add")) - zeros;
    const Tensor counts = add_op("Equal", {other_zeros, scalar_like(x(), 0)});
    ctx_.set(2, where_or_zero(counts, gather(grad_) * others));
  }

  // Shared evenly among all that reach the extreme of their place.
  void extreme() {
    const Tensor& y = ctx_.out();
    const Tensor by_x = as_numbers(add_op("Equal", {x(), y}), x());
    const Tensor by_updates = as_numbers(add_op("Equal", {updates(), gather(y)}), x());
    const Tensor share = grad_ / scatter(by_x, by_updates, "add");
    ctx_.set(0, share * by_x);
    if (ctx_.needs(2)) ctx_.set(2, gather(share) * by_updates);
  }

 private:
  const Tensor& x() const { return ctx_.in(0); }
  const Tensor& updates() const { return ctx_.in(2); }
  Tensor gather(const Tensor& tensor) const { return add_op(family_.gather, {tensor, ctx_.in(1)}, family_.place); }
  Tensor scatter(const Tensor& into, const Tensor& values, const char* reduction) const {
    Attrs attrs = family_.place;
    attrs.set("reduction", reduction);
    return add_op(family_.scatter, {into, ctx_.in(1), values}, attrs);
  }

  GradientContext& ctx_;
  const ScatterFamily& family_;
  Tensor grad_;
};

}  // namespace

void scatter_gradient(GradientContext& ctx, const ScatterFamily& family) {
  ScatterGradient gradient(ctx, family);
  const std::string& reduction = ctx.text("reduction");
  if (reduction == "add") return gradient.sum();
  if (reduction == "mul") return gradient.product();
  if (reduction == "none") return gradient.replacement();
  gradient.extreme();
}

AttrSpec scatter_reduction() {
  return {.name = "reduction",
          .kind = AttrKind::text,
          .fallback = "none",
          .choices = {"none", "add", "mul", "max", "min"},
          .words = {"none replaces elements, and no element may be named twice; the others combine all updates of a "
                    "place with what stands there",
                    "none заменяет элементы, и ни один нельзя назвать дважды; остальные соединяют все обновления "
                    "одного места с тем, что там стоит"}};
}

void claim(std::vector<bool>& taken, std::int64_t offset) {
  if (taken[static_cast<std::size_t>(offset)]) {
    fail(ErrorCode::computation_error, "two updates of one element", "at most one for each, as reduction is 'none'",
         "use reduction 'add' if they shall be summed");
  }
  taken[static_cast<std::size_t>(offset)] = true;
}

}  // namespace asg::ops
