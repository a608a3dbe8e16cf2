#include "backend/conformance/suite.h"

namespace asg::conformance {
namespace {

constexpr std::int64_t kBegin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();

Array matrix() { return reals({3, 4}, {0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23}); }
Array line() { return reals({5}, {0, 1, 2, 3, 4}); }

void add_slices(Cases& cases) {
  cases.push_back(slice_case("of the first axes", matrix(), {{1, 0}, {3, 2}, {}, {}}, reals({2, 2}, {10, 11, 20, 21})));
  cases.push_back(slice_case("of a named axis", matrix(), {{1}, {3}, {1}, {}}, reals({3, 2}, {1, 2, 11, 12, 21, 22})));
  cases.push_back(slice_case("of a negative axis", matrix(), {{3}, {4}, {-1}, {}}, reals({3, 1}, {3, 13, 23})));
  cases.push_back(
      slice_case("of axes in another order", matrix(), {{1, 0}, {3, 1}, {1, 0}, {}}, reals({1, 2}, {1, 2})));
  cases.push_back(slice_case("with steps", line(), {{0}, {5}, {0}, {2}}, reals({3}, {0, 2, 4})));
  cases.push_back(slice_case("with negative steps", line(), {{3}, {0}, {0}, {-2}}, reals({2}, {3, 1})));
  cases.push_back(slice_case("reverses", line(), {{-1}, {kBegin}, {0}, {-1}}, reals({5}, {4, 3, 2, 1, 0})));
  cases.push_back(slice_case("from negative positions", line(), {{-3}, {-1}, {0}, {}}, reals({2}, {2, 3})));
  cases.push_back(slice_case("cuts at the ends", line(), {{-9}, {kEnd}, {0}, {}}, line()));
  cases.push_back(slice_case("of nothing", line(), {{3}, {3}, {0}, {}}, reals({0}, {})));
  cases.push_back(slice_case("of an empty tensor", reals({0, 2}, {}), {{0}, {1}, {1}, {}}, reals({0, 1}, {})));
}

void add_splits(Cases& cases) {
  cases.push_back(
      split_case("by sizes", line(), 0, {1, 3, 1}, 0, {reals({1}, {0}), reals({3}, {1, 2, 3}), reals({1}, {4})}));
  cases.push_back(split_case("into equal parts", matrix(), 1, {}, 2,
                             {reals({3, 2}, {0, 1, 10, 11, 20, 21}), reals({3, 2}, {2, 3, 12, 13, 22, 23})}));
  cases.push_back(
      split_case("into parts with a smaller last", line(), 0, {}, 2, {reals({3}, {0, 1, 2}), reals({2}, {3, 4})}));
  cases.push_back(split_case("on a negative axis", matrix(), -1, {1, 3}, 0,
                             {reals({3, 1}, {0, 10, 20}), reals({3, 3}, {1, 2, 3, 11, 12, 13, 21, 22, 23})}));
  cases.push_back(split_case("into one part", line(), 0, {}, 1, {line()}));
  cases.push_back(split_case("with an empty part", line(), 0, {0, 5}, 0, {reals({0}, {}), line()}));
}

void add_gathers(Cases& cases) {
  const Array index = longs({2}, {2, 0});
  cases.push_back(gather_case("of rows", matrix(), index, 0, reals({2, 4}, {20, 21, 22, 23, 0, 1, 2, 3})));
  cases.push_back(gather_case("of columns", matrix(), index, 1, reals({3, 2}, {2, 0, 12, 10, 22, 20})));
  cases.push_back(gather_case("on a negative axis", matrix(), index, -1, reals({3, 2}, {2, 0, 12, 10, 22, 20})));
  cases.push_back(gather_case("by a scalar", matrix(), longs({}, {1}), 0, reals({4}, {10, 11, 12, 13})));
  cases.push_back(
      gather_case("by a matrix of indices", line(), longs({2, 2}, {0, 1, 3, 4}), 0, reals({2, 2}, {0, 1, 3, 4})));
  cases.push_back(gather_case("by a matrix on the last axis", matrix(), longs({1, 2}, {3, 0}), 1,
                              reals({3, 1, 2}, {3, 0, 13, 10, 23, 20})));
  cases.push_back(gather_case("by negative indices", line(), longs({3}, {-1, -5, 2}), 0, reals({3}, {4, 0, 2})));
  cases.push_back(gather_case("of repeated indices", line(), longs({3}, {1, 1, 1}), 0, reals({3}, {1, 1, 1})));
  cases.push_back(gather_case("by no indices", line(), longs({0}, {}), 0, reals({0}, {})));
  cases.push_back(
      gather_case("by short integers", line(), Array::of<std::int32_t>({2}, {4, -2}), 0, reals({2}, {4, 3})));
}

}  // namespace

Cases slice_cases() {
  Cases cases;
  add_slices(cases);
  add_splits(cases);
  add_gathers(cases);
  return cases;
}

}  // namespace asg::conformance
