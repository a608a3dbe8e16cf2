#include "backend/cpu/tile_integer.h"

#include <algorithm>
#include <string>

#include "asg/core/error.h"
#include "backend/cpu/tile_convert.h"

namespace asg::cpu {
namespace {

using Integer = std::int64_t;
using Operand = TileOperand<Integer>;

// Arithmetic of u64 wraps; of i64 it must not overflow.
std::uint64_t bits(Integer value) { return static_cast<std::uint64_t>(value); }
Integer wrapped(std::uint64_t value) { return static_cast<Integer>(value); }

Integer divide(Integer a, Integer b, std::uint32_t& faults) {
  if (b == 0) {
    faults |= kDivisionByZero;
    return 0;
  }
  // The least integer has no positive counterpart: its quotient wraps.
  return b == -1 ? wrapped(0 - bits(a)) : a / b;
}

// By squaring. A negative exponent is 1 / power, truncated.
Integer power(Integer base, Integer exponent, std::uint32_t& faults) {
  if (exponent < 0) {
    if (base == 0) faults |= kZeroToNegativePower;
    if (base != 1 && base != -1) return 0;
    return exponent % 2 == 0 ? 1 : base;
  }
  std::uint64_t result = 1;
  for (std::uint64_t square = bits(base); exponent > 0; exponent /= 2, square *= square) {
    if (exponent % 2 == 1) result *= square;
  }
  return wrapped(result);
}

template <class F>
void loop(Operand a, Operand b, Integer* to, std::size_t count, F function) {
  for (std::size_t k = 0; k < count; ++k) to[k] = function(a[k], b[k]);
}

template <class T>
void choose(TileOperand<std::uint8_t> condition, TileOperand<T> a, TileOperand<T> b, T* to, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) to[k] = condition[k] != 0 ? a[k] : b[k];
}

}  // namespace

std::uint32_t compute_integers(ScalarOp op, DType dtype, Operand a, Operand b, Integer* to, std::size_t count) {
  std::uint32_t faults = kNoFault;
  switch (op) {
    case ScalarOp::neg:
      loop(a, a, to, count, [](Integer x, Integer) { return wrapped(0 - bits(x)); });
      break;
    case ScalarOp::abs:
      loop(a, a, to, count, [](Integer x, Integer) { return x < 0 ? wrapped(0 - bits(x)) : x; });
      break;
    case ScalarOp::sign:
      loop(a, a, to, count, [](Integer x, Integer) { return Integer{x > 0} - Integer{x < 0}; });
      break;
    case ScalarOp::add:
      loop(a, b, to, count, [](Integer x, Integer y) { return wrapped(bits(x) + bits(y)); });
      break;
    case ScalarOp::sub:
      loop(a, b, to, count, [](Integer x, Integer y) { return wrapped(bits(x) - bits(y)); });
      break;
    case ScalarOp::mul:
      loop(a, b, to, count, [](Integer x, Integer y) { return wrapped(bits(x) * bits(y)); });
      break;
    case ScalarOp::div:
      loop(a, b, to, count, [&](Integer x, Integer y) { return divide(x, y, faults); });
      break;
    case ScalarOp::pow:
      loop(a, b, to, count, [&](Integer x, Integer y) { return power(x, y, faults); });
      break;
    case ScalarOp::min:
      loop(a, b, to, count, [](Integer x, Integer y) { return std::min(x, y); });
      break;
    case ScalarOp::max:
      loop(a, b, to, count, [](Integer x, Integer y) { return std::max(x, y); });
      break;
    default:
      fail_internal("no function of integers: " + std::string(name_of(op)));
  }
  wrap_tile(dtype, to, count);
  return faults;
}

void choose_tiles(TileOperand<std::uint8_t> condition, Operand a, Operand b, Integer* to, std::size_t count) {
  choose(condition, a, b, to, count);
}

void choose_tiles(TileOperand<std::uint8_t> condition, TileOperand<std::uint8_t> a, TileOperand<std::uint8_t> b,
                  std::uint8_t* to, std::size_t count) {
  choose(condition, a, b, to, count);
}

}  // namespace asg::cpu
