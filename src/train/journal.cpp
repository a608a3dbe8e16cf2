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

JournalEntry::How how_of(Model::Entry::Kind kind) {
  if (kind == Model::Entry::Kind::apply) return JournalEntry::How::apply;
  return kind == Model::Entry::Kind::undo ? JournalEntry::How::undo : JournalEntry::How::redo;
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
  }
  return "";
}

std::vector<JournalEntry> journal_of(const Model& model, const std::vector<std::int64_t>& steps,
                                     const std::vector<ResetNote>& resets) {
  std::vector<JournalEntry> result;
  std::vector<std::size_t> places;  // of the entries of the model's journal in the result
  Stacks stacks;
  auto reset = resets.begin();
  const auto add = [&](JournalEntry entry) {
    entry.id = static_cast<std::int64_t>(result.size()) + 1;
    result.push_back(std::move(entry));
  };
  const auto add_resets = [&](std::size_t entries) {
    for (; reset != resets.end() && reset->after <= entries; ++reset) {
      add({.step = reset->step,
           .how = JournalEntry::How::reset,
           .text = reset->text,
           .edit = {},
           .snapshot = reset->snapshot});
    }
  };
  const std::vector<Model::Entry>& journal = model.journal();
  for (std::size_t k = 0; k < journal.size(); ++k) {
    add_resets(k);
    const Edit& edit = journal[stacks.next(k, journal[k].kind)].edit;
    JournalEntry entry;
    if (k < steps.size()) entry.step = steps[k];
    entry.how = how_of(journal[k].kind);
    entry.text = about(journal[k].kind, words_of(edit, &model.graph()));
    entry.undone = entry.how == JournalEntry::How::apply;
    entry.edit = edit;
    places.push_back(result.size());
    add(std::move(entry));
  }
  add_resets(journal.size());
  for (const std::size_t edit : stacks.applied()) result[places[edit]].undone = false;
  return result;
}

}  // namespace asg::train
