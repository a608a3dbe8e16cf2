#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asg/train/checkpoint.h"

// Which checkpoint is the best follows from the metrics in their manifests alone, so that a kill at any moment leaves
// nothing out of step. best.json tells it to people and other programs, and which metric a store was written with.
namespace asg::train {

inline constexpr std::string_view kBestFile = "best.json";

// Those that have the metric, the best first; of equals the one of the lower step.
std::vector<CheckpointInfo> ranked(std::vector<CheckpointInfo> all, const BestBy& by);
// Null when none has the metric.
const CheckpointInfo* best_of(const std::vector<CheckpointInfo>& all, const BestBy& by);

// Writes best.json where it is not so already. A failure is logged and no more: the checkpoint itself is safe.
void note_best(const std::string& folder, const BestBy& by, const CheckpointInfo* best);
std::optional<BestBy> noted_best(const std::string& folder);  // nothing where there is no such file, or a damaged one

}  // namespace asg::train
