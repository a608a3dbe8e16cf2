// Backends that lack ops: bodies, the host, and carriers.
#include <set>

#include <gtest/gtest.h>

#include "asg/backend/walk.h"
#include "asg/compile/carrier.h"
#include "asg/compile/lower.h"
#include "asg/graph/registry.h"
#include "backend/test_backends.h"

namespace asg::test {
namespace {

Array floats_of(Sizes sizes, std::vector<float> values) { return Array::of<float>(std::move(sizes), values); }

int count(const Graph& graph, std::string_view op) {
  int found = 0;
  for (NodeId id : graph.node_ids()) found += graph.node(id).op->name == op ? 1 : 0;
  return found;
}

Capabilities only(std::set<std::string> ops, bool allow_host = true) {
  Capabilities device;
  device.supports_op = [ops = std::move(ops)](const OpCard& op) { return ops.count(op.name) > 0; };
  device.allow_host_fallback = allow_host;
  return device;
}

// y = 3 · triple(x), where the op `Triple` has a body (x + x + x) and, if asked for, a kernel.
OpCard triple_card(bool with_body, bool with_kernel) {
  OpCard card;
  card.name = "test.Triple";
  card.inputs = {{.name = "x"}};
  card.outputs = {{.name = "y"}};
  card.infer = [](InferContext& ctx) { ctx.output(ctx.type(0)); };
  if (with_body) card.body = [](BodyContext& ctx) { ctx.output(ctx.in(0) + ctx.in(0) + ctx.in(0)); };
  if (with_kernel) {
    card.kernel = [](KernelContext& ctx) {
      for (std::int64_t k = 0; k < ctx.in(0).count(); ++k) ctx.out().set(k, ctx.in(0).get(k) * 3);
    };
  }
  return card;
}

Graph triple_graph(const OpCard& card) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {2}});
  graph.set_output("y", graph.add_outputs({.op = &card, .inputs = {x.value()}, .name = "triple"}).front() * 2);
  return graph;
}

TEST(Lower, LeavesASupportedGraphAsItIs) {
  const OpCard card = triple_card(true, true);
  const Graph graph = triple_graph(card);
  const Lowered lowered = lower(graph, {}, Mode::train);
  EXPECT_EQ(lowered.graph, graph);
  EXPECT_TRUE(lowered.report.entries.empty());
  EXPECT_EQ(lowered.remap(graph.outputs()[0].value), graph.outputs()[0].value);
}

TEST(Lower, ReplacesWhatIsMissingByItsBody) {
  const OpCard card = triple_card(true, true);
  const Lowered lowered = lower(triple_graph(card), only({"Add", "Mul"}), Mode::train);
  EXPECT_EQ(count(lowered.graph, "test.Triple"), 0);
  EXPECT_EQ(count(lowered.graph, "Add"), 2);
  EXPECT_EQ(lowered.report.to_text(), "triple: test.Triple is replaced by its body\n");
  EXPECT_FALSE(lowered.report.needs_host());
}

TEST(Lower, ReportsWhatRunsOnTheHost) {
  const OpCard card = triple_card(false, true);
  const Lowered lowered = lower(triple_graph(card), only({"Add", "Mul"}), Mode::train);
  EXPECT_EQ(count(lowered.graph, "test.Triple"), 1);
  EXPECT_EQ(lowered.report.to_text(), "triple: test.Triple runs on the host, with transfers\n");
  EXPECT_TRUE(lowered.report.needs_host());
}

TEST(Lower, RefusesTheHostWhereItIsForbidden) {
  const OpCard card = triple_card(false, true);
  try {
    lower(triple_graph(card), only({"Mul"}, false), Mode::train);
    FAIL() << "nothing was thrown";
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ErrorCode::not_implemented);
    EXPECT_EQ(error.detail().node, "triple");
  }
}

// A device with some kernels, and transfers that are counted.
class Limited : public Interpreter {
 public:
  explicit Limited(Capabilities device) : device_(std::move(device)) {}
  Capabilities capabilities() const override { return device_; }
  DeviceArray upload(const Array& array) override {
    ++uploads;
    return Interpreter::upload(array);
  }
  NamedDeviceArrays execute(const Graph& graph, const NamedDeviceArrays& inputs) override {
    executed.push_back(graph.name());
    return Interpreter::execute(graph, inputs);
  }
  int uploads = 0;
  std::vector<std::string> executed;

 private:
  Capabilities device_;
};

class LackedOps : public testing::TestWithParam<std::tuple<bool, bool>> {};

TEST_P(LackedOps, RunAllTheSame) {
  const auto [with_body, compiled] = GetParam();
  const OpCard card = triple_card(with_body, true);
  const Graph graph = triple_graph(card);
  Limited backend(only({"Add", "Mul"}));
  const NamedArrays inputs = {{"x", floats_of({2}, {1, 2})}};
  const Array y = compiled ? backend.compile(graph)->run(inputs).outputs.at("y")
                           : backend.download(backend.execute(graph, backend.upload_all(inputs)).at("y"));
  EXPECT_TRUE(bit_equal(y, floats_of({2}, {6, 12}))) << y.to_string();
  // The input goes up once; a value that the host computed once more.
  EXPECT_EQ(backend.uploads, with_body ? 1 : 2);
}

