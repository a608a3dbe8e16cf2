// Random graphs of all ops: value and gradient against differences.
#include <cstdio>

#include "asg/check/random_graph.h"
#include "asg/check/reduce.h"
#include "asg/graph/validate.h"
#include "ops/cards.h"
#include "support/amount.h"

namespace asg {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr std::uint64_t kGraphs = test::amount(1000, 50);

TEST(RandomGraphs, GradientsAgreeWithDifferences) {
  constexpr double kMostDropped = 0.2;
  constexpr int kLeastGraphs = 20;
  const RandomGraphs graphs(test::cards_under_test(), kSeed);
  const RandomGraphReport report = check_random_graphs(graphs, 0, kGraphs);
  std::printf("%s", report.to_text().c_str());
  EXPECT_LE(report.drop_rate(), kMostDropped);
  if (kGraphs >= 1000) {
    EXPECT_GE(report.rarest(), kLeastGraphs);
  }
  for (const RandomGraphReport::Failure& failure : report.failures) {
    ADD_FAILURE() << "graph " << failure.number << ": " << failure.detail;
  }
  if (!report.failures.empty()) {
    const GraphCase failing = graphs.make(report.failures.front().number);
    std::printf("%s", case_as_test(reduce_case(failing, fails_like(failing)), "RandomGraphs", "Reduced").c_str());
  }
}

// Nothing but the leaves is left out: whoever adds a card finds its op here.
TEST(RandomGraphs, CallEveryOp) {
  const RandomGraphs graphs(test::cards_under_test(), kSeed);
  std::vector<std::string> called;
  for (const OpCard* op : graphs.ops()) called.push_back(op->name);
  for (const OpCard* op : test::cards_under_test()) {
    if (op->traits.leaf) continue;
    EXPECT_NE(std::find(called.begin(), called.end(), op->name), called.end()) << op->name;
  }
}

TEST(RandomGraphs, AreTheSameForTheSameSeedAndNumber) {
  const RandomGraphs graphs(test::cards_under_test(), kSeed);
  const RandomGraphs again(test::cards_under_test(), kSeed);
  const GraphCase once = graphs.make(3);
  EXPECT_TRUE(problems_of(once.graph).empty());
  EXPECT_TRUE(once.graph == again.make(3).graph);
  EXPECT_FALSE(once.graph == graphs.make(4).graph);
  EXPECT_GE(once.graph.node_count(), 50u);
}

}  // namespace
}  // namespace asg
