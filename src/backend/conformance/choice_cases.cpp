#include "backend/conformance/suite.h"

namespace asg::conformance {
namespace {

struct Three {
  std::string name;
  Array a;
  Array b;
  Sizes sizes;
  std::vector<int> equal, greater, less;
};

std::vector<Three> threes() {
  return {
      {"on equal shapes", reals({3}, {1, 2, 3}), reals({3}, {1, 3, 2}), {3}, {1, 0, 0}, {0, 0, 1}, {0, 1, 0}},
      {"broadcasts", reals({2, 1}, {1, 2}), reals({2}, {1, 2}), {2, 2}, {1, 0, 0, 1}, {0, 0, 1, 0}, {0, 1, 0, 0}},
      {"on scalars", reals({}, {1}), reals({}, {2}), {}, {0}, {0}, {1}},
      {"on empty tensors", reals({0}, {}), reals({1}, {1}), {0}, {}, {}, {}},
      {"with NaN and infinity",
       reals({3}, {kNan, kInfinity, kInfinity}),
       reals({3}, {kNan, kInfinity, 1}),
       {3},
       {0, 1, 0},
       {0, 0, 1},
       {0, 0, 0}},
      {"on integers", longs({2}, {5, -5}), longs({}, {5}), {2}, {1, 0}, {0, 0}, {0, 1}},
  };
}

void add_wheres(Cases& cases) {
  const Array yes_no = flags({2}, {1, 0});
  cases.push_back(where_case("on equal shapes", yes_no, reals({2}, {1, 2}), reals({2}, {3, 4}), reals({2}, {1, 4})));
  cases.push_back(where_case("broadcasts the condition", yes_no, reals({2, 2}, {1, 2, 3, 4}), reals({}, {0}),
                             reals({2, 2}, {1, 0, 3, 0})));
  cases.push_back(where_case("broadcasts all three", flags({2, 1}, {1, 0}), reals({2}, {1, 2}), reals({}, {9}),
                             reals({2, 2}, {1, 2, 9, 9})));
  cases.push_back(where_case("on scalars", flags({}, {0}), reals({}, {1}), reals({}, {2}), reals({}, {2})));
  cases.push_back(where_case("on empty tensors", flags({0}, {}), reals({0}, {}), reals({1}, {1}), reals({0}, {})));
  cases.push_back(where_case("lets what is not chosen do no harm", yes_no, reals({2}, {1, kNan}),
                             reals({2}, {kInfinity, 2}), reals({2}, {1, 2})));
  cases.push_back(where_case("on integers", yes_no, longs({2}, {1, 2}), longs({2}, {3, 4}), longs({2}, {1, 4})));
}

}  // namespace

Cases choice_cases() {
  Cases cases;
  for (const Three& three : threes()) {
    cases.push_back(binary_case("Equal", three.name, three.a, three.b, flags(three.sizes, three.equal)));
    cases.push_back(binary_case("Greater", three.name, three.a, three.b, flags(three.sizes, three.greater)));
    cases.push_back(binary_case("Less", three.name, three.a, three.b, flags(three.sizes, three.less)));
  }
  add_wheres(cases);
  cases.push_back(constant_case("of a matrix", reals({2, 2}, {1, 2, 3, kNan})));
  cases.push_back(constant_case("of a scalar", reals({}, {-kInfinity})));
  cases.push_back(constant_case("of integers", longs({3}, {1, -1, 0})));
  cases.push_back(constant_case("of bools", flags({2}, {1, 0})));
  cases.push_back(constant_case("of nothing", reals({0, 3}, {})));
  return cases;
}

}  // namespace asg::conformance
