#include "edit/random_wide.h"

#include "asg/graph/card.h"
#include "asg/graph/registry.h"
#include "asg/nn/nn.h"
#include "edit/models.h"
#include "edit/run_model.h"

namespace asg::test {
namespace {

using AxisLengths = std::vector<std::int64_t>;

class WideModel {
 public:
  explicit WideModel(Dice& dice) : dice_(dice) {}

  Graph make() {
    const Tensor features = dice_.chance(70) ? from_images() : from_sequence();
    Tensor y = layer("nn.Linear", {features}, {{"units", dice_.from_to(3, 8)}});
    y = activation(y);
    if (dice_.chance(30)) y = halves(y);
    graph_.set_output("y", layer("nn.Linear", {y}, {{"units", 3}}));
    if (dice_.chance(30)) graph_.set_output("z", y);
    return with_random_values(std::move(graph_));
  }

 private:
  Tensor layer(std::string_view op, std::vector<Tensor> inputs, Attrs attrs) {
    return add_named(graph_, op, std::move(inputs), std::move(attrs), "layer_" + std::to_string(++layers_));
  }
  Tensor activation(const Tensor& x) { return layer(dice_.pick({"Relu", "Gelu", "Tanh", "Sigmoid", "Silu"}), {x}, {}); }
  Tensor conv(const Tensor& x, std::int64_t channels) {
    const std::int64_t kernel = dice_.pick({1, 3});
    const AxisLengths pads(4, kernel / 2);
    return layer(
        "nn.Conv2d", {x},
        {{"channels", channels}, {"kernel", AxisLengths{kernel, kernel}}, {"pads", pads}, {"bias", dice_.chance(70)}});
  }
  static std::int64_t channels_of(const Tensor& x) { return x.shape()[1].value(); }
  std::int64_t some_channels() { return 2 * dice_.from_to(1, 3); }

  Tensor from_images() {
    Tensor x = graph_.input("x", {DType::f64, {Dim::symbol("batch"), 2, 4, 4}});
    x = conv(x, some_channels());
    const std::size_t steps = 2 + dice_.below(4);
    for (std::size_t step = 0; step < steps; ++step) x = on_images(x);
    if (dice_.chance(30)) x = add_op("GlobalAveragePool", {x});
    if (dice_.chance(20)) x = add_op("Transpose", {x}, {{"perm", AxisLengths{0, 2, 3, 1}}});
    return add_op("Flatten", {x});
  }

  Tensor on_images(const Tensor& x) {
    const std::int64_t channels = channels_of(x);
    switch (dice_.below(12)) {
      case 0:
        return layer("nn.BatchNorm", {x}, {});
      case 1:
        return layer("nn.GroupNorm", {x}, {{"groups", dice_.chance(70) && channels % 2 == 0 ? channels / 2 : 1}});
      case 2:
        return layer("nn.InstanceNorm", {x}, {});
      case 3:
        return add_op("Add", {x, activation(conv(x, channels))});
      case 4:
        return add_op("Concat", {x, conv(x, some_channels())}, {{"axis", 1}});
      case 5:
        return add_op("Concat", {conv(x, some_channels()), x, conv(x, some_channels())}, {{"axis", 1}});
      case 6:
        return add_op(dice_.pick({"MaxPool", "AveragePool"}), {x},
                      {{"kernel_shape", AxisLengths{3, 3}}, {"pads", AxisLengths{1, 1, 1, 1}}});
      case 7:
        return add_op("AdaptiveAveragePool", {x}, {{"output_size", AxisLengths{3, 3}}});
      case 8:
        return layer("nn.Conv2d", {x},
                     {{"channels", channels}, {"kernel", AxisLengths{1, 1}}, {"groups", channels}, {"bias", false}});
      case 9:
        return layer("nn.ResidualBlock", {x}, {{"channels", dice_.chance(50) ? channels : some_channels()}});
      case 10:
        return conv(x, some_channels());
      default:
        return activation(x);
    }
  }

  Tensor from_sequence() {
    Tensor x = graph_.input("x", {DType::f64, {Dim::symbol("batch"), 3, 4}});
    const std::size_t steps = 1 + dice_.below(3);
    for (std::size_t step = 0; step < steps; ++step) {
      switch (dice_.below(4)) {
        case 0:
          x = layer("nn.FeedForward", {x}, {{"hidden", dice_.from_to(3, 7)}, {"gated", dice_.chance(50)}});
          break;
        case 1:
          x = layer("nn.LayerNorm", {x}, {});
          break;
        case 2:
          x = layer("nn.Linear", {layer("nn.Linear", {x}, {{"units", dice_.from_to(2, 6)}})}, {{"units", 4}});
          break;
        default:
          x = layer("nn.TransformerBlock", {x},
                    {{"heads", 2},
                     {"hidden", dice_.from_to(3, 8)},
                     {"dropout", 0.1},
                     {"norm_first", dice_.chance(50)},
                     {"gated", dice_.chance(30)}});
      }
    }
    return dice_.chance(50) ? add_op("Flatten", {x}) : x;
  }

