#include "loss/support/pairs.h"

namespace asg::loss {

std::vector<Port> pair_ports(Words prediction, Words target) {
  return {{.name = "prediction", .words = prediction}, {.name = "target", .words = target}};
}

void check_equal_shapes(const BodyContext& ctx, int first, int second) {
  const Shape& left = ctx.in(first).shape();
  const Shape& right = ctx.in(second).shape();
  if (left == right) return;
  const auto& ports = ctx.op().inputs;
  const auto described = [&](int index, const Shape& shape) {
    return std::string(ports[static_cast<std::size_t>(index)].name) + " of shape " + shape.to_string();
  };
  fail(ErrorCode::bad_shape, described(first, left) + " and " + described(second, right), "equal shapes",
       "broadcasting a target by accident is a common mistake; expand it if it is meant");
}

std::vector<Sample> pair_samples(ops::Range prediction, ops::Range target, const Attrs& attrs) {
  const auto pair = [&](std::string name, const Sizes& sizes, bool gradient) {
    return Sample{.name = std::move(name),
                  .inputs = {in(sizes, prediction.low, prediction.high), in(sizes, target.low, target.high)},
                  .attrs = attrs,
                  .gradient = gradient};
  };
  return ops::join({ops::for_each_reduction(pair("pair", {2, 3}, true)),
                    {pair("rank_3", {1, 3, 2}, true), pair("different_lengths", {2, 3, 4}, false),
                     pair("scalars", {}, true), pair("one_element", {1, 1}, false)},
                    {pair("no_elements", {0, 2}, false)}});
}

Sample exact_pair(std::string name, std::vector<double> prediction, std::vector<double> target,
                  std::vector<double> expected, Attrs attrs) {
  attrs.set("reduction", "none");
  Sample sample = ops::exact2(std::move(name), std::move(prediction), std::move(target), std::move(expected));
  sample.attrs = std::move(attrs);
  return sample;
}

BadSample refuse_other_shape() {
  return {
      .name = "broadcast", .inputs = {in({3, 4}), in({4})}, .code = ErrorCode::bad_shape, .contains = "equal shapes"};
}

}  // namespace asg::loss
