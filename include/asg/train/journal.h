#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asg/graph/model.h"
#include "asg/optim/schedule.h"
#include "asg/train/sentence.h"

namespace asg::train {

using SnapshotId = Id<struct SnapshotTag>;

// What an edit did: "replaced block/feed_forward/activation by Gelu". Nodes and variables that it gives by id are
// called as in `graph`, where that has them.
Sentence words_of(const Edit& edit, const Graph* graph = nullptr);
// What a reset of these layers, scopes or variables did; of none it was one of all.
Sentence words_of_reset(const std::vector<std::string>& paths);
Sentence words_of_value(std::string_view variable, std::span<const double> values);
Sentence words_of_rate(double rate);
Sentence words_of_schedule(const optim::Schedule& schedule);
Sentence words_of_settings(const Attrs& settings);  // of the optimizer

// An entry of the journal of a training, for people.
struct JournalEntry {
  enum class How : std::uint8_t {
    apply,  // an edit of the model
    undo,
    redo,
    reset,
    set_value,
    set_learning_rate,
    set_schedule,
    set_optimizer
  };

  std::int64_t id = 0;     // from 1
  std::int64_t step = -1;  // after which it was made; -1: not known
  How how = How::apply;
  Sentence text;
  bool undone = false;                 // a change that is not in force now
  std::shared_ptr<const Edit> edit;    // of apply; of undo and redo of an edit that one; else null
  std::optional<SnapshotId> snapshot;  // of a reset: to return to what was before
};
std::string_view name_of(JournalEntry::How how);  // "apply"

// What the journal of a training remembers of an entry. The edits are in the journal of the model, in the same order.
struct JournalNote {
  JournalEntry::How how = JournalEntry::How::apply;
  std::int64_t step = -1;
  Sentence text = {};  // of all but apply, undo and redo
  std::optional<SnapshotId> snapshot = {};
};
using JournalNotes = std::vector<std::shared_ptr<const JournalNote>>;

// All that was done to a training.
std::vector<JournalEntry> journal_of(const Model& model, const JournalNotes& notes);

}  // namespace asg::train
