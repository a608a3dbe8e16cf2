#include "asg/compile/profile.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "asg/asg.h"

namespace asg {
namespace {

struct LayerCase {
  const char* scope;
  Role role;
  const char* layer;
};

TEST(Profile, NodesBelongToLayers) {
  const std::vector<LayerCase> rows = {{"", Role::forward, "(model)"},
                                       {"block/attention", Role::forward, "block/attention"},
                                       {"block/attention/Softmax#7", Role::forward, "block/attention"},
                                       {"nn.Linear#3", Role::forward, "nn.Linear#3"},
                                       {"gradient/block/head", Role::gradient, "block/head"},
                                       {"gradient", Role::gradient, "(model)"},
                                       {"gradient/x", Role::forward, "gradient/x"},
                                       {"optimizer", Role::update, "optimizer"}};
  for (const LayerCase& row : rows) {
    Node node;
    node.scope = row.scope;
    node.origin = std::make_shared<const Origin>(Origin{NodeId{1}, "", row.role});
    EXPECT_EQ(layer_of(node), row.layer) << row.scope;
  }
}

// Two kernels with a product between them, the first of two nodes; 100, 300 and 600 ns in each of two runs.
Profile measured() {
  Graph graph("measured");
  const Tensor x = graph.input("x", {DType::f32, {8, 8}});
  {
    const Graph::ScopeGuard scope(graph, "first");
    const Tensor y = ((x + x) * x).named("y");
    const Graph::ScopeGuard inner(graph, "product");
    graph.set_output("z", exp(mat_mul(y, y)));
  }
  Profile profile{.explanation = {.program = make_program(graph)}, .runs = 2};
  profile.explanation.plan = plan_memory(profile.explanation.program);
  profile.explanation.ways.assign(3, "test \"quoted\"");
  const std::vector<std::int64_t> took = {100, 300, 600};
  for (int run = 0; run < 2; ++run) {
    std::int64_t now = run * 2000;
    profile.run_events.push_back({run, now, 1000});
    for (int step = 0; step < 3; ++step) {
      const std::int64_t duration = took[static_cast<std::size_t>(step)];
      profile.step_events.push_back({step, now, duration});
      now += duration;
    }
  }
  for (const std::int64_t duration : took) profile.steps.push_back({2, 2 * duration, duration});
  return profile;
}

TEST(Profile, TimeIsDividedAmongNodesAndLayers) {
  const Profile profile = measured();
  ASSERT_EQ(profile.explanation.program.steps.size(), 3U);
  EXPECT_EQ(profile.total(), 2000);
  const std::vector<TimeShare> nodes = time_by_node(profile);
  ASSERT_EQ(nodes.size(), 4U);
  EXPECT_EQ(nodes.front().op, "Exp");
  EXPECT_DOUBLE_EQ(nodes.front().seconds, 1200e-9);
  EXPECT_EQ(nodes[1].op, "MatMul");
  EXPECT_DOUBLE_EQ(nodes[1].flops, 2 * 2.0 * 8 * 8 * 8);
  EXPECT_EQ(nodes[2].name, "first/Add#2");
  EXPECT_DOUBLE_EQ(nodes[2].seconds, 100e-9);  // half of the kernel: as many FLOPs as the other node
  const std::vector<TimeShare> layers = time_by_layer(profile);
  ASSERT_EQ(layers.size(), 2U);
  EXPECT_EQ(layers[0].name, "first/product");
  EXPECT_DOUBLE_EQ(layers[0].seconds, 1800e-9);
  EXPECT_DOUBLE_EQ(layers[0].forward, 1800e-9);
  EXPECT_EQ(layers[1].name, "first");
}

TEST(Profile, TheTraceFollowsTheFormat) {
  const auto trace = nlohmann::json::parse(to_trace_json(measured()));
  std::map<std::string, int> phases;
  double last = -1;
  for (const auto& event : trace.at("traceEvents")) {
    ++phases[event.at("ph").get<std::string>()];
    EXPECT_TRUE(event.contains("pid"));
    EXPECT_TRUE(event.contains("tid"));
    EXPECT_TRUE(event.contains("args"));
    if (event.at("ph") == "M") continue;
    EXPECT_GE(event.at("ts").get<double>(), 0);
    if (event.at("ph") != "X" || event.at("cat") == "run") continue;
    EXPECT_GT(event.at("ts").get<double>(), last);
    last = event.at("ts").get<double>();
    EXPECT_EQ(event.at("args").at("way"), "test \"quoted\"");
  }
  EXPECT_EQ(phases["M"], 3);
  EXPECT_EQ(phases["X"], 2 + 6);
  EXPECT_EQ(phases["C"], 6 + 2);
  const auto& product = trace.at("traceEvents").at(3 + 2 + 2);
  EXPECT_EQ(product.at("name"), "MatMul");
  EXPECT_DOUBLE_EQ(product.at("ts").get<double>(), 0.1);
  EXPECT_DOUBLE_EQ(product.at("dur").get<double>(), 0.3);
}

TEST(Profile, RecorderCountsRunsAndSteps) {
  StepRecorder recorder(2);
  for (int run = 0; run < 3; ++run) {
    const RunTimer timer(&recorder);
    for (std::size_t step = 0; step < 2; ++step) const StepTimer step_timer(&recorder, step);
  }
  EXPECT_EQ(recorder.runs(), 3);
  EXPECT_EQ(recorder.step_events().size(), 6U);
  for (const StepTiming& timing : recorder.steps()) {
    EXPECT_EQ(timing.runs, 3);
    EXPECT_LE(timing.least * 3, timing.total);
  }
  const RunTimer nothing(nullptr);
  const StepTimer nothing_either(nullptr, 0);
}

}  // namespace
}  // namespace asg
