// Elementary functions of whole vectors of f32 or f64, once per instruction set. Each is right at zeros, infinities,
// NaN, denormals and on overflow; errors, as the tests sweep them, are at most 2 ulp. No function reads or sets modes
// of the processor.
//
// Names end in _of so that they do not hide those of libm. f32 versions of sin, cos, atan and pow go through f64 and
// take half vectors: see map_widened in tile_maths.cpp.

#if defined(ASG_BACKEND_CPU_VECTOR_MATH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ASG_BACKEND_CPU_VECTOR_MATH_INL_H
#undef ASG_BACKEND_CPU_VECTOR_MATH_INL_H
#else
#define ASG_BACKEND_CPU_VECTOR_MATH_INL_H
#endif

#include <cmath>
#include <cstddef>
#include <limits>

#include "hwy/highway.h"
// After it:
#include "hwy/contrib/math/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace asg {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
using ValueOf = hn::TFromD<D>;

// c0 + x c1 + x² c2 + …, by Horner's rule.
template <class D, class V>
HWY_INLINE V polynomial(D d, V /*x*/, ValueOf<D> last) {
  return hn::Set(d, last);
}
template <class D, class V, class... More>
HWY_INLINE V polynomial(D d, V x, ValueOf<D> first, More... more) {
  return hn::MulAdd(polynomial(d, x, more...), x, hn::Set(d, first));
}

template <class D, class V>
HWY_INLINE V exp_of(D d, V x) {
  using T = ValueOf<D>;
  // Beyond these the result is infinite or 0; nearer to 0 the scaling by two powers of 2 cannot overflow early.
  constexpr T kHighest = sizeof(T) == 4 ? T(89) : T(710);
  const V bounded = hn::Min(x, hn::Set(d, kHighest));
  return hn::IfThenElse(hn::IsNaN(x), x, hn::Exp(d, bounded));
}

template <class D, class V>
HWY_INLINE V log_of(D d, V x) {
  using T = ValueOf<D>;
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  const V zero = hn::Zero(d);
  V result = hn::Log(d, x);
  result = hn::IfThenElse(hn::Eq(x, zero), hn::Set(d, -kInfinity), result);
  // Infinity stays, NaN stays, what is negative has none.
  result = hn::IfThenElse(hn::Lt(x, hn::Set(d, kInfinity)), result, x);
  return hn::IfThenElse(hn::Lt(x, zero), hn::Set(d, std::numeric_limits<T>::quiet_NaN()), result);
}

// 1 / (1 + e^-x), written so that nothing overflows and small results keep their digits.
template <class D, class V>
HWY_INLINE V sigmoid_of(D d, V x) {
  const V one = hn::Set(d, ValueOf<D>(1));
  const V small = exp_of(d, hn::Neg(hn::Abs(x)));
  return hn::Div(hn::IfThenElse(hn::Lt(x, hn::Zero(d)), small, one), hn::Add(one, small));
}

// Near 0: x + x z P(z), z = x². Else 1 - 2 / (e^2|x| + 1).
template <class D, class V>
HWY_INLINE V tanh_of(D d, V x) {
  using T = ValueOf<D>;
  const V size = hn::Abs(x);
  const V square = hn::Mul(x, x);
  V near;
  if constexpr (sizeof(T) == 4) {
    near =
        polynomial(d, square, T(-0.3333332894), T(0.1333276974), T(-0.05385090958), T(0.020997179), T(-0.006096714166));
  } else {
    near = polynomial(d, square, T(-0.3333333333333333332), T(0.1333333333333332076), T(-0.05396825396823590134),
                      T(0.02186948853513322201), T(-0.008863235499801992569), T(0.003592127507599252229),
                      T(-0.001455828399830324586), T(0.0005899818158388232071), T(-0.000238889446367511739),
                      T(0.00009604109157026265988), T(-0.00003708106921544233385), T(0.00001220992179016278166),
                      T(-2.438831631472087804e-6));
  }
  near = hn::MulAdd(hn::Mul(near, square), x, x);
  const V one = hn::Set(d, T(1));
  const V far = hn::Sub(one, hn::Div(hn::Set(d, T(2)), hn::Add(exp_of(d, hn::Add(size, size)), one)));
  // The sign of 0 too is that of x.
  return hn::CopySign(hn::IfThenElse(hn::Lt(size, hn::Set(d, T(0.625))), near, far), x);
}

// Near 0: x + x P(x²). Else 1 - e^-Q(|x|), Q fitted to -log(erfc).
template <class D, class V>
HWY_INLINE V erf_f32(D d, V x) {
  const V size = hn::Min(hn::Abs(x), hn::Set(d, 4.0f));
  const V square = hn::Mul(x, x);
  V near = polynomial(d, square, 0.1283791667f, -0.3761263451f, 0.1128370708f, -0.02686002701f, 0.005202569585f,
                      -0.0008159973754f, 8.442628097e-5f);
  near = hn::MulAdd(near, x, x);
  const V depth = polynomial(d, size, -0.0003159178698f, 1.130221615f, 0.6318381263f, 0.11007546f, -0.02642184455f,
                             0.004760857985f, -0.0005972599488f, 4.613062837e-5f, -1.641625185e-6f);
  const V far = hn::Sub(hn::Set(d, 1.0f), hn::Exp(d, hn::Neg(depth)));
  const V result = hn::IfThenElse(hn::Lt(size, hn::Set(d, 0.9f)), near, hn::CopySign(far, x));
  return hn::IfThenElse(hn::IsNaN(x), x, result);
}

