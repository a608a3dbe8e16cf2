#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "asg/core/dtype.h"
#include "compile/bounded/site.h"

// Ops that compute with several elements at once: beyond the lengths they get what changes nothing.
namespace asg::bounded {
namespace {

std::size_t at(int axis) { return static_cast<std::size_t>(axis); }

// ---- Reductions

std::vector<int> reduced_axes(const Site& site) {
  std::vector<std::int64_t> axes;
  if (site.has(1)) {
    for (const Dim& axis : site.contents(1)) axes.push_back(axis.value());
  }
  if (axes.empty()) {
    axes.resize(at(site.rank(0)));
    std::iota(axes.begin(), axes.end(), 0);
  }
  return normalize_axes(axes, site.rank(0));
}

void lay_out_reduced(Site& site, std::span<const int> axes, bool keeps_axes) {
  StoredShape shape;
  for (int axis = 0; axis < site.rank(0); ++axis) {
    const bool gone = std::find(axes.begin(), axes.end(), axis) != axes.end();
    if (!gone) shape.push_back(site.stored(0)[at(axis)]);
    if (gone && keeps_axes) shape.emplace_back();
  }
  site.lay_out(std::move(shape));
}

// The number below (or above) which no other lies.
double extreme(DType dtype, bool least) {
  if (is_float(dtype))
    return least ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  if (dtype == DType::boolean) return least ? 0 : 1;
  const int bits = static_cast<int>(8 * bytes_of(dtype));
  const bool is_signed = DTypeSet({DType::i8, DType::i16, DType::i32, DType::i64}).contains(dtype);
  if (bits == 64) throw Refusal{"looks for an extreme of 64-bit integers along a bounded axis"};
  const double past = std::ldexp(1.0, is_signed ? bits - 1 : bits);
  if (least) return is_signed ? -past : 0;
  return past - 1;
}

void reduce(Site& site, double fill) {
  const std::vector<int> axes = reduced_axes(site);
  site.mask(0, axes, fill);
  lay_out_reduced(site, axes, site.attributes().boolean("keepdims"));
}

void reduce_sum(Site& site) { reduce(site, 0); }
void reduce_prod(Site& site) { reduce(site, 1); }
void reduce_max(Site& site) { reduce(site, extreme(site.type(0).dtype, true)); }
void reduce_min(Site& site) { reduce(site, extreme(site.type(0).dtype, false)); }

void reduce_mean(Site& site) {
  const std::vector<int> axes = reduced_axes(site);
  reduce(site, 0);
  Dim count = 1;
  for (const int axis : axes) count = count * length_of(site.stored(0)[at(axis)]);
  if (count.is_known()) return;
  std::vector<Value> inputs = {site.in(0)};
  if (site.has(1)) inputs.push_back(site.in(1));
  const Value sum = site.make("ReduceSum", std::move(inputs), site.node().attrs);
  site.replace("Div", {sum, site.make("Cast", {site.length(count)}, {{"to", site.type(0).dtype}})});
}

// Of equal ones the first counts, so that what was filled in never wins against a number of the value.
void reduce_to_place(Site& site, bool least) {
  const int axis = normalize_axis(site.attributes().integer("axis"), site.rank(0));
  const StoredAxis& along = site.stored(0)[at(axis)];
  if (is_ragged(along)) {
    if (along.size() > 1) throw Refusal{"counts places on an axis that was merged with a bounded one"};
    if (site.attributes().boolean("select_last_index")) throw Refusal{"counts places of a bounded axis from its end"};
    site.mask(0, std::vector<int>{axis}, extreme(site.type(0).dtype, least));
  }
  lay_out_reduced(site, std::vector<int>{axis}, site.attributes().boolean("keepdims"));
}

void arg_max(Site& site) { reduce_to_place(site, true); }
void arg_min(Site& site) { reduce_to_place(site, false); }

// ---- Products

void mat_mul(Site& site) {
  const StoredShape& a = site.stored(0);
  const StoredShape& b = site.stored(1);
  if (a.size() < 2 || b.size() < 2) throw Refusal{"multiplies by a vector"};
  // Numbers beyond a length may be infinite, so both sides are cleared.
  site.mask(0, std::vector<int>{site.rank(0) - 1}, 0);
  site.mask(1, std::vector<int>{site.rank(1) - 2}, 0);
  const std::size_t rank = std::max(a.size(), b.size());
  StoredShape shape(rank);
  for (const StoredShape* side : {&a, &b}) {
    for (std::size_t axis = 0; axis + 2 < side->size(); ++axis) {
      StoredAxis& to = shape[rank - side->size() + axis];
      const StoredAxis& own = (*side)[axis];
      if (own.empty()) continue;
      if (!to.empty() && to != own) throw Refusal{"meets axes that lie in different ways"};
      to = own;
    }
  }
  shape[rank - 2] = a[a.size() - 2];
  shape[rank - 1] = b.back();
  site.lay_out(std::move(shape));
}

// ---- Convolutions and pools: examples stand apart, and only their number may be bounded.

void check_examples_only(const StoredShape& shape) {
  for (std::size_t axis = 1; axis < shape.size(); ++axis) {
    if (is_ragged(shape[axis])) throw Refusal{"moves a window along a bounded axis"};
  }
}

void by_example(Site& site) {
  check_examples_only(site.stored(0));
  for (std::size_t input = 1; input < site.node().inputs.size(); ++input) {
    if (site.has(input)) check_examples_only(site.stored(input));
  }
  for (std::size_t port = 0; port < site.node().outputs.size(); ++port) {
    StoredShape shape = plain_shape(site.bounds(port), site.bounds(port));
    shape.front() = site.stored(0).front();
    site.lay_out(std::move(shape), port);
  }
}

void conv_weight_grad(Site& site) {
  check_examples_only(site.stored(0));
  check_examples_only(site.stored(1));
  site.mask(0, std::vector<int>{0}, 0);
  site.mask(1, std::vector<int>{0}, 0);
}

// ---- Attention. Inputs are [batch, heads, length, width].

constexpr int kLength = 2;

// Whether a query sees no keys behind its own place, so that what stands beyond the length is seen by nobody.
bool looks_back_only(const Site& site) {
  return site.attributes().boolean("is_causal") && site.stored(0)[kLength] == site.stored(1)[kLength];
}

void check_attention(const Site& site) {
  const StoredShape& query = site.stored(0);
  if (is_ragged(query[1]) || is_ragged(query[3])) throw Refusal{"attends with a bounded number of heads or widths"};
  if (site.attributes().real("dropout") > 0) {
    throw Refusal{"draws random numbers by place, and a bounded length would move them"};
  }
}

// Only keys below the length are seen. A mask may be there already, of booleans or of numbers that are added.
void hide_keys(Site& site, std::size_t mask) {
  const StoredAxis& keys = site.stored(1)[kLength];
  if (!is_ragged(keys) || looks_back_only(site)) return;
  const Value seen = site.places(keys, 0);  // [keys]
  if (!site.has(mask)) return site.set(mask, seen);
  if (site.type(mask).dtype == DType::boolean) return site.set(mask, site.make("And", {site.in(mask), seen}));
  const Value none = site.number(site.type(mask).dtype, -std::numeric_limits<double>::infinity());
  site.set(mask, site.make("Where", {seen, site.in(mask), none}));
}

void attention(Site& site) {
  check_attention(site);
  // Weights beyond the length are zero, but zero times what is not finite would still be seen.
  for (const std::size_t input : {1, 2}) site.mask(input, std::vector<int>{kLength}, 0);
  hide_keys(site, 3);
  StoredShape shape = site.stored(0);
  shape[3] = site.stored(2)[3];
  site.lay_out(std::move(shape));
}

// Queries beyond the length pass on nothing.
void attention_grad(Site& site) {
  check_attention(site);
  for (const std::size_t input : {0, 1, 2, 3}) site.mask(input, std::vector<int>{kLength}, 0);
  hide_keys(site, 4);
  for (const std::size_t port : {0, 1, 2}) site.lay_out(site.stored(port), port);
}

}  // namespace

void add_mixing_rules(Rules& rules) {
  rules["ReduceSum"] = {reduce_sum, {1}};
  rules["ReduceProd"] = {reduce_prod, {1}};
  rules["ReduceMax"] = {reduce_max, {1}};
  rules["ReduceMin"] = {reduce_min, {1}};
  rules["ReduceMean"] = {reduce_mean, {1}};
  rules["ArgMax"] = {arg_max};
  rules["ArgMin"] = {arg_min};
  rules["MatMul"] = {mat_mul};
  for (const std::string_view op : {"Conv", "MaxPool", "AveragePool", "GlobalAveragePool"}) rules[op] = {by_example};
  rules["ConvInputGrad"] = {by_example, {2}};
  rules["AveragePoolGrad"] = {by_example, {1}};
  rules["MaxPoolGrad"] = {by_example, {2}};
  rules["ConvWeightGrad"] = {conv_weight_grad, {2}};
  rules["Attention"] = {attention};
  rules["AttentionGrad"] = {attention_grad};
}

}  // namespace asg::bounded
