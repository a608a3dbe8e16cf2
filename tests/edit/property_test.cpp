// Thousands of random edits on random models. What must hold whatever the edit:
//   the graph validates after each; a refused one changes nothing; the journal, played again, gives the same graph;
//   undoing all gives back the first graph, ids included.
#include <algorithm>
#include <array>
#include <iostream>

#include <gtest/gtest.h>

#include "asg/graph/json.h"
#include "asg/graph/model.h"
#include "asg/graph/validate.h"
#include "asg/nn/nn.h"
#include "edit/random_edit.h"
#include "edit/random_graph.h"
#include "support/amount.h"

namespace asg::test {
namespace {

constexpr std::size_t kKinds = std::variant_size_v<Command>;
constexpr int kNeededOfEach = amount(200, 10);  // accepted edits of each command
constexpr int kEditsPerGraph = 40;
constexpr int kMostDrawn = 2000;  // a bound, so that a command that is never accepted fails instead of hanging

template <std::size_t... Kinds>
std::array<std::string_view, kKinds> names_of_commands(std::index_sequence<Kinds...>) {
  return {name_of(Command(std::in_place_index<Kinds>))...};
}
const auto kNames = names_of_commands(std::make_index_sequence<kKinds>());

struct Counts {
  std::array<int, kKinds> accepted{};
  std::array<int, kKinds> refused{};

  std::size_t rarest() const {
    return static_cast<std::size_t>(std::min_element(accepted.begin(), accepted.end()) - accepted.begin());
  }
  bool enough() const { return accepted[rarest()] >= kNeededOfEach; }
};

Edit random_edit(Dice& dice, const Graph& graph, const Counts& counts) {
  Edit edit;
  edit.policy = dice.pick({ResizePolicy::fresh, ResizePolicy::overlap, ResizePolicy::overlap, ResizePolicy::preserve});
  const std::size_t length = dice.chance(80) ? 1 : 2;
  while (edit.commands.size() < length) {
    const std::size_t kind = dice.chance(50) ? counts.rarest() : dice.below(kKinds);
    if (auto command = random_command(dice, graph, kind)) edit.commands.push_back(*std::move(command));
  }
  return edit;
}

// The edit as it comes out of the journal's text.
Edit by_way_of_json(const Edit& edit) {
  const std::string text = to_json(edit);
  Edit read = edit_from_json(text);
  EXPECT_EQ(to_json(read), text);
  return read;
}

void check_report(const EditReport& report, const Graph& before, const Graph& after) {
  for (const NodeId id : report.added) EXPECT_TRUE(!before.has(id) && after.has(id));
  for (const NodeId id : report.removed) EXPECT_TRUE(before.has(id) && !after.has(id));
  for (const TypeChange& change : report.type_changes) EXPECT_EQ(after.type(change.value), change.after);
  std::size_t live = 0;
  for (const VarChange& change : report.variables) live += change.fate == VarFate::dropped ? 0 : 1;
  EXPECT_EQ(live, after.variable_ids().size());
}

void try_edit(Model& model, const Edit& edit, Counts& counts) {
  const Graph before = model.graph();
  const std::size_t journal = model.journal().size();
  bool accepted = true;
  try {
    const EditReport report = model.apply(edit);
    check_report(report, before, model.graph());
  } catch (const UserError&) {
    accepted = false;
  }
  for (const Command& command : edit.commands) ++(accepted ? counts.accepted : counts.refused)[command.index()];
  if (accepted) {
    const auto problems = problems_of(model.graph());
    EXPECT_TRUE(problems.empty()) << problems.front().what() << "\nafter " << to_json(edit);
  } else {
    EXPECT_EQ(model.graph(), before);
    EXPECT_EQ(model.graph().next_node_id(), before.next_node_id());
    EXPECT_EQ(model.graph().next_variable_id(), before.next_variable_id());
    EXPECT_EQ(model.journal().size(), journal);
  }
}

TEST(EditProperties, HoldForRandomEditsOfRandomGraphs) {
  Counts counts;
  for (int number = 0; number < kMostDrawn && !counts.enough() && !testing::Test::HasFailure(); ++number) {
    SCOPED_TRACE("graph " + std::to_string(number));
    Dice dice(static_cast<std::uint64_t>(number));
    const Graph first = random_graph(dice);
    ASSERT_TRUE(problems_of(first).empty()) << problems_of(first).front().what();
    Model model(first);
    for (int step = 0; step < kEditsPerGraph && !testing::Test::HasFailure(); ++step) {
      try_edit(model, by_way_of_json(random_edit(dice, model.graph(), counts)), counts);
      if (model.can_undo() && dice.chance(10)) model.undo();
      if (model.can_redo() && dice.chance(30)) model.redo();
    }
    const std::string present = to_json(model.graph());
    EXPECT_EQ(to_json(read_json(present)), present);
    EXPECT_EQ(to_json(Model::replay(first, model.journal()).graph()), present);
    EXPECT_EQ(to_json(Model::from_json(model.to_json()).graph()), present);
    while (model.can_undo()) model.undo();
    EXPECT_EQ(to_json(model.graph()), to_json(first));
    EXPECT_EQ(model.graph(), first);
  }
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    const std::string_view name = kNames[kind];
    std::cout << name << ": " << counts.accepted[kind] << " accepted, " << counts.refused[kind] << " refused\n";
    EXPECT_GE(counts.accepted[kind], kNeededOfEach) << name;
  }
}

}  // namespace
}  // namespace asg::test
