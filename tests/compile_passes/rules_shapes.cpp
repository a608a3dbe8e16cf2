// The rules of ops that move, copy or convert elements.
#include <vector>

#include "asg/ops/ops.h"
#include "compile_passes/rules.h"

namespace asg::test {

std::vector<RuleRow> shape_rows() {
  return {
      {"identity", [](Graph&, const Tensor& x) { return op("Identity", {x}); },
       R"(%2 = Identity(%1)
y = %2
)",
       R"(y = %1
)"},
      {"cast_to_the_same", [](Graph&, const Tensor& x) { return op("Cast", {x}, {{"to", DType::f32}}); },
       R"(%2 = Cast(%1) to=f32
y = %2
)",
       R"(y = %1
)"},
      {"cast_of_cast_back",
       [](Graph&, const Tensor& x) {
         return op("Cast", {op("Cast", {x}, {{"to", DType::f64}})}, {{"to", DType::f32}});
       },
       R"(%2 = Cast(%1) to=f64
%3 = Cast(%2) to=f32
y = %3
)",
       R"(y = %1
)"},
      {"cast_of_cast_on",
       [](Graph&, const Tensor& x) { return op("Cast", {op("Cast", {x}, {{"to", DType::f64}})}, {{"to", DType::i8}}); },
       R"(%2 = Cast(%1) to=f64
%3 = Cast(%2) to=i8
y = %3
)",
       R"(%3 = Cast(%1) to=i8
y = %3
)"},
      {"cast_of_inexact_cast_stays",
       [](Graph&, const Tensor& x) {
         return op("Cast", {op("Cast", {x}, {{"to", DType::bf16}})}, {{"to", DType::f32}});
       },
       R"(%2 = Cast(%1) to=bf16
%3 = Cast(%2) to=f32
y = %3
)",
       R"(%2 = Cast(%1) to=bf16
%3 = Cast(%2) to=f32
y = %3
)"},
      {"cast_of_integers_through_floats_stays",
       [](Graph& g, const Tensor&) {
         return op("Cast", {op("Cast", {g.input("n", {DType::i16, {2}})}, {{"to", DType::f32}})}, {{"to", DType::i8}});
       },
       R"(%3 = Cast(%2) to=f32
%4 = Cast(%3) to=i8
y = %4
)",
       R"(%3 = Cast(%2) to=f32
%4 = Cast(%3) to=i8
y = %4
)"},
      {"cast_like", [](Graph& g, const Tensor& x) { return op("CastLike", {x, g.input("n", {DType::f16, {2}})}); },
       R"(%3 = CastLike(%1, %2)
y = %3
)",
       R"(%3 = Cast(%1) to=f16
y = %3
)"},
      {"transpose_nothing",
       [](Graph&, const Tensor& x) { return op("Transpose", {x}, {{"perm", std::vector<std::int64_t>{0, 1}}}); },
       R"(%2 = Transpose(%1) perm=[0, 1]
y = %2
)",
       R"(y = %1
)"},
      {"transpose_of_transpose_back", [](Graph&, const Tensor& x) { return op("Transpose", {op("Transpose", {x})}); },
       R"(%2 = Transpose(%1)
%3 = Transpose(%2)
y = %3
)",
       R"(y = %1
)"},
      {"transpose_of_transpose",
       [](Graph& g, const Tensor&) {
         return op(
             "Transpose",
             {op("Transpose", {g.input("c", {DType::f32, {2, 3, 4}})}, {{"perm", std::vector<std::int64_t>{1, 0, 2}}})},
             {{"perm", std::vector<std::int64_t>{0, 2, 1}}});
       },
       R"(%3 = Transpose(%2) perm=[1, 0, 2]
%4 = Transpose(%3) perm=[0, 2, 1]
y = %4
)",
       R"(%4 = Transpose(%2) perm=[1, 2, 0]
