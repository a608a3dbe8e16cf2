#include "compile/fusion/unit_spaces.h"

#include "compile/fusion/fusible.h"

namespace asg::fusion {
namespace {

constexpr std::int64_t kWidestSum = 65536;  // sums over leading axes: the most of them

std::vector<bool> reduced_factors(const Sizes& sizes, const Space& space, const std::vector<int>& axes) {
  const auto extents = extents_of(sizes, space.factors);
  internal_check(extents.has_value(), "a reduction outside its space");
  std::vector<bool> reduced(space.factors.size(), false);
  for (const int axis : axes) {
    const Extent& extent = (*extents)[static_cast<std::size_t>(axis)];
    for (std::size_t k = extent.first; k < extent.last; ++k) reduced[k] = true;
  }
  return reduced;
}

// Divides a space into rows for a reduction, and says what the reduction gives.
Level divide(Space& space, const std::vector<bool>& reduced, const Reduced& how) {
  const bool sums = how.reduction == Reduction::sum;
  std::int64_t kept = 1;
  for (std::size_t k = 0; k < reduced.size(); ++k) kept *= reduced[k] ? 1 : space.factors[k];
  const bool all = kept == 1 && space.count() > 4096;
  const bool inner_kept = !reduced.empty() && !reduced.back();
  if (sums && (all || (inner_kept && kept <= kWidestSum))) {
    space.row = reduced;
    space.row.flip();
    if (all) space.row.assign(reduced.size(), false);
    return Level::column;
  }
  space.row = reduced;
  return Level::row;
}

// A reduction in a space that is finer, or divided already.
std::optional<Space> divided_for(UnitTable& table, const Node& node, const Reduced& reduced, const Unit& b) {
  const Sizes sizes = table.graph().type(node.inputs[0]).shape.sizes();
  const auto fine = common_space(space_of(sizes), b.space);
  if (!fine) return std::nullopt;
  const std::vector<bool> factors = reduced_factors(sizes, *fine, reduced.axes);
  Space space = *fine;
  if (!space.is_divided()) {
    table.set_level(node.id, divide(space, factors, reduced));
    return space;
  }
  if (factors == space.row) {
    table.set_level(node.id, Level::row);
    return space;
  }
  std::vector<bool> leading = space.row;
  leading.flip();
  if (factors != leading || reduced.reduction != Reduction::sum) return std::nullopt;
  table.set_level(node.id, Level::column);
  return space;
}

// Whether a value per row, of shape `effective`, is repeated along exactly the axes of the row.
bool repeats_along_rows(const Sizes& sizes, const Sizes& effective, const Space& space) {
  const auto extents = extents_of(sizes, space.factors);
  if (!extents) return false;
  const std::size_t lead = sizes.size() - effective.size();
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    const std::int64_t length = axis < lead ? 1 : effective[axis - lead];
    const bool repeated = length != sizes[axis];
    for (std::size_t k = (*extents)[axis].first; k < (*extents)[axis].last; ++k) {
      if (space.row[k] != repeated) return false;
    }
  }
  return true;
}

Obstacle flow_into(const UnitTable& table, const Node& node, const Layout& layout, const Space& space) {
  const Level source = table.level(layout.root.node);
  const Level level = table.level(node.id);
  if (source == Level::column) return Obstacle::column;
  if (!table.is_direct(layout)) return Obstacle::order;
  const Sizes effective = layout.sizes_without_repeats();
  const auto sound = [](bool is, Obstacle otherwise) { return is ? Obstacle::none : otherwise; };
  if (reduced_by(table.graph(), node)) {
    return sound(source == Level::element && element_count(effective) == space.count() &&
                     extents_of(layout.sizes, space.factors).has_value(),
                 Obstacle::row);
  }
  if (source == Level::element) {
    return sound(level == Level::element && element_count(effective) == space.count(), Obstacle::space);
  }
  const std::int64_t rows = element_count(factors_of(space, false));
  if (level == Level::row) return sound(element_count(effective) == rows, Obstacle::row);
  return sound(repeats_along_rows(node.outputs.front().type.shape.sizes(), effective, space), Obstacle::row);
}

}  // namespace

Space first_space(UnitTable& table, const Node& node) {
  const auto reduced = reduced_by(table.graph(), node);
  if (!reduced) return space_of(node.outputs.front().type.shape.sizes());
  const Sizes sizes = table.graph().type(node.inputs[0]).shape.sizes();
  Space space = space_of(sizes);
  table.set_level(node.id, divide(space, reduced_factors(sizes, space, reduced->axes), *reduced));
  return space;
}

std::optional<Space> joint_space(UnitTable& table, const Unit& a, const Unit& b) {
  if (auto space = common_space(a.space, b.space)) return space;
  if (a.nodes.size() != 1) return std::nullopt;
  const Node& node = table.graph().node(a.nodes.front());
  if (const auto reduced = reduced_by(table.graph(), node)) return divided_for(table, node, *reduced, b);
  if (!b.space.is_divided()) return std::nullopt;
  const Sizes rows = factors_of(b.space, false);
  if (!extents_of(node.outputs.front().type.shape.sizes(), rows)) return std::nullopt;
  table.set_level(node.id, Level::row);
  return b.space;
}

Obstacle flow_between(const UnitTable& table, int source, int user, const Space& space) {
  for (const NodeId id : table.unit(user).nodes) {
    const std::span<const NodeId> sources = table.sources_of(id);
    for (std::size_t k = 0; k < sources.size(); ++k) {
      if (table.unit_of(sources[k]) != source) continue;
      const Node& node = table.graph().node(id);
      const Obstacle flow =
          k < data_inputs(node) ? flow_into(table, node, table.layout_of(node, k), space) : Obstacle::order;
      if (flow != Obstacle::none) return flow;
    }
  }
  return Obstacle::none;
}

}  // namespace asg::fusion
