#include "asg/graph/json.h"

#include <gtest/gtest.h>

#include "asg/core/error.h"
#include "asg/graph/validate.h"
#include "graph/binary_text.h"
#include "graph/json_dom.h"
#include "graph/json_values.h"
#include "json_graphs.h"

namespace asg {
namespace {

class JsonRoundTrip : public testing::TestWithParam<test::NamedGraph> {};

TEST_P(JsonRoundTrip, GivesAnEqualGraph) {
  const Graph& graph = GetParam().graph;
  const std::string text = to_json(graph);
  const Graph again = read_json(text);
  EXPECT_TRUE(again == graph);
  EXPECT_EQ(to_json(again), text);
}

TEST_P(JsonRoundTrip, KeepsPlacesInTheSource) {
  const Graph& graph = GetParam().graph;
  const Graph again = read_json(to_json(graph));
  for (const NodeId id : graph.node_ids()) {
    EXPECT_EQ(again.node(id).where.to_string(), graph.node(id).where.to_string()) << graph.node(id).path();
  }
}

TEST_P(JsonRoundTrip, IsJsonThatOthersCanRead) {
  const nlohmann::json dom = nlohmann::json::parse(to_json(GetParam().graph));
  EXPECT_EQ(dom["format"], "asg-graph");
  EXPECT_EQ(dom["nodes"].size(), GetParam().graph.node_count());
  EXPECT_TRUE(graph_from_json(dom) == GetParam().graph);
}

TEST_P(JsonRoundTrip, Validates) {
  for (const UserError& problem : problems_of(GetParam().graph)) ADD_FAILURE() << problem.what();
}

INSTANTIATE_TEST_SUITE_P(Graphs, JsonRoundTrip, testing::ValuesIn(test::graphs_of_every_feature()),
                         [](const auto& each) { return each.param.name; });

// The words of the format, so that a change of them is seen.
TEST(Json, WritesWhatTheDocsSay) {
  test::register_json_ops();
  Graph graph("tiny");
  const SourceLocation nowhere;
  const Tensor x = graph.input("x", {DType::f32, {2}}, nowhere);
  const Tensor c = graph.constant(Array::of<float>({2}, {1, 2}), nowhere);
  const Tensor y = add_op("Add", {x, c}, {}, nowhere);
  graph.set_output("y", y);
  EXPECT_EQ(to_json(graph),
            R"({"format":"asg-graph","version":1,"name":"tiny","id":1,"ops":{"Add":1,"Constant":1,"Input":1},)"
            R"("inputs":[1],"nodes":[)"
            "\n"
            R"({"id":1,"op":"Input","name":"x","attrs":{"type":{"type":"f32[2]"}}},)"
            "\n"
            R"({"id":2,"op":"Constant","attrs":{"value":{"tensor":{"type":"f32[2]","data":"AACAPwAAAEA="}}}},)"
            "\n"
            R"({"id":3,"op":"Add","in":[1,2]}],"outputs":[{"name":"y","value":3}]})");
}

TEST(Json, ReadsNodesInAnyOrder) {
  const Graph graph = read_json(R"({"nodes": [
      {"op": "Neg", "id": 9, "in": [4]}, {"in": [7, 7], "id": 4, "op": "Add"},
      {"id": 7, "op": "Input", "name": "x", "attrs": {"type": {"type": "f32[n]"}}}],
    "outputs": [{"value": 9, "name": "y"}], "inputs": [7], "version": 1, "format": "asg-graph"})");
  EXPECT_EQ(graph.type({NodeId{9}, 0}).to_string(), "f32[n]");
  EXPECT_EQ(graph.next_node_id().number, 10u);
}

TEST(Json, BringsNodesIntoNormalForm) {
  test::register_json_ops();
  const Graph graph = read_json(R"({"format": "asg-graph", "version": 1, "inputs": [1], "variables": [
      {"id": 2, "name": "w", "type": "f32[4, 2]"}, {"id": 5, "name": "b", "type": "f32[2]"}], "nodes": [
      {"id": 1, "op": "Input", "name": "x", "attrs": {"type": {"type": "f32[4]"}}},
      {"id": 2, "op": "json.Dense", "in": [1], "attrs": {"units": 2, "bias": true}, "name": "dense",
       "bind": {"bias": 5, "weight": 2}, "stream": "00000000000000ff"}]})");
  EXPECT_EQ(graph.node(NodeId{2}).attrs.size(), 1u);
  EXPECT_EQ(graph.node(NodeId{2}).stream, 255u);
  const std::vector<Binding> in_order = {{"weight", VarId{2}}, {"bias", VarId{5}}};
  EXPECT_EQ(graph.node(NodeId{2}).bindings, in_order);
}

