#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "asg/graph/model.h"
#include "asg/train/sentence.h"

namespace asg::train {

using SnapshotId = Id<struct SnapshotTag>;

// What an edit did: "replaced block/feed_forward/activation by Gelu". Nodes and variables that it gives by id are
// called as in `graph`, where that has them.
Sentence words_of(const Edit& edit, const Graph* graph = nullptr);
// What a reset of these layers, scopes or variables did; of none it was one of all.
Sentence words_of_reset(const std::vector<std::string>& paths);

// Variables got their first values again. No edit of the model, so that `undo` passes it by.
struct ResetNote {
  std::size_t after = 0;  // as many entries had the journal of the model
  std::int64_t step = 0;
  Sentence text;
  SnapshotId snapshot;  // that was taken before
};

// An entry of the journal of a training, for people.
struct JournalEntry {
  enum class How : std::uint8_t { apply, undo, redo, reset };

  std::int64_t id = 0;     // from 1
  std::int64_t step = -1;  // after which it was made; -1: not known
  How how = How::apply;
  Sentence text;
  bool undone = false;                 // an edit that is not in force now
  Edit edit;                           // of apply; of undo and redo the one that they took back or applied again
  std::optional<SnapshotId> snapshot;  // of a reset: to return to what was before
};
std::string_view name_of(JournalEntry::How how);  // "apply"

// All that was done to a model. `steps`: of each entry of its own journal; those beyond its end are not known.
std::vector<JournalEntry> journal_of(const Model& model, const std::vector<std::int64_t>& steps,
                                     const std::vector<ResetNote>& resets = {});

}  // namespace asg::train