y = %4
)"},
      {"reshape_to_the_same", [](Graph& g, const Tensor& x) { return op("Reshape", {x, ints(g, {2, -1})}); },
       R"(%2 = Constant() i64[2] [2, -1]
%3 = Reshape(%1, %2)
y = %3
)",
       R"(y = %1
)"},
      {"reshape_of_reshape",
       [](Graph& g, const Tensor& x) { return op("Reshape", {op("Reshape", {x, ints(g, {6})}), ints(g, {3, 2})}); },
       R"(%2 = Constant() i64[1] [6]
%3 = Reshape(%1, %2)
%4 = Constant() i64[2] [3, 2]
%5 = Reshape(%3, %4)
y = %5
)",
       R"(%6 = Constant() i64[2] [3, 2]
%5 = Reshape(%1, %6)
y = %5
)"},
      {"reshape_of_reshape_that_copies",
       [](Graph& g, const Tensor& x) {
         return op("Reshape", {op("Reshape", {x, ints(g, {3, 2})}), ints(g, {0, 1, -1})});
       },
       R"(%2 = Constant() i64[2] [3, 2]
%3 = Reshape(%1, %2)
%4 = Constant() i64[3] [0, 1, -1]
%5 = Reshape(%3, %4)
y = %5
)",
       R"(%6 = Constant() i64[3] [3, 1, 2]
%5 = Reshape(%1, %6)
y = %5
)"},
      {"reshape_of_reshape_of_nothing",
       [](Graph& g, const Tensor&) {
         return op("Reshape",
                   {op("Reshape", {g.input("e", {DType::f32, {0, 3}}), ints(g, {3, 0})}), ints(g, {0, 1, 0})});
       },
       R"(%3 = Constant() i64[2] [3, 0]
%4 = Reshape(%2, %3)
%5 = Constant() i64[3] [0, 1, 0]
%6 = Reshape(%4, %5)
y = %6
)",
       R"(%7 = Constant() i64[3] [0, 1, 0]
%6 = Reshape(%2, %7) allowzero=true
y = %6
)"},
      {"reshape_back",
       [](Graph& g, const Tensor& x) { return op("Squeeze", {op("Unsqueeze", {x, ints(g, {1})}), ints(g, {1})}); },
       R"(%2 = Constant() i64[1] [1]
%3 = Unsqueeze(%1, %2)
%4 = Constant() i64[1] [1]
%5 = Squeeze(%3, %4)
y = %5
)",
       R"(y = %1
)"},
      {"reshape_by_other_names",
       [](Graph& g, const Tensor& x) { return op("Flatten", {op("Unsqueeze", {x, ints(g, {0})})}); },
       R"(%2 = Constant() i64[1] [0]
%3 = Unsqueeze(%1, %2)
%4 = Flatten(%3)
y = %4
)",
       R"(%5 = Constant() i64[2] [1, 6]
%4 = Reshape(%1, %5)
y = %4
)"},
      {"expand_to_the_same", [](Graph& g, const Tensor& x) { return op("Expand", {x, ints(g, {2, 1})}); },
       R"(%2 = Constant() i64[2] [2, 1]
%3 = Expand(%1, %2)
y = %3
)",
       R"(y = %1
)"},
      {"expand_of_expand",
       [](Graph& g, const Tensor& x) {
         return op("Expand", {op("Expand", {x, ints(g, {4, 2, 3})}), ints(g, {5, 4, 2, 3})});
       },
       R"(%2 = Constant() i64[3] [4, 2, 3]
%3 = Expand(%1, %2)
%4 = Constant() i64[4] [5, 4, 2, 3]
%5 = Expand(%3, %4)
y = %5
)",
       R"(%6 = Constant() i64[4] [5, 4, 2, 3]
