#include "loss/support/classes.h"

#include "ops/loss/label_loss.h"
#include "ops/loss/loss_reduction.h"
#include "ops/support/samples.h"

namespace asg::loss {

AttrSpec class_axis_attribute() {
  return {.name = "axis",
          .fallback = -1,
          .words = {"the axis of the classes; −1 is the last, images have them on 1",
                    "ось классов; −1 — последняя, у изображений это 1"}};
}

int class_axis(const BodyContext& ctx) { return normalize_axis(ctx.integer("axis"), ctx.in(0).rank()); }

Tensor class_weight(const BodyContext& ctx) { return ctx.has(2) ? ctx.in(2) : Tensor{}; }

std::vector<Sample> class_samples(double low, double high) {
  std::vector<Sample> on_axis_1 = ops::label_samples(low, high);
  for (Sample& sample : on_axis_1) sample.attrs.set("axis", 1);
  const SampleInput scores = in({2, 3, 4}, low, high);
  const SampleInput labels = in_ints({2, 3}, {0, 3, -100, 2, 2, 1});
  return ops::join({std::move(on_axis_1),
                    ops::for_each_reduction({.name = "sequence", .inputs = {scores, labels, in({4}, 0.5, 3)}}),
                    {{.name = "sequence_ignored",
                      .inputs = {scores, in_ints({2, 3}, {0, 3, 1, 2, 2, 1})},
                      .attrs = {{"ignore_index", 2}}},
                     {.name = "one_example", .inputs = {in({3}, low, high), in_ints({}, {2})}}}});
}

std::vector<BadSample> bad_class_samples() { return ops::bad_label_samples(); }

}  // namespace asg::loss