// Near 0 the same. Else 1 - e^-x² R(u), u = 1 / (|x| + 2), R fitted to erfc(x) e^x².
template <class D, class V>
HWY_INLINE V erf_f64(D d, V x) {
  const V size = hn::Min(hn::Abs(x), hn::Set(d, 6.0));
  const V square = hn::Mul(size, size);
  V near = polynomial(d, square, 0.1283791670955125739, -0.3761263890318375246, 0.1128379167095512563,
                      -0.02686617064513121852, 0.005223977625441674014, -0.0008548327023403000609,
                      0.0001205533297887948387, -0.00001492565023696750174, 1.646211078201863639e-6,
                      -1.636576864883207212e-7, 1.480602714612875166e-8, -1.227773448679552385e-9,
                      9.323723518153026634e-11, -6.196736428787699983e-12, 2.806712819561126247e-13);
  near = hn::MulAdd(near, x, x);
  const V u = hn::Div(hn::Set(d, 1.0), hn::Add(size, hn::Set(d, 2.0)));
  const V scaled = polynomial(d, u, -1.266979104034617705e-8, 0.5641907438683640835, 1.128329371940446094,
                              1.97599307511115224, 2.796225283598954988, 3.019359437177143149, -3.840738774685211715,
                              21.75951004296461436, -199.3829629102593256, 929.3244255207171616, -3567.157690737320217,
                              10704.22035137317575, -22086.09229031357763, 27583.40825074784779, -12252.64174628206508,
                              -20411.66149228008666, 41076.36202011844425, -30909.07664199677025, 9214.4906748932827);
  const V far = hn::NegMulAdd(hn::Exp(d, hn::Neg(square)), scaled, hn::Set(d, 1.0));
  const V result = hn::IfThenElse(hn::Lt(size, hn::Set(d, 1.0)), near, hn::CopySign(far, x));
  return hn::IfThenElse(hn::IsNaN(x), x, result);
}

template <class D, class V>
HWY_INLINE V erf_of(D d, V x) {
  if constexpr (sizeof(ValueOf<D>) == 4) {
    return erf_f32(d, x);
  } else {
    return erf_f64(d, x);
  }
}

// Replaces a vector by a scalar function of each lane: for arguments that the vector version does not reach.
template <class D, class V, class F>
HWY_INLINE V by_lane(D d, V x, F function) {
  using T = ValueOf<D>;
  HWY_ALIGN T lanes[HWY_MAX_BYTES / sizeof(T)];
  hn::Store(x, d, lanes);
  for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) lanes[lane] = function(lanes[lane]);
  return hn::Load(d, lanes);
}

// What Highway's reduction of angles holds for. Infinities and NaN are not below it.
constexpr double kLargestAngle = 39000;

// Each lane by its own argument alone: what stands beside an element must not change its bits.
template <class D, class V, class Vector, class Scalar>
HWY_INLINE V of_angle(D d, V x, Vector by_vector, Scalar by_scalar) {
  const auto is_small = hn::Lt(hn::Abs(x), hn::Set(d, kLargestAngle));
  const V result = by_vector(hn::IfThenElseZero(is_small, x));
  if (hn::AllTrue(d, is_small)) return result;
  return hn::IfThenElse(is_small, result, by_lane(d, x, by_scalar));
}

template <class D, class V>
HWY_INLINE V sin_of(D d, V x) {
  const V result =
      of_angle(d, x, [d](V angle) { return hn::Sin(d, angle); }, [](double angle) { return std::sin(angle); });
  return hn::IfThenElse(hn::Eq(x, hn::Zero(d)), x, result);
}

template <class D, class V>
HWY_INLINE V cos_of(D d, V x) {
  return of_angle(d, x, [d](V angle) { return hn::Cos(d, angle); }, [](double angle) { return std::cos(angle); });
}

template <class D, class V>
HWY_INLINE V atan_of(D d, V x) {
  return hn::IfThenElse(hn::IsNaN(x), x, hn::Atan(d, x));
}

// base^exponent to the precision of f32, of f64 vectors that hold f32 values: the error of exp(y log x) grows with
// its argument, and f64 has digits to spare for that.
template <class D, class V>
HWY_INLINE V pow_of_f32(D d, V base, V exponent) {
  const V zero = hn::Zero(d);
  const V one = hn::Set(d, 1.0);
  const V infinity = hn::Set(d, std::numeric_limits<double>::infinity());
  const V size = hn::Abs(base);
  V power = exp_of(d, hn::Mul(exponent, log_of(d, size)));

  const V half = hn::Mul(exponent, hn::Set(d, 0.5));
  const auto is_whole = hn::Eq(hn::Floor(exponent), exponent);
  const auto is_odd = hn::And(is_whole, hn::Ne(hn::Floor(half), half));
  const auto is_negative = hn::Lt(hn::CopySign(one, base), zero);  // -0 too
  power = hn::IfThenElse(hn::And(is_negative, is_odd), hn::Neg(power), power);
  const auto has_no_root = hn::And(hn::And(hn::Lt(base, zero), hn::Lt(size, infinity)), hn::Not(is_whole));
  power = hn::IfThenElse(has_no_root, hn::Set(d, std::numeric_limits<double>::quiet_NaN()), power);

  const auto unbounded = hn::Eq(hn::Abs(exponent), infinity);
  const auto is_one = hn::Or(hn::Or(hn::Eq(exponent, zero), hn::Eq(base, one)), hn::And(hn::Eq(size, one), unbounded));
  return hn::IfThenElse(is_one, one, power);
}

}  // namespace HWY_NAMESPACE
}  // namespace asg
HWY_AFTER_NAMESPACE();

#endif
