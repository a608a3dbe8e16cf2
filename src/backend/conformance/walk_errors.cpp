// Graphs that cannot be walked: nothing but a UserError may come of them.
#include "asg/backend/backend_registry.h"
#include "asg/backend/walk.h"
#include "asg/graph/registry.h"
#include "backend/conformance/expect_error.h"

namespace asg::conformance {
namespace {

const TensorType kPair{DType::f32, {2}};

Array pair() { return reals({2}, {1, 2}); }

void run_op_with_one_input(Backend& backend) {
  Node node;
  node.op = &Registry::global().get("Add");
  const DeviceArrays inputs = {backend.upload(pair())};
  backend.run_op(node, inputs);
}

// An op that nobody has ever heard of.
void unknown_op(Backend& backend) {
  static const OpCard kCard = [] {
    OpCard card;
    card.name = "conformance.Unheard";
    card.inputs = {{.name = "x"}};
    card.outputs = {{.name = "y"}};
    card.infer = [](InferContext& ctx) { ctx.output(ctx.type(0)); };
    return card;
  }();
  Graph graph;
  const Tensor x = graph.input("x", kPair);
  graph.set_output("y", graph.add_outputs({.op = &kCard, .inputs = {x.value()}}).front());
  backend.execute(graph, backend.upload_all({{"x", pair()}}));
}

void missing_output(Backend& backend, Value value) {
  Graph graph;
  graph.set_output("y", -graph.input("x", kPair));
  graph.set_outputs({{"y", value}});
  backend.execute(graph, backend.upload_all({{"x", pair()}}));
}

void dangling_input(Backend& backend, Value value) {
  Graph graph;
  const Tensor y = -graph.input("x", kPair);
  graph.set_output("y", y);
  Node node = graph.node(y.node());
  node.inputs = {value};
  graph.put(std::move(node));
  backend.execute(graph, backend.upload_all({{"x", pair()}}));
}

void cycle(Backend& backend) {
  Graph graph;
  const Tensor first = -graph.input("x", kPair);
  const Tensor second = -first;
  graph.set_output("y", second);
  Node node = graph.node(first.node());
  node.inputs = {second.value()};
  graph.put(std::move(node));
  backend.execute(graph, backend.upload_all({{"x", pair()}}));
}

// x, then -x, then --x, in the given order; 0 leaves a place out.
void schedule(Backend& backend, std::vector<std::size_t> order) {
  Graph graph;
  const Tensor x = graph.input("x", kPair);
  const Tensor first = -x;
  const Tensor second = -first;
  graph.set_output("y", second);
  const std::vector<NodeId> nodes = {x.node(), first.node(), second.node()};
  std::vector<NodeId> ids;
  for (std::size_t place : order) ids.push_back(nodes[place]);
  walk_graph(backend, graph, backend.upload_all({{"x", pair()}}), ids);
}

std::vector<Mistake> mistakes() {
  using Code = ErrorCode;
  auto odd = [](OddGraph graph) { return [graph](Backend& backend) { execute_odd(backend, graph); }; };
  return {
      {"Add with one input",
       "execute",
       {Code::wrong_input_count, Code::missing_input},
       true,
       odd({.op = "Add", .present = {true}})},
      {"Add with one input", "run_op", {Code::wrong_input_count, Code::missing_input}, false, run_op_with_one_input},
      {"Add with one input",
       "typed",
       {Code::wrong_input_count, Code::missing_input, Code::missing_value},
       false,
       [](Backend& backend) { backend.add(backend.upload(pair()), DeviceArray()); }},
      {"Add without its first input",
       "execute",
       {Code::missing_input},
       true,
       odd({.op = "Add", .present = {false, true}})},
      {"Neg with two inputs", "execute", {Code::wrong_input_count}, true, odd({.op = "Neg"})},
      {"Split that declares another number of outputs",
       "execute",
       {Code::wrong_input_count, Code::missing_output},
       true,
       odd({.op = "Split", .present = {true}, .attrs = {{"num_outputs", 2}}, .outputs = 3})},
      {"an unknown op", "execute", {Code::unknown_op}, true, unknown_op},
      {"Cast without 'to'", "execute", {Code::missing_attribute}, true, odd({.op = "Cast", .present = {true}})},
      {"Concat with a text for 'axis'",
       "execute",
       {Code::bad_attribute},
       true,
       odd({.op = "Concat", .attrs = {{"axis", "first"}}})},
      {"Transpose with an axis twice",
       "execute",
       {Code::bad_attribute, Code::bad_index, Code::bad_shape},
       true,
       odd({.op = "Transpose", .present = {true}, .attrs = {{"perm", Integers{0, 0}}}})},
      {"an output of a node that is not there",
       "execute",
       {Code::missing_output},
       false,
       [](Backend& backend) { missing_output(backend, {NodeId{99}, 0}); }},
      {"an output that a node does not have",
       "execute",
       {Code::missing_output},
       true,
       [](Backend& backend) { missing_output(backend, {NodeId{2}, 5}); }},
      {"an input from a node that is not there",
       "execute",
       {Code::unknown_node, Code::dangling_value},
       true,
       [](Backend& backend) { dangling_input(backend, {NodeId{99}, 0}); }},
      {"an input from an output that is not there",
       "execute",
       {Code::dangling_value},
       true,
       [](Backend& backend) { dangling_input(backend, {NodeId{1}, 5}); }},
      {"a cycle", "execute", {Code::cycle}, false, cycle},
      {"a schedule that is not in order",
       "",
       {Code::not_in_order},
       true,
       [](Backend& backend) { schedule(backend, {0, 2, 1}); }},
      {"a schedule with a node twice",
       "",
       {Code::not_in_order},
       true,
       [](Backend& backend) { schedule(backend, {0, 1, 1, 2}); }},
      {"a schedule without a node",
       "",
       {Code::not_in_order, Code::missing_output},
       true,
       [](Backend& backend) { schedule(backend, {0, 1}); }},
  };
}

}  // namespace

void check_walk_errors(Checks& checks) {
  check_mistakes(checks, "errors of a walk", mistakes());
  const DTypeSet dtypes = checks.backend.capabilities().dtypes;
  for (DType dtype : all_dtypes()) {
    if (dtypes.contains(dtype)) continue;
    check_mistakes(
        checks, "errors of a walk",
        {{"upload of " + std::string(name_of(dtype)), "", {ErrorCode::bad_dtype}, false, [dtype](Backend& backend) {
            backend.upload(Array(dtype, {1}));
          }}});
  }
  checks.check("errors of a walk", "overrides a side", "",
               [&] { return overrides_a_side(checks.backend) ? "" : "neither side of the contract is overridden"; });
}

}  // namespace asg::conformance
