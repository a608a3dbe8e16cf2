#include "backend/conformance/suite.h"

namespace asg::conformance {
namespace {

const std::vector<double> kSix = {1, 2, 3, 4, 5, 6};

void add_reshapes(Cases& cases) {
  const Array x = reals({2, 3}, kSix);
  const Array ones = reals({1, 2, 1, 3, 1}, kSix);
  const Array empty = reals({0, 3}, {});
  cases.push_back(reshape_case("Reshape", "to another rank", x, {3, 1, 2}, reals({3, 1, 2}, kSix)));
  cases.push_back(reshape_case("Reshape", "with -1", x, {3, -1}, reals({3, 2}, kSix)));
  cases.push_back(reshape_case("Reshape", "with 0 copies a length", x, {0, 3, 1}, reals({2, 3, 1}, kSix)));
  cases.push_back(reshape_case("Reshape", "with 0 and -1", x, {0, -1, 1}, reals({2, 3, 1}, kSix)));
  cases.push_back(reshape_case("Reshape", "flattens", x, {-1}, reals({6}, kSix)));
  cases.push_back(reshape_case("Reshape", "to a scalar", reals({1, 1}, {4}), {}, reals({}, {4})));
  cases.push_back(reshape_case("Reshape", "of a scalar", reals({}, {4}), {1, 1}, reals({1, 1}, {4})));
  cases.push_back(reshape_case("Reshape", "of an empty tensor", empty, {0, 3, 1}, reals({0, 3, 1}, {})));
  cases.push_back(reshape_case("Squeeze", "without axes takes all ones", ones, {}, reals({2, 3}, kSix)));
  cases.push_back(reshape_case("Squeeze", "of one axis", ones, {2}, reals({1, 2, 3, 1}, kSix)));
  cases.push_back(reshape_case("Squeeze", "of negative axes", ones, {-1, -3}, reals({1, 2, 3}, kSix)));
  cases.push_back(reshape_case("Squeeze", "to a scalar", reals({1}, {4}), {0}, reals({}, {4})));
  cases.push_back(reshape_case("Squeeze", "of an empty tensor", reals({1, 0}, {}), {0}, reals({0}, {})));
  cases.push_back(reshape_case("Unsqueeze", "in front", x, {0}, reals({1, 2, 3}, kSix)));
  cases.push_back(reshape_case("Unsqueeze", "with a negative axis", x, {-1}, reals({2, 3, 1}, kSix)));
  cases.push_back(reshape_case("Unsqueeze", "with several axes", x, {0, 2, -1}, reals({1, 2, 1, 3, 1}, kSix)));
  cases.push_back(reshape_case("Unsqueeze", "of a scalar", reals({}, {4}), {0}, reals({1}, {4})));
  cases.push_back(reshape_case("Unsqueeze", "of an empty tensor", empty, {1}, reals({0, 1, 3}, {})));
}

void add_transposes(Cases& cases) {
  const Array cube = reals({1, 2, 3}, kSix);
  cases.push_back(transpose_case("of a matrix", reals({2, 3}, kSix), {1, 0}, reals({3, 2}, {1, 4, 2, 5, 3, 6})));
  cases.push_back(transpose_case("without perm reverses", cube, {}, reals({3, 2, 1}, {1, 4, 2, 5, 3, 6})));
  cases.push_back(transpose_case("of three axes", cube, {1, 2, 0}, reals({2, 3, 1}, kSix)));
  cases.push_back(transpose_case("of a scalar", reals({}, {4}), {}, reals({}, {4})));
  cases.push_back(transpose_case("of an empty tensor", reals({0, 3}, {}), {1, 0}, reals({3, 0}, {})));
}

void add_concats(Cases& cases) {
  const Array row = reals({1, 2}, {1, 2});
  const Array rows = reals({2, 2}, {3, 4, 5, 6});
  cases.push_back(concat_case("of rows", {row, rows}, 0, reals({3, 2}, kSix)));
  cases.push_back(concat_case("on a negative axis", {row, reals({1, 1}, {9})}, -1, reals({1, 3}, {1, 2, 9})));
  cases.push_back(concat_case("of three", {row, row, row}, 1, reals({1, 6}, {1, 2, 1, 2, 1, 2})));
  cases.push_back(concat_case("of one", {row}, 0, row));
  cases.push_back(concat_case("with an empty tensor", {reals({0, 2}, {}), row}, 0, row));
}

void add_casts(Cases& cases) {
  const Array x = reals({4}, {1.75, -1.75, 0, 300});
  const Array cut = Array::of<std::int32_t>({4}, {1, -1, 0, 300});
  cases.push_back(cast_case("to integers cuts toward zero", x, DType::i32, cut));
  cases.push_back(cast_case("to bool", x, DType::boolean, flags({4}, {1, 1, 0, 1})));
  cases.push_back(cast_case("to f64", x, DType::f64, reals({4}, {1.75, -1.75, 0, 300}, DType::f64)));
  cases.push_back(cast_case("of integers", longs({2}, {3, -7}), DType::f32, reals({2}, {3, -7})));
  cases.push_back(cast_case("of bools", flags({2}, {1, 0}), DType::f32, reals({2}, {1, 0})));
  cases.push_back(cast_case("to the same dtype", x, DType::f32, x));
  cases.push_back(cast_case("of a scalar", reals({}, {2.5}), DType::i64, longs({}, {2})));
  cases.push_back(cast_case("of an empty tensor", reals({0, 2}, {}), DType::i64, longs({0, 2}, {})));
  cases.push_back(cast_case("keeps NaN and infinity", reals({2}, {kNan, -kInfinity}), DType::f64,
                            reals({2}, {kNan, -kInfinity}, DType::f64)));
  cases.push_back(cast_case("of NaN to bool is true", reals({1}, {kNan}), DType::boolean, flags({1}, {1})));
}

}  // namespace

Cases shape_cases() {
  Cases cases;
  add_reshapes(cases);
  add_transposes(cases);
  add_concats(cases);
  add_casts(cases);
  cases.push_back(unary_case("Identity", "on a matrix", reals({2, 3}, kSix), reals({2, 3}, kSix)));
  cases.push_back(unary_case("Identity", "on a scalar", reals({}, {kNan}), reals({}, {kNan})));
  cases.push_back(unary_case("Identity", "on an empty tensor", reals({0}, {}), reals({0}, {})));
  return cases;
}

}  // namespace asg::conformance
