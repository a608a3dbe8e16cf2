#pragma once

#include <string>

#include "asg/compile/kernel.h"

// Dtypes, numbers and ops as pieces of CUDA C++.
namespace asg::cuda {

std::string stored_type(DType dtype);  // in memory: "unsigned short" of 16-bit floats, "unsigned char" of a boolean
std::string value_type(DType dtype);   // in registers: "float" of 16-bit floats, which are rounded to their dtype

// Sums over many rows: of floats in their value type, of integers in "unsigned long long", which wraps.
std::string sum_type(DType dtype);
std::string added(DType dtype, const std::string& a, const std::string& b);  // a of sum_type, b a sum or a value
std::string finished_sum(DType dtype, const std::string& sum);               // as a value of the dtype

std::string constant(const KernelInstruction& instruction);
std::string identity(Reduction reduction, DType dtype);
std::string combined(Reduction reduction, DType dtype, const std::string& a, const std::string& b);

std::string from_memory(DType dtype, const std::string& element);  // as a value
std::string to_memory(DType dtype, const std::string& value);
// Rounds an expression of any number to a dtype, by the rules of `cast`.
std::string converted(DType from, DType to, const std::string& value);

// The expression of a `compute` instruction. `given` is the dtype of its first operand that is no condition.
std::string computed(const KernelInstruction& instruction, DType given, const std::vector<std::string>& operands);

}  // namespace asg::cuda
