#include "backend/conformance/suite.h"

namespace asg::conformance {
namespace {

// The four ops of NumPy broadcasting on the same operands: the expected values differ only.
struct Four {
  std::string name;
  Array a;
  Array b;
  Sizes sizes;
  std::vector<double> sum, difference, product, quotient;
};

std::vector<Four> fours() {
  return {
      {"on equal shapes",
       reals({2, 2}, {1, 2, 3, 4}),
       reals({2, 2}, {2, 4, 8, 16}),
       {2, 2},
       {3, 6, 11, 20},
       {-1, -2, -5, -12},
       {2, 8, 24, 64},
       {0.5, 0.5, 0.375, 0.25}},
      {"broadcasts a row",
       reals({2, 3}, {1, 2, 3, 4, 5, 6}),
       reals({3}, {1, 2, 4}),
       {2, 3},
       {2, 4, 7, 5, 7, 10},
       {0, 0, -1, 3, 3, 2},
       {1, 4, 12, 4, 10, 24},
       {1, 1, 0.75, 4, 2.5, 1.5}},
      {"broadcasts a column and a row",
       reals({2, 1}, {8, 4}),
       reals({1, 3}, {1, 2, 4}),
       {2, 3},
       {9, 10, 12, 5, 6, 8},
       {7, 6, 4, 3, 2, 0},
       {8, 16, 32, 4, 8, 16},
       {8, 4, 2, 4, 2, 1}},
      {"broadcasts another rank",
       reals({2}, {1, 2}),
       reals({2, 1, 2}, {1, 2, 4, 8}),
       {2, 1, 2},
       {2, 4, 5, 10},
       {0, 0, -3, -6},
       {1, 4, 4, 16},
       {1, 1, 0.25, 0.25}},
      {"broadcasts a scalar",
       reals({}, {2}),
       reals({3}, {1, 2, 4}),
       {3},
       {3, 4, 6},
       {1, 0, -2},
       {2, 4, 8},
       {2, 1, 0.5}},
      {"on scalars", reals({}, {6}), reals({}, {4}), {}, {10}, {2}, {24}, {1.5}},
      {"on empty tensors", reals({0, 3}, {}), reals({3}, {1, 2, 3}), {0, 3}, {}, {}, {}, {}},
      {"with NaN and infinity",
       reals({4}, {kNan, kInfinity, kInfinity, -kInfinity}),
       reals({4}, {1, 1, kInfinity, 2}),
       {4},
       {kNan, kInfinity, kInfinity, -kInfinity},
       {kNan, kInfinity, kNan, -kInfinity},
       {kNan, kInfinity, kInfinity, -kInfinity},
       {kNan, kInfinity, kNan, -kInfinity}},
  };
}

}  // namespace

Cases arithmetic_cases() {
  Cases cases;
  for (const Four& four : fours()) {
    cases.push_back(binary_case("Add", four.name, four.a, four.b, reals(four.sizes, four.sum)));
    cases.push_back(binary_case("Sub", four.name, four.a, four.b, reals(four.sizes, four.difference)));
    cases.push_back(binary_case("Mul", four.name, four.a, four.b, reals(four.sizes, four.product)));
    cases.push_back(binary_case("Div", four.name, four.a, four.b, reals(four.sizes, four.quotient)));
  }
  cases.push_back(
      binary_case("Div", "by zero", reals({3}, {1, -1, 0}), reals({}, {0}), reals({3}, {kInfinity, -kInfinity, kNan})));
  cases.push_back(unary_case("Neg", "on a vector", reals({3}, {1, -2, 0.5}), reals({3}, {-1, 2, -0.5})));
  cases.push_back(unary_case("Neg", "on a scalar", reals({}, {3}), reals({}, {-3})));
  cases.push_back(unary_case("Neg", "on an empty tensor", reals({2, 0}, {}), reals({2, 0}, {})));
  cases.push_back(
      unary_case("Neg", "with NaN and infinity", reals({2}, {kNan, kInfinity}), reals({2}, {kNan, -kInfinity})));
  cases.push_back(unary_case("Abs", "on a matrix", reals({2, 2}, {1, -2, -0.5, 0}), reals({2, 2}, {1, 2, 0.5, 0})));
  cases.push_back(unary_case("Abs", "on a scalar", reals({}, {-3}), reals({}, {3})));
  cases.push_back(unary_case("Abs", "on an empty tensor", reals({0}, {}), reals({0}, {})));
  cases.push_back(
      unary_case("Abs", "with NaN and infinity", reals({2}, {kNan, -kInfinity}), reals({2}, {kNan, kInfinity})));
  return cases;
}

Cases maths_cases() {
  constexpr double kClose = 1e-5;
  return {
      unary_case("Sqrt", "on a matrix", reals({2, 2}, {1, 4, 2, 0}), reals({2, 2}, {1, 2, 1.41421356, 0}), kClose),
      unary_case("Sqrt", "on a scalar", reals({}, {9}), reals({}, {3}), kClose),
      unary_case("Sqrt", "on an empty tensor", reals({0}, {}), reals({0}, {})),
      unary_case("Sqrt", "of negative numbers, NaN and infinity", reals({3}, {-1, kNan, kInfinity}),
                 reals({3}, {kNan, kNan, kInfinity})),
      unary_case("Exp", "on a vector", reals({3}, {0, 1, -2}), reals({3}, {1, 2.71828183, 0.135335283}), kClose),
      unary_case("Exp", "on a scalar", reals({}, {0}), reals({}, {1}), kClose),
      unary_case("Exp", "on an empty tensor", reals({3, 0}, {}), reals({3, 0}, {})),
      unary_case("Exp", "beyond all numbers, and of NaN", reals({4}, {1000, -1000, -kInfinity, kNan}),
                 reals({4}, {kInfinity, 0, 0, kNan})),
      unary_case("Log", "on a vector", reals({3}, {1, 2.71828183, 10}), reals({3}, {0, 1, 2.30258509}), kClose),
      unary_case("Log", "on a scalar", reals({}, {1}), reals({}, {0})),
      unary_case("Log", "on an empty tensor", reals({0}, {}), reals({0}, {})),
      unary_case("Log", "of zero, negative numbers, NaN and infinity", reals({4}, {0, -1, kNan, kInfinity}),
                 reals({4}, {-kInfinity, kNan, kNan, kInfinity})),
      binary_case("Pow", "on equal shapes", reals({3}, {2, 3, 4}), reals({3}, {3, 2, 0.5}), reals({3}, {8, 9, 2}),
                  kClose),
      binary_case("Pow", "broadcasts", reals({2, 1}, {2, 3}), reals({3}, {0, 1, 2}), reals({2, 3}, {1, 2, 4, 1, 3, 9}),
                  kClose),
      binary_case("Pow", "on scalars", reals({}, {2}), reals({}, {-1}), reals({}, {0.5}), kClose),
      binary_case("Pow", "on an empty tensor", reals({0}, {}), reals({}, {2}), reals({0}, {})),
      binary_case("Pow", "with NaN and infinity", reals({4}, {-8, kNan, kInfinity, 0}), reals({4}, {0.5, 0, -1, -1}),
                  reals({4}, {kNan, 1, 0, kInfinity})),
  };
}

}  // namespace asg::conformance
