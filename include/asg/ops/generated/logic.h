// Made from the op cards by `make generate`; edit the cards instead.
#pragma once

#include <string>
#include <utility>

#include "asg/graph/builder.h"

namespace asg {

// True where both elements are true, with broadcasting. It takes bools only; for the bits of integers there is
// BitwiseAnd.
//   y = a ∧ b
inline Tensor and_(const Tensor& a, const Tensor& b, SourceLocation where = SourceLocation::current()) {
  return add_node("And", {a, b}, {.where = where})[0];
}

// Moves the bits of each unsigned integer by as many places as the second tensor says, with broadcasting. Bits that
// fall out are lost and zeros come in, so a shift by the whole width or more leaves 0.
//   y = { 2^b a mod 2ⁿ, LEFT; ⌊a / 2^b⌋, RIGHT }
// direction: LEFT multiplies by powers of two, RIGHT divides by them and drops the remainder
inline Tensor bit_shift(const Tensor& a, const Tensor& b, const std::string& direction,
                        SourceLocation where = SourceLocation::current()) {
  NodeCall call{.where = where};
  call.attrs.set("direction", direction);
  return add_node("BitShift", {a, b}, std::move(call))[0];
}

// Keeps the bits that are set in both integers: 12 and 10, in binary 1100 and 1010, give 8, which is 1000. Negative
// numbers count as two's complement, so -1 has every bit set.
//   y = a ∧ b
inline Tensor bitwise_and(const Tensor& a, const Tensor& b, SourceLocation where = SourceLocation::current()) {
  return add_node("BitwiseAnd", {a, b}, {.where = where})[0];
}

// Flips every bit of an integer. For signed numbers that is -x - 1; for unsigned ones of n bits it is 2ⁿ - 1 - x, so
// it depends on the dtype.
//   y = ¬x
inline Tensor bitwise_not(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("BitwiseNot", {x}, {.where = where})[0];
}

// Sets every bit that is set in at least one of the two integers: 12 and 10 give 14, in binary 1110. In two's
// complement -1 has every bit set and stays -1 whatever it meets.
//   y = a ∨ b
inline Tensor bitwise_or(const Tensor& a, const Tensor& b, SourceLocation where = SourceLocation::current()) {
  return add_node("BitwiseOr", {a, b}, {.where = where})[0];
}

// Sets the bits in which the two integers differ: 12 and 10 give 6, in binary 0110. Applied twice with the same number
// it gives the original back.
//   y = a ⊕ b
inline Tensor bitwise_xor(const Tensor& a, const Tensor& b, SourceLocation where = SourceLocation::current()) {
  return add_node("BitwiseXor", {a, b}, {.where = where})[0];
}

// Turns true into false and false into true. Numbers are refused: whether one is 0 is asked with Equal.
//   y = ¬x
inline Tensor not_(const Tensor& x, SourceLocation where = SourceLocation::current()) {
  return add_node("Not", {x}, {.where = where})[0];
}

// True where at least one of the two elements is true, both included, with broadcasting. Only two falses give false.
//   y = a ∨ b
inline Tensor or_(const Tensor& a, const Tensor& b, SourceLocation where = SourceLocation::current()) {
  return add_node("Or", {a, b}, {.where = where})[0];
}

// True where exactly one of the two elements is true, with broadcasting. In other words, it asks whether they differ:
// two trues give false.
//   y = a ⊕ b
inline Tensor xor_(const Tensor& a, const Tensor& b, SourceLocation where = SourceLocation::current()) {
  return add_node("Xor", {a, b}, {.where = where})[0];
}

}  // namespace asg
