#include "ops/indexing/pick_parts.h"

namespace asg::ops {

Port picked_from() { return {.name = "x", .dtypes = kAnyType, .words = {"what to pick from", "откуда выбирать"}}; }

Port written_into(DTypeSet dtypes) {
  return {.name = "x", .dtypes = dtypes, .words = {"what to write into", "куда записывать"}};
}

AttrSpec index_axis() {
  return {.name = "axis",
          .kind = AttrKind::integer,
          .fallback = 0,
          .words = {"the axis that the indices count along; -1 is the last",
                    "ось, вдоль которой считают индексы; −1 — последняя"}};
}

}  // namespace asg::ops
