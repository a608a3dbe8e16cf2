#pragma once

#include <span>
#include <string_view>

#include "asg/zoo/weights.h"

namespace asg::zoo {

// What a module holds, and so under which names its numbers stand and whether they are turned.
enum class ModuleKind : std::uint8_t {
  plain,        // one tensor that has the name of the module
  row,          // the same with a first axis of length 1 in front
  table,        // weight, as ours
  convolution,  // weight and bias, as ours
  linear,       // weight [units, features], where ours is [features, units], and bias
  joint,        // as linear, but the names end in _weight and _bias, and several of ours lie along the first axis
  conv1d,       // as GPT-2 has it: weight [features, units] and bias; several of ours may lie along the last axis
  scale,        // weight is our scale
  norm,         // weight is our scale; bias
  batch_norm    // the same, and running statistics
};

// One module. In both names # stands for a number, the same in both, and in theirs @ for the number of blocks plus one.
// Several names of theirs are divided by |.
struct ModuleRow {
  std::string_view ours;
  std::string_view theirs;
  ModuleKind kind;
  int part = 0;
  int parts = 1;
  // Only where the model has, or has not, a variable of that name in the same block.
  std::string_view with = {};
  std::string_view without = {};
};

struct WeightTable {
  WeightMap map;
  std::span<const ModuleRow> rows;
  std::string_view prefix;                     // that names may begin with, or not
  std::span<const std::string_view> unneeded;  // ends of names of tensors that hold nothing to learn
};
std::span<const WeightTable> weight_tables();

}  // namespace asg::zoo