%5 = Expand(%1, %6)
y = %5
)"},
      {"tile_once", [](Graph& g, const Tensor& x) { return op("Tile", {x, ints(g, {1, 1})}); },
       R"(%2 = Constant() i64[2] [1, 1]
%3 = Tile(%1, %2)
y = %3
)",
       R"(y = %1
)"},
      {"pad_nothing", [](Graph& g, const Tensor& x) { return op("Pad", {x, ints(g, {0, 0, 0, 0})}); },
       R"(%2 = Constant() i64[4] [0, 0, 0, 0]
%3 = Pad(%1, %2)
y = %3
)",
       R"(y = %1
)"},
      {"pad_that_shifts_stays", [](Graph& g, const Tensor& x) { return op("Pad", {x, ints(g, {1, 0, -1, 0})}); },
       R"(%2 = Constant() i64[4] [1, 0, -1, 0]
%3 = Pad(%1, %2)
y = %3
)",
       R"(%2 = Constant() i64[4] [1, 0, -1, 0]
%3 = Pad(%1, %2)
y = %3
)"},
      {"slice_everything", [](Graph& g, const Tensor& x) { return op("Slice", {x, ints(g, {0}), ints(g, {9})}); },
       R"(%2 = Constant() i64[1] [0]
%3 = Constant() i64[1] [9]
%4 = Slice(%1, %2, %3)
y = %4
)",
       R"(y = %1
)"},
      {"slice_backwards_stays",
       [](Graph& g, const Tensor& x) {
         return op("Slice", {x, ints(g, {-1}), ints(g, {-9}), ints(g, {0}), ints(g, {-1})});
       },
       R"(%2 = Constant() i64[1] [-1]
%3 = Constant() i64[1] [-9]
%4 = Constant() i64[1] [0]
%5 = Constant() i64[1] [-1]
%6 = Slice(%1, %2, %3, %4, %5)
y = %6
)",
       R"(%2 = Constant() i64[1] [-1]
%3 = Constant() i64[1] [-9]
%4 = Constant() i64[1] [0]
%5 = Constant() i64[1] [-1]
%6 = Slice(%1, %2, %3, %4, %5)
y = %6
)"},
      {"concat_with_nothing",
       [](Graph& g, const Tensor& x) { return op("Concat", {x, g.input("e", {DType::f32, {0, 3}})}, {{"axis", 0}}); },
       R"(%3 = Concat(%1, %2) axis=0
y = %3
)",
       R"(y = %1
)"},
      {"split_into_one", [](Graph&, const Tensor& x) { return add_op_outputs("Split", {x}, {{"num_outputs", 1}})[0]; },
       R"(%2 = Split(%1) num_outputs=1
y = %2
)",
       R"(y = %1
)"},
      {"reduce_one",
       [](Graph& g, const Tensor& x) {
         return op("ReduceSum", {op("Unsqueeze", {x, ints(g, {0})}), ints(g, {0})}, {{"keepdims", false}});
       },
       R"(%2 = Constant() i64[1] [0]
%3 = Unsqueeze(%1, %2)
%4 = Constant() i64[1] [0]
%5 = ReduceSum(%3, %4) keepdims=false
y = %5
)",
       R"(y = %1
)"},
      {"reduce_one_keeping_it",
       [](Graph& g, const Tensor&) { return op("ReduceMax", {g.input("c", {DType::f32, {2, 1}}), ints(g, {1})}); },
       R"(%3 = Constant() i64[1] [1]
%4 = ReduceMax(%2, %3)
y = %4
)",
       R"(y = %2
)"},
      {"reduce_one_to_another_shape",
       [](Graph& g, const Tensor&) {
         return op("ReduceMean", {g.input("c", {DType::f32, {2, 1}}), ints(g, {1})}, {{"keepdims", false}});
       },
       R"(%3 = Constant() i64[1] [1]
%4 = ReduceMean(%2, %3) keepdims=false
y = %4
)",
       R"(%5 = Constant() i64[1] [2]
%4 = Reshape(%2, %5)
y = %4
)"},
      {"reduce_many_stays", [](Graph& g, const Tensor& x) { return op("ReduceSum", {x, ints(g, {1})}); },
       R"(%2 = Constant() i64[1] [1]
%3 = ReduceSum(%1, %2)
y = %3
)",
       R"(%2 = Constant() i64[1] [1]
%3 = ReduceSum(%1, %2)
y = %3
)"},
  };
}

}  // namespace asg::test
