#include "compile/fusion/layouts.h"

#include <algorithm>

#include "asg/graph/card.h"
#include "asg/graph/contexts.h"
#include "ops/support/indexing.h"

namespace asg::fusion {
namespace {

Layout dense_layout(Value value, Sizes sizes) {
  Sizes strides = dense_strides(sizes);
  return {value, 0, std::move(sizes), std::move(strides)};
}

bool is_reshape(const OpCard& op) {
  return op.name == "Reshape" || op.name == "Flatten" || op.name == "Squeeze" || op.name == "Unsqueeze" ||
         op.name == "Identity";
}

Layout transposed(const Layout& from, const Node& node) {
  Sizes perm = AttrReader(*node.op, node.attrs).integers("perm");
  const std::size_t rank = from.sizes.size();
  if (perm.empty()) {
    for (std::size_t k = rank; k-- > 0;) perm.push_back(static_cast<std::int64_t>(k));
  }
  Layout to{from.root, from.offset};
  for (const std::int64_t axis : perm) {
    const auto at = static_cast<std::size_t>(normalize_axis(axis, static_cast<int>(rank)));
    to.sizes.push_back(from.sizes[at]);
    to.strides.push_back(from.strides[at]);
  }
  return to;
}

Layout expanded(const Layout& from, const Sizes& sizes) {
  Layout to{from.root, from.offset, sizes, Sizes(sizes.size(), 0)};
  const std::size_t lead = sizes.size() - from.sizes.size();
  for (std::size_t k = 0; k < from.sizes.size(); ++k) {
    if (from.sizes[k] == sizes[lead + k]) to.strides[lead + k] = from.strides[k];
  }
  return to;
}

std::optional<Layout> sliced(const Graph& graph, const Layout& from, const Node& node) {
  const auto operand = [&](std::size_t at) -> std::optional<Sizes> {
    if (at >= node.inputs.size() || !node.inputs[at]) return Sizes{};
    return integers_of(graph, node.inputs[at]);
  };
  const auto starts = operand(1);
  const auto ends = operand(2);
  auto axes = operand(3);
  auto steps = operand(4);
  if (!starts || !ends || !axes || !steps) return std::nullopt;
  if (axes->empty()) {
    for (std::size_t k = 0; k < starts->size(); ++k) axes->push_back(static_cast<std::int64_t>(k));
  }
  if (steps->empty()) steps->assign(starts->size(), 1);
  Layout to = from;
  for (std::size_t k = 0; k < starts->size(); ++k) {
    const auto axis = static_cast<std::size_t>(normalize_axis((*axes)[k], static_cast<int>(from.sizes.size())));
    const auto range = ops::slice_range((*starts)[k], (*ends)[k], (*steps)[k], from.sizes[axis]);
    to.offset += range.count > 0 ? range.start * from.strides[axis] : 0;
    to.sizes[axis] = range.count;
    to.strides[axis] *= range.step;
  }
  return to;
}

Layout part_of(const Graph& graph, const Layout& from, const Node& node, std::uint32_t port) {
  const auto axis = static_cast<std::size_t>(
      normalize_axis(AttrReader(*node.op, node.attrs).integer("axis"), static_cast<int>(from.sizes.size())));
  Layout to = from;
  for (std::uint32_t before = 0; before < port; ++before) {
    to.offset += graph.type({node.id, before}).shape.sizes()[axis] * from.strides[axis];
  }
  to.sizes = graph.type({node.id, port}).shape.sizes();
  return to;
}

}  // namespace

bool Layout::is_dense() const { return offset == 0 && asg::is_dense(sizes, strides); }

Sizes Layout::sizes_without_repeats() const {
  Sizes result = sizes;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    if (strides[k] == 0) result[k] = 1;
  }
  return result;
}

bool Layout::keeps_order(std::int64_t root_count) const {
  if (offset != 0) return false;
  std::int64_t count = 1;
  for (std::size_t k = sizes.size(); k-- > 0;) {
    if (sizes[k] == 1 || strides[k] == 0) continue;
    if (strides[k] != count) return false;
    count *= sizes[k];
  }
  return count == root_count;
}

