#pragma once

#include <cstddef>
#include <cstdint>

#include "asg/compile/kernel.h"

namespace asg::cpu {

// The reduction of `count` neighbours, always in the same order: lanes first, then a tree over the lanes. Sums of f32
// run in f32 lanes over blocks of 1024 elements, whose sums are added in f64: as accurate as f64 in practice, and as
// fast as f32. Sums of f64 run in f64 lanes; products in f64, one after the other. NaN wins in all of them.
double reduce_run(Reduction reduction, const float* values, std::size_t count);
double reduce_run(Reduction reduction, const double* values, std::size_t count);
std::int64_t reduce_run(Reduction reduction, const std::int64_t* values, std::size_t count);  // wraps

// Joins the reductions of two neighbouring runs.
double combine(Reduction reduction, double left, double right);
std::int64_t combine(Reduction reduction, std::int64_t left, std::int64_t right);

// sums[column] += Σ over `rows` rows of values[row · columns + column]. Rows are added one after the other; the sums of
// f32 are kept in f64.
void add_rows(const float* values, std::size_t rows, std::size_t columns, double* sums);
void add_rows(const double* values, std::size_t rows, std::size_t columns, double* sums);
void add_rows(const std::int64_t* values, std::size_t rows, std::size_t columns, std::int64_t* sums);

}  // namespace asg::cpu
