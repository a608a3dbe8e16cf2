#include <cmath>

#include "ops/normalization/norm_parts.h"
#include "ops/support/channels.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/kernels.h"

namespace asg::cards {
namespace {

constexpr std::string_view kVectors[] = {"a scale", "a bias", "a mean", "a variance"};

void infer(InferContext& ctx) {
  ops::check_has_channels(ctx);
  const Dim& channels = ctx.shape(0)[1];
  for (int index = 1; index <= 4; ++index) {
    ops::check_channel_vector(ctx, index, channels, kVectors[index - 1]);
  }
  ctx.output(ctx.type(0));
  ctx.output({ctx.dtype(0), Shape{channels}});
  ctx.output({ctx.dtype(0), Shape{channels}});
}

// The positions of a channel in x, picture by picture.
template <class Visit>
void for_each_element(const ops::Lanes& lanes, std::int64_t channel, Visit visit) {
  for (std::int64_t picture = 0; picture < lanes.before_count; ++picture) {
    const std::int64_t first = (picture * lanes.length + channel) * lanes.after_count;
    for (std::int64_t k = first; k < first + lanes.after_count; ++k) visit(k);
  }
}

// Mean and variance of a channel over the whole batch, by two passes.
std::pair<double, double> batch_statistics(const ops::Lanes& lanes, std::int64_t channel, const double* x) {
  const auto count = static_cast<double>(lanes.before_count * lanes.after_count);
  double sum = 0;
  for_each_element(lanes, channel, [&](std::int64_t k) { sum += x[k]; });
  const double mean = sum / count;
  double squares = 0;
  for_each_element(lanes, channel, [&](std::int64_t k) { squares += (x[k] - mean) * (x[k] - mean); });
  return {mean, squares / count};
}

void kernel(KernelContext& ctx) {
  const auto lanes = ops::lanes_of(ctx.in(0).sizes(), 1);
  const bool training = ctx.boolean("training_mode");
  const double momentum = training ? ctx.real("momentum") : 1;
  const double* x = ctx.in(0).data<double>().data();
  double* y = ctx.out(0).mutable_data<double>().data();
  for (std::int64_t channel = 0; channel < lanes.length; ++channel) {
    const double old_mean = ctx.in(3).get(channel);
    const double old_variance = ctx.in(4).get(channel);
    auto [mean, variance] = training ? batch_statistics(lanes, channel, x) : std::pair{old_mean, old_variance};
    ctx.out(1).set(channel, training ? old_mean * momentum + mean * (1 - momentum) : old_mean);
    ctx.out(2).set(channel, training ? old_variance * momentum + variance * (1 - momentum) : old_variance);
    const double factor = ctx.in(1).get(channel) / std::sqrt(variance + ctx.real("epsilon"));
    const double bias = ctx.in(2).get(channel);
    for_each_element(lanes, channel, [&, centre = mean](std::int64_t k) { y[k] = (x[k] - centre) * factor + bias; });
  }
}

// The running value: mostly the old one, and a little of that of the batch.
Tensor moved(const Tensor& old_value, const Tensor& batch, double momentum) {
  const Tensor vector = add_op("Reshape", {batch, ops::ints(batch.graph(), {-1})});
  const Tensor kept = old_value * momentum;
  const Tensor added = vector * (1 - momentum);
  return kept + added;
}

void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  const auto along = [&](int index) { return ops::along_channels(ctx.in(index), x.rank()); };
  Tensor value;
  Tensor mean = ctx.in(3);
  Tensor variance = ctx.in(4);
  if (ctx.boolean("training_mode")) {
    std::vector<std::int64_t> axes = {0};
    for (int axis = 2; axis < x.rank(); ++axis) axes.push_back(axis);
    const ops::NormalizedTensor batch = ops::normalized(x, axes, ctx.real("epsilon"));
    value = batch.value;
    mean = moved(mean, batch.mean, ctx.real("momentum"));
    variance = moved(variance, batch.variance, ctx.real("momentum"));
  } else {
    const Tensor centred = x - along(3);
    value = centred / add_op("Sqrt", {along(4) + ctx.real("epsilon")});
  }
  const Tensor scaled = value * along(1);
  ctx.output(scaled + along(2));
  ctx.output(mean);
  ctx.output(variance);
}

std::vector<AttrSpec> attributes() {
  return {
      ops::epsilon_attribute(),
      {.name = "momentum",
       .kind = AttrKind::real,
       .fallback = 0.9,
       .least = 0,
       .most = 1,
       .words = {"how much of the running statistics stays when a batch is added; PyTorch counts the other way round",
                 "какая доля накопленных статистик остаётся при добавлении пакета; PyTorch считает наоборот"}},
      {.name = "training_mode",
       .kind = AttrKind::boolean,
       .fallback = Attr(false),
       .words = {"whether x is normalised by its own statistics, which also move the running ones; else by those given",
                 "нормировать ли x его собственными статистиками, которые при этом сдвигают накопленные; иначе — "
                 "переданными на вход"}},
  };
}

std::vector<SampleInput> inputs(Sizes x) {
  const std::int64_t channels = x[1];
  return {in(std::move(x)), in({channels}, 0.5, 1.5), in({channels}), in({channels}), in({channels}, 0.5, 1.5)};
}

std::vector<Sample> samples() {
  const auto vector = [](double a, double b) { return in_exact(Array::of<double>({2}, {a, b})); };
  const auto x = in_exact(Array::of<double>({2, 2, 1}, {1, 10, 3, 50}));
  return {
      {.name = "exact",
       .inputs = {x, vector(2, 3), vector(10, 20), vector(1, 10), vector(4, 25)},
       .attrs = {{"epsilon", 0.0}},
       .expected = {Array::of<double>({2, 2, 1}, {10, 20, 12, 44}), Array::of<double>({2}, {1, 10}),
                    Array::of<double>({2}, {4, 25})}},
      {.name = "exact_training",
       .inputs = {x, vector(2, 3), vector(10, 20), vector(1, 10), vector(4, 200)},
       .attrs = {{"epsilon", 0.0}, {"training_mode", true}, {"momentum", 0.5}},
       .gradient = false,
       .expected = {Array::of<double>({2, 2, 1}, {8, 17, 12, 23}), Array::of<double>({2}, {1.5, 20}),
                    Array::of<double>({2}, {2.5, 300})}},
      {.name = "one_axis", .inputs = inputs({2, 3, 4})},
      {.name = "no_spatial_axes", .inputs = inputs({3, 2}), .attrs = {{"training_mode", true}}},
      {.name = "two_axes_training",
       .inputs = inputs({2, 2, 1, 3}),
       .attrs = {{"training_mode", true}, {"momentum", 0.3}, {"epsilon", 0.1}}},
      {.name = "momentum_is_not_used", .inputs = inputs({1, 2, 2, 2}), .attrs = {{"momentum", 0.3}}},
      {.name = "three_axes", .inputs = inputs({1, 2, 1, 2, 2}), .attrs = {{"epsilon", 0.1}}},
      {.name = "no_pictures", .inputs = inputs({0, 2, 3}), .gradient = false},
  };
}

std::vector<BadSample> bad_samples() {
  return {
      {.name = "no_channels",
       .inputs = {in({3}), in({3}), in({3}), in({3}), in({3})},
       .code = ErrorCode::bad_shape,
       .contains = "[batch, channels, …]"},
      {.name = "variance_of_one_channel",
       .inputs = {in({2, 3}), in({3}), in({3}), in({3}), in({1})},
       .code = ErrorCode::bad_shape,
       .contains = "a variance of shape [1]"},
      {.name = "momentum_too_large",
       .inputs = inputs({2, 3}),
       .attrs = {{"momentum", 1.5}},
       .code = ErrorCode::bad_attribute,
       .contains = "at most 1"},
  };
}

}  // namespace

