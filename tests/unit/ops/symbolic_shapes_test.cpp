// Shapes with symbols through the ops that rearrange, pick and multiply; and what is refused while building.
#include <limits>

#include <gtest/gtest.h>

#include "asg/graph/graph.h"
#include "asg/ops/ops.h"

namespace asg {
namespace {

constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();

struct Symbols {
  Graph graph;
  Tensor input(const char* type) { return graph.input("x" + std::to_string(++inputs), TensorType::parse(type)); }
  Tensor ints(std::vector<std::int64_t> numbers) { return graph.constant(Array::ints(numbers)); }
  int inputs = 0;
};

struct ShapeCase {
  const char* name;
  Tensor (*build)(Symbols& s);
  const char* shape;
};

Tensor slice(Symbols& s, std::int64_t start, std::int64_t end, std::int64_t step) {
  return add_op("Slice", {s.input("f32[batch, seq]"), s.ints({start}), s.ints({end}), s.ints({1}), s.ints({step})});
}

Tensor first_of_shape(Symbols& s, const Tensor& x) {
  return add_op("Slice", {add_op("Shape", {x}), s.ints({0}), s.ints({1})});
}

const ShapeCase kCases[] = {
    {"reshape_rest", [](Symbols& s) { return add_op("Reshape", {s.input("f32[batch, 8, 8]"), s.ints({0, -1})}); },
     "[batch, 64]"},
    {"reshape_turns_minus_one_into_a_length_and_not_into_0",
     [](Symbols& s) { return add_op("Reshape", {s.input("f32[batch, 6]"), s.ints({3, -1})}); }, "[3, 2*batch]"},
    {"reshape_heads",
     [](Symbols& s) { return add_op("Reshape", {s.input("f32[batch, seq, 12]"), s.ints({0, 0, 3, 4})}); },
     "[batch, seq, 3, 4]"},
    {"reshape_merge", [](Symbols& s) { return add_op("Reshape", {s.input("f32[batch, seq, 12]"), s.ints({-1, 12})}); },
     "[batch*seq, 12]"},
    {"reshape_by_shape",
     [](Symbols& s) {
       const Tensor x = s.input("f32[batch, 4, 6]");
       return add_op("Reshape", {x, add_op("Concat", {first_of_shape(s, x), s.ints({-1, 3})}, {{"axis", 0}})});
     },
     "[batch, 8, 3]"},
    {"reshape_by_gathered_lengths",
     [](Symbols& s) {
       const Tensor x = s.input("f32[batch, seq, 6]");
       const Tensor swapped = add_op("Gather", {add_op("Shape", {x}), s.ints({1, 0, -1})});
       return add_op("Reshape", {x, swapped});
     },
     "[seq, batch, 6]"},
    {"expand_by_shape",
     [](Symbols& s) {
       const Tensor x = s.input("f32[batch, 3]");
       return add_op("Expand", {s.input("f32[1, 1]"), add_op("Shape", {x})});
     },
     "[batch, 3]"},
    {"slice_rest", [](Symbols& s) { return slice(s, 1, kEnd, 1); }, "[batch, max(seq - 1, 0)]"},
    {"slice_but_last", [](Symbols& s) { return slice(s, 0, -1, 1); }, "[batch, max(seq - 1, 0)]"},
    {"slice_last_two", [](Symbols& s) { return slice(s, -2, kEnd, 1); }, "[batch, min(seq, 2)]"},
    {"slice_every_second", [](Symbols& s) { return slice(s, 0, kEnd, 2); }, "[batch, ceildiv(seq, 2)]"},
    {"slice_reversed", [](Symbols& s) { return slice(s, -1, -kEnd, -1); }, "[batch, seq]"},
    {"concat",
     [](Symbols& s) {
       return add_op("Concat", {s.input("f32[batch, seq]"), s.input("f32[batch, 1]"), s.input("f32[batch, seq]")},
                     {{"axis", 1}});
     },
     "[batch, 2*seq + 1]"},
    {"split",
     [](Symbols& s) { return add_op("Split", {s.input("f32[batch, 2*n]")}, {{"axis", 1}, {"num_outputs", 2}}); },
     "[batch, n]"},
    {"split_last",
     [](Symbols& s) {
       return add_op_outputs("Split", {s.input("f32[batch, n]")}, {{"axis", 1}, {"num_outputs", 3}}).back();
     },
     "[batch, n - 2*ceildiv(n, 3)]"},
    {"pad", [](Symbols& s) { return add_op("Pad", {s.input("f32[batch, n]"), s.ints({0, 1, 0, 2})}); },
     "[batch, n + 3]"},
    {"gather", [](Symbols& s) { return add_op("Gather", {s.input("f32[100, 8]"), s.input("i64[batch, seq]")}); },
     "[batch, seq, 8]"},
    {"one_hot",
     [](Symbols& s) {
       return add_op("OneHot", {s.input("i64[batch]"), s.ints({10}), s.graph.constant(Array::ints({0, 1}))});
     },
     "[batch, 10]"},
    {"range",
     [](Symbols& s) {
       const Tensor length = add_op("Squeeze", {first_of_shape(s, s.input("f32[seq]"))});
       return add_op("Range", {s.graph.constant(Array::scalar_i64(0)), length, s.graph.constant(Array::scalar_i64(1))});
     },
     "[seq]"},
    {"matmul", [](Symbols& s) { return add_op("MatMul", {s.input("f32[batch, seq, 4]"), s.input("f32[4, 5]")}); },
     "[batch, seq, 5]"},
    {"scores",
     [](Symbols& s) { return add_op("MatMul", {s.input("f32[batch, 3, seq, 4]"), s.input("f32[batch, 3, 4, seq]")}); },
     "[batch, 3, seq, seq]"},
    {"conv",
     [](Symbols& s) {
       return add_op("Conv", {s.input("f32[batch, 3, h, w]"), s.input("f32[8, 3, 3, 3]")},
                     {{"strides", Sizes{2, 1}}, {"pads", Sizes{1, 1, 1, 1}}});
     },
     "[batch, 8, floordiv(h + 1, 2), w]"},
    {"conv_same",
     [](Symbols& s) {
       return add_op("Conv", {s.input("f32[batch, 3, h]"), s.input("f32[8, 3, 3]")},
                     {{"strides", Sizes{2}}, {"auto_pad", "SAME_UPPER"}});
     },
     "[batch, 8, ceildiv(h, 2)]"},
};

TEST(SymbolicShapes, AreInferred) {
  for (const ShapeCase& row : kCases) {
    SCOPED_TRACE(row.name);
    Symbols symbols;
    EXPECT_EQ(row.build(symbols).shape().to_string(), Shape::parse(row.shape).to_string());
  }
}

struct RefusedCase {
  const char* name;
  Tensor (*build)(Symbols& s);
  ErrorCode code;
};

const RefusedCase kRefused[] = {
    {"reshape_to_other_size",
     [](Symbols& s) { return add_op("Reshape", {s.input("f32[batch, 64]"), s.ints({0, 63})}); }, ErrorCode::bad_shape},
    {"reshape_by_data", [](Symbols& s) { return add_op("Reshape", {s.input("f32[batch, 64]"), s.input("i64[2]")}); },
     ErrorCode::missing_value},
    {"squeeze_what_may_be_one", [](Symbols& s) { return add_op("Squeeze", {s.input("f32[batch, 1]")}); },
     ErrorCode::bad_shape},
    {"concat_of_other_batches",
     [](Symbols& s) { return add_op("Concat", {s.input("f32[batch, 1]"), s.input("f32[n, 1]")}, {{"axis", 1}}); },
     ErrorCode::bad_shape},
    {"split_by_numbers", [](Symbols& s) { return add_op("Split", {s.input("f32[seq]"), s.ints({2, 3})}); },
     ErrorCode::bad_shape},
    {"matmul_of_other_inner", [](Symbols& s) { return add_op("MatMul", {s.input("f32[2, n]"), s.input("f32[m, 3]")}); },
     ErrorCode::bad_shape},
};

TEST(SymbolicShapes, AreRefusedWhereTheyCannotFit) {
  for (const RefusedCase& row : kRefused) {
    SCOPED_TRACE(row.name);
    Symbols symbols;
    try {
      row.build(symbols);
      ADD_FAILURE() << "was accepted";
    } catch (const UserError& error) {
      EXPECT_EQ(name_of(error.code()), name_of(row.code)) << error.what();
    }
  }
}

// What only the data decides becomes a symbol of its own.
TEST(SymbolicShapes, AreFreshWhereDataDecide) {
  Symbols symbols;
  const Tensor end = symbols.input("i64[1]");
  const Tensor part = add_op("Slice", {symbols.input("f32[9, 2]"), symbols.ints({0}), end});
  EXPECT_TRUE(part.shape()[0].is_symbol());
  EXPECT_EQ(part.shape()[1], Dim(2));
}

}  // namespace
}  // namespace asg
