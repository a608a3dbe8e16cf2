#include "asg/core/array.h"
#include "asg/core/platform.h"
#include "asg/core/type.h"
#include "must_fail/rows.h"

namespace asg::test {

std::vector<MustFail> core_rows() {
  return {
      {ErrorCode::bad_dtype, "unknown_dtype", [] { TensorType::parse("f33[2]"); }, "the type \"f33[2]\"",
       "a dtype and a shape, like f32[batch, 784]", "did you mean f32?"},
      {ErrorCode::bad_dim, "negative_size", [] { Array(DType::f32, {2, -1}); }, "sizes [2, -1]", "sizes of at least 0"},
      {ErrorCode::bad_dim, "overflow", [] { Array(DType::f32, {INT64_MAX, 2}); }, "sizes [9223372036854775807, 2]",
       "an element count below 2^63"},
      {ErrorCode::bad_dim, "division_by_zero", [] { floor_div(Dim::symbol("n"), Dim(0)); }, "n divided by 0",
       "a divisor that is not 0"},
      {ErrorCode::bad_shape, "values_that_do_not_fit", [] { Array::of<float>({2, 2}, {1, 2, 3}); },
       "3 values for f32[2, 2]", "as many values as the sizes multiply to"},
      {ErrorCode::broadcast_mismatch, "broadcast", [] { broadcast(Shape{Dim(2), Dim(3)}, Shape{Dim(4)}); },
       "shapes [2, 3] and [4]", "equal sizes, or 1, on each axis counted from the last",
       "reshape one of them, or insert an axis of size 1"},
      {ErrorCode::bad_index, "axis_outside", [] { normalize_axis(3, 2); }, "axis 3 of a tensor of rank 2",
       "an axis from -2 to 1"},
      {ErrorCode::bad_index, "axis_twice", [] { normalize_axes({0, -2}, 2); }, "axis 0 twice in a list of axes",
       "each axis once", "name it once; counted from the end, axis -2 is the same"},
      {ErrorCode::bad_name, "symbol_name", [] { Dim::symbol("2n"); }, "the symbol \"2n\"",
       "a letter or '_', then letters, digits, '_', '.', '#'; at most 128 characters"},
      {ErrorCode::type_mismatch, "typed_access", [] { Array(DType::f32, {2}).data<double>(); },
       "an array f32[2] read as f64", "access by its own dtype", "convert it first with cast()"},
      {ErrorCode::out_of_memory, "too_large_an_array", [] { Array(DType::f32, {std::int64_t{1} << 50}); },
       "f32[1125899906842624], which takes 4503599627370496 bytes", "no more memory than this process can have",
       "use smaller sizes or a smaller dtype, or free other arrays"},
      {ErrorCode::io_error, "no_such_file", [] { platform::read_file("no/such/file.json"); },
       "\"no/such/file.json\": No such file or directory", "a file that can be read"},
  };
}

}  // namespace asg::test
