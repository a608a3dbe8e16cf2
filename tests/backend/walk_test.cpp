// The public helpers for authors: walks, single ops, attributes.
#include "asg/backend/walk.h"

#include <gtest/gtest.h>

#include "asg/backend/attribute_codec.h"
#include "asg/backend/single_op.h"
#include "asg/graph/registry.h"
#include "backend/test_backends.h"

namespace asg::test {
namespace {

template <class F>
ErrorCode code_of(F run) {
  try {
    run();
  } catch (const UserError& error) {
    return error.code();
  }
  return ErrorCode::bad_command;
}

Array array_of_floats(Sizes sizes, std::vector<float> values) { return Array::of<float>(std::move(sizes), values); }

// A backend that counts how many of its arrays are alive.
class Counting : public Interpreter {
 public:
  DeviceArray neg(const DeviceArray& x) override {
    most = std::max(most, ++alive);
    Array array = array_of(Interpreter::neg(x));
    auto* memory = new Array(array);
    return host_array(name(), Array::wrap(DType::f32, memory->sizes(), memory->raw(), [this, memory](void*) {
                        --alive;
                        delete memory;
                      }));
  }
  int alive = 0;
  int most = 0;
};

TEST(Walk, LetsGoOfValuesAfterTheirLastUse) {
  Graph graph;
  Tensor value = graph.input("x", {DType::f32, {2}});
  for (int step = 0; step < 50; ++step) value = -value;
  graph.set_output("y", value);
  Counting backend;
  const auto outputs = backend.execute(graph, backend.upload_all({{"x", array_of_floats({2}, {1, 2})}}));
  EXPECT_LE(backend.most, 2);
  EXPECT_EQ(backend.alive, 1);
  EXPECT_TRUE(bit_equal(backend.download(outputs.at("y")), array_of_floats({2}, {1, 2})));
}

TEST(Walk, ComputesOnlyWhatIsNeeded) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {2}});
  graph.set_output("y", x + x);
  static_cast<void>(-x);
  Counting backend;
  backend.execute(graph, backend.upload_all({{"x", array_of_floats({2}, {1, 2})}}));
  EXPECT_EQ(backend.most, 0);
}

TEST(Walk, FollowsASchedule) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {1}});
  const Tensor a = x + 1.0;
  const Tensor b = x * 2.0;
  graph.set_output("y", a - b);
  std::vector<NodeId> schedule = graph.node_ids();
  std::swap(*std::find(schedule.begin(), schedule.end(), a.node()),
            *std::find(schedule.begin(), schedule.end(), b.node()));
  // The two constants stand before the node that uses them, so they change places as well.
  std::vector<NodeId> leaves_first;
  for (const bool leaf : {true, false}) {
    for (NodeId id : schedule) {
      if (graph.node(id).op->traits.leaf == leaf) leaves_first.push_back(id);
    }
  }
  schedule = leaves_first;
  Interpreter backend;
  const auto outputs = walk_graph(backend, graph, backend.upload_all({{"x", array_of_floats({1}, {5})}}), schedule);
  EXPECT_EQ(backend.download(outputs.at("y")).get(0), -4);
}

TEST(Walk, WhatABackendThrowsNamesTheNode) {
  struct Fails : Interpreter {
    DeviceArray exp(const DeviceArray&) override { throw std::runtime_error("no more toner"); }
    DeviceArray log(const DeviceArray&) override { throw std::bad_alloc(); }
  } backend;
  for (const auto& [op, code] :
       {std::pair("Exp", ErrorCode::computation_error), std::pair("Log", ErrorCode::out_of_memory)}) {
    Graph graph;
    graph.set_output("y", add_op(op, {graph.input("x", {DType::f32, {}})}).named("culprit"));
    try {
      backend.execute(graph, backend.upload_all({{"x", array_of_floats({}, {1})}}));
      FAIL() << "nothing was thrown";
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), code) << error.what();
      EXPECT_EQ(error.detail().node, "culprit");
      EXPECT_NE(error.detail().where.find("walk_test.cpp"), std::string::npos);
    }
  }
}

TEST(Walk, RefusesLayersWithParametersInWords) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {2}});
  OpCard card;
  card.name = "test.Scale";
  card.inputs = {{.name = "x"}};
  card.outputs = {{.name = "y"}};
  card.composite = true;
  card.body = [](BodyContext& ctx) { ctx.output(ctx.in(0) * ctx.parameter("scale", {}, Initializer::ones())); };
  graph.set_output("y", graph.add_outputs({.op = &card, .inputs = {x.value()}, .name = "scale"}).front());
  Interpreter backend;
  const NamedArrays inputs = {{"x", array_of_floats({2}, {1, 2})}};
  EXPECT_EQ(code_of([&] { backend.execute(graph, backend.upload_all(inputs)); }), ErrorCode::not_implemented);
  const auto compiled = backend.compile(graph, {.mode = Mode::eval});
  compiled->write(graph.find_variable("scale.scale"), array_of_floats({}, {3}));
  EXPECT_TRUE(bit_equal(compiled->run(inputs).outputs.at("y"), array_of_floats({2}, {3, 6})));
}

// ---- Single ops