OpCard card_batch_normalization() {
  return {
      .name = "BatchNormalization",
      .category = Category::normalization,
      .inputs = {{.name = "x", .words = {"[batch, channels, …]", "[пакет, каналы, …]"}},
                 {.name = "scale", .words = {"a factor for each channel", "множитель для каждого канала"}},
                 {.name = "bias", .words = {"a number to add to each channel", "слагаемое для каждого канала"}},
                 {.name = "input_mean",
                  .words = {"the running mean of each channel", "накопленное среднее каждого канала"}},
                 {.name = "input_var",
                  .words = {"the running variance of each channel", "накопленная дисперсия каждого канала"}}},
      .outputs = {{.name = "y",
                   .words = {"x normalised, scaled and shifted",
                             "x, нормированный, умноженный на масштаб и сдвинутый"}},
                  {.name = "running_mean",
                   .words = {"the running mean after this batch; outside training the one given",
                             "накопленное среднее после этого пакета; вне обучения — переданное на вход"}},
                  {.name = "running_var",
                   .words = {"the running variance after this batch, moved towards that of the batch as a whole "
                             "population; outside training the one given",
                             "накопленная дисперсия после этого пакета, сдвинутая к дисперсии пакета как полной "
                             "совокупности; вне обучения — переданная на вход"}}},
      .attributes = attributes(),
      .infer = infer,
      .body = body,
      .kernel = kernel,
      .gradient_kind = GradientKind::body,
      .cost = ops::cost_per_output(4),
      .onnx = {{.op = "BatchNormalization", .since = 15}},
      .torch = "torch.nn.functional.batch_norm",
      .words = {.what = {"Brings every channel to mean 0 and variance 1, then multiplies it by a scale and adds a bias "
                         "of its own. While training, the statistics are those of the batch, over all pictures and "
                         "positions; afterwards the running ones, gathered during training, take their place.",
                         "Приводит каждый канал к среднему 0 и дисперсии 1, затем умножает на масштаб этого канала и "
                         "прибавляет его сдвиг. При обучении берутся статистики пакета по всем изображениям и "
                         "позициям; потом их место занимают накопленные за время обучения."},
                .formula = R"(y = \gamma_c \frac{x - \mu_c}{\sqrt{\sigma_c^2 + \varepsilon}} + \beta_c)",
                .why = {"With channels in one range, deep convolutional networks tolerate much larger learning rates; "
                        "ResNet has it after every convolution. Because it mixes the examples of a batch while "
                        "training, it must behave differently when the model is used.",
                        "Когда каналы держатся в одном диапазоне, глубокие свёрточные сети выдерживают гораздо больший "
                        "темп обучения; в ResNet она стоит после каждой свёртки. При обучении она смешивает примеры "
                        "пакета, поэтому при использовании модели обязана вести себя иначе."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
