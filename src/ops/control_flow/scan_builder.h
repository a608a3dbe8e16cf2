#pragma once

#include <string>
#include <vector>

#include "asg/graph/graph.h"

namespace asg::ops {

// Builds a Scan and its body together, for bodies of ops that walk along a sequence. Each value that comes in stands
// once outside, as it is given, and once inside, as one iteration sees it. States are told first, then what is scanned,
// then captures.
class ScanBuilder {
 public:
  explicit ScanBuilder(std::string name) : body_(std::move(name)) {}

  Tensor state(std::string name, const Tensor& initial);
  Tensor scanned(std::string name, const Tensor& sequence);  // along axis 0
  Tensor capture(std::string name, const Tensor& value);

  void next(const Tensor& state);  // the next value of each state, in order
  void stacked(const Tensor& value);

  // The last states, then the sequences along axis 0. From the last element to the first if `reversed`.
  std::vector<Tensor> finish(bool reversed);

 private:
  Tensor input(std::string name, const Tensor& outer, TensorType type);

  Graph body_;
  std::vector<Tensor> inputs_;  // outside
  std::int64_t scanned_ = 0;
  std::int64_t captures_ = 0;
  std::int64_t stacked_ = 0;
};

}  // namespace asg::ops
