#include "asg/graph/validate.h"

#include <functional>

#include <gtest/gtest.h>

#include "asg/graph/registry.h"
#include "json_graphs.h"

namespace asg {
namespace {

const TensorType kRow = {DType::f32, {Dim::symbol("batch"), 4}};

// x -> Neg "a" -> Abs "b" -> output y, a variable w of x's type that is read, and a layer "d" after x.
Graph sound() {
  test::register_json_ops();
  Graph graph("sound");
  const Tensor x = graph.input("x", kRow);
  const Tensor a = add_op("Neg", {x}).named("a");
  const Tensor b = add_op("Abs", {a}).named("b");
  const Tensor w = graph.parameter("w", {DType::f32, {4}}, Initializer::ones());
  graph.set_output("y", b + w);
  graph.set_output("d", add_op("json.Dense", {x}, {{"units", 2}}).named("d"));
  graph.add_update(graph.find_variable("w"), -w);
  return graph;
}

void change(Graph& graph, std::string_view path, const std::function<void(Node&)>& edit) {
  Node node = graph.node(graph.find_node(path));
  edit(node);
  graph.put(std::move(node));
}

GraphPtr branch(bool with_variable) {
  auto graph = std::make_shared<Graph>("branch");
  Tensor x = graph->input("x", kRow);
  if (with_variable) x = x + graph->parameter("w", {DType::f32, {4}}, Initializer::zeros());
  graph->set_output("y", x);
  return graph;
}

struct Damage {
  std::string name;
  std::function<void(Graph&)> act;
  ErrorCode code;
  std::string node;  // of the first problem
  std::string contains;
};

std::vector<Damage> damages() {
  return {
      {"dangling_input", [](Graph& g) { g.erase(g.find_node("a")); }, ErrorCode::dangling_value, "b", "node 2"},
      {"port_out_of_range", [](Graph& g) { change(g, "b", [](Node& n) { n.inputs[0].port = 3; }); },
       ErrorCode::dangling_value, "b", "output 3 of a"},
      {"cycle", [](Graph& g) { change(g, "a", [&](Node& n) { n.inputs[0].node = g.find_node("b"); }); },
       ErrorCode::cycle, "", "<-"},
      {"stale_type", [](Graph& g) { change(g, "a", [](Node& n) { n.outputs[0].type.dtype = DType::f64; }); },
       ErrorCode::type_mismatch, "a", "f64[batch, 4]"},
      {"stale_contents",
       [](Graph& g) {
         change(g, "a", [](Node& n) { n.outputs[0].known = std::make_shared<const std::vector<Dim>>(); });
       },
       ErrorCode::type_mismatch, "a", "known contents"},
      {"missing_outputs", [](Graph& g) { change(g, "a", [](Node& n) { n.outputs.clear(); }); },
       ErrorCode::type_mismatch, "a", "()"},
      {"unknown_attribute", [](Graph& g) { change(g, "a", [](Node& n) { n.attrs.set("axis", 1); }); },
       ErrorCode::unknown_attribute, "a", "'axis'"},
      {"default_written_out", [](Graph& g) { change(g, "d", [](Node& n) { n.attrs.set("bias", true); }); },
       ErrorCode::bad_attribute, "d", "equal to its default"},
      {"two_nodes_of_one_name", [](Graph& g) { change(g, "b", [](Node& n) { n.name = "a"; }); },
       ErrorCode::duplicate_name, "a", "two nodes named 'a'"},
      {"two_variables_of_one_name",
       [](Graph& g) {
         Variable variable = g.variable(g.find_variable("w"));
         variable.id = g.reserve_variable_id();
         g.put(std::move(variable));
       },
       ErrorCode::duplicate_name, "", "two variables named 'w'"},
      {"two_outputs_of_one_name",
       [](Graph& g) {
         std::vector<Output> outputs(g.outputs().begin(), g.outputs().end());
         outputs[1].name = "y";
         g.set_outputs(std::move(outputs));
       },
       ErrorCode::duplicate_name, "", "two outputs named 'y'"},
      {"name_with_a_slash", [](Graph& g) { change(g, "b", [](Node& n) { n.name = "b/c"; }); }, ErrorCode::bad_name,
       "b/c", "without '/'"},
      {"input_not_listed", [](Graph& g) { g.set_inputs({}); }, ErrorCode::missing_input, "x", "not among the inputs"},
      {"listed_but_no_input", [](Graph& g) { g.set_inputs({g.find_node("x"), g.find_node("a")}); },
       ErrorCode::unknown_node, "", "node 2 as an input"},
      {"dangling_output", [](Graph& g) { g.set_outputs({{"y", {NodeId{77}, 0}}}); }, ErrorCode::dangling_value, "",
       "node 77 as output 'y'"},
      {"output_of_no_port", [](Graph& g) { g.set_outputs({{"y", {g.find_node("a"), 1}}}); }, ErrorCode::dangling_value,
       "", "output 1 of a"},
      {"no_binding", [](Graph& g) { change(g, "d", [](Node& n) { n.bindings.pop_back(); }); },
       ErrorCode::binding_mismatch, "d", "[weight, bias]"},
      {"binding_of_another_type",
       [](Graph& g) { change(g, "d", [&](Node& n) { n.bindings[0].variable = g.find_variable("w"); }); },
       ErrorCode::binding_mismatch, "d", "f32[4, 2]"},
      {"binding_of_no_variable", [](Graph& g) { g.erase(g.find_variable("d.bias")); }, ErrorCode::unknown_variable, "d",
       "slot 'bias'"},
      {"update_of_no_variable", [](Graph& g) { g.set_updates({{VarId{99}, {g.find_node("a"), 0}}}); },
       ErrorCode::unknown_variable, "", "variable 99"},
      {"update_of_another_type", [](Graph& g) { g.set_updates({{g.find_variable("w"), {g.find_node("a"), 0}}}); },
       ErrorCode::type_mismatch, "", "f32[batch, 4]"},
      {"layer_without_stream", [](Graph& g) { change(g, "d", [](Node& n) { n.stream = 0; }); },
       ErrorCode::missing_attribute, "d", "random stream"},
      {"absent_input_at_the_end", [](Graph& g) { change(g, "a", [](Node& n) { n.inputs.push_back({}); }); },
       ErrorCode::missing_input, "a", "at the end"},
      {"body_of_a_plain_op", [](Graph& g) { change(g, "a", [](Node& n) { n.body = branch(false); }); },
       ErrorCode::not_expandable, "a", "'Neg'"},
  };
}

class Damaged : public testing::TestWithParam<Damage> {};

TEST_P(Damaged, IsFound) {
  const Damage& row = GetParam();
  Graph graph = sound();
  row.act(graph);
  const std::vector<UserError> problems = problems_of(graph);
  ASSERT_FALSE(problems.empty());
  const UserError& first = problems.front();
  EXPECT_EQ(name_of(first.code()), name_of(row.code)) << first.what();
  EXPECT_EQ(first.detail().node, row.node) << first.what();
  EXPECT_NE(std::string(first.what()).find(row.contains), std::string::npos) << first.what();
  EXPECT_THROW(validate(graph), UserError);
}

INSTANTIATE_TEST_SUITE_P(Validate, Damaged, testing::ValuesIn(damages()),
                         [](const auto& each) { return each.param.name; });

TEST(Validate, AcceptsASoundGraph) {
  for (const UserError& problem : problems_of(sound())) ADD_FAILURE() << problem.what();
  EXPECT_TRUE(warnings_of(sound()).empty());
}

TEST(Validate, ReportsEveryProblem) {
  Graph graph = sound();
  change(graph, "a", [](Node& node) { node.inputs[0].node = NodeId{50}; });
  change(graph, "b", [](Node& node) { node.inputs[0].node = NodeId{51}; });
  graph.set_outputs({{"", {NodeId{52}, 0}}});
  EXPECT_EQ(problems_of(graph).size(), 4u);
}

// Problems inside subgraphs are found and say where; a body that two nodes share is looked at once.
TEST(Validate, LooksInside) {
  Graph graph = sound();
  const Tensor x = graph.tensor({graph.find_node("x"), 0});
  const Tensor yes = graph.constant(Array::scalar(DType::boolean, 1));
  auto broken = std::make_shared<Graph>(*branch(false));
  broken->set_outputs({{"y", {broken->inputs()[0], 0}}, {"y", {broken->inputs()[0], 0}}});
  for (const char* name : {"one", "two"}) {
    NodeSpec spec;
    spec.op = &Registry::global().get("json.Choose");
    spec.inputs = {yes.value(), x.value()};
    spec.attrs = {{"then_branch", GraphPtr(broken)}, {"else_branch", branch(false)}};
    spec.name = name;
    graph.add(spec);
  }
  const std::vector<UserError> problems = problems_of(graph);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].code(), ErrorCode::duplicate_name);
  EXPECT_EQ(problems[0].detail().node, "two:then_branch/");
}

