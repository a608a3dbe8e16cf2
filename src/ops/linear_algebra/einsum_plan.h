#pragma once

#include <span>
#include <string>
#include <vector>

#include "asg/core/dim.h"

namespace asg::ops {

// An equation of Einsum with every axis under a label: a number from 0. An ellipsis stands for labels of its own, as
// many as the operand with the most axes under it has.
struct EinsumPlan {
  std::vector<std::vector<int>> operands;
  std::vector<int> output;
  int labels = 0;
  int first_of_ellipsis = 0;  // labels from here on belong to it and are broadcast
};

// Reads "ij,jk->ik", also without the part after the arrow: then all letters that occur once, in order of the
// alphabet, after the axes of an ellipsis. Throws bad_attribute and bad_shape.
EinsumPlan parse_einsum(const std::string& equation, const std::vector<int>& ranks);

// The length of each label. Throws bad_shape where two operands contradict each other.
std::vector<Dim> label_lengths(const EinsumPlan& plan, const std::vector<Shape>& shapes);

// The equation of these labels, written with letters. Throws limit_exceeded beyond 52 labels.
std::string write_einsum(const std::vector<std::vector<int>>& operands, const std::vector<int>& output);

}  // namespace asg::ops
