#include "unit/graph/drawn_graph.h"

#include "asg/graph/card.h"

namespace asg {
namespace {

const OpCard& card(const std::string& name, Category category) {
  static std::map<std::string, OpCard> cards;
  OpCard& found = cards[name];
  found.name = name;
  found.category = category;
  return found;
}

TensorType type(Shape shape) { return {DType::f32, std::move(shape)}; }

Node node(std::uint32_t id, const std::string& op, Category category, std::vector<Value> inputs,
          std::vector<TensorType> types) {
  Node result;
  result.id = NodeId{id};
  result.op = &card(op, category);
  result.inputs = std::move(inputs);
  for (TensorType& one : types) result.outputs.push_back({std::move(one), nullptr});
  return result;
}

Node input(std::uint32_t id, const std::string& name, TensorType of) {
  Node result = node(id, "Input", Category::leaf, {}, {of});
  result.name = name;
  result.attrs.set("type", std::move(of));
  return result;
}

Value value(std::uint32_t id, std::uint32_t port = 0) { return {NodeId{id}, port}; }

Node add(std::uint32_t id, std::vector<Value> inputs, TensorType of = type({2})) {
  return node(id, "Add", Category::arithmetic, std::move(inputs), {std::move(of)});
}

Node block(std::uint32_t id, Value from, GraphPtr body, TensorType of) {
  Node result = node(id, "Block", Category::container, {from}, {std::move(of)});
  result.body = std::move(body);
  return result;
}

// What flows through the inner graphs.
const Dim kBatch = Dim::symbol("batch");
TensorType half() { return type({kBatch, 16}); }

Graph inner_body() {
  Graph graph("inner");
  graph.put(input(1, "in", half()));
  graph.set_inputs({NodeId{1}});
  graph.set_outputs({{"out", value(1)}});
  return graph;
}

Graph then_branch() {
  Graph graph("then");
  graph.put(input(1, "c", half()));
  graph.set_inputs({NodeId{1}});
  graph.put(block(2, value(1), std::make_shared<const Graph>(inner_body()), half()));
  graph.set_outputs({{"y", value(2)}});
  return graph;
}

void put_variables(Graph& graph) {
  graph.put(Variable{VarId{1}, "encoder/fc1.weight", type({8, 32}), Initializer::kaiming_uniform()});
  graph.put(Variable{VarId{2}, "tied", type({32}), Initializer::zeros(), VarKind::parameter, false});
  graph.put(Variable{VarId{3}, "steps", {DType::u64, {}}, Initializer::zeros(), VarKind::counter, false});
  graph.put(Variable{VarId{4}, "mean", type({32}), Initializer::constant(0.5), VarKind::buffer, false});
}

}  // namespace

Graph drawn_graph() {
  Graph graph("net");
  put_variables(graph);
  graph.put(input(1, "x", type({kBatch, 8})));
  graph.set_inputs({NodeId{1}});

  Node reader = node(2, "Variable", Category::leaf, {}, {type({32})});
  reader.bindings = {{"value", VarId{4}}};
  graph.put(std::move(reader));

  Node linear = node(3, "nn.Linear", Category::linear_algebra, {value(1)}, {type({kBatch, 32})});
  linear.name = "fc1";
  linear.scope = "encoder";
  linear.attrs.set("units", 32);
  linear.bindings = {{"weight", VarId{1}}, {"bias", VarId{2}}};
  graph.put(std::move(linear));

  Node split = node(4, "Split", Category::shape, {value(3), {}, value(2)}, {half(), half()});
  split.scope = "encoder/deep";
  split.attrs = {{"axis", -1}, {"names", std::vector<std::string>{"a\"b", "c"}}};
  graph.put(std::move(split));

  Node branch = node(5, "If", Category::control_flow, {value(4, 1)}, {half()});
  branch.attrs.set("then_branch", std::make_shared<const Graph>(then_branch()));
  graph.put(std::move(branch));

  Node sum = add(6, {value(4), value(5)}, half());
  sum.scope = "head";
  sum.origin = std::make_shared<const Origin>(Origin{NodeId{3}, "activation", Role::gradient});
  graph.put(std::move(sum));

  graph.set_outputs({{"loss", value(6)}});
  graph.set_updates({{VarId{4}, value(4, 1)}});
  return graph;
}

Graph reordered_graph() {
  Graph graph("reordered");
  graph.put(add(1, {value(2)}));
  graph.put(add(2, {value(3)}));
  graph.put(input(3, "x", type({2})));
  graph.set_inputs({NodeId{3}});
  return graph;
}

Graph cyclic_graph() {
  Graph graph("cyclic");
  graph.put(add(1, {value(2)}));
  graph.put(add(2, {value(1)}));
  return graph;
}

Graph broken_graph() {
  Graph graph("broken");
  Node lost = add(1, {value(9)});
  lost.bindings = {{"value", VarId{5}}};
  graph.put(std::move(lost));
  graph.set_inputs({NodeId{7}});
  graph.set_outputs({{"y", value(1, 3)}});
  graph.set_updates({{VarId{6}, value(9)}});
  return graph;
}

Graph nested_graph(int depth) {
  Graph graph("innermost");
  graph.put(input(1, "x", type({2})));
  for (int level = 0; level < depth; ++level) {
    Graph outer("level");
    outer.put(input(1, "x", type({2})));
    outer.set_inputs({NodeId{1}});
    outer.put(block(2, value(1), std::make_shared<const Graph>(std::move(graph)), type({2})));
    graph = std::move(outer);
  }
  return graph;
}

}  // namespace asg
