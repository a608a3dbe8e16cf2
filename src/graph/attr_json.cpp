#include "graph/attr_json.h"

namespace asg {

nlohmann::ordered_json plain_json(const Attr& attr) {
  switch (attr.kind()) {
    case AttrKind::integer:
      return attr.as_integer();
    case AttrKind::real:
      return attr.as_real();
    case AttrKind::boolean:
      return attr.as_boolean();
    case AttrKind::text:
      return attr.as_text();
    case AttrKind::integers:
      return attr.as_integers();
    case AttrKind::reals:
      return attr.as_reals();
    case AttrKind::texts:
      return attr.as_texts();
    case AttrKind::dtype:
    case AttrKind::type:
    case AttrKind::tensor:
    case AttrKind::graph:
      break;
  }
  return attr.to_string();
}

}  // namespace asg
