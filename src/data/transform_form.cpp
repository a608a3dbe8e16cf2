// Transforms that change the form of examples only, and chains of transforms.
#include <algorithm>
#include <cstring>

#include "asg/core/dim.h"
#include "asg/core/error.h"
#include "asg/data/transform.h"

namespace asg::data {
namespace {

void copy_elements(const Array& given, const Rows& /*rows*/, Array& into) {
  if (given.bytes() > 0) std::memcpy(into.raw(), given.raw(), static_cast<std::size_t>(given.bytes()));
}

// The field that an array [n, …] of examples belongs to, as far as its type goes.
Field field_of(const Array& rows) {
  return {.name = "", .dtype = rows.dtype(), .sizes = Sizes(rows.sizes().begin() + 1, rows.sizes().end())};
}

}  // namespace

Transform chain(std::vector<Transform> transforms) {
  Transform result;
  for (const Transform& each : transforms) result.text += (result.text.empty() ? "" : ", then ") + each.text;
  result.by_value =
      std::all_of(transforms.begin(), transforms.end(), [](const Transform& each) { return each.by_value; });
  result.type = [transforms](const Field& given) {
    Field field = given;
    for (const Transform& each : transforms) field = each.type(field);
    return field;
  };
  result.apply = [transforms = std::move(transforms)](const Array& given, const Rows& rows, Array& into) {
    Array now = given;
    for (std::size_t k = 0; k < transforms.size(); ++k) {
      const Reading own{rows.reading.chance.of(k), rows.reading.buffers};
      const Rows own_rows{rows.examples, own};
      if (k + 1 == transforms.size()) {
        transforms[k].apply(now, own_rows, into);
        return;
      }
      const Field next = transforms[k].type(field_of(now));
      Array made = own.buffers.take(next.dtype, next.batch_sizes(rows.count()));
      transforms[k].apply(now, own_rows, made);
      now = std::move(made);
    }
    copy_elements(now, rows, into);
  };
  return result;
}

Transform flatten() {
  return {.text = "flatten()",
          .type =
              [](const Field& given) {
                Field result = given;
                result.sizes = {element_count(given.sizes)};
                return result;
              },
          .apply = copy_elements,
          .by_value = true};
}

Transform reshape(Sizes sizes) {
  const std::string wanted = "reshape(" + Shape::of(sizes).to_string() + ")";
  return {.text = wanted,
          .type =
              [sizes = std::move(sizes), wanted](const Field& given) {
                if (element_count(given.sizes) != element_count(sizes)) {
                  fail(ErrorCode::bad_shape, given.to_string() + " for " + wanted, "as many elements on both sides");
                }
                Field result = given;
                result.sizes = sizes;
                return result;
              },
          .apply = copy_elements,
          .by_value = true};
}

}  // namespace asg::data
