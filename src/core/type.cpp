#include "asg/core/type.h"

#include "asg/core/error.h"

namespace asg {

std::string TensorType::to_string() const { return std::string(name_of(dtype)) + shape.to_string(); }

TensorType TensorType::parse(std::string_view text) {
  const std::string_view name = text.substr(0, text.find('['));
  const std::optional<DType> dtype = parse_dtype(name);
  if (!dtype) {
    constexpr std::size_t kShown = 80;
    std::vector<std::string> names;
    for (const DType each : all_dtypes()) names.emplace_back(name_of(each));
    const std::string nearest = nearest_name(name, names);
    fail(ErrorCode::bad_dtype, "the type \"" + std::string(text.substr(0, kShown)) + "\"",
         "a dtype and a shape, like f32[batch, 784]", nearest.empty() ? "" : "did you mean " + nearest + "?");
  }
  return {*dtype, Shape::parse(text.substr(name.size()))};
}

}  // namespace asg
