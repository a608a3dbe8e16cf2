#include "asg/train/journal.h"

namespace asg::train {
namespace {

// Follows which edits are in force. Entries are known by their place.
class Stacks {
 public:
  // The edit that an entry is about.
  std::size_t next(std::size_t entry, Model::Entry::Kind kind) {
    if (kind == Model::Entry::Kind::apply) {
      applied_.push_back(entry);
      undone_.clear();
      return entry;
    }
    const bool is_undo = kind == Model::Entry::Kind::undo;
    std::vector<std::size_t>& from = is_undo ? applied_ : undone_;
    const std::size_t edit = from.back();
    from.pop_back();
    (is_undo ? undone_ : applied_).push_back(edit);
    return edit;
  }
  const std::vector<std::size_t>& applied() const { return applied_; }

 private:
  std::vector<std::size_t> applied_;
  std::vector<std::size_t> undone_;
};

Sentence about(Model::Entry::Kind kind, Sentence edit) {
  if (kind == Model::Entry::Kind::undo) return {"took back: " + edit.en, "отменено: " + edit.ru};
  if (kind == Model::Entry::Kind::redo) return {"again: " + edit.en, "снова: " + edit.ru};
  return edit;
}

}  // namespace

std::vector<JournalEntry> journal_of(const Model& model, const std::vector<std::int64_t>& steps) {
  std::vector<JournalEntry> result;
  Stacks stacks;
  const std::vector<Model::Entry>& journal = model.journal();
  for (std::size_t k = 0; k < journal.size(); ++k) {
    const Edit& edit = journal[stacks.next(k, journal[k].kind)].edit;
    JournalEntry entry;
    entry.id = static_cast<std::int64_t>(k) + 1;
    if (k < steps.size()) entry.step = steps[k];
    entry.how = journal[k].kind;
    entry.text = about(entry.how, words_of(edit, &model.graph()));
    entry.undone = entry.how == Model::Entry::Kind::apply;
    entry.edit = edit;
    result.push_back(std::move(entry));
  }
  for (const std::size_t edit : stacks.applied()) result[edit].undone = false;
  return result;
}

}  // namespace asg::train
