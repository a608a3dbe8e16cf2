#include "nn/support/recurrent.h"

#include <cmath>

#include "asg/graph/graph.h"
#include "nn/support/layers.h"
#include "ops/support/gradients.h"
#include "ops/support/pairs.h"

namespace asg::nn {
namespace {

constexpr int kX = 0;
constexpr int kLengths = 1;
constexpr int kH = 2;
constexpr int kC = 3;

// The states of one layer, out of [batch, layers · directions, hidden].
Tensor states_of(const BodyContext& ctx, int index, std::int64_t layer, std::int64_t directions) {
  if (!ctx.has(index)) return {};
  const Tensor& states = ctx.in(index);
  Graph& graph = states.graph();
  const Tensor start = ops::ints(graph, {layer * directions});
  const Tensor end = ops::ints(graph, {(layer + 1) * directions});
  return add_op("Slice", {states, start, end, ops::ints(graph, {1})});
}

void check_states(const BodyContext& ctx, int index, const Shape& needed) {
  if (!ctx.has(index) || ctx.in(index).shape() == needed) return;
  fail(ErrorCode::bad_shape, "a first state of shape " + ctx.in(index).shape().to_string(),
       needed.to_string() + ": [batch, layers · directions, hidden]");
}

}  // namespace

void recurrent_body(BodyContext& ctx, const Recurrent& kind) {
  Tensor y = ctx.in(kX);
  if (y.rank() != 3) {
    fail(ErrorCode::bad_shape, "an input of shape " + y.shape().to_string(), "[batch, length, features]");
  }
  const std::int64_t hidden = ctx.integer("hidden");
  const std::int64_t layers = ctx.integer("layers");
  const std::int64_t directions = ctx.boolean("bidirectional") ? 2 : 1;
  const std::int64_t rows = kind.gates * hidden;
  for (const int index : {kH, kC}) check_states(ctx, index, {y.shape()[0], layers * directions, hidden});
  const double bound = 1 / std::sqrt(static_cast<double>(hidden));
  Attrs attrs = kind.attrs;
  attrs.set("direction", directions == 2 ? "bidirectional" : "forward");
  attrs.set("hidden_size", hidden);
  attrs.set("layout", 1);
  std::vector<std::vector<Tensor>> last(kind.cell ? 2 : 1);
  for (std::int64_t layer = 0; layer < layers; ++layer) {
    const std::string slot = "layer_" + std::to_string(layer + 1) + ".";
    const std::int64_t features = known_length(ctx, y, 2, "features");
    const Initializer init = Initializer::uniform(-bound, bound);
    const Tensor input_weight = ctx.parameter(slot + "input_weight", {directions, rows, features}, init);
    const Tensor hidden_weight = ctx.parameter(slot + "hidden_weight", {directions, rows, hidden}, init);
    const Tensor bias =
        ctx.boolean("bias") ? ctx.parameter(slot + "bias", {directions, 2 * rows}, Initializer::zeros()) : Tensor{};
    const Tensor lengths = ctx.has(kLengths) ? ctx.in(kLengths) : Tensor{};
    std::vector<Tensor> inputs = {y, input_weight, hidden_weight, bias, lengths, states_of(ctx, kH, layer, directions)};
    if (kind.cell) inputs.push_back(states_of(ctx, kC, layer, directions));
    const std::vector<Tensor> outputs = add_op_outputs(kind.op, inputs, attrs);
    for (std::size_t state = 0; state < last.size(); ++state) last[state].push_back(outputs[state + 1]);
    y = add_op("Reshape", {outputs[0], ops::ints(ctx.graph(), {0, 0, directions * hidden})});
    if (layer + 1 < layers) {
      const std::string name = "dropout_" + std::to_string(layer + 1);
      y = dropout(ctx, name, y, ctx.real("dropout"));
      ctx.governed(name, "ratio", "dropout");
    }
  }
  ctx.output(y);
  for (const std::vector<Tensor>& states : last) ctx.output(add_op("Concat", states, {{"axis", 1}}));
}

std::vector<Port> recurrent_layer_inputs(bool cell) {
  const auto state = [](std::string_view name, Words words) {
    return Port{.name = name, .kind = PortKind::optional, .words = words};
  };
  std::vector<Port> ports = {
      {.name = "x", .words = {"[batch, length, features]", "[пакет, длина, признаки]"}},
      {.name = "lengths",
       .dtypes = kIndex,
       .type = "",
       .kind = PortKind::optional,
       .words = {"the length of each sequence; absent: all are full",
                 "длина каждой последовательности; нет — все полные"},
       .differentiable = false},
      state("first_h", {"[batch, layers · directions, `hidden`]: states before the first element; absent: 0",
                        "[пакет, слои · направления, `hidden`]: состояния до первого элемента; нет — 0"})};
  if (cell)
    ports.push_back(state("first_c", {"cells before the first element, of the same shape; absent: 0",
                                      "ячейки до первого элемента, той же формы; нет — 0"}));
  return ports;
}

std::vector<Port> recurrent_layer_outputs(bool cell) {
  std::vector<Port> ports = {
      {.name = "y",
       .words = {"[batch, length, directions · `hidden`]: the last layer's state after every element",
                 "[пакет, длина, направления · `hidden`]: состояние последнего слоя после каждого элемента"}},
      {.name = "h",
       .words = {"[batch, layers · directions, `hidden`]: all layers' states after the last element",
                 "[пакет, слои · направления, `hidden`]: состояния всех слоёв после последнего элемента"}}};
  if (cell)
    ports.push_back(
        {.name = "c",
         .words = {"all layers' cells after the last element", "ячейки всех слоёв после последнего элемента"}});
  return ports;
}

std::vector<AttrSpec> recurrent_layer_attributes() {
  AttrSpec between = dropout_attribute();
  between.words = {"share of elements that training sets to zero between layers",
                   "доля элементов, обнуляемых при обучении между слоями"};
  return {{.name = "hidden", .least = 1, .words = {"length of the state", "длина состояния"}},
          {.name = "layers",
           .fallback = 1,
           .least = 1,
           .words = {"how many layers stand on top of each other", "сколько слоёв стоит друг на друге"}},
          {.name = "bidirectional",
           .kind = AttrKind::boolean,
           .fallback = false,
           .words = {"a second set of weights reads backwards; both results stand side by side",
                     "второй набор весов читает с конца; оба результата стоят рядом"}},
          bias_attribute({"whether biases are added", "прибавлять ли смещения"}),
          std::move(between)};
}

std::vector<Sample> recurrent_layer_samples(bool cell, const std::string& name, const std::vector<Attr>& values) {
  std::vector<ops::AttrValues> choices = {
      {"layers", {1, 2}}, {"bidirectional", {false, true}}, {"bias", {true, false}}, {"dropout", {0.0, 0.25}}};
  if (!name.empty()) choices.push_back({name, values});
  std::vector<Sample> samples;
  for (Attrs& setting : ops::all_pairs(choices)) {
    setting.set("hidden", 2);
    samples.push_back({.name = "mixed_" + std::to_string(samples.size() + 1),
                       .inputs = {in({1, 2, 3})},
                       .attrs = std::move(setting)});
  }
  Sample states{.name = "states_and_lengths",
                .inputs = {in({2, 3, 4}), in_ints({2}, {3, 1}), in({2, 2, 2})},
                .attrs = {{"hidden", 2}, {"layers", 2}}};
  if (cell) states.inputs.push_back(in({2, 2, 2}));
  samples.push_back(std::move(states));
  samples.push_back({.name = "one_element", .inputs = {in({3, 1, 2})}, .attrs = {{"hidden", 2}}});
  return samples;
}

std::vector<BadSample> bad_recurrent_layers() {
  return {{.name = "rank_2",
           .inputs = {in({3, 4})},
           .attrs = {{"hidden", 2}},
           .code = ErrorCode::bad_shape,
           .contains = "[batch, length, features]"},
          {.name = "other_states",
           .inputs = {in({2, 3, 4}), absent(), in({2, 1, 3})},
           .attrs = {{"hidden", 2}},
           .code = ErrorCode::bad_shape,
           .contains = "a first state of shape [2, 1, 3]"}};
}

}  // namespace asg::nn
