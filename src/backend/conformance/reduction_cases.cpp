#include "backend/conformance/suite.h"

namespace asg::conformance {
namespace {

// One reduction of one tensor by the four ops.
struct FourReductions {
  std::string name;
  Array x;
  Integers axes;
  bool keepdims;
  Sizes sizes;
  std::vector<double> sum, mean, largest, smallest;
};

std::vector<FourReductions> reductions_of_four_kinds() {
  const Array matrix = reals({2, 3}, {1, 5, 3, 8, -2, 6});
  const Array cube = reals({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  return {
      {"over the last axis", matrix, {1}, false, {2}, {9, 12}, {3, 4}, {5, 8}, {1, -2}},
      {"over the first axis", matrix, {0}, false, {3}, {9, 3, 9}, {4.5, 1.5, 4.5}, {8, 5, 6}, {1, -2, 3}},
      {"over a negative axis", matrix, {-2}, false, {3}, {9, 3, 9}, {4.5, 1.5, 4.5}, {8, 5, 6}, {1, -2, 3}},
      {"keeps the axis", matrix, {1}, true, {2, 1}, {9, 12}, {3, 4}, {5, 8}, {1, -2}},
      {"without axes takes all", matrix, {}, false, {}, {21}, {3.5}, {8}, {-2}},
      {"without axes keeps all", matrix, {}, true, {1, 1}, {21}, {3.5}, {8}, {-2}},
      {"over two axes", cube, {0, 2}, false, {2}, {14, 22}, {3.5, 5.5}, {6, 8}, {1, 3}},
      {"over a middle axis", cube, {1}, true, {2, 1, 2}, {4, 6, 12, 14}, {2, 3, 6, 7}, {3, 4, 7, 8}, {1, 2, 5, 6}},
      {"on a scalar", reals({}, {7}), {}, true, {}, {7}, {7}, {7}, {7}},
      {"leaves no elements", reals({0, 2}, {}), {1}, false, {0}, {}, {}, {}, {}},
      {"spreads NaN", reals({2, 2}, {1, kNan, 2, 3}), {1}, false, {2}, {kNan, 5}, {kNan, 2.5}, {kNan, 3}, {kNan, 2}},
      {"spreads NaN that comes first", reals({2}, {kNan, 1}), {0}, false, {}, {kNan}, {kNan}, {kNan}, {kNan}},
      {"of infinities", reals({2}, {kInfinity, 1}), {0}, false, {}, {kInfinity}, {kInfinity}, {kInfinity}, {1}},
  };
}

}  // namespace

Cases reduction_cases() {
  Cases cases;
  for (const FourReductions& four : reductions_of_four_kinds()) {
    auto add = [&](const char* op, const std::vector<double>& expected) {
      cases.push_back(reduction_case(op, four.name, four.x, four.axes, four.keepdims, reals(four.sizes, expected)));
    };
    add("ReduceSum", four.sum);
    add("ReduceMean", four.mean);
    add("ReduceMax", four.largest);
    add("ReduceMin", four.smallest);
  }
  cases.push_back(reduction_case("ReduceSum", "of nothing is zero", reals({2, 0}, {}), {1}, false, reals({2}, {0, 0})));
  return cases;
}

}  // namespace asg::conformance
