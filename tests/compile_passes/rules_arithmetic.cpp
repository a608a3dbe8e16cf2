// The rules of arithmetic and logic.
#include <vector>

#include "asg/ops/ops.h"
#include "compile_passes/rules.h"

namespace asg::test {

std::vector<RuleRow> arithmetic_rows() {
  return {
      {"add_zero_minus", [](Graph& g, const Tensor& x) { return x + number(g, -0.0); },
       R"(%2 = Constant() f32[] -0
%3 = Add(%1, %2)
y = %3
)",
       R"(y = %1
)"},
      {"add_zero_on_the_left", [](Graph& g, const Tensor& x) { return number(g, -0.0) + x; },
       R"(%2 = Constant() f32[] -0
%3 = Add(%2, %1)
y = %3
)",
       R"(y = %1
)"},
      {"add_zero_to_what_is_not_negative",
       [](Graph& g, const Tensor& x) { return op("Add", {op("Exp", {x}), number(g, 0)}); },
       R"(%2 = Exp(%1)
%3 = Constant() f32[] 0
%4 = Add(%2, %3)
y = %4
)",
       R"(%2 = Exp(%1)
y = %2
)"},
      {"add_zero_keeps_minus_zero", [](Graph& g, const Tensor& x) { return x + number(g, 0); },
       R"(%2 = Constant() f32[] 0
%3 = Add(%1, %2)
y = %3
)",
       R"(%2 = Constant() f32[] 0
%3 = Add(%1, %2)
y = %3
)"},
      {"add_zero_to_integers",
       [](Graph& g, const Tensor& x) {
         return op("Add", {op("Cast", {x}, {{"to", DType::i32}}), g.scalar(DType::i32, 0)});
       },
       R"(%2 = Cast(%1) to=i32
%3 = Constant() i32[] 0
%4 = Add(%2, %3)
y = %4
)",
       R"(%2 = Cast(%1) to=i32
y = %2
)"},
      {"add_zero_repeated", [](Graph& g, const Tensor& x) { return x + spread(g, -0.0); },
       R"(%2 = Constant() f32[] -0
%3 = Constant() i64[2] [2, 3]
%4 = Expand(%2, %3)
%5 = Add(%1, %4)
y = %5
)",
       R"(y = %1
)"},
      {"add_zeros_of_a_larger_shape",
       [](Graph& g, const Tensor&) { return op("Add", {g.input("v", {DType::f32, {3}}), spread(g, -0.0)}); },
       R"(%3 = Constant() f32[] -0
%4 = Constant() i64[2] [2, 3]
%5 = Expand(%3, %4)
%6 = Add(%2, %5)
y = %6
)",
       R"(%7 = Constant() i64[2] [2, 3]
%6 = Expand(%2, %7)
y = %6
)"},
      {"subtract_zero", [](Graph& g, const Tensor& x) { return x - number(g, 0); },
       R"(%2 = Constant() f32[] 0
%3 = Sub(%1, %2)
y = %3
)",
       R"(y = %1
)"},
      {"subtract_minus_zero_stays", [](Graph& g, const Tensor& x) { return x - number(g, -0.0); },
       R"(%2 = Constant() f32[] -0
%3 = Sub(%1, %2)
y = %3
)",
       R"(%2 = Constant() f32[] -0
%3 = Sub(%1, %2)
y = %3
)"},
      {"subtract_from_zero_stays", [](Graph& g, const Tensor& x) { return number(g, 0) - x; },
       R"(%2 = Constant() f32[] 0
%3 = Sub(%2, %1)
y = %3
)",
       R"(%2 = Constant() f32[] 0
%3 = Sub(%2, %1)
y = %3
)"},
      {"subtract_itself_stays", [](Graph&, const Tensor& x) { return x - x; },
       R"(%2 = Sub(%1, %1)
y = %2
)",
       R"(%2 = Sub(%1, %1)
y = %2
)"},
      {"multiply_by_one", [](Graph& g, const Tensor& x) { return number(g, 1) * x; },
       R"(%2 = Constant() f32[] 1
%3 = Mul(%2, %1)
y = %3
)",
       R"(y = %1
)"},
      {"multiply_by_minus_one", [](Graph& g, const Tensor& x) { return x * number(g, -1); },
       R"(%2 = Constant() f32[] -1
%3 = Mul(%1, %2)
y = %3
)",
       R"(%3 = Neg(%1)
y = %3
)"},
      {"multiply_by_zero_stays", [](Graph& g, const Tensor& x) { return x * number(g, 0); },
       R"(%2 = Constant() f32[] 0
%3 = Mul(%1, %2)
y = %3
)",
       R"(%2 = Constant() f32[] 0
%3 = Mul(%1, %2)
y = %3
)"},
      {"divide_by_one", [](Graph& g, const Tensor& x) { return x / number(g, 1); },
       R"(%2 = Constant() f32[] 1
%3 = Div(%1, %2)
y = %3
)",
       R"(y = %1
)"},
      {"divide_by_power_of_two", [](Graph& g, const Tensor& x) { return x / number(g, -8); },
       R"(%2 = Constant() f32[] -8
%3 = Div(%1, %2)
y = %3
)",
       R"(%4 = Constant() f32[] -0.125
%3 = Mul(%1, %4)
y = %3
)"},
      {"divide_by_three_stays", [](Graph& g, const Tensor& x) { return x / number(g, 3); },
       R"(%2 = Constant() f32[] 3
%3 = Div(%1, %2)
y = %3
)",
       R"(%2 = Constant() f32[] 3
%3 = Div(%1, %2)
y = %3
)"},
      {"divide_by_tiny_power_stays", [](Graph& g, const Tensor& x) { return x / number(g, 1e-38); },
       R"(%2 = Constant() f32[] 1e-38
%3 = Div(%1, %2)
y = %3
)",
       R"(%2 = Constant() f32[] 1e-38
