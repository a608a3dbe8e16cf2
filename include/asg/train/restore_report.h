#pragma once

#include <string>
#include <vector>

namespace asg::train {

// What became of the variables when a part of a checkpoint was loaded, by name.
struct RestoreReport {
  struct Skipped {
    std::string name;  // in the checkpoint
    std::string why;   // "of shape [4, 8]; the model has [4, 16]"
  };
  std::vector<std::string> loaded;
  std::vector<Skipped> skipped;
  std::vector<std::string> left;  // of the model, with the values that they had
  bool optimizer_loaded = false;  // the state of what was loaded came along

  std::string to_text() const;  // a line for each list
};

}  // namespace asg::train
