// Mistakes that others made with softmax, GELU, variance and broadcasting, each under its name: numbers worked out by
// hand.
#include "asg/ops/ops.h"
#include "grad/mistakes.h"

namespace asg::test {
namespace {

std::vector<Mistake> rows() {
  const Array logits = reals({2, 3}, {1, 2, 3, 0, 0, 0});
  const Array counted = reals({2, 3}, {1, 2, 3, 4, 5, 6});
  const Array four = reals({4}, {1, -1, 0.5, -3});
  const Array four_weights = reals({4}, {1, 2, 3, 4});
  const Array spread = reals({2, 3}, {1, 2, 6, 0, 0, 3});  // means 3 and 1
  const Array column = reals({2, 1}, {1, 2});
  const Array row = reals({1, 3}, {10, 100, 1000});
  return {
      // The sum in y·(g − Σ g·y) runs along one row, or one column, and never over several.
      {"SoftmaxGradientSummedOverAllRows",
       "Softmax",
       {logits},
       {},
       counted,
       0,
       reals({2, 3}, {-0.1418170936098121, -0.14077035746962996, 0.28258745107944266, -1 / 3., 0, 1 / 3.})},
      {"SoftmaxGradientSummedOverAllColumns",
       "Softmax",
       {logits},
       {{"axis", 0}},
       counted,
       0,
       reals({2, 3}, {-0.5898357997244455, -0.3149807562105195, -0.13552997919273655, 0.5898357997244455,
                      0.3149807562105195, 0.13552997919273655})},
      {"LogSoftmaxGradientSummedOverAllRows",
       "LogSoftmax",
       {logits},
       {},
       counted,
       0,
       reals({2, 3}, {0.4598165609777174, 0.5316291736712142, -0.9914457346489307, -1, 0, 1})},
      // Each form has its own derivative; they differ in the fourth digit.
      {"GeluDerivativeThatBelongsToNeitherForm",
       "Gelu",
       {four},
       {},
       four_weights,
       0,
       reals({4}, {1.0833154705876864, -0.1666309411753727, 2.602485373968489, -0.04778258881673568})},
      {"TanhGeluDerivativeThatBelongsToNeitherForm",
       "Gelu",
       {four},
       {{"approximate", "tanh"}},
       four_weights,
       0,
       reals({4}, {1.0829640838457826, -0.16592816769156504, 2.6021097106039273, -0.04633666652387859})},
      // 2 (x − mean) / n, and / (n − 1) for the estimate.
      {"VarianceWithZeroGradient",
       "ReduceVariance",
       {spread, Array::ints({1})},
       {{"keepdims", false}},
       reals({2}, {3, 30}),
       0,
       reals({2, 3}, {-4, -2, 6, -20, -20, 40})},
      {"CorrectedVarianceWithZeroGradient",
       "ReduceVariance",
       {spread, Array::ints({1})},
       {{"keepdims", false}, {"correction", 1}},
       reals({2}, {3, 30}),
       0,
       reals({2, 3}, {-6, -3, 9, -30, -30, 60})},
      // What was spread over rows or columns is summed over them, and not over everything.
      {"BroadcastColumnWhoseGradientIsSummedToOneElement",
       "Mul",
       {column, row},
       {},
       counted,
       0,
       reals({2, 1}, {3210, 6540})},
      {"BroadcastRowWhoseGradientIsSummedToOneElement",
       "Mul",
       {column, row},
       {},
       counted,
       1,
       reals({1, 3}, {9, 12, 15})},
  };
}

INSTANTIATE_TEST_SUITE_P(Ops, Mistakes, testing::ValuesIn(rows()), name_of_mistake);

}  // namespace
}  // namespace asg::test
