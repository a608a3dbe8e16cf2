#include "ops/normalization/norm_parts.h"

#include <cmath>
#include <string>

#include "ops/support/channels.h"
#include "ops/support/gradients.h"

namespace asg::ops {

Moments moments_of(std::span<const double> numbers, double epsilon, bool centred) {
  const auto count = static_cast<double>(numbers.size());
  Moments moments;
  if (centred) {
    double sum = 0;
    for (double number : numbers) sum += number;
    moments.mean = sum / count;
  }
  double squares = 0;
  for (double number : numbers) squares += (number - moments.mean) * (number - moments.mean);
  moments.inverse_deviation = 1 / std::sqrt(squares / count + epsilon);
  return moments;
}

NormalizedTensor normalized(const Tensor& x, const std::vector<std::int64_t>& axes, double epsilon) {
  NormalizedTensor result;
  result.mean = reduce_keeping("ReduceMean", x, axes);
  const Tensor centred = x - result.mean;
  result.variance = reduce_keeping("ReduceMean", centred * centred, axes);
  result.deviation = add_op("Sqrt", {result.variance + epsilon});
  result.value = centred / result.deviation;
  return result;
}

AttrSpec epsilon_attribute() {
  return {.name = "epsilon",
          .kind = AttrKind::real,
          .fallback = 1e-5,
          .least = 0,
          .words = {"added under the root, so that nothing is divided by zero",
                    "прибавляется под корнем, чтобы не пришлось делить на ноль"}};
}

AttrSpec first_axis_attribute() {
  return {.name = "axis",
          .kind = AttrKind::integer,
          .fallback = -1,
          .words = {"the first axis to normalise over; all after it are included",
                    "первая ось, по которой идёт нормализация; все следующие за ней тоже входят"}};
}

std::vector<std::int64_t> axes_from(const AttrReader& attributes, const Tensor& x) {
  std::vector<std::int64_t> axes;
  for (int axis = normalize_axis(attributes.integer("axis"), x.rank()); axis < x.rank(); ++axis) axes.push_back(axis);
  return axes;
}

void check_normalized_shape(const InferContext& ctx, int index, std::string_view what) {
  const Shape& x = ctx.shape(0);
  const int axis = normalize_axis(ctx.integer("axis"), x.rank());
  const Shape needed(std::vector<Dim>(x.begin() + axis, x.end()));
  if (!ctx.has(index) || ctx.shape(index) == needed) return;
  fail(ErrorCode::bad_shape, std::string(what) + " of shape " + ctx.shape(index).to_string(),
       "the shape of what is normalised: " + needed.to_string());
}

std::vector<Port> grouped_norm_inputs() {
  return {{.name = "x", .words = {"[batch, channels, …]", "[пакет, каналы, …]"}},
          {.name = "scale", .words = {"a factor for each channel", "множитель для каждого канала"}},
          {.name = "bias", .words = {"a number to add to each channel", "слагаемое для каждого канала"}}};
}

std::vector<Port> grouped_norm_outputs() {
  return {{.name = "y",
           .words = {"x normalised, scaled and shifted, of its shape",
                     "x, нормированный, умноженный на масштаб и сдвинутый, той же формы"}}};
}

void infer_grouped_norm(InferContext& ctx) {
  check_has_channels(ctx);
  check_channel_vector(ctx, 1, ctx.shape(0)[1], "a scale");
  check_channel_vector(ctx, 2, ctx.shape(0)[1], "a bias");
  ctx.output(ctx.type(0));
}

void grouped_norm_kernel(KernelContext& ctx, std::int64_t groups) {
  const auto from = ctx.in(0).data<double>();
  const auto scale = ctx.in(1).data<double>();
  const auto bias = ctx.in(2).data<double>();
  const auto to = ctx.out().mutable_data<double>();
  if (to.empty()) return;
  const Sizes& sizes = ctx.in(0).sizes();
  const auto channels = static_cast<std::size_t>(sizes[1]);
  const std::size_t length = to.size() / (static_cast<std::size_t>(sizes[0]) * channels);
  const std::size_t row = channels / static_cast<std::size_t>(groups == 0 ? sizes[1] : groups) * length;
  for (std::size_t first = 0; first < to.size(); first += row) {
    const Moments moments = moments_of(from.subspan(first, row), ctx.real("epsilon"));
    for (std::size_t k = first; k < first + row; ++k) {
      const std::size_t channel = k / length % channels;
      to[k] = (from[k] - moments.mean) * moments.inverse_deviation * scale[channel] + bias[channel];
    }
  }
}

void grouped_norm_body(BodyContext& ctx, std::int64_t groups) {
  const Tensor& x = ctx.in(0);
  const Tensor rows = add_op("Reshape", {x, ints(ctx.graph(), {0, groups, -1})});
  const Tensor value = normalized(rows, {2}, ctx.real("epsilon")).value;
  const Tensor restored = add_op("Reshape", {value, shape_of(x)});
  const Tensor scale = along_channels(ctx.in(1), x.rank());
  const Tensor bias = along_channels(ctx.in(2), x.rank());
  ctx.output(restored * scale + bias);
}

}  // namespace asg::ops