std::optional<Layout> reshaped(const Layout& layout, const Sizes& sizes) {
  Layout result{layout.root, layout.offset, sizes, Sizes(sizes.size(), 0)};
  if (element_count(layout.sizes) == 0) {
    result.strides = dense_strides(sizes);
    return result;
  }
  // Groups of axes on both sides with the same number of elements; those of the old one must follow each other.
  std::size_t from = 0;
  std::size_t to = 0;
  while (to < sizes.size() || from < layout.sizes.size()) {
    std::size_t from_end = from;
    std::size_t to_end = to;
    std::int64_t old_count = 1;
    std::int64_t new_count = 1;
    do {
      if (old_count <= new_count && from_end < layout.sizes.size()) {
        old_count *= layout.sizes[from_end++];
      } else if (to_end < sizes.size()) {
        new_count *= sizes[to_end++];
      } else {
        break;
      }
    } while (old_count != new_count);
    std::int64_t stride = 0;
    std::optional<std::int64_t> expected;
    for (std::size_t k = from_end; k-- > from;) {
      if (layout.sizes[k] == 1) continue;
      if (!expected) stride = layout.strides[k];
      if (expected && layout.strides[k] != *expected) return std::nullopt;
      expected = layout.strides[k] * layout.sizes[k];
    }
    for (std::size_t k = to_end; k-- > to;) {
      result.strides[k] = stride;
      stride *= sizes[k];
    }
    from = from_end;
    to = to_end;
  }
  return result;
}

std::optional<Sizes> integers_of(const Graph& graph, Value value) {
  const OutputInfo& info = graph.info(value);
  if (info.known != nullptr) {
    Sizes result;
    for (const Dim& dim : *info.known) {
      if (!dim.is_known()) return std::nullopt;
      result.push_back(dim.value());
    }
    return result;
  }
  const Node& node = graph.node(value.node);
  if (node.op->name != "Constant" || !is_integer(info.type.dtype)) return std::nullopt;
  const Array& array = AttrReader(*node.op, node.attrs).attr("value").as_tensor();
  Sizes result;
  for (std::int64_t k = 0; k < array.count(); ++k) result.push_back(array.get_i64(k));
  return result;
}

Layouts::Layouts(const Graph& graph, std::span<const NodeId> order, const RootStrides& root_strides)
    : graph_(graph),
      numbers_(graph),
      layouts_(numbers_.count()),
      views_(graph.next_node_id().number, false),
      copied_by_(graph.next_node_id().number, nullptr) {
  for (const NodeId id : order) place(graph.node(id), root_strides);
}

void Layouts::make_dense(Value value) {
  if (!views_[value.node.number]) return;
  views_[value.node.number] = false;
  const std::uint32_t ports = numbers_.ports_of(value.node);
  // Without elements there is nothing to copy: the node is a call as it stands.
  if (ports == 1 && count_of(value) > 0) copied_by_[value.node.number] = &copied_.emplace_back(of(value));
  for (std::uint32_t port = 0; port < ports; ++port) {
    const Value each{value.node, port};
    set(each, dense_layout(each, graph_.type(each).shape.sizes()));
  }
}

const Layout& Layouts::input_of(const Node& node, std::size_t input) const {
  const Layout* copied = copied_by(node.id);
  return copied != nullptr && input == 0 ? *copied : of(node.inputs[input]);
}

void Layouts::set(Value value, Layout layout) { layouts_[numbers_.of(value)] = std::move(layout); }

void Layouts::place(const Node& node, const RootStrides& root_strides) {
  const auto ports = static_cast<std::uint32_t>(node.outputs.size());
  std::vector<Layout> seen;
  for (std::uint32_t port = 0; port < ports; ++port) {
    std::optional<Layout> layout = viewed(node, port);
    if (!layout && is_reshape(*node.op)) {
      // Strides cannot say it: what is reshaped is copied first.
      make_dense(node.inputs[0]);
      layout = viewed(node, port);
    }
    if (!layout) break;
    seen.push_back(*std::move(layout));
  }
  views_[node.id.number] = ports > 0 && seen.size() == ports;
  for (std::uint32_t port = 0; port < ports; ++port) {
    const Value value{node.id, port};
    Layout layout =
        views_[node.id.number] ? std::move(seen[port]) : dense_layout(value, node.outputs[port].type.shape.sizes());
    if (const auto chosen = root_strides.find(value); chosen != root_strides.end()) layout.strides = chosen->second;
    set(value, std::move(layout));
  }
}

std::optional<Layout> Layouts::viewed(const Node& node, std::uint32_t port) const {
  const std::string& name = node.op->name;
  const bool is_view =
      is_reshape(*node.op) || name == "Transpose" || name == "Expand" || name == "Slice" || name == "Split";
  if (!is_view) return std::nullopt;
  const Layout& from = of(node.inputs[0]);
  const Sizes sizes = graph_.type({node.id, port}).shape.sizes();
  if (name == "Transpose") return transposed(from, node);
  if (name == "Expand") return expanded(from, sizes);
  if (name == "Slice") return sliced(graph_, from, node);
  if (name == "Split") return part_of(graph_, from, node, port);
  return reshaped(from, sizes);
}

}  // namespace asg::fusion
