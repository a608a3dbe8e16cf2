// Ops that rearrange elements.
#include <algorithm>
#include <utility>

#include "axis_rules.h"

namespace asg::axis_rules {
namespace {

// Axes of the input and of the result of a reshape that hold the same elements.
struct AxisGroup {
  std::size_t in_begin, in_end, out_begin, out_end;
};

std::vector<Dim> products_up_to(const Shape& shape) {
  std::vector<Dim> products = {1};
  for (const Dim& dim : shape) products.push_back(products.back() * dim);
  return products;
}

// Row-major order is the same on both sides of every place where as many elements stand before it.
std::vector<AxisGroup> groups_of(const Shape& in, const Shape& out) {
  const std::vector<Dim> before_in = products_up_to(in);
  const std::vector<Dim> before_out = products_up_to(out);
  std::vector<AxisGroup> groups;
  std::size_t in_begin = 0;
  std::size_t out_begin = 0;
  for (std::size_t in_end = 1; in_end < before_in.size(); ++in_end) {
    const bool is_last = in_end + 1 == before_in.size();
    const auto from = before_out.begin() + static_cast<std::ptrdiff_t>(out_begin + 1);
    const auto found =
        out_begin + 1 < before_out.size() ? std::find(from, before_out.end(), before_in[in_end]) : before_out.end();
    if (!is_last && found == before_out.end()) continue;
    const std::size_t out_end = is_last ? before_out.size() - 1 : static_cast<std::size_t>(found - before_out.begin());
    groups.push_back({in_begin, in_end, out_begin, out_end});
    in_begin = in_end;
    out_begin = out_end;
  }
  return groups;
}

Dim product(const Shape& shape, std::size_t begin, std::size_t end) {
  Dim result = 1;
  for (std::size_t axis = begin; axis < end; ++axis) result = result * shape[static_cast<int>(axis)];
  return result;
}

// An axis among those of a group: so many elements stand in each of its steps, and it is gone through so many times.
struct AxisPlace {
  Dim length, inner, outer;
};

AxisPlace place_in_group(const Shape& shape, std::size_t begin, std::size_t end, std::size_t axis) {
  return {shape[static_cast<int>(axis)], product(shape, axis + 1, end), product(shape, begin, axis)};
}

std::optional<AxisRuns> flattened(const AxisRuns& runs, const AxisPlace& place) {
  return runs.scaled(place.inner).repeated(place.outer);
}

// The runs of an axis that give these when flattened.
std::optional<AxisRuns> unflattened(const AxisRuns& flat, const AxisPlace& place) {
  const auto section = flat.cut(0, place.length * place.inner);
  auto runs = section ? section->divided(place.inner) : std::nullopt;
  if (!runs || flattened(*runs, place) != flat) return std::nullopt;
  return runs;
}

// Where the group of the result grew along one axis, new elements at its end.
std::optional<AxisRuns> wanted_in(const AxisFlow& flow, const AxisGroup& group) {
  const Shape& before = flow.earlier_out_shape(0);
  const Shape& now = flow.out_shape(0);
  if (before.rank() != now.rank()) return std::nullopt;
  std::optional<AxisRuns> wanted;
  for (std::size_t axis = group.out_begin; axis < group.out_end; ++axis) {
    const int number = static_cast<int>(axis);
    if (before[number] == now[number]) continue;
    const auto more = (now[number] - before[number]).lower_bound();
    if (wanted || !more || *more < 0) return std::nullopt;
    wanted = flattened(AxisRuns::appended(before[number], now[number]),
                       place_in_group(now, group.out_begin, group.out_end, axis));
    if (!wanted) return std::nullopt;
  }
  return wanted;
}

constexpr const char* kRegrouped = "which splits or merges it (as heads do)";

void reshape_group(AxisFlow& flow, const AxisGroup& group) {
  const WideAxes& from = flow.inputs[0];
  std::optional<std::size_t> axis;
  for (std::size_t each = group.in_begin; each < group.in_end; ++each) {
    if (!from[each]) continue;
    if (axis) block(*from[each], kRegrouped);
    axis = each;
  }
  if (!axis) return;
  const WideAxis& wide = *from[*axis];
  const AxisPlace place = place_in_group(flow.shape(0), group.in_begin, group.in_end, *axis);
  const auto flat = flattened(wide.runs, place);
  if (!flat) block(wide, kRegrouped);
  const Shape& out = flow.out_shape(0);
  for (std::size_t target = group.out_begin; target < group.out_end; ++target) {
    const AxisPlace there = place_in_group(out, group.out_begin, group.out_end, target);
    const auto runs = unflattened(*flat, there);
    if (!runs) continue;
    const bool is_same_axis = *runs == wide.runs && there.inner == place.inner;
    flow.outputs[0][target] = is_same_axis ? wide : with_runs(wide, *runs);
    return;
  }
  const auto wanted = wanted_in(flow, group);
  const auto placed = wanted ? unflattened(*wanted, place) : std::nullopt;
  if (placed) place_or_block(wide, *placed, kRegrouped);
  block(wide, kRegrouped);
}

// What the operands of a Slice say of one axis.
struct SliceRange {
  Dim start, end, step;
  friend bool operator==(const SliceRange&, const SliceRange&) = default;
};
using SliceRanges = std::vector<std::optional<SliceRange>>;  // by axis; none: whole

std::optional<SliceRanges> slice_ranges(const Graph& graph, const Node& node) {
  const int rank = graph.type(node.inputs[0]).shape.rank();
  const auto* starts = known_operand(graph, node, 1);
  const auto* ends = known_operand(graph, node, 2);
  const bool has_axes = node.inputs.size() > 3 && node.inputs[3];
  const bool has_steps = node.inputs.size() > 4 && node.inputs[4];
  const auto* axes = known_operand(graph, node, 3);
  const auto* steps = known_operand(graph, node, 4);
  if (starts == nullptr || ends == nullptr || (has_axes && axes == nullptr) || (has_steps && steps == nullptr)) {
    return std::nullopt;
  }
  SliceRanges ranges(static_cast<std::size_t>(rank));
  for (std::size_t k = 0; k < starts->size(); ++k) {
    const int axis = axes == nullptr ? static_cast<int>(k) : normalize_axis((*axes)[k].value(), rank);
    ranges[static_cast<std::size_t>(axis)] =
        SliceRange{(*starts)[k], (*ends)[k], steps == nullptr ? Dim(1) : (*steps)[k]};
  }
  return ranges;
}

// A bound of a slice, counted from the beginning; nothing where it is not a number.
std::optional<std::int64_t> bound_in(const Dim& bound, const Dim& length) {
  if (!bound.is_known() || !length.is_known()) return std::nullopt;
  const std::int64_t from_start = bound.value() < 0 ? bound.value() + length.value() : bound.value();
  return std::clamp<std::int64_t>(from_start, 0, length.value());
}

void slice_wide_axis(AxisFlow& flow, std::size_t axis, const SliceRange& before, const SliceRange& now) {
  const WideAxis& wide = *flow.inputs[0][axis];
  constexpr const char* kCut = "which cuts another part out of it";
  const Dim old_length = wide.runs.old_length();
  const auto start = bound_in(now.start, wide.runs.length());
  const auto end = bound_in(now.end, wide.runs.length());
  const auto old_start = bound_in(before.start, old_length);
  const auto old_end = bound_in(before.end, old_length);
  if (!start || !end || !old_start || !old_end || now.step != Dim(1) || before.step != Dim(1) || *end < *start) {
    block(wide, kCut);
  }
  const auto skipped = wide.runs.cut(0, *start);
  const auto part = wide.runs.cut(*start, *end);
  if (!skipped || !part || skipped->old_length() != Dim(*old_start) ||
      part->old_length() != Dim(*old_end - *old_start)) {
    block(wide, kCut);
  }
  if (part->has_new()) flow.outputs[0][axis] = with_runs(wide, *part);
}

}  // namespace

void transpose(AxisFlow& flow) {
  const WideAxes& from = flow.inputs[0];
  WideAxes& to = flow.outputs[0];
  const std::vector<std::int64_t>& perm = flow.attr("perm").as_integers();
  for (std::size_t axis = 0; axis < to.size(); ++axis) {
    const std::size_t source =
        perm.empty() ? from.size() - 1 - axis
                     : static_cast<std::size_t>(normalize_axis(perm[axis], static_cast<int>(from.size())));
    to[axis] = from[source];
  }
}

// Reshape, Flatten, Squeeze, Unsqueeze: an axis that is merged with others or split becomes runs of the result.
void reshape(AxisFlow& flow) {
  for (const AxisGroup& group : groups_of(flow.shape(0), flow.out_shape(0))) reshape_group(flow, group);
}

void concat(AxisFlow& flow) {
  WideAxes& out = flow.outputs[0];
  const auto joined =
      static_cast<std::size_t>(normalize_axis(flow.attr("axis").as_integer(), static_cast<int>(out.size())));
  AxisRuns runs;
  std::optional<WideAxis> whole;
  bool has_zeros = true;
  for (std::size_t input = 0; input < flow.inputs.size(); ++input) {
    const WideAxes& from = flow.inputs[input];
    for (std::size_t axis = 0; axis < out.size(); ++axis) {
      if (axis != joined && from[axis]) out[axis] = out[axis] ? met(*out[axis], *from[axis]) : *from[axis];
    }
    if (!from[joined]) {
      runs.add(flow.shape(input)[static_cast<int>(joined)], false);
      continue;
    }
    const WideAxis& part = *from[joined];
    runs.add(part.runs);
    has_zeros = has_zeros && !part.zeros.empty();
    if (!whole) {
      whole = part;
    } else {
      whole->zeros.insert(whole->zeros.end(), part.zeros.begin(), part.zeros.end());
    }
  }
  for (std::size_t axis = 0; axis < out.size(); ++axis) {
    const auto is_wide = [&](const WideAxes& from) { return from[axis].has_value(); };
    if (axis == joined || !out[axis]) continue;
    if (!std::all_of(flow.inputs.begin(), flow.inputs.end(), is_wide)) block(*out[axis], "which joins others to it");
    out[axis]->zeros.clear();
  }
  if (!whole) return;
  out[joined] = with_runs(*whole, std::move(runs));
  if (!has_zeros) out[joined]->zeros.clear();
}

void split(AxisFlow& flow) {
  const WideAxes& from = flow.inputs[0];
  const int number = normalize_axis(flow.attr("axis").as_integer(), static_cast<int>(from.size()));
  const auto axis = static_cast<std::size_t>(number);
  for (WideAxes& output : flow.outputs) {
    output = from;
    output[axis].reset();
  }
  if (!from[axis]) return;
  Dim at;
  AxisRuns wanted;
  bool fits = true;
  bool can_fit = true;
  for (std::size_t part = 0; part < flow.outputs.size(); ++part) {
    const Dim& now = flow.out_shape(part)[number];
    const Dim& before = flow.earlier_out_shape(part)[number];
    const auto more = (now - before).lower_bound();
    can_fit = can_fit && more && *more >= 0;
    wanted.add(AxisRuns::appended(before, now));
    const auto runs = from[axis]->runs.cut(at, at + now);
    at = at + now;
    fits = fits && runs && runs->old_length() == before;
    if (fits && runs->has_new()) flow.outputs[part][axis] = with_runs(*from[axis], *runs);
  }
  if (fits) return;
  constexpr const char* kParts = "which cuts it into other parts";
  if (can_fit) place_or_block(*from[axis], wanted, kParts);
  block(*from[axis], kParts);
}

void slice(AxisFlow& flow) {
  const auto now = slice_ranges(flow.graph, flow.node);
  const auto before = slice_ranges(flow.earlier_graph, flow.earlier);
  const WideAxes& from = flow.inputs[0];
  if (!now || !before) {
    block_any(from, "whose bounds are known only when the graph runs");
    throw AxisBlocked{{}, false, "which cuts another part out of its input"};
  }
  const SliceRange whole{0, INT64_MAX, 1};
  for (std::size_t axis = 0; axis < from.size(); ++axis) {
    const SliceRange range = (*now)[axis].value_or(whole);
    const SliceRange old_range = (*before)[axis].value_or(whole);
    if (from[axis] && range == whole && old_range == whole) {
      flow.outputs[0][axis] = *from[axis];
    } else if (from[axis]) {
      slice_wide_axis(flow, axis, old_range, range);
    } else if (range != old_range) {
      throw AxisBlocked{{}, false, "which cuts another part out of its input"};
    }
  }
}

// Margins of constants stay where they were, beside the elements that were there.
void pad(AxisFlow& flow) {
  const WideAxes& from = flow.inputs[0];
  const int rank = static_cast<int>(from.size());
  const auto* pads = known_operand(flow.graph, flow.node, 1);
  const auto* axes = known_operand(flow.graph, flow.node, 3);
  if (pads == nullptr || (flow.has(3) && axes == nullptr)) {
    return block_any(from, "whose margins are known only when the graph runs");
  }
  flow.outputs[0] = from;
  const std::size_t count = pads->size() / 2;
  for (std::size_t k = 0; k < count; ++k) {
    const int number = axes == nullptr ? static_cast<int>(k) : normalize_axis((*axes)[k].value(), rank);
    auto& wide = flow.outputs[0][static_cast<std::size_t>(number)];
    const Dim& before = (*pads)[k];
    const Dim& after = (*pads)[k + count];
    if (!wide || (before == Dim(0) && after == Dim(0))) continue;
    const bool grows = before.is_known() && after.is_known() && before.value() >= 0 && after.value() >= 0;
    if (!grows || flow.attr("mode").as_text() != "constant") block(*wide, "which cuts it or repeats its ends");
    AxisRuns runs = AxisRuns::old(before);
    runs.add(wide->runs);
    runs.add(after, false);
    wide = without_zeros(with_runs(*wide, std::move(runs)));
  }
}

// Rows that are looked up are old ones, so growing the table at its end changes nothing; the other axes pass.
void gather(AxisFlow& flow) {
  const WideAxes& data = flow.inputs[0];
  const WideAxes& indices = flow.inputs[1];
  const auto axis =
      static_cast<std::size_t>(normalize_axis(flow.attr("axis").as_integer(), static_cast<int>(data.size())));
  if (data[axis]) {
    const auto* known = known_operand(flow.graph, flow.node, 1);
    const bool from_end = known != nullptr && std::any_of(known->begin(), known->end(), [](const Dim& index) {
                            return index.is_known() && index.value() < 0;
                          });
    if (from_end || !data[axis]->runs.is_appended()) block(*data[axis], "which counts positions along it");
  }
  WideAxes& out = flow.outputs[0];
  for (std::size_t from = 0; from < data.size(); ++from) {
    if (from == axis) continue;
    out[from < axis ? from : from + indices.size() - 1] = data[from];
  }
  for (std::size_t from = 0; from < indices.size(); ++from) out[axis + from] = indices[from];
}

// Lengths that are known are followed by their contents.
void shape_of(AxisFlow& flow) { block_any(flow.inputs[0], "which tells its length"); }

// What is kept depends on the positions along the last two axes.
void trilu(AxisFlow& flow) {
  const WideAxes& from = flow.inputs[0];
  for (std::size_t axis = from.size() - 2; axis < from.size(); ++axis) {
    if (from[axis] && !from[axis]->runs.is_appended()) block(*from[axis], "which counts positions along it");
  }
  flow.outputs[0] = from;
}

}  // namespace asg::axis_rules