TEST(Json, ComparesTypesThatAreGiven) {
  const std::string head = R"({"format": "asg-graph", "version": 1, "inputs": [1], "nodes": [{"id": 1, "op": "Input",
      "name": "x", "attrs": {"type": {"type": "f32[n, 4]"}}}, {"id": 2, "op": "Neg", "in": [1], "types": [)";
  EXPECT_NO_THROW(read_json(head + R"("f32[n, 4]"]}]})"));
  EXPECT_THROW(read_json(head + R"("f32[n, 5]"]}]})"), UserError);
  EXPECT_THROW(read_json(head + R"(]}]})"), UserError);
}

TEST(Json, ComesInPieces) {
  Graph graph("long");
  graph.set_output("y", graph.constant(Array(DType::f64, {100'000})));
  std::string text;
  std::size_t largest = 0;
  write_json(graph, [&](std::string_view piece) {
    largest = std::max(largest, piece.size());
    text += piece;
  });
  EXPECT_EQ(text, to_json(graph));
  EXPECT_GT(text.size(), 1'000'000u);
  EXPECT_LT(largest, 128u * 1024u);
}

TEST(Json, RefusesToWriteWhatIsNoText) {
  for (const char* broken : {"\xff", "ab\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe0\x9f\xbf"}) {
    EXPECT_THROW(to_json(Attrs{{"t", broken}}), UserError) << broken;
  }
}

TEST(Json, AttributesStandAlone) {
  const Attrs attrs = {{"axis", -1}, {"eps", 1e-5}, {"names", std::vector<std::string>{"a"}}, {"on", true}};
  EXPECT_EQ(to_json(attrs), R"({"axis":-1,"eps":1e-05,"names":["a"],"on":true})");
  EXPECT_TRUE(attrs_from_json(dom_of(attrs)) == attrs);
  for (const test::NamedGraph& each : test::graphs_of_every_feature()) {
    const Attrs with_graph = {{"g", GraphPtr(std::make_shared<const Graph>(each.graph))}};
    EXPECT_TRUE(attrs_from_json(dom_of(with_graph)) == with_graph) << each.name;
  }
}

TEST(Json, ArraysStandAlone) {
  for (const DType dtype : all_dtypes()) {
    Array array(dtype, {2, 3});
    for (std::int64_t k = 0; k < array.count(); ++k) array.set(k, static_cast<double>(k % 2));
    EXPECT_TRUE(bit_equal(array_from_json(dom_of(array)), array)) << name_of(dtype);
    EXPECT_TRUE(bit_equal(array_from_json(dom_of(array.transposed({1, 0}))), array.transposed({1, 0})));
  }
}

TEST(Json, RealsKeepTheirBits) {
  const double values[] = {0.1,
                           1.0 / 3,
                           1e22,
                           1e23,
                           5e-324,
                           1.7976931348623157e308,
                           2.2250738585072014e-308,
                           -0.0,
                           1,
                           -1e15,
                           123456789012345678.0,
                           9007199254740993.0};
  for (const double value : values) {
    const Attrs attrs = {{"r", value}};
    EXPECT_TRUE(attrs_from_json(dom_of(attrs)) == attrs) << value;
  }
}

TEST(Json, DomKeepsLimits) {
  EXPECT_THROW(dom_from_text(std::string(100, '[')), UserError);
  EXPECT_THROW(dom_from_text("[1,2"), UserError);
  EXPECT_THROW(dom_from_text("1e999"), UserError);
  EXPECT_THROW(dom_from_text("[1]", {.max_bytes = 2}), UserError);
  EXPECT_EQ(dom_from_text("[1,2]").size(), 2u);
}

TEST(BinaryText, ReadsOnlyWhatItWrites) {
  struct Row {
    std::string text;
    std::optional<std::size_t> size;
    bool good;
  };
  const Row rows[] = {
      {"", 0, true},       {"AA==", 1, true},  {"AAA=", 2, true},  {"AAAA", 3, true},  {"/+9a", 3, true},
      {"AB==", 1, false},  {"AAB=", 2, false}, {"A===", 1, false}, {"AA=A", 3, false}, {"AAA", std::nullopt, false},
      {"A\nAA", 3, false}, {"====", 1, false}};
  for (const Row& row : rows) {
    EXPECT_EQ(base64_size(row.text), row.size) << row.text;
    std::vector<std::byte> bytes(row.size.value_or(0));
    EXPECT_EQ(read_base64(row.text, bytes), row.good) << row.text;
    if (!row.good) continue;
    std::string again;
    append_base64(bytes, again);
    EXPECT_EQ(again, row.text);
  }
  EXPECT_EQ(hex_text(0x123456789abcdef0), "123456789abcdef0");
  EXPECT_EQ(parse_hex("ffffffffffffffff"), ~std::uint64_t{0});
  for (const char* bad : {"", "f", "00000000000000000", "000000000000000G", "FFFFFFFFFFFFFFFF"}) {
    EXPECT_FALSE(parse_hex(bad)) << bad;
  }
}

}  // namespace
}  // namespace asg
