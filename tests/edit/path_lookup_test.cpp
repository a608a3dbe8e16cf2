// However long a path is that somebody asks for, looking it up costs no more than the names of the graph are long.
#include <gtest/gtest.h>

#include "asg/asg.h"
#include "graph/edit_places.h"

namespace asg::test {
namespace {

Graph one_layer() {
  Graph graph("one_layer");
  const Tensor x = graph.input("x", {DType::f32, {Dim(2), Dim(4)}});
  graph.set_output("y", nn::linear(x, 3, {.name = "head"}));
  return graph;
}

std::string repeated(std::string_view part, std::size_t count) {
  std::string text;
  for (std::size_t k = 0; k < count; ++k) text += part;
  return text;
}

ErrorCode code_of(const std::string& path) {
  try {
    place_in(one_layer(), {NodeRef(path)});
  } catch (const UserError& error) {
    return error.code();
  }
  return ErrorCode::bad_command;
}

TEST(PathLookup, TriesNoBeginningThatIsLongerThanAnyName) {
  EXPECT_EQ(beginnings_of("a/bc/d", 100), (std::vector<std::size_t>{6, 4, 1}));
  EXPECT_EQ(beginnings_of("a/bc/d", 4), (std::vector<std::size_t>{4, 1}));
  EXPECT_EQ(beginnings_of("abc", 2), std::vector<std::size_t>{});
  EXPECT_EQ(beginnings_of("", 2), std::vector<std::size_t>{});
  for (const std::size_t parts : {1'000U, 100'000U}) {
    EXPECT_EQ(beginnings_of(repeated("a/", parts), 20).size(), 10U) << parts << " parts, and work for ten";
  }
}

TEST(PathLookup, HasALimit) {
  EXPECT_EQ(code_of(repeated("a/", kLongestPath / 2)), ErrorCode::unknown_scope);
  EXPECT_EQ(code_of(repeated("a/", kLongestPath)), ErrorCode::limit_exceeded);
  EXPECT_EQ(code_of("head/" + repeated("a/", kLongestPath)), ErrorCode::limit_exceeded);
  try {
    check_path_length(repeated("a", kLongestPath + 1));
    ADD_FAILURE() << "a path that is too long";
  } catch (const UserError& error) {
    EXPECT_EQ(error.detail().given, "a path of 4097 characters");
    EXPECT_EQ(error.detail().needed, "at most 4096 characters");
  }
}

TEST(PathLookup, StillFindsTheLongestName) {
  const Graph graph = one_layer();
  const NodePlace place = place_in(graph, {NodeRef("head/inside/deeper")});
  EXPECT_EQ(graph.node(place.node).path(), "head");
  EXPECT_EQ(place.inside, "inside/deeper");
}

}  // namespace
}  // namespace asg::test
