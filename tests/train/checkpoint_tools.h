#pragma once

#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "asg/train/checkpoint.h"

namespace asg::test {

// A checkpoint of a model with one weight: weight and optimiser state hold the step in each element.
train::CheckpointData checkpoint_of(std::int64_t step, std::int64_t elements = 100,
                                    std::map<std::string, double> metrics = {});
// Whether it is the one that checkpoint_of gives for its step.
bool is_whole(const train::CheckpointData& data);

// Names of all that is in a folder.
std::set<std::string> names_in(const std::string& folder);

// Collects the warnings of the library while it lives, from any thread.
class Warnings {
 public:
  Warnings();
  ~Warnings();
  Warnings(const Warnings&) = delete;
  Warnings& operator=(const Warnings&) = delete;

  std::vector<std::string> texts;

 private:
  std::mutex mutex_;
};

}  // namespace asg::test
