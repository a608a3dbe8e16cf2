#pragma once

#include <vector>

#include "asg/compile/kernel.h"

// Single instructions of a fused kernel on dense arrays of rank 1, for the reference. Operands have as many elements as
// the result, or one for each `row_length` of them.
namespace asg {

// op of the operands: computed in f64, i64, u64 or bool and rounded once. Throws computation_error.
Array compute_reference(ScalarOp op, DType dtype, const std::vector<Array>& operands, std::int64_t count);

// One value for each `row_length` elements of the operand.
Array reduce_reference(Reduction reduction, const Array& operand, std::int64_t rows, std::int64_t row_length);

// Adds to each element of `total`, which has a compute dtype, that of every row: runs of as many elements of `rows`.
void add_rows_reference(Array& total, const Array& rows);

}  // namespace asg
