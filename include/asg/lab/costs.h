#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "asg/compile/explain.h"
#include "asg/graph/graph.h"

namespace asg::lab {

// What the parts of a model take of a step of training. The work of a fused kernel is divided among its nodes by their
// FLOPs: an estimate, as nobody can tell them apart inside a loop.
struct Costs {
  struct ByRole {
    double forward = 0, gradient = 0, update = 0;  // losses are forward
    double& of(Role role);
  };
  struct Part {
    std::string path;  // of the model: a node, a layer, a scope; "" is the whole
    ByRole seconds = {};
    ByRole bytes = {};  // of the values that it makes, wherever they lie
  };
  bool measured = false;         // else all seconds are 0
  std::vector<Part> parts = {};  // by path
};

// `step_seconds`: what each step of the program takes, where it was measured.
Costs costs_of(const Graph& model, const Explanation& explanation, const std::vector<double>& step_seconds);

}  // namespace asg::lab
