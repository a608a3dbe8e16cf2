// What edits promise about numbers, on random models: grouping, ungrouping and renaming change no number, random ones
// included. What `preserve` keeps is in preserve_property_test.cpp.
#include <algorithm>

#include <gtest/gtest.h>

#include "asg/graph/json.h"
#include "asg/nn/nn.h"
#include "edit/random_edit.h"
#include "edit/random_graph.h"
#include "edit/run_model.h"
#include "support/amount.h"
#include "support/compare.h"

namespace asg::test {
namespace {

constexpr int kNeeded = amount(150, 10);
constexpr int kMostGraphs = 1000;

template <class Kind>
std::size_t index_of() {
  return Command(Kind{}).index();
}

// Values are given to inputs by name.
bool names_an_input(const Command& command, const Graph& graph) {
  const auto* rename = std::get_if<edits::Rename>(&command);
  if (rename == nullptr) return false;
  const auto inputs = graph.inputs();
  return std::any_of(inputs.begin(), inputs.end(),
                     [&](NodeId id) { return rename->node == id || rename->node == graph.node(id).path(); });
}

TEST(EditFunction, RegroupingChangesNoNumber) {
  int compared = 0;
  for (std::uint64_t number = 0; number < kMostGraphs && compared < kNeeded && !HasFailure(); ++number) {
    SCOPED_TRACE("graph " + std::to_string(number));
    Dice dice(number);
    const Graph first = random_graph(dice);
    Graph graph = first;
    for (int step = 0; step < 8; ++step) {
      const std::size_t kind =
          dice.pick({index_of<edits::Group>(), index_of<edits::Ungroup>(), index_of<edits::Rename>()});
      const auto command = random_command(dice, graph, kind);
      if (!command || names_an_input(*command, graph)) continue;
      EditOutcome outcome = check(graph, {{*command}});
      if (!outcome.report.ok()) continue;
      graph = std::move(outcome.after);
      ++compared;
    }
    for (const Mode mode : {Mode::train, Mode::eval}) {
      const std::vector<Array> expected = run_model(first, mode);
      const std::vector<Array> actual = run_model(graph, mode);
      ASSERT_EQ(actual.size(), expected.size());
      for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_TRUE(identical(actual[k], expected[k])) << "value " << k;
    }
  }
  EXPECT_GE(compared, kNeeded);
}

}  // namespace
}  // namespace asg::test