  // Parts of the last axis, multiplied or one of them alone.
  Tensor halves(const Tensor& x) {
    const std::int64_t width = x.shape()[x.rank() - 1].value();
    if (width % 2 != 0 || dice_.chance(30)) {
      const auto ints = [&](std::int64_t value) { return graph_.constant(Array::ints({value})); };
      return add_op("Slice", {x, ints(0), ints(width - 1), ints(-1)});
    }
    const std::vector<Tensor> parts = add_op_outputs("Split", {x}, {{"num_outputs", 2}, {"axis", -1}});
    return dice_.chance(50) ? parts[0] * parts[1] : parts[1];
  }

  Dice& dice_;
  Graph graph_{"wide"};
  int layers_ = 0;
};

std::int64_t another_length(Dice& dice, const Attr& now) {
  const std::int64_t value = now.as_integer();
  if (dice.chance(10) && value > 1) return dice.from_to(1, value - 1);
  return value + dice.pick({1, 2, 2, 2, 4});
}

// Other numbers for what a layer has.
std::optional<Attrs::Entry> other_setting(Dice& dice, const Node& node, const std::string& name) {
  const AttrReader reader(*node.op, node.attrs);
  if (name == "channels" || name == "units" || name == "hidden")
    return {{name, another_length(dice, reader.attr(name))}};
  if (name == "groups") return {{name, another_length(dice, reader.attr(name))}};
  if (!dice.chance(25)) return std::nullopt;
  if (name == "gated" || name == "norm_first" || name == "bias") return {{name, !reader.attr(name).as_boolean()}};
  if (name == "norm") return {{name, "RMSNorm"}};
  if (name == "dropout") return {{name, 0.2}};
  if (name == "epsilon") return {{name, 0.05}};
  if (name == "momentum") return {{name, 0.3}};
  return std::nullopt;
}

std::vector<NodeId> named_layers(const Graph& model) {
  std::vector<NodeId> found;
  for (const NodeId id : model.node_ids()) {
    if (model.node(id).name.starts_with("layer_")) found.push_back(id);
  }
  return found;
}

std::optional<Command> other_configuration(Dice& dice, const Node& node) {
  std::vector<Attrs::Entry> settings;
  for (const AttrSpec& spec : node.op->attributes) {
    if (auto setting = other_setting(dice, node, std::string(spec.name))) settings.push_back(*std::move(setting));
  }
  if (settings.empty()) return std::nullopt;
  return edits::SetConfig{{node.id}, {dice.pick(settings)}};
}

// Layers that work in groups of channels grow with what comes before them.
std::vector<Command> wider_channels_in_groups(Dice& dice, const Graph& model, const std::vector<NodeId>& layers) {
  std::vector<Command> commands;
  const std::int64_t more = dice.pick({2, 4});
  for (const NodeId id : layers) {
    const Node& node = model.node(id);
    const AttrReader reader(*node.op, node.attrs);
    const auto grown = [&](const char* name, std::int64_t by) { return reader.attr(name).as_integer() + by; };
    if (node.op->name == "nn.GroupNorm" && dice.chance(80)) {
      const std::int64_t groups = reader.attr("groups").as_integer();
      commands.push_back(edits::SetConfig{{id}, {{"groups", groups == 1 ? 1 : groups + more / 2}}});
    } else if (node.op->name == "nn.Conv2d" && reader.attr("groups").as_integer() > 1) {
      commands.push_back(
          edits::SetConfig{{id}, {{"groups", grown("groups", more)}, {"channels", grown("channels", more)}}});
    } else if (node.op->name == "nn.Conv2d" || node.op->name == "nn.ResidualBlock") {
      commands.push_back(edits::SetConfig{{id}, {{"channels", grown("channels", more)}}});
    }
  }
  return commands;
}

Command structural(Dice& dice, const Graph& model, NodeId id) {
  switch (dice.below(5)) {
    case 0:
      return edits::InsertBetween{.value = {id}, .op = "nn.Dropout"};
    case 1:
      return edits::InsertBetween{.value = {id}, .op = dice.pick({"Relu", "Tanh", "Identity"})};
    case 2:
      return edits::Rename{id, "renamed"};
    case 3:
      return edits::SetOutput{dice.pick({"y", "more"}), ValueRef(id)};
    default:
      return edits::Group{.nodes = {id, dice.pick(named_layers(model))}, .name = "block"};
  }
}

}  // namespace

Graph random_wide_model(Dice& dice) { return WideModel(dice).make(); }

std::vector<Command> random_wide_edit(Dice& dice, const Graph& model) {
  const std::vector<NodeId> layers = named_layers(model);
  if (dice.chance(20)) {
    std::vector<Command> commands = wider_channels_in_groups(dice, model, layers);
    if (!commands.empty()) return commands;
  }
  std::vector<Command> commands;
  const std::size_t count = dice.chance(70) ? 1 : 2;
  for (int attempt = 0; attempt < 8 && commands.size() < count; ++attempt) {
    const NodeId id = dice.pick(layers);
    if (dice.chance(12)) {
      commands.push_back(structural(dice, model, id));
    } else if (auto command = other_configuration(dice, model.node(id))) {
      commands.push_back(*std::move(command));
    }
  }
  if (commands.empty()) commands.push_back(structural(dice, model, layers.front()));
  return commands;
}

}  // namespace asg::test
