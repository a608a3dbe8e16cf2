// Rules of ops that move, copy or convert elements.
#include <algorithm>
#include <array>
#include <numeric>

#include "compile/passes/simplify_site.h"

namespace asg::passes {
namespace {

Rewritten identity(const Site& site) { return Site::forward(site.in(0)); }

// ---- Casts

// Bits of the integers that a float holds exactly.
int whole_bits(DType dtype) {
  switch (dtype) {
    case DType::f64:
      return 53;
    case DType::f32:
      return 24;
    case DType::f16:
      return 11;
    default:
      return 8;  // bf16
  }
}

// Whether every number of `from` is one of `to`.
bool is_exact(DType from, DType to) {
  if (from == to || from == DType::boolean) return true;
  if (to == DType::boolean) return false;
  if (is_float(from)) {
    if (from == DType::f16 || from == DType::bf16) return to == DType::f32 || to == DType::f64;
    return from == DType::f32 && to == DType::f64;
  }
  const int bits = bits_of(from) - (is_signed_int(from) ? 1 : 0);
  if (is_float(to)) return bits <= whole_bits(to);
  if (is_signed_int(from)) return is_signed_int(to) && bits_of(to) > bits_of(from);
  return bits_of(to) > bits_of(from);
}

Rewritten cast_to_the_same(const Site& site) {
  return site.type(0) == site.type() ? Site::forward(site.in(0)) : std::nullopt;
}

// The inner cast may go where it changes no number. Beyond that, floats saturate on their way to an integer where
// integers wrap, so an integer that went through a float must fit.
Rewritten cast_of_cast(const Site& site) {
  const Node* inner = site.made_by(0, "Cast");
  if (inner == nullptr) return std::nullopt;
  const Value x = inner->inputs[0];
  const DType from = site.graph().type(x).dtype;
  const DType through = site.type(0).dtype;
  const DType to = site.type().dtype;
  if (!is_exact(from, through)) return std::nullopt;
  if (is_integer(from) && is_float(through) && is_integer(to) && !is_exact(from, to)) return std::nullopt;
  return from == to ? Site::forward(x) : site.replace_inputs({x});
}

Rewritten cast_like(const Site& site) { return Site::replace("Cast", {site.in(0)}, {{"to", site.type().dtype}}); }

// ---- Transpositions

std::vector<std::int64_t> permutation(const Node& node) {
  const int rank = node.outputs.front().type.shape.rank();
  std::vector<std::int64_t> perm = AttrReader(*node.op, node.attrs).integers("perm");
  if (perm.empty()) {
    for (int axis = rank; axis-- > 0;) perm.push_back(axis);
  }
  for (std::int64_t& axis : perm) axis = normalize_axis(axis, rank);
  return perm;
}

bool keeps_order(const std::vector<std::int64_t>& perm) { return std::is_sorted(perm.begin(), perm.end()); }

Rewritten transpose_nothing(const Site& site) {
  return keeps_order(permutation(site.node)) ? Site::forward(site.in(0)) : std::nullopt;
}

Rewritten transpose_of_transpose(const Site& site) {
  const Node* inner = site.made_by(0, "Transpose");
  if (inner == nullptr) return std::nullopt;
  const auto first = permutation(*inner);
  std::vector<std::int64_t> both;
  for (const std::int64_t axis : permutation(site.node)) both.push_back(first[static_cast<std::size_t>(axis)]);
  if (keeps_order(both)) return Site::forward(inner->inputs[0]);
  return Site::replace("Transpose", {inner->inputs[0]}, {{"perm", both}});
}

// ---- The same elements in the same order

bool only_reshapes(const Node& node) {
  const std::string& op = node.op->name;
  return op == "Reshape" || op == "Flatten" || op == "Squeeze" || op == "Unsqueeze";
}

Rewritten reshape_to_the_same(const Site& site) {
  return site.type(0) == site.type() ? Site::forward(site.in(0)) : std::nullopt;
}

Rewritten reshape_of_reshape(const Site& site) {
  const Node& inner = site.producer(0);
  return only_reshapes(inner) ? site.reshape(inner.inputs[0]) : std::nullopt;
}

// ---- Copies

Rewritten expand_to_the_same(const Site& site) {
  return site.type(0) == site.type() ? Site::forward(site.in(0)) : std::nullopt;
}

Rewritten expand_of_expand(const Site& site) {
  const Node* inner = site.made_by(0, "Expand");
  return inner != nullptr ? site.broadcast(inner->inputs[0]) : std::nullopt;
}

Rewritten tile_once(const Site& site) {
  const auto repeats = site.integers(1);
  if (!repeats) return std::nullopt;
  const bool once = std::all_of(repeats->begin(), repeats->end(), [](std::int64_t count) { return count == 1; });
  return once ? Site::forward(site.in(0)) : std::nullopt;
}

Rewritten pad_nothing(const Site& site) {
  const auto pads = site.integers(1);
  if (!pads) return std::nullopt;
  const bool none = std::all_of(pads->begin(), pads->end(), [](std::int64_t width) { return width == 0; });
  return none ? Site::forward(site.in(0)) : std::nullopt;
}

// As long as the whole, and forwards: the whole.
Rewritten slice_everything(const Site& site) {
  if (site.type(0) != site.type()) return std::nullopt;
  if (site.has(4)) {
    const auto steps = site.integers(4);
    if (!steps) return std::nullopt;
    if (!std::all_of(steps->begin(), steps->end(), [](std::int64_t step) { return step == 1; })) return std::nullopt;
  }
  return Site::forward(site.in(0));
}

Rewritten concat_with_nothing(const Site& site) {
  const int axis = normalize_axis(site.attributes().integer("axis"), site.type().shape.rank());
  std::vector<Value> inputs;
  for (const Value input : site.node.inputs) {
    if (site.graph().type(input).shape[axis] != Dim(0)) inputs.push_back(input);
  }
  if (inputs.size() == site.node.inputs.size() || inputs.empty()) return std::nullopt;
  return site.replace_inputs(std::move(inputs));
}

Rewritten split_into_one(const Site& site) {
  return site.node.outputs.size() == 1 ? Site::forward(site.in(0)) : std::nullopt;
}

// ---- Reductions of single elements

Rewritten reduce_one(const Site& site) {
  const auto before = site.type(0).shape.element_count().known();
  const auto after = site.type().shape.element_count().known();
  if (!before || !after || *before != *after) return std::nullopt;
  return site.reshape(site.in(0));
}

}  // namespace

std::span<const Rule> shape_rules() {
  static const std::array kRules = {
      Rule{"identity", "Identity(x) is x", {"Identity"}, identity},
      Rule{"cast_to_the_same", "a cast to the dtype that it has", {"Cast"}, cast_to_the_same},
      Rule{"cast_of_cast", "two casts of which the first is exact", {"Cast"}, cast_of_cast},
      Rule{"cast_like", "CastLike by the dtype alone", {"CastLike"}, cast_like},
      Rule{"transpose_nothing", "axes that stay in order", {"Transpose"}, transpose_nothing},
      Rule{"transpose_of_transpose", "two transpositions are one", {"Transpose"}, transpose_of_transpose},
      Rule{"reshape_to_the_same",
           "the shape that it has",
           {"Reshape", "Flatten", "Squeeze", "Unsqueeze"},
           reshape_to_the_same},
      Rule{"reshape_of_reshape",
           "two changes of shape are one",
           {"Reshape", "Flatten", "Squeeze", "Unsqueeze"},
           reshape_of_reshape},
      Rule{"expand_to_the_same", "the shape that it has", {"Expand"}, expand_to_the_same},
      Rule{"expand_of_expand", "two expansions are one", {"Expand"}, expand_of_expand},
      Rule{"tile_once", "one copy", {"Tile"}, tile_once},
      Rule{"pad_nothing", "margins of width 0", {"Pad"}, pad_nothing},
      Rule{"slice_everything", "a slice that is the whole", {"Slice"}, slice_everything},
      Rule{"concat_with_nothing", "parts of length 0", {"Concat"}, concat_with_nothing},
      Rule{"split_into_one", "a part that is the whole", {"Split"}, split_into_one},
      Rule{"reduce_one",
           "a reduction of single elements",
           {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd"},
           reduce_one},
  };
  return kRules;
}

}  // namespace asg::passes
