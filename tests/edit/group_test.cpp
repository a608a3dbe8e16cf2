// Grouping and ungrouping change no value, no variable and no random number.
#include <gtest/gtest.h>

#include "asg/graph/body.h"
#include "asg/graph/expand.h"
#include "asg/graph/json.h"
#include "asg/graph/validate.h"
#include "asg/nn/nn.h"
#include "edit/models.h"
#include "edit/run_model.h"
#include "support/compare.h"

namespace asg::test {
namespace {

struct Row {
  const char* name;
  Graph (*model)();
  const char* edit;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

Graph two_dropouts() {
  Graph graph("two_dropouts");
  const Tensor x = graph.input("x", {DType::f32, {5, 4}});
  Tensor y = add_named(graph, "nn.Dropout", {x}, {{"ratio", 0.4}}, "one");
  y = add_named(graph, "nn.Linear", {y}, {{"units", 6}}, "mix");
  y = add_named(graph, "nn.Dropout", {y}, {{"ratio", 0.4}}, "two");
  graph.set_output("y", y);
  return graph;
}

const Row kRows[] = {
    {"front_of_an_mlp", mlp, R"({"commands":[{"do":"group","nodes":["fc_1","act"],"name":"front"}]})"},
    {"all_of_an_mlp", mlp, R"({"commands":[{"do":"group","nodes":["fc_1","act","fc_2"],"name":"all"}]})"},
    {"one_node_without_a_name", mlp, R"({"commands":[{"do":"group","nodes":["act"]}]})"},
    {"group_and_back", mlp,
     R"({"commands":[{"do":"group","nodes":["fc_1","act"],"name":"front"},{"do":"ungroup","node":"front"}]})"},
    {"group_of_groups", mlp,
     R"({"commands":[{"do":"group","nodes":["fc_1"],"name":"a"},{"do":"group","nodes":["a","act"],"name":"b"},
                     {"do":"group","nodes":["b","fc_2"],"name":"c"}]})"},
    {"group_of_groups_and_back", mlp,
     R"({"commands":[{"do":"group","nodes":["fc_1"],"name":"a"},{"do":"group","nodes":["a","act"],"name":"b"},
                     {"do":"ungroup","node":"b"},{"do":"ungroup","node":"b/a"}]})"},
    {"tied_embedding", tied, R"({"commands":[{"do":"group","nodes":["table","mix","logits"],"name":"all"}]})"},
    {"half_of_tied_embedding", tied, R"({"commands":[{"do":"group","nodes":["mix","logits"],"name":"head"}]})"},
    {"tied_embedding_and_back", tied,
     R"({"commands":[{"do":"group","nodes":["table","mix","logits"],"name":"all"},{"do":"ungroup","node":"all"}]})"},
    {"subgraphs_updates_and_reads", plain,
     R"({"commands":[{"do":"group","nodes":["doubled","chosen","Variable#6","sum"],"name":"part"}]})"},
    {"subgraphs_updates_and_reads_and_back", plain,
     R"({"commands":[{"do":"group","nodes":["factor","doubled","chosen","Variable#6","sum"],"name":"part"},
                     {"do":"ungroup","node":"part"}]})"},
    {"batch_norm", convolutional, R"({"commands":[{"do":"group","nodes":["conv_1","norm","relu"],"name":"stem"}]})"},
    {"batch_norm_and_back", convolutional,
     R"({"commands":[{"do":"group","nodes":["conv_1","norm","relu"],"name":"stem"},{"do":"ungroup","node":"stem"}]})"},
    {"dropouts", two_dropouts, R"({"commands":[{"do":"group","nodes":["one","mix","two"],"name":"all"}]})"},
    {"dropouts_and_back", two_dropouts,
     R"({"commands":[{"do":"group","nodes":["one","mix"],"name":"a"},{"do":"group","nodes":["a","two"],"name":"b"},
                     {"do":"ungroup","node":"b"}]})"},
    {"transformer_block_taken_apart", transformer,
     R"({"commands":[{"do":"ungroup","node":"encoder/block_1"},
                     {"do":"ungroup","node":"encoder/block_1/feed_forward"},
                     {"do":"ungroup","node":"encoder/block_1/attention"}]})"},
    {"transformer_block_in_other_parts", transformer,
     R"({"commands":[{"do":"ungroup","node":"encoder/block_1"},
                     {"do":"group","nodes":["encoder/block_1/norm_1","encoder/block_1/attention"],"name":"look"}]})"},
};

class EditGroup : public testing::TestWithParam<Row> {};

TEST_P(EditGroup, ChangesNoValue) {
  const Graph before = GetParam().model();
  const Graph grouped = after(before, GetParam().edit);
  EXPECT_NO_THROW(validate(grouped));
  EXPECT_EQ(read_json(to_json(grouped)), grouped);
  EXPECT_EQ(grouped.variable_ids(), before.variable_ids());
  for (const VarId id : before.variable_ids()) EXPECT_EQ(grouped.variable(id), before.variable(id));
  for (const Mode mode : {Mode::train, Mode::eval}) {
    const std::vector<Array> expected = run_model(before, mode);
    const std::vector<Array> actual = run_model(grouped, mode);
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_TRUE(identical(actual[k], expected[k])) << "value " << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, EditGroup, testing::ValuesIn(kRows),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(EditGroupTied, OneSlotServesBothPlaces) {
  const Graph grouped = after(tied(), R"({"commands":[{"do":"group","nodes":["table","mix","logits"],"name":"all"}]})");
  const Node& block = grouped.node(grouped.find_node("all"));
  ASSERT_EQ(block.bindings.size(), 3u);
  EXPECT_EQ(block.bindings.front(), (Binding{"table.weight", grouped.find_variable("table.weight")}));
  EXPECT_EQ(block.stream, 0u);
}

TEST(EditGroupTied, UngroupedNodesStandInTheScopeOfTheLayer) {
  const Graph graph = after(transformer(), R"({"commands":[{"do":"ungroup","node":"encoder/block_1"}]})");
  const NodeId attention = graph.find_node("encoder/block_1/attention");
  ASSERT_TRUE(attention);
  EXPECT_EQ(graph.node(attention).op->name, "nn.MultiHeadAttention");
  EXPECT_EQ(graph.node(attention).bindings.front().variable,
            transformer().find_variable("encoder/block_1.attention.query_projection.weight"));
}

// Whatever edits can make can be saved and read again.
TEST(EditGroupTied, BlocksInBlocksCanBeSavedUntilTheyAreRefused) {
  Graph graph = mlp();
  std::string inner = "act";
  int depth = 0;
  for (; depth < 100; ++depth) {
    const std::string outer = "g" + std::to_string(depth);
    EditOutcome result = check(graph, {{edits::Group{{inner}, outer}}});
    if (!result.report.ok()) {
      EXPECT_EQ(result.report.problems.front().code(), ErrorCode::limit_exceeded);
      break;
    }
    graph = std::move(result.after);
    inner = outer;
    ASSERT_EQ(read_json(to_json(graph)), graph) << "depth " << depth;
  }
  EXPECT_EQ(depth, kDeepestNesting);
}

TEST(EditGroupTied, ResizingGoesThroughABlock) {
  const Graph graph = after(mlp(), R"({"policy":"preserve","commands":[
      {"do":"group","nodes":["act","fc_2"],"name":"back"},{"do":"set_config","at":"fc_1","attrs":{"units":12}}]})");
  EXPECT_EQ(graph.variable(graph.find_variable("fc_2.weight")).type.to_string(), "f32[12, 3]");
}

}  // namespace
}  // namespace asg::test