%3 = Div(%1, %2)
y = %3
)"},
      {"power_one", [](Graph& g, const Tensor& x) { return op("Pow", {x, number(g, 1)}); },
       R"(%2 = Constant() f32[] 1
%3 = Pow(%1, %2)
y = %3
)",
       R"(y = %1
)"},
      {"power_two", [](Graph& g, const Tensor& x) { return op("Pow", {x, number(g, 2)}); },
       R"(%2 = Constant() f32[] 2
%3 = Pow(%1, %2)
y = %3
)",
       R"(%3 = Mul(%1, %1)
y = %3
)"},
      {"power_two_of_integers_as_floats_stays",
       [](Graph& g, const Tensor& x) { return op("Pow", {op("Cast", {x}, {{"to", DType::i32}}), number(g, 2)}); },
       R"(%2 = Cast(%1) to=i32
%3 = Constant() f32[] 2
%4 = Pow(%2, %3)
y = %4
)",
       R"(%2 = Cast(%1) to=i32
%3 = Constant() f32[] 2
%4 = Pow(%2, %3)
y = %4
)"},
      {"power_minus_one", [](Graph& g, const Tensor& x) { return op("Pow", {x, number(g, -1)}); },
       R"(%2 = Constant() f32[] -1
%3 = Pow(%1, %2)
y = %3
)",
       R"(%3 = Reciprocal(%1)
y = %3
)"},
      {"power_half_of_a_square", [](Graph& g, const Tensor& x) { return op("Pow", {x * x, number(g, 0.5)}); },
       R"(%2 = Mul(%1, %1)
%3 = Constant() f32[] 0.5
%4 = Pow(%2, %3)
y = %4
)",
       R"(%2 = Mul(%1, %1)
%4 = Sqrt(%2)
y = %4
)"},
      {"power_half_stays", [](Graph& g, const Tensor& x) { return op("Pow", {x, number(g, 0.5)}); },
       R"(%2 = Constant() f32[] 0.5
%3 = Pow(%1, %2)
y = %3
)",
       R"(%2 = Constant() f32[] 0.5
%3 = Pow(%1, %2)
y = %3
)"},
      {"twice_negative", [](Graph&, const Tensor& x) { return -(-x); },
       R"(%2 = Neg(%1)
%3 = Neg(%2)
y = %3
)",
       R"(y = %1
)"},
      {"twice_not", [](Graph&, const Tensor& x) { return op("Not", {op("Not", {x < 0.0})}); },
       R"(%2 = Constant() f32[] 0
%3 = Less(%1, %2)
%4 = Not(%3)
%5 = Not(%4)
y = %5
)",
       R"(%2 = Constant() f32[] 0
%3 = Less(%1, %2)
y = %3
)"},
      {"once_is_enough", [](Graph&, const Tensor& x) { return op("Relu", {op("Relu", {x})}); },
       R"(%2 = Relu(%1)
%3 = Relu(%2)
y = %3
)",
       R"(%2 = Relu(%1)
y = %2
)"},
      {"absolute_of_negative", [](Graph&, const Tensor& x) { return op("Abs", {-x}); },
       R"(%2 = Neg(%1)
%3 = Abs(%2)
y = %3
)",
       R"(%3 = Abs(%1)
y = %3
)"},
      {"add_negative", [](Graph&, const Tensor& x) { return x + (-op("Exp", {x})); },
       R"(%2 = Exp(%1)
%3 = Neg(%2)
%4 = Add(%1, %3)
y = %4
)",
       R"(%2 = Exp(%1)
%4 = Sub(%1, %2)
y = %4
)"},
      {"add_negative_on_the_left", [](Graph&, const Tensor& x) { return -op("Exp", {x}) + x; },
       R"(%2 = Exp(%1)
%3 = Neg(%2)
%4 = Add(%3, %1)
y = %4
)",
       R"(%2 = Exp(%1)
%4 = Sub(%1, %2)
y = %4
)"},
      {"subtract_negative", [](Graph&, const Tensor& x) { return x - (-op("Exp", {x})); },
       R"(%2 = Exp(%1)
%3 = Neg(%2)
%4 = Sub(%1, %3)
y = %4
)",
       R"(%2 = Exp(%1)
%4 = Add(%1, %2)
y = %4
)"},
      {"of_one_input", [](Graph&, const Tensor& x) { return op("Sum", {x}); },
       R"(%2 = Sum(%1)
y = %2
)",
       R"(y = %1
)"},
      {"clip_without_bounds", [](Graph&, const Tensor& x) { return op("Clip", {x}); },
       R"(%2 = Clip(%1)
y = %2
)",
       R"(y = %1
)"},
      {"and_true",
       [](Graph& g, const Tensor& x) { return op("And", {x < 0.0, g.constant(Array::scalar(DType::boolean, 1))}); },
       R"(%2 = Constant() f32[] 0
%3 = Less(%1, %2)
%4 = Constant() bool[] true
%5 = And(%3, %4)
y = %5
)",
       R"(%2 = Constant() f32[] 0
%3 = Less(%1, %2)
y = %3
)"},
      {"or_false",
       [](Graph& g, const Tensor& x) { return op("Or", {g.constant(Array::scalar(DType::boolean, 0)), x < 0.0}); },
       R"(%2 = Constant() bool[] false
%3 = Constant() f32[] 0
%4 = Less(%1, %3)
%5 = Or(%2, %4)
y = %5
)",
       R"(%3 = Constant() f32[] 0
%4 = Less(%1, %3)
y = %4
)"},
  };
}

}  // namespace asg::test
