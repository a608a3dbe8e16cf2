#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "asg/graph/model.h"
#include "asg/train/history.h"

namespace asg::train {

// All that is needed to go on with a training, bit for bit. Trainer::checkpoint() makes one, Trainer::restore() takes
// one; what they do not know of (position in the data, state of a schedule) travels in `extras`.
struct CheckpointData {
  Model model = Model(Graph());  // graph and journal of edits, so that undo and redo work after a resume too
  TrainingState state = {};
  History history = {};        // what undo and redo bring back, and the journal
  std::string optimizer = {};  // its kind, "adamw"; "" where an older ASG wrote the checkpoint
  std::uint64_t seed = 1;      // new variables of later edits come from it
  // A JSON object of the user. It comes back with the same content, its names in alphabetical order.
  std::string extras = "{}";
  std::map<std::string, double> metrics = {};  // by which the best is chosen; any number, NaN too
};

struct CheckpointInfo {
  std::int64_t step = 0;
  std::string path;  // its folder
  std::map<std::string, double> metrics = {};
};

struct LoadedCheckpoint {
  CheckpointInfo info;
  CheckpointData data;
};

// Which checkpoint is the best. One without the metric, or where it is NaN, never is; of equals the earlier one is.
struct BestBy {
  enum class Mode : std::uint8_t { min, max };
  std::string metric;  // "loss"
  Mode mode = Mode::min;
};

struct CheckpointOptions {
  int keep = 3;  // that many of those written last stay; 0: all stay
  std::optional<BestBy> best = {};
};

// Reads one checkpoint: its folder. Throws io_error where files are missing or damaged, unsupported_version where a
// newer ASG wrote it, and what reading the model throws.
CheckpointData load_checkpoint(const std::string& folder);

// A folder with the checkpoints of one training, one folder for each: step-00000100. A process may be killed at any
// moment, and the disk may be full: every checkpoint that `save` returned for is there as a whole, and no other is ever
// taken for one. Safe to use from several processes. docs/checkpoints.md describes the files.
class CheckpointStore {
 public:
  // Nothing is created before the first save. Throws bad_attribute on a negative `keep`.
  explicit CheckpointStore(std::string folder, CheckpointOptions options = {});

  // Writes a checkpoint, notes the best, and removes the oldest ones beyond `keep`: never the best, or the one just
  // written. No file of an existing checkpoint is ever written to: a second one of the
  // same step gets a name of its own, step-00000100-2, and counts as newer. Throws io_error (disk full …), bad_json for
  // extras that are no JSON object; then all is as it was before.
  CheckpointInfo save(const CheckpointData& data);

  // The one that was written last, whatever its step: a training may have returned to an earlier one. Where it is
  // damaged a warning is logged and the one written before it is taken. Nothing where there are no checkpoints; throws
  // io_error where all are damaged.
  std::optional<LoadedCheckpoint> load_latest() const;
  // The best by the options, or else by the metric that the store was last written with. Damage as above. Throws
  // missing_value where no metric is known.
  std::optional<LoadedCheckpoint> load_best() const;

  // Removes what a process left that was ended while it saved; `save` does so too. Nothing where there is no folder.
  void remove_leftovers() const;

  // All that look complete, by rising step. Elements are not read.
  std::vector<CheckpointInfo> list() const;
  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
  CheckpointOptions options_;
};

}  // namespace asg::train
