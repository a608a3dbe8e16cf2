#include "ops/shape/block_parts.h"

#include <string>

namespace asg::ops {

void check_pictures(const Shape& shape) {
  if (shape.rank() == 4) return;
  fail(ErrorCode::bad_shape, "shape " + shape.to_string(), "[batch, channels, height, width]");
}

void check_divisible(const Dim& length, std::int64_t divisor, std::string_view what) {
  if (!length.is_known() || length.value() % divisor == 0) return;
  fail(ErrorCode::bad_shape, length.to_string() + " " + std::string(what),
       "a number that " + std::to_string(divisor) + " divides", "choose another blocksize, or pad");
}

Tensor rearranged(const Tensor& x, const std::vector<Tensor>& parts, std::vector<std::int64_t> perm,
                  const std::vector<Tensor>& target) {
  const Tensor cut_shape = add_op("Concat", parts, {{"axis", 0}});
  const Tensor cut = add_op("Reshape", {x, cut_shape}, {{"allowzero", true}});
  const Tensor turned = add_op("Transpose", {cut}, {{"perm", std::move(perm)}});
  const Tensor shape = add_op("Concat", target, {{"axis", 0}});
  return add_op("Reshape", {turned, shape}, {{"allowzero", true}});
}

AttrSpec blocksize_attribute() {
  return {.name = "blocksize",
          .kind = AttrKind::integer,
          .least = 1,
          .words = {"the height and width of a block", "высота и ширина блока"}};
}

std::vector<BadSample> bad_blocks() {
  return {{.name = "no_picture",
           .inputs = {in({4, 2, 2})},
           .attrs = {{"blocksize", 2}},
           .code = ErrorCode::bad_shape,
           .contains = "[batch, channels, height, width]"},
          {.name = "not_divisible",
           .inputs = {in({1, 3, 3, 2})},
           .attrs = {{"blocksize", 2}},
           .code = ErrorCode::bad_shape,
           .contains = "divides"},
          {.name = "no_block",
           .inputs = {in({1, 4, 2, 2})},
           .attrs = {{"blocksize", 0}},
           .code = ErrorCode::bad_attribute,
           .contains = "at least 1"}};
}

}  // namespace asg::ops
