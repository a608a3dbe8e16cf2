#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "asg/backend/backend.h"
#include "asg/train/trainer.h"

namespace asg::train {

// The loss of a model on the last batch, in eval mode, again and again while people change the model: only what depends
// on a change is computed. It keeps every value of the model for that, so it is for looks at a training that waits.
//
// A value is known again by how it is made: the op, its attributes and the values that it is made of, down to the
// numbers of inputs and variables. So an edit, an undo, or other numbers for a variable all cost their cone and nothing
// more, whatever ids the nodes have.
class Cone {
 public:
  struct Result {
    double loss = 0;
    std::int64_t computed = 0;  // nodes
    std::int64_t kept = 0;      // nodes whose values were there
  };

  // `most_bytes` of values are kept at most; of a larger model none, and all is computed each time.
  explicit Cone(std::int64_t most_bytes = std::int64_t{1} << 30) : most_bytes_(most_bytes) {}

  // Throws missing_value before the first step.
  Result evaluate(Trainer& trainer);
  void forget();

 private:
  using Class = std::uint32_t;  // values that are made in the same way
  struct Leaf {
    Array value;
    Class name = 0;
  };

  Class class_of_leaf(const std::string& key, Array value);
  Class class_of(const Node& node, const std::vector<Class>& classes);

  std::int64_t most_bytes_;
  Class last_class_ = 0;
  std::map<std::string, Leaf> leaves_;  // "variable 3", "input features"
  std::unordered_map<std::string, Class> classes_;
  std::map<std::pair<Class, std::uint32_t>, DeviceArray> values_;
};

}  // namespace asg::train
