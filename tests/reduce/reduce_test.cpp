// A failing graph becomes small, goes on failing, and is printed as a test that compiles.
#include "asg/check/reduce.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "asg/core/platform.h"
#include "asg/graph/registry.h"
#include "asg/graph/validate.h"
#include "ops/cards.h"
#include "reduce/broken_op.h"

namespace asg {
namespace {

// The first graph of the seed in which the broken op shows: called on a constant it has no gradient to be wrong.
GraphCase failing_graph(std::vector<const OpCard*> ops, int calls) {
  ops.erase(std::remove(ops.begin(), ops.end(), &test::broken_op()), ops.end());
  ops.push_back(&test::broken_op());
  const RandomGraphs graphs(ops, 1, calls);
  for (std::uint64_t number = 0; number < 100; ++number) {
    GraphCase made = graphs.make(number);
    if (check_case(made).verdict == Verdict::failed) return made;
  }
  ADD_FAILURE() << "the broken op shows in none of 100 graphs";
  return {};
}

int calls_of(const Graph& graph, const OpCard& op) {
  int calls = 0;
  for (NodeId id : graph.node_ids()) calls += graph.node(id).op == &op ? 1 : 0;
  return calls;
}

TEST(Reduce, KeepsTheFaultAndLittleElse) {
  const GraphCase failing = failing_graph(test::cards_under_test(), RandomGraphs::kCalls);
  ASSERT_EQ(check_case(failing).verdict, Verdict::failed);
  const GraphCase reduced = reduce_case(failing, fails_like(failing));
  EXPECT_EQ(check_case(reduced).verdict, Verdict::failed);
  EXPECT_TRUE(problems_of(reduced.graph).empty());
  const std::string printed = case_as_test(reduced, "Reduce", "Printed");
  EXPECT_EQ(calls_of(reduced.graph, test::broken_op()), 1) << printed;
  EXPECT_LE(reduced.graph.node_count(), 8u) << printed;
}

// Two ops that are wrong only together: no single node shows the fault.
TEST(Reduce, WorksForAnyPredicate) {
  const auto has_both = [](const GraphCase& made) {
    bool exp = false;
    bool log = false;
    for (NodeId id : made.graph.node_ids()) {
      exp = exp || made.graph.node(id).op->name == "Exp";
      log = log || made.graph.node(id).op->name == "Log";
    }
    return exp && log;
  };
  GraphCase made;
  Tensor x = made.graph.input("x", {DType::f64, {3, 4}});
  made.values["x"] = Array(DType::f64, {3, 4});
  for (const char* op : {"Tanh", "Exp", "Sigmoid", "Sin", "Exp", "Log", "Tanh"}) x = add_op(op, {x});
  made.graph.set_output("loss", add_op("ReduceSum", {x}, {{"keepdims", false}}));
  ASSERT_TRUE(has_both(made));
  const GraphCase reduced = reduce_case(made, has_both);
  EXPECT_TRUE(has_both(reduced));
  EXPECT_LE(reduced.graph.node_count(), 8u) << case_as_test(reduced, "Reduce", "Printed");
}

// printed_case.inc is what the reducer prints; here it is compiled and run.
#undef TEST
#define TEST(suite, name) void suite##_##name()
// NOLINTNEXTLINE(bugprone-suspicious-include)
#include "reduce/printed_case.inc"
#undef TEST

GTEST_TEST(Reduce, PrintsATestThatCompilesAndFails) {
  const std::vector<const OpCard*> few = {&Registry::global().get("Tanh"), &Registry::global().get("MatMul")};
  const GraphCase failing = failing_graph(few, 6);
  const GraphCase reduced = reduce_case(failing, fails_like(failing));
  EXPECT_EQ(case_as_test(reduced, "Reduce", "Printed"),
            platform::read_file(ASG_SOURCE_DIR "/tests/reduce/printed_case.inc"));
  EXPECT_NONFATAL_FAILURE(Reduce_Printed(), "the gradient says");
}

}  // namespace
}  // namespace asg
