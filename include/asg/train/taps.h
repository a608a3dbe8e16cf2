#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "asg/backend/backend.h"
#include "asg/compile/executable.h"
#include "asg/train/companion.h"
#include "asg/train/logger.h"
#include "asg/train/sentence.h"
#include "asg/train/step_graph.h"

namespace asg::train {

// What is told of a tensor, reduced on the device. Mean, deviation and extremes are those of its finite elements; of
// none they are 0, inf and -inf.
struct TapStatistics {
  std::int64_t count = 0;
  std::int64_t not_finite = 0;
  double mean = 0;
  double deviation = 0;  // root of the mean square distance from the mean
  double least = 0;
  double greatest = 0;
  Array preview;        // its first elements, in row-major order
  Histogram histogram;  // of at most kMostSampled elements, evenly spread
};

// What is told of a watched value.
struct TapReading : TapStatistics {
  std::optional<TapStatistics> gradient = {};  // d loss / d value; none where the loss does not depend on it
};

inline constexpr std::int64_t kMostSampled = 16'384;
inline constexpr int kHistogramBins = 32;  // one where all elements are equal

struct TapOptions {
  std::int64_t preview = 16;
  bool gradients = false;  // the twin goes backwards too, from the loss to the watched values and no further
};

// The instrumented twin of a training step: the same forward work on the same variables, with the watched values
// reduced as its only results, and without updates. It runs on the steps that one chooses, and changes nothing in those
// that train.
class Taps {
 public:
  // `watched` are values of step.graph. Variables are those of `training` where it can share them; else each reading
  // copies them.
  Taps(const StepGraph& step, Backend& backend, Executable& training, std::span<const Value> watched,
       TapOptions options = {});

  // On a batch, in the order of the step's inputs. One reading for each watched value, in order.
  const std::vector<TapReading>& read(std::span<const Array> batch);

 private:
  TapStatistics take(std::size_t tap) const;

  std::optional<Companion> twin_;
  std::vector<std::optional<std::size_t>> gradient_taps_;  // for each watched value its place among all taps
  std::size_t taps_ = 0;                                   // values, then gradients
  std::vector<TapReading> readings_;
  std::vector<Array> outputs_;
};

// A node at which numbers stopped being finite.
struct NotFinite {
  NodeId node;       // of the step graph
  NodeId model;      // of the model, from which it comes; none where it comes from nowhere in it
  std::string path;  // "block_2/attention/Softmax#17"
  std::string op;
  Sentence what;
  std::int64_t count = 0;
};

// Where people find a node of a step: in the model, or inside one of its layers.
struct ModelPlace {
  std::string path;  // "block_2/attention/Softmax#17"
  std::string op;
};
ModelPlace place_in_model(const Graph& model, const Graph& step, NodeId node);

// Where the loss or a gradient of a step came to be not finite: runs the step on the interpreter, with the variables
// that `training` holds, and follows what is not finite back to where all that was read still was. Nothing where all
// results are finite. Slow: every value of the step is kept.
std::optional<NotFinite> find_not_finite(const StepGraph& step, const Executable& training,
                                         std::span<const Array> batch);

}  // namespace asg::train
