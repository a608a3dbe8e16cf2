// What edits promise about numbers, on random models: grouping, ungrouping and renaming change no number, random ones
// included; widening with `preserve` keeps the function.
#include <algorithm>

#include <gtest/gtest.h>

#include "asg/graph/json.h"
#include "asg/graph/resize.h"
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

// Whether the command asks for a length and nothing else.
bool asks_for_a_length(const Command& command) {
  const auto* config = std::get_if<edits::SetConfig>(&command);
  if (config == nullptr) return false;
  return std::all_of(config->attrs.begin(), config->attrs.end(), [](const auto& entry) {
    return entry.first == "units" || entry.first == "hidden" || entry.first == "count";
  });
}

TEST(EditFunction, PreserveKeepsIt) {
  int compared = 0;
  int refused = 0;
  for (std::uint64_t number = 0; number < kMostGraphs && compared < kNeeded && !HasFailure(); ++number) {
    SCOPED_TRACE("graph " + std::to_string(number));
    Dice dice(number);
    const Graph before = random_graph(dice);
    for (int attempt = 0; attempt < 12; ++attempt) {
      const auto command = random_command(dice, before, index_of<edits::SetConfig>());
      if (!command || !asks_for_a_length(*command)) continue;
      const Edit edit = {{*command}, ResizePolicy::preserve};
      const EditOutcome outcome = check(before, edit);
      refused += outcome.report.ok() ? 0 : 1;
      if (!outcome.report.ok()) continue;
      const auto rules = plan_resize(before, outcome.after, ResizePolicy::preserve);
      if (rules.empty()) continue;
      ++compared;
      SCOPED_TRACE(to_json(edit));
      const std::vector<Array> expected = run_model(before, Mode::eval);
      const std::vector<Array> actual = run_model(with_values(before, outcome.after, rules), Mode::eval);
      for (std::size_t k = 0; k < before.outputs().size(); ++k) EXPECT_TRUE(near(actual[k], expected[k], 1e-5));
    }
  }
  EXPECT_GE(compared, kNeeded);
  EXPECT_GE(refused, kNeeded / 10);
}

}  // namespace
}  // namespace asg::test
