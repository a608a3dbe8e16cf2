#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "asg/optim/schedule.h"
#include "asg/train/journal.h"
#include "asg/train/state.h"

namespace asg::train {

// What the learning rate follows.
struct RateSettings {
  double base = 0;  // before the schedule
  optim::Schedule schedule = {};
  optim::ScheduleState seen = {};  // by the schedule
  friend bool operator==(const RateSettings&, const RateSettings&) = default;
};

// A change of a training that can be undone or, once it was undone, redone. Immutable, so that snapshots share it.
struct Change {
  JournalEntry::How how = JournalEntry::How::apply;  // but for undo and redo
  // The other side of the change: the values that the training has otherwise now, or not at all. What both sides have
  // in common is not here, so that the memory of a history grows with what changes.
  TrainingState other = {};
  // How resized variables keep, on the way to the other side, the elements that both sides have. Nothing: not known,
  // the first elements along each axis.
  std::optional<std::vector<ResizeRule>> resizes = std::vector<ResizeRule>();
  Attrs optimizer = {};      // settings of the optimizer on the other side
  RateSettings rate = {};    // on the other side
  std::int64_t moment = -1;  // of the history when the change was made; -1: not known
};

// What undo and redo bring back, and the journal. Copies share all that is large.
struct History {
  using Changes = std::vector<std::shared_ptr<const Change>>;
  Changes undo = {};  // the latest last
  Changes redo = {};
  JournalNotes notes = {};
  // Rises with everything that changes values and is no part of the history: steps above all. A change of the present
  // moment is taken back as a whole; undoing an earlier one leaves what was learned since.
  std::int64_t moment = 0;
};

// Whether two handles are of the same memory.
bool is_same_array(const Array& a, const Array& b);

// The arrays of `state` that `next` does not have, or has otherwise, and the learning rate.
TrainingState difference(const TrainingState& state, const TrainingState& next);

// The way back of the rules that keep elements.
std::vector<ResizeRule> inverted(const std::vector<ResizeRule>& rules);

// The history of a model of which its journal alone is known: `values` is what undo may bring back, of whatever edit.
// `steps`: of each entry of the journal of the model; those beyond its end are not known.
History history_of(const Model& model, const std::vector<std::int64_t>& steps = {}, const TrainingState& values = {});

}  // namespace asg::train
