#include "edit/random_graph.h"

#include <memory>

#include "asg/graph/registry.h"
#include "asg/nn/nn.h"
#include "edit/models.h"

namespace asg::test {
namespace {

constexpr std::int64_t kWidths[] = {4, 6, 8};

class GraphMaker {
 public:
  explicit GraphMaker(Dice& dice) : dice_(dice) {}

  Graph make() {
    const Dim batch = Dim::symbol("batch");
    floats_.push_back(graph_.input("x", {DType::f32, {batch, width()}}));
    floats_.push_back(graph_.input("sequence", {DType::f32, {batch, 3, 8}}));
    tokens_ = graph_.input("tokens", {DType::i64, {batch, 3}});
    flag_ = graph_.input("flag", {DType::boolean, {}});
    const std::size_t steps = 6 + dice_.below(8);
    for (std::size_t step = 0; step < steps; ++step) {
      const Graph::ScopeGuard scope(graph_, dice_.pick({"", "", "encoder", "encoder/deep", "head"}));
      grow();
    }
    graph_.set_output("y", floats_.back());
    graph_.set_output("z", dice_.pick(floats_));
    return std::move(graph_);
  }

 private:
  std::int64_t width() { return kWidths[dice_.below(std::size(kWidths))]; }

  void layer(std::string_view op, const Tensor& x, Attrs attrs) {
    floats_.push_back(add_named(graph_, op, {x}, std::move(attrs), ""));
  }

  void grow() {
    const Tensor x = dice_.pick(floats_);
    switch (dice_.below(12)) {
      case 0:
        return layer("nn.Linear", x, {{"units", width()}, {"bias", dice_.chance(70)}});
      case 1:
        return layer("nn.FeedForward", x, {{"hidden", width()}, {"dropout", dice_.chance(50) ? 0.1 : 0.0}});
      case 2:
        return layer("nn.LayerNorm", x, {});
      case 3:
        return layer("nn.Dropout", x, {{"ratio", 0.25}});
      case 4:
        return layer("nn.BatchNorm", x, {{"axis", -1}});
      case 5:
        return layer("nn.TransformerBlock", floats_[1], {{"heads", 2}, {"hidden", width()}});
      case 6:
        return embeddings();
      case 7:
        return choice(x);
      case 8:
        return read(x);
      case 9:
        return reshape(x);
      case 10:
        floats_.push_back(x * static_cast<double>(dice_.from_to(1, 3)));
        return;
      default:
        floats_.push_back(add_named(graph_, dice_.pick({"Relu", "Gelu", "Tanh", "Sigmoid", "Neg"}), {x}, {}, ""));
    }
  }

  // Two tables, often sharing their rows.
  void embeddings() {
    const Attrs attrs = {{"count", 5}, {"width", width()}};
    const Tensor one = add_named(graph_, "nn.Embedding", {tokens_}, attrs, "");
    NodeSpec spec;
    spec.op = &Registry::global().get("nn.Embedding");
    spec.inputs = {tokens_.value()};
    spec.attrs = attrs;
    if (dice_.chance(70)) spec.bindings = graph_.node(one.node()).bindings;
    floats_.push_back(one);
    floats_.push_back(graph_.add_outputs(std::move(spec)).front());
  }

  GraphPtr branch(const TensorType& type) {
    Graph body("branch");
    const Tensor captured = body.input("captured", type);
    body.set_output("result", add_op(dice_.pick({"Neg", "Abs", "Tanh"}), {captured}));
    return std::make_shared<const Graph>(std::move(body));
  }

  void choice(const Tensor& x) {
    const Attrs attrs = {{"then_branch", branch(x.type())}, {"else_branch", branch(x.type())}};
    floats_.push_back(add_op("If", {flag_, x}, attrs));
  }

  // A parameter of its own, sometimes with an update.
  void read(const Tensor& x) {
    const Dim last = x.shape()[x.rank() - 1];
    const std::string name = "free_" + std::to_string(graph_.next_variable_id().number);
    const Tensor value = graph_.parameter(name, {DType::f32, {last}}, Initializer::ones());
    floats_.push_back(x * value);
    if (dice_.chance(50)) graph_.add_update(graph_.find_variable(name), value * 0.5);
  }

  void reshape(const Tensor& x) {
    std::vector<std::int64_t> shape = {-1};
    for (int axis = 1; axis < x.rank(); ++axis) shape.push_back(x.shape()[axis].value());
    const Tensor shaped = add_op("Reshape", {x, graph_.constant(Array::ints(shape))});
    const std::vector<Tensor> halves = add_op_outputs("Split", {shaped}, {{"num_outputs", 2}, {"axis", -1}});
    floats_.push_back(add_op("Concat", {halves[1], halves[0]}, {{"axis", -1}}));
  }

  Dice& dice_;
  Graph graph_{"random"};
  std::vector<Tensor> floats_;  // of rank 2 or 3 whose last axis is known and even
  Tensor tokens_;
  Tensor flag_;
};

}  // namespace

Graph random_graph(Dice& dice) { return GraphMaker(dice).make(); }

}  // namespace asg::test