TEST(SingleOp, HasOneOutputOrMany) {
  for (const bool engine : {false, true}) {
    const std::unique_ptr<Backend> backend =
        engine ? std::unique_ptr<Backend>(std::make_unique<ExecuteOnly>()) : std::make_unique<Interpreter>();
    const DeviceArray x = backend->upload(array_of_floats({4}, {1, 2, 3, 4}));
    const DeviceArrays one = {x};
    EXPECT_TRUE(
        bit_equal(backend->download(run_single_output(*backend, "Neg", one)), array_of_floats({4}, {-1, -2, -3, -4})));
    const DeviceArrays halves = run_single(*backend, "Split", one, {{"num_outputs", 2}});
    ASSERT_EQ(halves.size(), 2U);
    EXPECT_TRUE(bit_equal(backend->download(halves[1]), array_of_floats({2}, {3, 4})));
    EXPECT_EQ(code_of([&] { run_single_output(*backend, "Split", one, {{"num_outputs", 2}}); }),
              ErrorCode::wrong_input_count);
    EXPECT_EQ(code_of([&] { run_single(*backend, "Negg", one); }), ErrorCode::unknown_op);
  }
}

TEST(SingleOp, IntegerOperandsAreConstants) {
  Interpreter backend;
  Node node;
  node.op = &Registry::global().get("Reshape");
  const DeviceArrays inputs = {backend.upload(array_of_floats({4}, {1, 2, 3, 4})), backend.upload(Array::ints({2, 2}))};
  const SingleOp single = single_op(backend, node, inputs);
  EXPECT_EQ(single.inputs.size(), 1U);
  EXPECT_EQ(single.graph.type(single.graph.outputs()[0].value).to_string(), "f32[2, 2]");
}

TEST(SingleOp, ExecuteMustKeepTheNamesOfOutputs) {
  struct Renames : Backend {
    std::string name() const override { return "renames"; }
    NamedDeviceArrays execute(const Graph&, const NamedDeviceArrays& inputs) override {
      return {{"something else", inputs.begin()->second}};
    }
  } backend;
  const DeviceArray x = backend.upload(array_of_floats({1}, {1}));
  EXPECT_EQ(code_of([&] { backend.neg(x); }), ErrorCode::missing_output);
  Graph graph;
  graph.set_output("y", -graph.input("x", {DType::f32, {1}}));
  EXPECT_EQ(code_of([&] { backend.compile(graph)->run({{"x", array_of_floats({1}, {1})}}); }),
            ErrorCode::missing_output);
}

// ---- Attributes

Node cast_node(Attrs attrs) {
  Node node;
  node.id = NodeId{3};
  node.op = &Registry::global().get("Concat");
  node.attrs = std::move(attrs);
  return node;
}

TEST(AttributeCodec, GivesBackWhatWasPutIn) {
  Attrs attrs;
  encode_attribute(attrs, "integer", std::int64_t{3});
  encode_attribute(attrs, "real", 0.5);
  encode_attribute(attrs, "flag", true);
  encode_attribute(attrs, "text", std::string("abc"));
  encode_attribute(attrs, "integers", std::vector<std::int64_t>{1, 2});
  encode_attribute(attrs, "reals", std::vector<double>{1, 2});
  encode_attribute(attrs, "texts", std::vector<std::string>{"a"});
  encode_attribute(attrs, "dtype", DType::i8);
  encode_attribute(attrs, "type", TensorType{DType::f32, {2}});
  encode_attribute(attrs, "tensor", array_of_floats({2}, {1, 2}));
  encode_attribute(attrs, "graph", GraphPtr(std::make_shared<const Graph>("inner")));
  const Node node = cast_node(attrs);
  EXPECT_EQ(decode_attribute<std::int64_t>(node, "integer"), 3);
  EXPECT_EQ(decode_attribute<double>(node, "real"), 0.5);
  EXPECT_EQ(decode_attribute<double>(node, "integer"), 3);
  EXPECT_TRUE(decode_attribute<bool>(node, "flag"));
  EXPECT_EQ(decode_attribute<std::string>(node, "text"), "abc");
  EXPECT_EQ(decode_attribute<std::vector<std::int64_t>>(node, "integers").size(), 2U);
  EXPECT_EQ(decode_attribute<std::vector<double>>(node, "reals").back(), 2);
  EXPECT_EQ(decode_attribute<std::vector<std::string>>(node, "texts").front(), "a");
  EXPECT_EQ(decode_attribute<DType>(node, "dtype"), DType::i8);
  EXPECT_EQ(decode_attribute<TensorType>(node, "type").to_string(), "f32[2]");
  EXPECT_TRUE(bit_equal(decode_attribute<Array>(node, "tensor"), array_of_floats({2}, {1, 2})));
  EXPECT_EQ(decode_attribute<GraphPtr>(node, "graph")->name(), "inner");
}

TEST(AttributeCodec, ChecksPresenceAndType) {
  try {
    decode_attribute<std::int64_t>(cast_node({{"axis", "first"}}), "axis");
    FAIL() << "nothing was thrown";
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_attribute);
    EXPECT_EQ(error.detail().node, "Concat#3");
    EXPECT_NE(std::string(error.what()).find("attribute 'axis' of op 'Concat'"), std::string::npos) << error.what();
  }
  EXPECT_EQ(code_of([] { decode_attribute<std::int64_t>(cast_node({{"axis", 0.5}}), "axis"); }),
            ErrorCode::bad_attribute);
  EXPECT_EQ(code_of([] { decode_attribute<std::int64_t>(cast_node({}), "axis"); }), ErrorCode::missing_attribute);
}

}  // namespace
}  // namespace asg::test