INSTANTIATE_TEST_SUITE_P(Lowering, LackedOps, testing::Combine(testing::Bool(), testing::Bool()));

TEST(LackedOp, WithNeitherBodyNorHostAreNotImplemented) {
  const OpCard card = triple_card(false, true);
  Limited backend(only({"Add", "Mul"}, false));
  try {
    backend.execute(triple_graph(card), backend.upload_all({{"x", floats_of({2}, {1, 2})}}));
    FAIL() << "nothing was thrown";
  } catch (const UserError& error) {
    // Its card is not registered, so nobody else could know it either.
    EXPECT_EQ(error.code(), ErrorCode::unknown_op);
    EXPECT_EQ(error.detail().node, "triple");
  }
}

// ---- Carriers

// a = exp(x); b = a + 1; c = tanh(b), not claimed; d = (c + a) · b
Graph around_an_island() {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {2}});
  const Tensor a = add_op("Exp", {x});
  const Tensor b = a + 1;
  const Tensor c = add_op("Tanh", {b});
  graph.set_output("y", (c + a) * b);
  graph.set_output("b", b);
  return graph;
}

bool not_tanh(const Node& node) { return node.op->name != "Tanh"; }

TEST(Collapse, KeepsRegionsThatCanBeComputedInOneGo) {
  const Collapsed collapsed = collapse(around_an_island(), not_tanh);
  EXPECT_EQ(count(collapsed.graph, "Carrier"), 2);
  EXPECT_EQ(count(collapsed.graph, "Tanh"), 1);
  EXPECT_EQ(count(collapsed.graph, "Add"), 0);
}

TEST(Collapse, LeavesSingleNodesAlone) {
  const Collapsed collapsed = collapse(around_an_island(), [](const Node& node) { return node.op->name == "Exp"; });
  EXPECT_EQ(count(collapsed.graph, "Carrier"), 0);
  EXPECT_EQ(collapsed.graph.node_count(), around_an_island().node_count());
}

TEST(Collapse, ExpandRestoresTheNodes) {
  const Collapsed collapsed = collapse(around_an_island(), not_tanh);
  const Expansion expanded =
      expand(collapsed.graph, Mode::train, [](const Node& node) { return node.op->name == "Carrier"; });
  for (const char* op : {"Exp", "Add", "Tanh", "Mul"}) {
    EXPECT_EQ(count(expanded.graph, op), count(around_an_island(), op)) << op;
  }
}

TEST(Collapse, TheBackendGetsEachRegionInOnePiece) {
  Capabilities device;
  device.claims = not_tanh;
  Limited backend(device);
  const NamedArrays inputs = {{"x", floats_of({2}, {0, 1})}};
  const NamedArrays outputs = backend.compile(around_an_island())->run(inputs).outputs;
  EXPECT_EQ(backend.executed, (std::vector<std::string>{"carrier_1", "carrier_2"}));
  Interpreter plain;
  const NamedArrays expected = plain.compile(around_an_island())->run(inputs).outputs;
  EXPECT_TRUE(bit_equal(outputs.at("y"), expected.at("y")));
  EXPECT_TRUE(bit_equal(outputs.at("b"), expected.at("b")));
}

// An engine that lacks one op still gets everything else: one by one, or in regions where it claims them.
TEST(Collapse, AnEngineThatLacksAnOpGetsTheRest) {
  struct NoTanh : ExecuteOnly {
    Capabilities capabilities() const override {
      Capabilities device;
      device.supports_op = [](const OpCard& op) { return op.name != "Tanh"; };
      if (regions) device.claims = not_tanh;
      return device;
    }
    bool regions = false;
  };
  const NamedArrays inputs = {{"x", floats_of({2}, {0, 1})}};
  Interpreter plain;
  const Array expected = plain.compile(around_an_island())->run(inputs).outputs.at("y");
  for (const bool regions : {false, true}) {
    NoTanh engine;
    engine.regions = regions;
    EXPECT_TRUE(bit_equal(engine.compile(around_an_island())->run(inputs).outputs.at("y"), expected));
    EXPECT_EQ(engine.executed, regions ? 2 : 4);
  }
}

TEST(Collapse, ShapesStayKnownInside) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {Dim::symbol("batch"), 2, 3}});
  const Tensor flat = add_op("Reshape", {-x, graph.constant(Array::ints({0, -1}))});
  graph.set_output("y", -flat);
  Capabilities device;
  device.claims = [](const Node&) { return true; };
  Limited backend(device);
  const Array y = backend.compile(graph)->run({{"x", Array(DType::f32, {4, 2, 3})}}).outputs.at("y");
  EXPECT_EQ(y.sizes(), (Sizes{4, 6}));
}

}  // namespace
}  // namespace asg::test
