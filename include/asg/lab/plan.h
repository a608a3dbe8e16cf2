#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "asg/compile/explain.h"
#include "asg/lab/scene.h"

namespace asg::lab {

// The memory of a program as data for a picture: steps from left to right, places in the arena from the bottom up.
struct Plan {
  struct Step {
    std::string title;  // "Mul ×2, Add"
    std::string kind;   // "elementwise"
    std::string path;   // in the optimised view
    std::optional<double> seconds = {};
  };
  // A buffer of the arena while it is alive, from step `first` to step `last`.
  struct Piece {
    std::string name;
    std::string path;  // in the view of the plan
    std::int64_t offset = 0, size = 0;
    int first = 0, last = 0;
  };
  std::int64_t arena = 0;
  std::int64_t lower_bound = 0;  // the most that is alive at once
  double waste = 0;
  std::int64_t variables = 0;
  std::int64_t scratch = 0;
  std::vector<Step> steps = {};
  std::vector<Piece> buffers = {};
  std::vector<std::int64_t> alive = {};  // bytes, by step
};

// Of the scenes that of_program and of_plan made of one explanation.
Plan plan_of(const Scene& optimised, const Scene& buffers);

}  // namespace asg::lab
