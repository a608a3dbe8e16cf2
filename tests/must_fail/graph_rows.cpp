#include "asg/graph/body.h"
#include "asg/graph/graph.h"
#include "asg/graph/registry.h"
#include "asg/graph/validate.h"
#include "asg/graph/walk.h"
#include "asg/nn/nn.h"
#include "asg/ops/ops.h"
#include "must_fail/rows.h"

namespace asg::test {
namespace {

TensorType f32(std::vector<std::int64_t> sizes) { return {DType::f32, Shape::of(sizes)}; }

// A graph with inputs x: f32[2, 3], y: f32[2, 3] and n: i64[3].
struct Small {
  Graph graph;
  Tensor x = graph.input("x", f32({2, 3}));
  Tensor y = graph.input("y", f32({2, 3}));
  Tensor n = graph.input("n", {DType::i64, {Dim(3)}});
};

std::function<void()> small(void (*mistake)(Small&)) {
  return [mistake] {
    Small g;
    mistake(g);
  };
}

void feed_a_node_on_itself() {
  Small g;
  const Tensor first = relu(g.x);
  const Tensor second = relu(first);
  Node looped = g.graph.node(first.node());
  looped.inputs = {second.value()};
  g.graph.put(std::move(looped));
  topological_order(g.graph);
}

void leave_a_value_dangling() {
  Small g;
  const Tensor first = relu(g.x);
  g.graph.set_output("y", relu(first));
  g.graph.erase(first.node());
  validate(g.graph);
}

void bind_a_weight_of_another_shape() {
  Small g;
  const VarId other = g.graph.add_variable({.name = "w", .type = f32({5, 5})});
  nn::linear(g.x, 4, {.bindings = {{"weight", other}}});
}

void bind_a_slot_that_is_not_there() {
  Small g;
  const VarId other = g.graph.add_variable({.name = "w", .type = f32({3, 4})});
  nn::linear(g.x, 4, {.bindings = {{"wieght", other}}});
}

void branch_with_too_few_inputs() {
  Small g;
  auto branch = std::make_shared<Graph>("branch");
  branch->set_output("out", branch->input("a", f32({2, 3})));
  const Tensor condition = g.graph.input("c", {DType::boolean, {}});
  if_(condition, {g.x, g.y}, branch, branch);
}

}  // namespace

std::vector<MustFail> graph_rows() {
  return {
      {ErrorCode::wrong_input_count, "too_many", small([](Small& g) { add_op("Relu", {g.x, g.y}); }),
       "2 inputs for op 'Relu'", "1 input"},
      {ErrorCode::missing_input, "required_absent", small([](Small& g) { add_op("Add", {Tensor(), g.x}); }),
       "no value for input 'a' of op 'Add'", "a tensor; only optional inputs may be absent"},
      {ErrorCode::missing_input, "no_graph", [] { add(Tensor(), Tensor()); }, "no input with a value for op 'Add'",
       "at least one tensor",
       "make a tensor with Graph::input, Graph::constant or Graph::parameter; ops without inputs are added with "
       "Graph::add"},
      {ErrorCode::unknown_attribute, "misspelt", small([](Small& g) { add_op("Softmax", {g.x}, {{"axes", 1}}); }),
       "attribute 'axes' for op 'Softmax'", "one of axis", "did you mean 'axis'?"},
      {ErrorCode::missing_attribute, "no_default", small([](Small& g) { add_op("Concat", {g.x, g.y}); }),
       "no attribute 'axis' for op 'Concat'", "integer; it has no default"},
      {ErrorCode::bad_attribute, "of_another_kind",
       small([](Small& g) { add_op("Softmax", {g.x}, {{"axis", "one"}}); }),
       "text for attribute 'axis' of op 'Softmax'", "integer"},
      {ErrorCode::bad_attribute, "outside_the_range", small([](Small& g) { nn::linear(g.x, 0); }),
       "0 for attribute 'units' of op 'nn.Linear'", "a number of at least 1"},
      {ErrorCode::bad_dtype, "not_allowed_here", small([](Small& g) { exp(g.n); }), "i64 for input 'x' of op 'Exp'",
       "one of f32, f64, f16, bf16", "convert it with cast"},
      {ErrorCode::bad_dim, "input_of_length_minus_one",
       small([](Small& g) { g.graph.input("z", {DType::f32, {Dim(-1), 3}}); }), "the length -1 in f32[-1, 3]",
       "lengths of at least 0", "give a length that is open a name, like batch"},
      {ErrorCode::bad_dim, "variable_of_length_minus_one",
       small([](Small& g) { g.graph.parameter("w", {DType::f32, {Dim(-1)}}, Initializer::zeros()); }),
       "the length -1 in f32[-1]", "lengths of at least 0", "give a length that is open a name, like batch"},
      {ErrorCode::type_mismatch, "two_dtypes", small([](Small& g) { g.x + cast(g.y, DType::f64); }),
       "f32 for input 'a' and f64 for input 'b' of op 'Add'", "the same dtype for both",
       "convert one of them with cast"},
      {ErrorCode::broadcast_mismatch, "of_an_op", small([](Small& g) { g.x + g.graph.input("z", f32({4})); }),
       "shapes [2, 3] and [4]", "equal sizes, or 1, on each axis counted from the last",
       "reshape one of them, or insert an axis of size 1"},
      {ErrorCode::foreign_tensor, "two_graphs", small([](Small& g) {
         Small h;
         g.x + h.x;
       }),
       "tensors of graphs 'model' and 'model' for op 'Add'", "inputs of one graph",
       "build both in the same graph, or pass one as an input"},
      {ErrorCode::duplicate_name, "second_input", small([](Small& g) { g.graph.input("x", f32({1})); }),
       "a second node named 'x'", "a name that is free in its scope", "choose another name, or leave it out"},
      {ErrorCode::bad_name, "slash", small([](Small& g) { relu(g.x).named("a/b"); }), "the name 'a/b'",
       "a name of at least one character, without '/'",
       "give the scope apart: as the field 'scope' of add_node, or in C++ by Graph::ScopeGuard"},
      {ErrorCode::unknown_node, "no_such_id", small([](Small& g) { g.graph.node(NodeId{99}); }),
       "node 99 of graph 'model'", "the id of a node that the graph holds"},
      {ErrorCode::unknown_variable, "no_such_id", small([](Small& g) { g.graph.variable(VarId{7}); }),
       "variable 7 of graph 'model'", "the id of a variable that the graph holds"},
      {ErrorCode::cycle, "two_nodes", feed_a_node_on_itself, "a cycle: Relu#4 <- Relu#5 <- Relu#4",
       "a graph in which no value depends on itself", "cut one of these edges"},
      {ErrorCode::dangling_value, "erased_node", leave_a_value_dangling, "an input from node 4",
       "the id of a node that the graph holds"},
      {ErrorCode::binding_mismatch, "another_shape", bind_a_weight_of_another_shape,
       "variable 'w' of type f32[5, 5] for slot 'weight' of linear_1", "a variable of type f32[3, 4]"},
      {ErrorCode::binding_mismatch, "no_such_slot", bind_a_slot_that_is_not_there,
       "a binding of slot 'wieght' of linear_1", "one of the layer's slots",
       "`asg inspect` lists the slots of a layer"},
      {ErrorCode::capture_mismatch, "too_few_inputs", branch_with_too_few_inputs,
       "2 captures for 'then_branch' with 1 inputs", "one capture for each input of both branches, in order"},
      {ErrorCode::not_expandable, "no_body",
       small([](Small& g) { make_body(g.graph, g.graph.node(exp(g.x).node()), Mode::eval); }), "op 'Exp'",
       "an op with a body in smaller ops", "give its card a `body`, or run it on a backend that has a kernel for it"},
      {ErrorCode::missing_value, "length_known_too_late", small([](Small& g) { reshape(g.x, g.n); }),
       "input 'shape' that is only known when the graph runs",
       "integers that are known while building, because the rank or size of the result depends on them",
       "use a constant, or compute it from Shape by Gather, Slice, Concat and arithmetic"},
  };
}

}  // namespace asg::test
