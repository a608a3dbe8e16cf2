#include "backend/cpu/tile_maths.h"

#include <cmath>
#include <cstring>

#include "asg/core/error.h"
#include "backend/cpu/highway.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/tile_maths.cpp"
#include "hwy/foreach_target.h"
// After it:
#include "backend/cpu/vector_math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace asg {
namespace HWY_NAMESPACE {

// Whole vectors from memory to memory; the rest through a vector on the stack, so that nothing beyond is touched.
template <class D, class F>
HWY_INLINE void map(D d, const ValueOf<D>* from, ValueOf<D>* to, std::size_t count, F function) {
  const std::size_t lanes = hn::Lanes(d);
  std::size_t k = 0;
  for (; k + lanes <= count; k += lanes) hn::StoreU(function(hn::LoadU(d, from + k)), d, to + k);
  if (k == count) return;
  HWY_ALIGN ValueOf<D> rest[HWY_MAX_BYTES / sizeof(ValueOf<D>)] = {};
  std::memcpy(rest, from + k, (count - k) * sizeof(ValueOf<D>));
  hn::Store(function(hn::Load(d, rest)), d, rest);
  std::memcpy(to + k, rest, (count - k) * sizeof(ValueOf<D>));
}

// f32 values through a function of f64 vectors: half as many at a time, and nearly every digit right.
template <class F>
HWY_INLINE void map_widened(const float* from, float* to, std::size_t count, F function) {
  const hn::ScalableTag<double> wide;
  const hn::Rebind<float, decltype(wide)> narrow;
  map(narrow, from, to, count, [&](auto x) { return hn::DemoteTo(narrow, function(wide, hn::PromoteTo(wide, x))); });
}

template <class D>
HWY_INLINE void common(ScalarOp op, D d, const ValueOf<D>* from, ValueOf<D>* to, std::size_t count) {
  switch (op) {
    case ScalarOp::exp:
      return map(d, from, to, count, [&](auto x) { return exp_of(d, x); });
    case ScalarOp::log:
      return map(d, from, to, count, [&](auto x) { return log_of(d, x); });
    case ScalarOp::tanh:
      return map(d, from, to, count, [&](auto x) { return tanh_of(d, x); });
    case ScalarOp::erf:
      return map(d, from, to, count, [&](auto x) { return erf_of(d, x); });
    default:
      return map(d, from, to, count, [&](auto x) { return sigmoid_of(d, x); });
  }
}

HWY_NOINLINE void elementary_f32(ScalarOp op, const float* from, float* to, std::size_t count) {
  switch (op) {
    case ScalarOp::sin:
      return map_widened(from, to, count, [](auto d, auto x) { return sin_of(d, x); });
    case ScalarOp::cos:
      return map_widened(from, to, count, [](auto d, auto x) { return cos_of(d, x); });
    case ScalarOp::atan:
      return map_widened(from, to, count, [](auto d, auto x) { return atan_of(d, x); });
    default:
      return common(op, hn::ScalableTag<float>(), from, to, count);
  }
}

HWY_NOINLINE void elementary_f64(ScalarOp op, const double* from, double* to, std::size_t count) {
  const hn::ScalableTag<double> d;
  switch (op) {
    case ScalarOp::sin:
      return map(d, from, to, count, [&](auto x) { return sin_of(d, x); });
    case ScalarOp::cos:
      return map(d, from, to, count, [&](auto x) { return cos_of(d, x); });
    case ScalarOp::atan:
      return map(d, from, to, count, [&](auto x) { return atan_of(d, x); });
    default:
      return common(op, d, from, to, count);
  }
}

HWY_NOINLINE void pow_f32(const float* base, std::size_t base_step, const float* exponent, std::size_t exponent_step,
                          float* to, std::size_t count) {
  const hn::ScalableTag<double> wide;
  const hn::Rebind<float, decltype(wide)> narrow;
  const std::size_t lanes = hn::Lanes(wide);
  HWY_ALIGN float bases[HWY_MAX_BYTES / sizeof(double)] = {};
  HWY_ALIGN float exponents[HWY_MAX_BYTES / sizeof(double)] = {};
  for (std::size_t k = 0; k < count; k += lanes) {
    const std::size_t part = count - k < lanes ? count - k : lanes;
    for (std::size_t lane = 0; lane < part; ++lane) {
      bases[lane] = base[(k + lane) * base_step];
      exponents[lane] = exponent[(k + lane) * exponent_step];
    }
    const auto power = pow_of_f32(wide, hn::PromoteTo(wide, hn::Load(narrow, bases)),
                                  hn::PromoteTo(wide, hn::Load(narrow, exponents)));
    hn::Store(hn::DemoteTo(narrow, power), narrow, bases);
    std::memcpy(to + k, bases, part * sizeof(float));
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace asg
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace asg {

HWY_EXPORT(elementary_f32);
HWY_EXPORT(elementary_f64);
HWY_EXPORT(pow_f32);

namespace cpu {

bool is_elementary(ScalarOp op) {
  switch (op) {
    case ScalarOp::exp:
    case ScalarOp::log:
    case ScalarOp::tanh:
    case ScalarOp::erf:
    case ScalarOp::sigmoid:
    case ScalarOp::sin:
    case ScalarOp::cos:
    case ScalarOp::atan:
      return true;
    default:
      return false;
  }
}

void apply_elementary(ScalarOp op, const float* from, float* to, std::size_t count) {
  internal_check(is_elementary(op), "no elementary function");
  HWY_DYNAMIC_DISPATCH(elementary_f32)(op, from, to, count);
}

void apply_elementary(ScalarOp op, const double* from, double* to, std::size_t count) {
  internal_check(is_elementary(op), "no elementary function");
  HWY_DYNAMIC_DISPATCH(elementary_f64)(op, from, to, count);
}

void apply_pow(const float* base, std::size_t base_step, const float* exponent, std::size_t exponent_step, float* to,
               std::size_t count) {
  HWY_DYNAMIC_DISPATCH(pow_f32)(base, base_step, exponent, exponent_step, to, count);
}

// f64 has no wider type to compute in: libm knows how to keep the digits.
void apply_pow(const double* base, std::size_t base_step, const double* exponent, std::size_t exponent_step, double* to,
               std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) to[k] = std::pow(base[k * base_step], exponent[k * exponent_step]);
}

}  // namespace cpu
}  // namespace asg
#endif  // HWY_ONCE
