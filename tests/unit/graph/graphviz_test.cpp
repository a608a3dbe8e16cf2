#include <gtest/gtest.h>

#include "asg/graph/card.h"
#include "asg/graph/text.h"
#include "unit/graph/drawn_graph.h"

namespace asg {
namespace {

TEST(GraphViz, DrawsEverything) {
  EXPECT_EQ(to_graphviz(drawn_graph()), R"dot(digraph "net" {
  rankdir=TB;
  node [shape=box, style="rounded,filled", fontname="sans-serif", fontsize=11];
  edge [fontname="sans-serif", fontsize=9];
  n1 [label="x\nInput\nf32[batch, 8]", fillcolor="#eceff1"];
  n2 [label="Variable\nf32[32]", fillcolor="#eceff1"];
  n5 [label="If\nthen_branch=graph \"then\" of 2 nodes\nf32[batch, 16]", fillcolor="#ffecb3"];
  subgraph cluster_0 {
    label="encoder"; color="#90a4ae"; style=rounded;
    n3 [label="fc1\nnn.Linear\nunits=32\nf32[batch, 32]", fillcolor="#c5cae9"];
    subgraph cluster_1 {
      label="deep"; color="#90a4ae"; style=rounded;
      n4 [label="Split\naxis=-1, names=[\"a\\\"b\", \"c\"]\nf32[batch, 16]\nf32[batch, 16]", fillcolor="#f5f5f5"];
    }
  }
  subgraph cluster_2 {
    label="head"; color="#90a4ae"; style=rounded;
    n6 [label="Add\nf32[batch, 16]", fillcolor="#bbdefb"];
  }
  v1 [label="encoder/fc1.weight\nf32[8, 32]\nkaiming_uniform", shape=cylinder, style="filled", fillcolor="#fff8e1"];
  v2 [label="tied\nf32[32]\nzeros", shape=cylinder, style="filled,dashed", fillcolor="#fff8e1"];
  v3 [label="steps\nu64[]\nzeros", shape=cylinder, style="filled,dashed", fillcolor="#fff8e1"];
  v4 [label="mean\nf32[32]\nconstant(0.5)", shape=cylinder, style="filled,dashed", fillcolor="#fff8e1"];
  v4 -> n2 [style=dashed, label="value"];
  n1 -> n3;
  v1 -> n3 [style=dashed, label="weight"];
  v2 -> n3 [style=dashed, label="bias"];
  n3 -> n4;
  n2 -> n4;
  n4 -> n5 [taillabel="1"];
  n4 -> n6;
  n5 -> n6;
  o0 [label="loss", shape=ellipse, fillcolor="#ffffff"];
  n6 -> o0;
  n4 -> v4 [taillabel="1", style=dotted, constraint=false, label="update"];
}
)dot");
}

TEST(GraphViz, SkipsEdgesToWhatIsMissing) {
  const std::string dot = to_graphviz(broken_graph());
  EXPECT_EQ(dot.find("n9"), std::string::npos);
  EXPECT_EQ(dot.find("v5"), std::string::npos);
  EXPECT_EQ(dot.find("v6"), std::string::npos);
  EXPECT_NE(dot.find("n1 -> o0"), std::string::npos);
}

TEST(GraphViz, DrawsCycles) {
  const std::string dot = to_graphviz(cyclic_graph());
  EXPECT_NE(dot.find("n1 -> n2;"), std::string::npos);
  EXPECT_NE(dot.find("n2 -> n1;"), std::string::npos);
}

// A scope is one cluster even when another name sorts between it and what stands below it ("a" < "a-b" < "a/b").
TEST(GraphViz, EveryScopeIsOneCluster) {
  Graph graph = cyclic_graph();
  std::uint32_t id = 0;
  for (const char* scope : {"a/b", "a-b", "a", "a/b/c", "a/b"}) {
    Node node = graph.node(NodeId{1});
    node.id = NodeId{++id};
    node.scope = scope;
    graph.put(std::move(node));
  }
  const std::string dot = to_graphviz(graph);
  std::string brackets;
  std::string labels;
  for (std::size_t at = 0; at < dot.size();) {
    const std::size_t end = dot.find('\n', at);
    const std::string line = dot.substr(at, end - at);
    if (line.find("subgraph cluster_") != std::string::npos) brackets += '(';
    if (line.find_first_not_of(' ') == line.find('}') && line != "}") brackets += ')';
    const std::size_t label = line.find("label=\"");
    if (label != std::string::npos && line.find("style=rounded") != std::string::npos) {
      labels += line.substr(label + 7, line.find('"', label + 7) - label - 7) + ' ';
    }
    at = end + 1;
  }
  EXPECT_EQ(brackets, "((()))()");
  EXPECT_EQ(labels, "a b c a-b ");
}

TEST(GraphViz, EscapesNames) {
  const std::string dot = to_graphviz(Graph("a\"b\\c\nd\x01"));
  EXPECT_TRUE(dot.starts_with(R"(digraph "a\"b\\c\nd " {)")) << dot;
}

}  // namespace
}  // namespace asg
