#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace asg::cpu {

// What one link of a chain does to the value that runs through it.
enum class ChainCode : std::uint8_t {
  add,            // value + operand
  subtract,       // value - operand
  subtract_from,  // operand - value
  multiply,
  divide,
  divide_into,  // operand / value
  minimum,
  maximum,
  minimum_number,  // the operand is known not to be NaN
  maximum_number,
  negate,
  absolute,
  square_root,
  floor,
  ceiling,
  round,  // to the nearest integer, ties to even
  sign,
  choose_value,    // condition ? value : operand
  choose_operand,  // condition ? operand : value
  to_f16,          // rounds to what the narrower dtype can hold
  to_bf16
};

enum class ChainOperand : std::uint8_t {
  none,
  scalar,  // one element for all
  tile,    // an element for each
  self     // the value itself
};

struct ChainLink {
  ChainCode code = ChainCode::add;
  ChainOperand kind = ChainOperand::none;
  const void* operand = nullptr;            // of the type of the chain
  const std::uint8_t* condition = nullptr;  // of the two that choose
  std::size_t condition_step = 1;           // 0: one for all
};

// to[k] = the links, one after the other, of from[k · from_step]; a step is 0 or 1. Values stay in registers from the
// first link to the last. `to` may be any of the arrays that are read.
void run_chain(const float* from, std::size_t from_step, std::span<const ChainLink> links, float* to,
               std::size_t count);
void run_chain(const double* from, std::size_t from_step, std::span<const ChainLink> links, double* to,
               std::size_t count);

}  // namespace asg::cpu
