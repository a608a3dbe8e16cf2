#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "asg/train/trainer.h"
#include "edit_check/session.h"

namespace asg::edit_check {

// A training at one moment.
struct Picture {
  Graph graph;
  std::string graph_json;
  std::string model_json;  // with the journal of the model
  train::TrainingState state;
  std::vector<std::pair<std::uint32_t, std::int64_t>> snapshots;  // number and step
  std::int64_t version = 0;
  std::int64_t updates = 0;
  Attrs settings;  // of the optimizer
  train::RateSettings rate;
  bool has_batch = false;
};
using PicturePtr = std::shared_ptr<const Picture>;

// Null where the training is gone.
PicturePtr take_picture(Session& session);
PicturePtr take_picture_of(Session& session, train::TrainingId training);
// Of the model in eval mode on the last batch; none before the first.
NamedArrays take_outputs(Session& session);

// The first difference in words, "" where there is none. Content: the model without its journal, all values, all state
// and counters, the settings of the optimizer.
std::string content_difference(const Picture& expected, const Picture& actual);
// Content, journal, snapshots and version.
std::string whole_difference(const Picture& expected, const Picture& actual);

// Where an undo of an edit lost what was learned. `before` and `now` are the training just before and after the undo,
// `old` is what was before the edit.
std::string lost_by_undo(const Picture& old, const Picture& before, const Picture& now);
// Where an edit without a policy threw values away that have a place after it.
std::string lost_unasked(const Picture& before, const Picture& after);

}  // namespace asg::edit_check
