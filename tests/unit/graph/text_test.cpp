#include "asg/graph/text.h"

#include <gtest/gtest.h>

#include "asg/graph/card.h"
#include "unit/graph/drawn_graph.h"

namespace asg {
namespace {

TEST(GraphText, ListsEverything) {
  EXPECT_EQ(to_text(drawn_graph()), R"(graph "net": 6 nodes, 4 variables
inputs
  %1 "x" : f32[batch, 8]
variables
  $1 "encoder/fc1.weight" : f32[8, 32] = kaiming_uniform
  $2 "tied" : f32[32] = zeros   # frozen
  $3 "steps" : u64[] = zeros   # counter
  $4 "mean" : f32[32] = constant(0.5)   # buffer
nodes
  %2 = Variable() [value="mean"] : f32[32]
  %3 = nn.Linear(%1) {units=32} [bias="tied"] "fc1" : f32[batch, 32]   # encoder
  %4, %4:1 = Split(%3, -, %2) {axis=-1, names=["a\"b", "c"]} : f32[batch, 16], f32[batch, 16]   # encoder/deep
  %5 = If(%4:1) {then_branch=graph "then" of 2 nodes} : f32[batch, 16]
    then_branch:
      inputs
        %1 "c" : f32[batch, 16]
      nodes
        %2 = Block(%1) : f32[batch, 16]
          body:
            inputs
              %1 "in" : f32[batch, 16]
            outputs
              "out" = %1 : f32[batch, 16]
      outputs
        "y" = %2 : f32[batch, 16]
  %6 = Add(%4, %5) : f32[batch, 16]   # head; gradient of %3/activation
outputs
  "loss" = %6 : f32[batch, 16]
updates
  "mean" <- %4:1
)");
}

TEST(GraphText, OfAnEmptyGraphIsItsHeader) {
  EXPECT_EQ(to_text(Graph("empty \"one\"")), "graph \"empty \\\"one\\\"\": 0 nodes, 0 variables\n");
}

TEST(GraphText, InputsComeFirstWhateverTheirIds) {
  EXPECT_EQ(to_text(reordered_graph()), R"(graph "reordered": 3 nodes, 0 variables
inputs
  %3 "x" : f32[2]
nodes
  %2 = Add(%3) : f32[2]
  %1 = Add(%2) : f32[2]
)");
}

TEST(GraphText, OfACycleIsByIdAndSaysSo) {
  const std::string text = to_text(cyclic_graph());
  EXPECT_EQ(text, R"(graph "cyclic": 2 nodes, 0 variables
nodes by id, not in order of computation (cycle: a cycle: Add#1 <- Add#2 <- Add#1)
  %1 = Add(%2) : f32[2]
  %2 = Add(%1) : f32[2]
)");
}

TEST(GraphText, ShowsWhatIsMissing) {
  EXPECT_EQ(to_text(broken_graph()), R"(graph "broken": 1 node, 0 variables
inputs
  %7 missing : missing
nodes by id, not in order of computation (unknown_node: node 9 of graph 'broken')
  %1 = Add(%9) [value=missing $5] : f32[2]
outputs
  "y" = %1:3 : missing
updates
  missing $6 <- %9
)");
}

TEST(GraphText, OfDeepNestingIsIterative) {
  constexpr int kDepth = 300;
  const std::string text = to_text(nested_graph(kDepth));
  std::size_t bodies = 0;
  for (std::size_t at = text.find("body:"); at != std::string::npos; at = text.find("body:", at + 1)) ++bodies;
  EXPECT_EQ(bodies, static_cast<std::size_t>(kDepth));
}

}  // namespace
}  // namespace asg