TEST(Validate, RefusesStateInSubgraphs) {
  Graph graph = sound();
  const Tensor x = graph.tensor({graph.find_node("x"), 0});
  const Tensor yes = graph.constant(Array::scalar(DType::boolean, 1));
  add_op("json.Choose", {yes, x}, {{"then_branch", branch(true)}, {"else_branch", branch(false)}});
  const std::vector<UserError> problems = problems_of(graph);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].code(), ErrorCode::capture_mismatch);
}

TEST(Validate, WarnsOfWhatIsNotUsed) {
  Graph graph = sound();
  graph.input("unused", kRow);
  add_op("Neg", {graph.tensor({graph.find_node("a"), 0})}).named("aside");
  graph.add_variable({.id = {}, .name = "spare", .type = kRow, .init = {}});
  const std::vector<std::string> expected = {"the input 'unused' is not used",
                                             "no output or update depends on the node aside",
                                             "the variable 'spare' is not used"};
  EXPECT_EQ(warnings_of(graph), expected);
}

// As deep as a graph can be: nothing recurses.
TEST(Validate, TakesALongChain) {
  Graph graph("chain");
  Tensor value = graph.input("x", kRow);
  for (int k = 0; k < 50'000; ++k) value = -value;
  graph.set_output("y", value);
  EXPECT_TRUE(problems_of(graph).empty());
}

}  // namespace
}  // namespace asg
