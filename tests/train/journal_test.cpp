// What was done to a model, in words, and where each entry stands after undo, redo, snapshots and checkpoints.
#include "asg/train/journal.h"

#include <filesystem>

#include <nlohmann/json.hpp>

#include "train/listener.h"

namespace asg::test {
namespace {

using Kind = train::JournalEntry::How;

struct WordsRow {
  Command command;
  const char* en;
  const char* ru;
};

TEST(WordsOfEdits, EveryCommand) {
  const std::vector<WordsRow> rows = {
      {edits::AddInput{"x", {DType::f32, {2, 3}}}, "added the input x, f32[2, 3]", "добавлен вход x, f32[2, 3]"},
      {edits::AddNode{.op = "Relu", .inputs = {"a"}, .name = "act"}, "added Relu (act)", "добавлено Relu (act)"},
      {edits::SetOutput{"y", {NodeRef("a"), 1}}, "made a:1 the output y", "выход y: теперь это a:1"},
      {edits::RemoveOutput{"y"}, "removed the output y", "убран выход y"},
      {edits::Rename{"a", "b"}, "renamed a to b", "новое имя: a → b"},
      {edits::ReplaceOp{.at = {"block/feed_forward/activation"}, .op = "Gelu"},
       "replaced block/feed_forward/activation by Gelu", "замена: block/feed_forward/activation → Gelu"},
      {edits::InsertBetween{.value = "a", .user = "b", .op = "Dropout"}, "inserted Dropout after a, before b",
       "вставлено Dropout после a, перед b"},
      {edits::InsertBetween{.value = "a", .op = "Dropout"}, "inserted Dropout after a", "вставлено Dropout после a"},
      {edits::DeletePassthrough{.at = {"a", {"inner"}}}, "removed a/inner and joined its ends",
       "убрано a/inner, концы соединены"},
      {edits::DeleteCascade{"a"}, "removed a and all that depends on it", "убрано a и всё, что от этого зависит"},
      {edits::Rewire{"a", 1, "b"}, "joined input 1 of a to b", "a: вход 1 соединён с b"},
      {edits::SetConfig{.at = {"block"}, .attrs = {{"hidden", 96}, {"heads", 2}}},
       "set heads = 2, hidden = 96 of block", "block: задано heads = 2, hidden = 96"},
      {edits::SetConstant{"c", Array::scalar(DType::f32, 0.5)}, "set the constant c to 0.5", "константа c: теперь 0.5"},
      {edits::SetConstant{"c", Array::ints({1, 2})}, "gave the constant c other values",
       "константа c: другие значения"},
      {edits::Share{"a", "weight", "b.weight"}, "bound weight of a to b.weight",
       "a: weight теперь общая переменная b.weight"},
      {edits::Unshare{"a", "weight"}, "gave weight of a a variable of its own", "a: weight снова своя переменная"},
      {edits::SetTrainable{"a.weight", false}, "froze a.weight", "больше не обучается a.weight"},
      {edits::SetTrainable{"a.weight", true}, "unfroze a.weight", "снова обучается a.weight"},
      {edits::Group{{"a", "b"}, "pair"}, "grouped 2 nodes (pair)", "в одну группу собрано узлов: 2 (pair)"},
      {edits::Ungroup{"a"}, "ungrouped a", "разобрано на части a"}};
  std::set<std::size_t> kinds;
  for (const WordsRow& row : rows) {
    const train::Sentence words = train::words_of({{row.command}});
    EXPECT_EQ(words.en, row.en);
    EXPECT_EQ(words.ru, row.ru);
    kinds.insert(row.command.index());
  }
  EXPECT_EQ(kinds.size(), std::variant_size_v<Command>);
}

TEST(WordsOfEdits, SeveralCommandsAndIds) {
  const Graph graph = small_classifier();
  const NodeId head = graph.find_node("head");
  const Edit edit = {{edits::Ungroup{head}, edits::SetTrainable{graph.find_variable("head.bias"), false}}};
  EXPECT_EQ(train::words_of(edit, &graph).en, "ungrouped head; froze head.bias");
  const std::string number = std::to_string(head.number);
  EXPECT_EQ(train::words_of({{edits::Ungroup{head}}}).en, "ungrouped node " + number);
  EXPECT_EQ(train::words_of({{edits::Ungroup{head}}}).ru, "разобрано на части узел " + number);
}

Edit widen_block(int hidden) { return {{edits::SetConfig{.at = {"block"}, .attrs = {{"hidden", hidden}}}}}; }

std::vector<train::JournalEntry> journal_told_by(const train::Trainer& trainer) { return trainer.journal(); }

TEST(Journal, FollowsWhatIsInForce) {
  train::Trainer trainer = small_trainer();
  EXPECT_EQ(trainer.version(), 1);
  trainer.apply(widen_block(16));
  trainer.step(small_data());
  trainer.apply(widen_block(20));
  trainer.undo();
  trainer.undo();
  trainer.step(small_data());
  trainer.redo();
  EXPECT_EQ(trainer.version(), 6);
  const std::vector<train::JournalEntry> entries = journal_told_by(trainer);
  ASSERT_EQ(entries.size(), 5U);
  const std::vector<Kind> kinds = {Kind::apply, Kind::apply, Kind::undo, Kind::undo, Kind::redo};
  const std::vector<std::int64_t> steps = {0, 1, 1, 1, 2};
  const std::vector<std::string> texts = {"set hidden = 16 of block", "set hidden = 20 of block",
                                          "took back: set hidden = 20 of block", "took back: set hidden = 16 of block",
                                          "again: set hidden = 16 of block"};
  for (std::size_t k = 0; k < entries.size(); ++k) {
    EXPECT_EQ(entries[k].id, static_cast<std::int64_t>(k) + 1);
    EXPECT_EQ(entries[k].how, kinds[k]);
    EXPECT_EQ(entries[k].step, steps[k]);
    EXPECT_EQ(entries[k].text.en, texts[k]);
    EXPECT_EQ(entries[k].undone, k == 1);
  }
  trainer.apply(widen_block(24));  // nothing can be applied again after that
  EXPECT_FALSE(trainer.model().can_redo());
  EXPECT_TRUE(journal_told_by(trainer)[1].undone);
  EXPECT_FALSE(journal_told_by(trainer)[5].undone);
}

TEST(Journal, GoesBackWithASnapshotAndTravelsInCheckpoints) {
  train::Trainer trainer = small_trainer();
  trainer.step(small_data());
  trainer.apply(widen_block(16));
  const train::SnapshotId one = trainer.snapshot();
  trainer.step(small_data());
  trainer.apply(widen_block(20));
  const std::string folder = testing::TempDir() + "/journal_steps";
  std::filesystem::remove_all(folder);
  train::CheckpointStore store(folder);
  store.save(trainer.checkpoint());
  trainer.return_to(one);
  ASSERT_EQ(journal_told_by(trainer).size(), 1U);
  EXPECT_EQ(journal_told_by(trainer)[0].step, 1);
  train::Trainer other = small_trainer();
  other.restore(store.load_latest()->data);
  ASSERT_EQ(journal_told_by(other).size(), 2U);
  EXPECT_EQ(journal_told_by(other)[0].step, 1);
  EXPECT_EQ(journal_told_by(other)[1].step, 2);
  // One that does not say when.
  train::CheckpointData data = store.load_latest()->data;
  data.history = {};
  other.restore(data);
  EXPECT_EQ(journal_told_by(other)[1].step, -1);
  std::filesystem::remove_all(folder);
}

TEST(Journal, ByMessage) {
  Listener listener;
  train::Engine engine(listener.sink());
  const train::TrainingId id = engine.add(small_spec());
  engine.post(id, train::messages::Run{3});
  listener.wait_for<train::events::Paused>();
  engine.post(id, train::messages::Apply{widen_block(16)});
  engine.post(id, train::messages::Undo{});
  engine.post(id, train::messages::Journal{});
  const train::events::Journal told = listener.wait_for<train::events::Journal>();
  EXPECT_FALSE(told.can_undo);
  EXPECT_TRUE(told.can_redo);
  const auto json = nlohmann::json::parse(train::to_json(id, told));
  const auto& entry = json.at("entries").at(0);
  EXPECT_EQ(entry.at("step"), 3);
  EXPECT_EQ(entry.at("how"), "apply");
  EXPECT_EQ(entry.at("undone"), true);
  EXPECT_EQ(entry.at("text").at("en"), "set hidden = 16 of block");
  EXPECT_EQ(entry.at("edit").at("commands").at(0).at("do"), "set_config");
  EXPECT_EQ(listener.wait_for<train::events::GraphReady>(1).version, 1);
  EXPECT_EQ(listener.wait_for<train::events::GraphReady>(3).version, 3);
}

}  // namespace
}  // namespace asg::test
