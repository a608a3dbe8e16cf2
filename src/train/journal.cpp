#include "asg/train/journal.h"

#include <optional>

namespace asg::train {
namespace {

using How = JournalEntry::How;

// Follows which changes are in force. Entries are known by their place.
class Stacks {
 public:
  // The change that an entry is about; nothing for an undo or redo of none.
  std::optional<std::size_t> next(std::size_t entry, How how) {
    if (how != How::undo && how != How::redo) {
      applied_.push_back(entry);
      undone_.clear();
      return entry;
    }
    std::vector<std::size_t>& from = how == How::undo ? applied_ : undone_;
    if (from.empty()) return std::nullopt;
    const std::size_t change = from.back();
    from.pop_back();
    (how == How::undo ? undone_ : applied_).push_back(change);
    return change;
  }
  const std::vector<std::size_t>& applied() const { return applied_; }

 private:
  std::vector<std::size_t> applied_;
  std::vector<std::size_t> undone_;
};

Sentence about(How how, Sentence change) {
  if (how == How::undo) return {"took back: " + change.en, "отменено: " + change.ru};
  if (how == How::redo) return {"again: " + change.en, "снова: " + change.ru};
  return change;
}

std::vector<std::shared_ptr<const Edit>> edits_in(const Model& model) {
  std::vector<std::shared_ptr<const Edit>> result;
  for (const Model::Entry& entry : model.journal()) {
    if (entry.kind == Model::Entry::Kind::apply) result.push_back(entry.edit);
  }
  return result;
}

}  // namespace

std::string_view name_of(JournalEntry::How how) {
  switch (how) {
    case JournalEntry::How::apply:
      return "apply";
    case JournalEntry::How::undo:
      return "undo";
    case JournalEntry::How::redo:
      return "redo";
    case JournalEntry::How::reset:
      return "reset";
    case JournalEntry::How::set_value:
      return "set_value";
    case JournalEntry::How::set_learning_rate:
      return "set_learning_rate";
    case JournalEntry::How::set_schedule:
      return "set_schedule";
    case JournalEntry::How::set_optimizer:
      return "set_optimizer";
  }
  return "";
}

std::vector<JournalEntry> journal_of(const Model& model, const JournalNotes& notes) {
  std::vector<JournalEntry> result;
  std::vector<Sentence> changes;  // words of each entry that is one, by its place
  const std::vector<std::shared_ptr<const Edit>> edits = edits_in(model);
  auto edit = edits.begin();
  Stacks stacks;
  for (const auto& note : notes) {
    JournalEntry entry;
    entry.id = static_cast<std::int64_t>(result.size()) + 1;
    entry.step = note->step;
    entry.how = note->how;
    entry.snapshot = note->snapshot;
    const std::optional<std::size_t> change = stacks.next(result.size(), note->how);
    const bool is_change = change == result.size();
    if (note->how == How::apply && edit != edits.end()) entry.edit = *edit++;
    changes.push_back(entry.edit != nullptr ? words_of(*entry.edit, &model.graph()) : note->text);
    if (change && !is_change) entry.edit = result[*change].edit;
    entry.text = change ? about(note->how, changes[*change]) : note->text;
    entry.undone = is_change;
    result.push_back(std::move(entry));
  }
  for (const std::size_t change : stacks.applied()) result[change].undone = false;
  return result;
}

}  // namespace asg::train
