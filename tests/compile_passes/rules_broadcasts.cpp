// The rules of choices, and of operands that are repeated for nothing.
#include <vector>

#include "asg/ops/ops.h"
#include "compile_passes/rules.h"

namespace asg::test {

std::vector<RuleRow> broadcast_rows() {
  return {
      {"where_always",
       [](Graph& g, const Tensor& x) {
         return op("Where", {g.constant(Array::scalar(DType::boolean, 0)), op("Exp", {x}), x});
       },
       R"(%2 = Constant() bool[] false
%3 = Exp(%1)
%4 = Where(%2, %3, %1)
y = %4
)",
       R"(y = %1
)"},
      {"where_always_of_a_smaller_shape",
       [](Graph& g, const Tensor& x) {
         return op("Where", {g.constant(Array::scalar(DType::boolean, 1)), number(g, 5), x});
       },
       R"(%2 = Constant() bool[] true
%3 = Constant() f32[] 5
%4 = Where(%2, %3, %1)
y = %4
)",
       R"(%3 = Constant() f32[] 5
%5 = Constant() i64[2] [2, 3]
%4 = Expand(%3, %5)
y = %4
)"},
      {"where_no_choice", [](Graph&, const Tensor& x) { return op("Where", {x < 0.0, x, x}); },
       R"(%2 = Constant() f32[] 0
%3 = Less(%1, %2)
%4 = Where(%3, %1, %1)
y = %4
)",
       R"(y = %1
)"},
      {"where_not", [](Graph& g, const Tensor& x) { return op("Where", {op("Not", {x < 0.0}), x, number(g, 5)}); },
       R"(%2 = Constant() f32[] 0
%3 = Less(%1, %2)
%4 = Not(%3)
%5 = Constant() f32[] 5
%6 = Where(%4, %1, %5)
y = %6
)",
       R"(%2 = Constant() f32[] 0
%3 = Less(%1, %2)
%5 = Constant() f32[] 5
%6 = Where(%3, %5, %1)
y = %6
)"},
      {"scalar_operand_of_an_expansion", [](Graph& g, const Tensor& x) { return x * spread(g, 0.3); },
       R"(%2 = Constant() f32[] 0.3
%3 = Constant() i64[2] [2, 3]
%4 = Expand(%2, %3)
%5 = Mul(%1, %4)
y = %5
)",
       R"(%6 = Constant() f32[] 0.3
%5 = Mul(%1, %6)
y = %5
)"},
      {"scalar_operand_of_a_filled_tensor",
       [](Graph& g, const Tensor& x) {
         return x * op("ConstantOfShape", {ints(g, {2, 3})}, {{"value", Array::of<float>({1}, {7})}});
       },
       R"(%2 = Constant() i64[2] [2, 3]
%3 = ConstantOfShape(%2) f32[1] [7]
%4 = Mul(%1, %3)
y = %4
)",
       R"(%5 = Constant() f32[] 7
%4 = Mul(%1, %5)
y = %4
)"},
      {"scalar_operand_of_a_constant",
       [](Graph& g, const Tensor& x) { return x * g.constant(Array::of<float>({2, 3}, {4, 4, 4, 4, 4, 4})); },
       R"(%2 = Constant() f32[2, 3] [[4, 4, 4],
 [4, 4, 4]]
%3 = Mul(%1, %2)
y = %3
)",
       R"(%4 = Constant() f32[] 4
%3 = Mul(%1, %4)
y = %3
)"},
      {"scalar_operand_of_unlike_numbers_stays",
       [](Graph& g, const Tensor& x) { return x * g.constant(Array::of<float>({3}, {4, 4, 5})); },
       R"(%2 = Constant() f32[3] [4, 4, 5]
%3 = Mul(%1, %2)
y = %3
)",
       R"(%2 = Constant() f32[3] [4, 4, 5]
%3 = Mul(%1, %2)
y = %3
)"},
      {"expand_last_of_numbers", [](Graph& g, const Tensor&) { return op("Mul", {number(g, 2), spread(g, 3)}); },
       R"(%2 = Constant() f32[] 2
%3 = Constant() f32[] 3
%4 = Constant() i64[2] [2, 3]
%5 = Expand(%3, %4)
%6 = Mul(%2, %5)
y = %6
)",
       R"(%2 = Constant() f32[] 2
%3 = Constant() f32[] 3
%7 = Mul(%2, %3)
%8 = Constant() i64[2] [2, 3]
%6 = Expand(%7, %8)
y = %6
)"},
      {"needless_expand",
       [](Graph& g, const Tensor& x) { return x * op("Expand", {g.input("v", {DType::f32, {3}}), ints(g, {2, 3})}); },
       R"(%3 = Constant() i64[2] [2, 3]
%4 = Expand(%2, %3)
%5 = Mul(%1, %4)
y = %5
)",
       R"(%5 = Mul(%1, %2)
y = %5
)"},
      {"needless_expand_of_both",
       [](Graph& g, const Tensor&) {
         return op("Mul", {op("Expand", {g.input("a", {DType::f32, {2, 1}}), ints(g, {2, 3})}),
                           op("Expand", {g.input("b", {DType::f32, {3}}), ints(g, {2, 3})})});
       },
       R"(%3 = Constant() i64[2] [2, 3]
%4 = Expand(%2, %3)
%6 = Constant() i64[2] [2, 3]
%7 = Expand(%5, %6)
%8 = Mul(%4, %7)
y = %8
)",
       R"(%8 = Mul(%2, %5)
y = %8
)"},
      {"expand_last",
       [](Graph& g, const Tensor&) {
         return op("Exp", {op("Expand", {g.input("v", {DType::f32, {3}}), ints(g, {2, 3})})});
       },
       R"(%3 = Constant() i64[2] [2, 3]
%4 = Expand(%2, %3)
%5 = Exp(%4)
y = %5
)",
       R"(%6 = Exp(%2)
%7 = Constant() i64[2] [2, 3]
%5 = Expand(%6, %7)
y = %5
)"},
      {"expand_last_of_two",
       [](Graph& g, const Tensor&) {
         return op("Mul", {op("Expand", {g.input("v", {DType::f32, {3}}), ints(g, {2, 3})}), number(g, 5)});
       },
       R"(%3 = Constant() i64[2] [2, 3]
%4 = Expand(%2, %3)
%5 = Constant() f32[] 5
%6 = Mul(%4, %5)
y = %6
)",
       R"(%5 = Constant() f32[] 5
%7 = Mul(%2, %5)
%8 = Constant() i64[2] [2, 3]
%6 = Expand(%7, %8)
y = %6
)"},
      {"gradient_of_a_sum",
       [](Graph& g, const Tensor& x) {
         return op("Expand", {op("Unsqueeze", {number(g, 1), ints(g, {0, 1})}), ints(g, {2, 3})}) * x;
       },
       R"(%2 = Constant() f32[] 1
%3 = Constant() i64[2] [0, 1]
%4 = Unsqueeze(%2, %3)
%5 = Constant() i64[2] [2, 3]
%6 = Expand(%4, %5)
%7 = Mul(%6, %1)
y = %7
)",
       R"(y = %1
)"},
  };
}

}  // namespace asg::test
