#include "asg/train/history.h"

#include <utility>

namespace asg::train {
namespace {

template <class Key>
std::map<Key, Array> arrays_missing(const std::map<Key, Array>& from, const std::map<Key, Array>& in) {
  std::map<Key, Array> result;
  for (const auto& [key, array] : from) {
    const auto found = in.find(key);
    if (found == in.end() || !is_same_array(array, found->second)) result.emplace_hint(result.end(), key, array);
  }
  return result;
}

JournalEntry::How how_of_edit(Model::Entry::Kind kind) {
  if (kind == Model::Entry::Kind::apply) return JournalEntry::How::apply;
  return kind == Model::Entry::Kind::undo ? JournalEntry::How::undo : JournalEntry::How::redo;
}

}  // namespace

bool is_same_array(const Array& a, const Array& b) {
  if (a.dtype() != b.dtype() || a.sizes() != b.sizes()) return false;
  return a.count() == 0 || a.raw() == b.raw();
}

TrainingState difference(const TrainingState& state, const TrainingState& next) {
  TrainingState result;
  result.variables = arrays_missing(state.variables, next.variables);
  result.optimizer = arrays_missing(state.optimizer, next.optimizer);
  result.learning_rate = state.learning_rate;
  return result;
}

std::vector<ResizeRule> inverted(const std::vector<ResizeRule>& rules) {
  std::vector<ResizeRule> result;
  for (const ResizeRule& rule : rules) {
    if (element_count(rule.old_sizes) > 0) result.push_back(asg::inverted(rule));
  }
  return result;
}

History history_of(const Model& model, const std::vector<std::int64_t>& steps, const TrainingState& values) {
  History history;
  auto change = std::make_shared<Change>();
  change->other = values;
  change->resizes.reset();
  history.undo.assign(model.undo_count(), change);
  history.redo.assign(model.redo_count(), change);
  const std::vector<Model::Entry>& journal = model.journal();
  for (std::size_t k = 0; k < journal.size(); ++k) {
    JournalNote note{.how = how_of_edit(journal[k].kind)};
    if (k < steps.size()) note.step = steps[k];
    history.notes.push_back(std::make_shared<const JournalNote>(std::move(note)));
  }
  return history;
}

}  // namespace asg::train
