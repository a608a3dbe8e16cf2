#include "ops/logic/logic_parts.h"

#include <utility>

#include "ops/support/elementwise.h"
#include "ops/support/infer.h"
#include "ops/support/ports.h"
#include "ops/support/samples.h"

namespace asg::ops {
namespace {

SampleInput drawn_ints(Sizes sizes) {
  SampleInput input = in(std::move(sizes), 0, 100);
  input.dtype = DType::i64;
  return input;
}

}  // namespace

OpCard logic_op(OpCard own, bool (*f)(bool, bool)) {
  own.category = Category::logic;
  own.outputs = bool_port();
  own.infer = infer_broadcast_to_bool;
  own.traits.commutative = true;
  own.kernel = [f](KernelContext& ctx) { binary<bool>(ctx, f); };
  own.gradient_kind = GradientKind::zero;
  own.gradient_reason = "True and false have no slope.";
  own.tolerance = kExact;
  own.bad_samples = {
      {.name = "numbers", .inputs = {in({2}), in({2})}, .code = ErrorCode::bad_dtype, .contains = "f64 for input 'a'"},
      {.name = "shapes_that_do_not_broadcast",
       .inputs = {in_bools({2}, {true, true}), in_bools({3}, {true, true, true})},
       .code = ErrorCode::broadcast_mismatch,
       .contains = "shapes [2] and [3]"}};
  return binary_op(std::move(own), kBool);
}

std::vector<Sample> logic_samples(const std::vector<bool>& truth_table) {
  return {{.name = "truth_table",
           .inputs = {in_bools({4}, {false, false, true, true}), in_bools({4}, {false, true, false, true})},
           .gradient = false,
           .expected = {bools(truth_table)}},
          {.name = "broadcast_rank_3",
           .inputs = {in_bools({2, 1, 3}, {true, false, true, false, true, true}),
                      in_bools({4, 1}, {true, false, true, false})},
           .gradient = false},
          {.name = "broadcast_left",
           .inputs = {in_bools({2}, {true, false}), in_bools({3, 2}, {true, true, false, true, false, false})},
           .gradient = false},
          {.name = "scalars", .inputs = {in_bools({}, {true}), in_bools({}, {false})}, .gradient = false},
          {.name = "no_elements", .inputs = {in_bools({0, 2}, {}), in_bools({2}, {true, false})}, .gradient = false},
          {.name = "rank_3",
           .inputs = {in_exact(Array(DType::boolean, {2, 3, 4})), in_exact(Array::scalar(DType::boolean, 1))},
           .gradient = false}};
}

OpCard bit_op(OpCard own, DTypeSet dtypes) {
  own.category = Category::logic;
  own.gradient_kind = GradientKind::zero;
  own.gradient_reason = kBitsHaveNoSlope;
  own.tolerance = kExact;
  if (own.bad_samples.empty()) {
    own.bad_samples = {{.name = "floats",
                        .inputs = {in({2}), in({2})},
                        .code = ErrorCode::bad_dtype,
                        .contains = "f64 for input 'a'"}};
  }
  return binary_op(std::move(own), dtypes);
}

std::vector<Sample> bit_samples(const std::vector<std::int64_t>& expected) {
  return {{.name = "pairs",
           .inputs = {in_ints({3}, {12, -1, 0}), in_ints({3}, {10, 255, -7})},
           .gradient = false,
           .expected = {Array::ints(expected)}},
          {.name = "broadcast_right", .inputs = {drawn_ints({2, 3, 4}), drawn_ints({3, 1})}, .gradient = false},
          {.name = "broadcast_left", .inputs = {drawn_ints({4}), drawn_ints({2, 3, 4})}, .gradient = false},
          {.name = "scalars", .inputs = {drawn_ints({}), drawn_ints({})}, .gradient = false},
          {.name = "no_elements", .inputs = {drawn_ints({0, 2}), drawn_ints({2})}, .gradient = false}};
}

}  // namespace asg::ops
