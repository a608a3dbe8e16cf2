#include <numeric>

#include "compile/bounded/site.h"

// Ops that move elements without computing.
namespace asg::bounded {
namespace {

std::size_t place_of(int axis) { return static_cast<std::size_t>(axis); }

const StoredAxis& only_first_places(const StoredShape& shape, int axis) {
  if (is_ragged(shape[place_of(axis)]) && shape[place_of(axis)].size() > 1)
    throw Refusal{"cuts an axis that was merged with a bounded one"};
  return shape[place_of(axis)];
}

void reshape(Site& site) {
  const Sizes sizes = site.bounds().sizes();
  auto shape = regrouped(site.stored(0), sizes);
  if (!shape) throw Refusal{"cuts a bounded axis into parts"};
  site.lay_out(std::move(*shape));
}

void transpose(Site& site) {
  const StoredShape& from = site.stored(0);
  std::vector<std::int64_t> order = site.attributes().integers("perm");
  if (order.empty()) {
    for (int axis = site.rank(0) - 1; axis >= 0; --axis) order.push_back(axis);
  }
  StoredShape shape;
  for (const std::int64_t axis : order) shape.push_back(from[place_of(normalize_axis(axis, site.rank(0)))]);
  site.lay_out(std::move(shape));
}

void expand(Site& site) {
  const StoredShape& from = site.stored(0);
  const int rank = site.lengths().rank();
  StoredShape shape;
  for (int axis = 0; axis < rank; ++axis) {
    const int source = axis - rank + site.rank(0);
    const bool repeated = source < 0 || from[place_of(source)].empty();
    shape.push_back(repeated ? site.plain(axis) : from[place_of(source)]);
  }
  site.lay_out(std::move(shape));
}

// The axes that Slice and SliceGrad cut, with starts that must not depend on a length. Numbers stand in inputs `first`
// (starts), then ends, axes and steps.
std::vector<int> cut_axes(const Site& site, std::size_t first, const StoredShape& whole) {
  const std::vector<Dim> starts = site.contents(first);
  std::vector<int> axes;
  for (std::size_t k = 0; k < starts.size(); ++k) {
    const std::int64_t axis = site.has(first + 2) ? site.contents(first + 2)[k].value() : static_cast<std::int64_t>(k);
    axes.push_back(normalize_axis(axis, static_cast<int>(whole.size())));
    if (!is_ragged(whole[place_of(axes.back())])) continue;
    const Dim step = site.has(first + 3) ? site.contents(first + 3)[k] : Dim(1);
    if (!step.is_known() || step.value() < 1) throw Refusal{"cuts a bounded axis from its end"};
    if (!starts[k].is_known() || starts[k].value() < 0) throw Refusal{"cuts a bounded axis at a place that moves"};
  }
  return axes;
}

void slice(Site& site) {
  StoredShape shape = site.stored(0);
  for (const int axis : cut_axes(site, 1, shape)) {
    only_first_places(shape, axis);
    shape[place_of(axis)] = site.plain(axis);
  }
  site.lay_out(std::move(shape));
}

void slice_grad(Site& site) {
  StoredShape shape = site.stored(0);
  StoredShape whole = shape;
  for (std::size_t axis = 0; axis < whole.size(); ++axis) {
    if (!is_ragged(whole[axis])) whole[axis] = site.plain(static_cast<int>(axis));
  }
  const std::vector<int> axes = cut_axes(site, 2, whole);
  site.mask(0, axes, 0);
  for (const int axis : axes) {
    only_first_places(shape, axis);
    shape[place_of(axis)] = site.plain(axis);
  }
  site.lay_out(std::move(shape));
}

void pad(Site& site) {
  StoredShape shape = site.stored(0);
  const std::vector<Dim> pads = site.contents(1);
  const std::size_t count = pads.size() / 2;
  for (std::size_t k = 0; k < count; ++k) {
    const std::int64_t number = site.has(3) ? site.contents(3)[k].value() : static_cast<std::int64_t>(k);
    const int axis = normalize_axis(number, site.rank(0));
    if (pads[k] == Dim(0) && pads[count + k] == Dim(0)) continue;
    if (is_ragged(only_first_places(shape, axis))) {
      if (site.attributes().text("mode") != "constant") throw Refusal{"repeats the end of a bounded axis"};
      for (const Dim& part : {pads[k], pads[count + k]}) {
        if (!part.is_known() || part.value() < 0) throw Refusal{"cuts the end of a bounded axis"};
      }
      site.mask(0, std::vector<int>{axis}, site.has(2) ? site.in(2) : site.number(site.type(0).dtype, 0));
    }
    shape[place_of(axis)] = site.plain(axis);
  }
  site.lay_out(std::move(shape));
}

// Parts that are stored apart and shall stand behind each other: place i of the result is picked from the parts put
// together at their bounds. With lengths l and stored lengths s before part k, it is i + Σ (s − l) over the parts that
// begin at or before i.
void concat(Site& site) {
  const int axis = normalize_axis(site.attributes().integer("axis"), site.rank(0));
  StoredShape shape(place_of(site.rank(0)));
  bool moves = false;  // a bounded part stands before another one
  Dim before = 0;
  std::vector<Dim> begins;
  std::vector<std::int64_t> gaps;  // how much further a part is stored than the one before it
  std::int64_t stored = 0;
  const std::size_t parts = site.node().inputs.size();
  for (std::size_t part = 0; part < parts; ++part) {
    const StoredShape& own = site.stored(part);
    for (std::size_t k = 0; k < own.size(); ++k) {
      if (static_cast<int>(k) == axis) continue;
      if (!shape[k].empty() && shape[k] != own[k]) throw Refusal{"puts together parts that lie in different ways"};
      shape[k] = own[k];
    }
    const StoredAxis& along = only_first_places(own, axis);
    moves = moves || (is_ragged(along) && part + 1 < parts);
    begins.push_back(before);
    gaps.push_back(stored);
    before = before + length_of(along);
    stored += stored_length(along);
  }
  shape[place_of(axis)] = site.plain(axis);
  site.lay_out(std::move(shape));
  if (!moves) return;
  Array places(DType::i64, {stored});
  std::iota(places.mutable_data<std::int64_t>().begin(), places.mutable_data<std::int64_t>().end(), 0);
  const Value place = site.constant(std::move(places));
  Value from = place;
  const auto integer = [&](std::int64_t value) { return site.constant(Array::scalar_i64(value)); };
  // Where part k begins, its places lie stored_k − begin_k further on; the parts before it have told of theirs.
  Value told;
  for (std::size_t part = 1; part < parts; ++part) {
    const Value begin = begins[part].is_known() ? integer(begins[part].value()) : site.length(begins[part]);
    const Value further = site.make("Sub", {integer(gaps[part]), begin});
    const Value more = told ? site.make("Sub", {further, told}) : further;
    const Value reached = site.make("Less", {place, begin});
    from = site.make("Add", {from, site.make("Where", {reached, integer(0), more})});
    told = further;
  }
  from = site.make("Min", {from, integer(stored - 1)});
  const Value together = site.make("Concat", site.node().inputs, {{"axis", axis}});
  site.replace("Gather", {together, from}, {{"axis", axis}});
}

// Negative numbers count from the end, which is at the length, not at the bound; beyond the lengths of the indices
// anything may stand.
void settle_indices(Site& site, std::size_t indices, const StoredAxis& picked) {
  if (picked.size() > 1 && is_ragged(picked)) throw Refusal{"picks from an axis that was merged with a bounded one"};
  site.mask_all(indices, 0);
  if (!is_ragged(picked)) return;
  const DType dtype = site.type(indices).dtype;
  Value length = site.length(length_of(picked));
  if (dtype != DType::i64) length = site.make("Cast", {length}, {{"to", dtype}});
  const Value given = site.in(indices);
  const Value is_negative = site.make("Less", {given, site.number(dtype, 0)});
  site.set(indices, site.make("Where", {is_negative, site.make("Add", {given, length}), given}));
}

void gather(Site& site) {
  const StoredShape& from = site.stored(0);
  const int axis = normalize_axis(site.attributes().integer("axis"), site.rank(0));
  settle_indices(site, 1, from[place_of(axis)]);
  StoredShape shape(from.begin(), from.begin() + axis);
  shape.insert(shape.end(), site.stored(1).begin(), site.stored(1).end());
  shape.insert(shape.end(), from.begin() + axis + 1, from.end());
  site.lay_out(std::move(shape));
}

void gather_grad(Site& site) {
  const StoredShape& from = site.stored(0);
  const int rank = site.lengths().rank();
  const int axis = normalize_axis(site.attributes().integer("axis"), rank);
  settle_indices(site, 1, site.plain(axis));
  std::vector<int> picked(site.stored(1).size());
  std::iota(picked.begin(), picked.end(), axis);
  site.mask(0, picked, 0);
  StoredShape shape(from.begin(), from.begin() + axis);
  shape.push_back(site.plain(axis));
  shape.insert(shape.end(), from.begin() + axis + static_cast<int>(picked.size()), from.end());
  site.lay_out(std::move(shape));
}

void gather_elements(Site& site) {
  const int axis = normalize_axis(site.attributes().integer("axis"), site.rank(0));
  settle_indices(site, 1, site.stored(0)[place_of(axis)]);
  site.lay_out(site.stored(1));
}

void scatter_elements(Site& site) {
  const int axis = normalize_axis(site.attributes().integer("axis"), site.rank(0));
  if (is_ragged(site.stored(1)[place_of(axis)])) {
    if (site.attributes().text("reduction") != "add") throw Refusal{"writes a bounded number of elements"};
    site.mask(2, std::vector<int>{axis}, 0);
  }
  settle_indices(site, 1, site.stored(0)[place_of(axis)]);
  site.lay_out(site.stored(0));
}

// Numbers that rise from a start which may depend on a length.
void range(Site& site) {
  const Dim start = site.contents(0).front();
  const Dim delta = site.contents(2).front();
  if (!delta.is_known()) throw Refusal{"counts in steps that depend on a length"};
  site.lay_out({site.plain(0)});
  if (start.is_known()) return;
  const DType dtype = site.node().outputs[0].type.dtype;
  Array steps(DType::i64, site.bounds().sizes());
  std::int64_t next = 0;
  for (std::int64_t& value : steps.mutable_data<std::int64_t>()) value = delta.value() * next++;
  const Value begin = site.length(start);
  if (dtype == DType::i64) return site.replace("Add", {site.constant(std::move(steps)), begin});
  site.replace("Cast", {site.make("Add", {site.constant(std::move(steps)), begin})}, {{"to", dtype}});
}

}  // namespace

void add_moving_rules(Rules& rules) {
  for (const std::string_view op : {"Reshape", "Flatten", "Squeeze", "Unsqueeze"}) rules[op] = {reshape, {1}};
  rules["Transpose"] = {transpose};
  rules["Expand"] = {expand, {1}};
  rules["Slice"] = {slice, {1, 2, 3, 4}};
  rules["SliceGrad"] = {slice_grad, {1, 2, 3, 4, 5}};
  rules["Pad"] = {pad, {1, 3}};
  rules["Concat"] = {concat};
  rules["Gather"] = {gather};
  rules["GatherGrad"] = {gather_grad, {2}};
  rules["GatherElements"] = {gather_elements};
  rules["ScatterElements"] = {scatter_elements};
  rules["Range"] = {range, {0, 1, 2}};
}

}  // namespace asg::bounded
