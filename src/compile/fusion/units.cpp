#include "compile/fusion/units.h"

#include <algorithm>
#include <map>
#include <set>

#include "asg/graph/card.h"
#include "asg/graph/contexts.h"

namespace asg::fusion {
namespace {

constexpr std::size_t kMostNodes = 96;                 // of one unit
constexpr std::size_t kMostSiblings = 16;              // readers of one value that are tried in pairs
constexpr std::int64_t kRoom = std::int64_t{1} << 20;  // between places of units
constexpr std::size_t kMostVisits = 512;               // of one search for a cycle
constexpr std::int64_t kWidestSum = 65536;             // sums over leading axes: the most of them

bool is_supported(DType dtype) { return dtype != DType::u64; }

// Sums and products of u64 have the bits of those of i64, which kernels compute.
bool wraps(const Node& node) {
  return node.op->scalar == ScalarOp::add || node.op->scalar == ScalarOp::sub || node.op->scalar == ScalarOp::mul;
}

bool has_supported_types(const Graph& graph, const Node& node) {
  if (wraps(node)) return true;
  for (const OutputInfo& output : node.outputs) {
    if (!is_supported(output.type.dtype)) return false;
  }
  return std::all_of(node.inputs.begin(), node.inputs.end(),
                     [&](Value input) { return input && is_supported(graph.type(input).dtype); });
}

}  // namespace

std::string_view words_of(Obstacle obstacle) {
  switch (obstacle) {
    case Obstacle::commit:
      return "one of them only changes variables, and waits until the step is known to be finite";
    case Obstacle::size:
      return "together they would be too large a kernel";
    case Obstacle::space:
      return "they walk different spaces, or rows along different axes";
    case Obstacle::order:
      return "elements are read in another order than they are computed in";
    case Obstacle::column:
      return "a sum over all rows is known only after the last row";
    case Obstacle::row:
      return "a value per row is not used along that row";
    case Obstacle::between:
      return "something between them is computed elsewhere";
    case Obstacle::none:
      break;
  }
  return "nothing";
}

bool is_gather(const Node& node) { return node.op->name == "Gather" || node.op->name == "GatherElements"; }

bool is_dropout(const Node& node) { return node.op->name == "Dropout"; }

bool is_fusible(const Graph& graph, const Node& node) {
  if (node.outputs.empty()) return false;
  if (!is_supported(node.outputs.front().type.dtype) && !wraps(node)) return false;
  if (element_count(node.outputs.front().type.shape.sizes()) == 0) return false;
  if (is_gather(node)) return true;
  if (is_dropout(node)) return is_float(node.outputs.front().type.dtype);
  if (node.op->scalar != ScalarOp::none) return has_supported_types(graph, node);
  const auto reduced = reduced_by(graph, node);
  return reduced && element_count(graph.type(node.inputs[0]).shape.sizes()) > 0;
}

std::size_t data_inputs(const Node& node) {
  if (is_gather(node)) return 0;  // what it looks up, and where, lies in memory
  return node.op->scalar != ScalarOp::none ? node.inputs.size() : 1;
}

Sizes factors_of(const Space& space, bool row) {
  Sizes result;
  for (std::size_t k = 0; k < space.factors.size(); ++k) {
    if (space.is_divided() && space.row[k] == row) result.push_back(space.factors[k]);
  }
  return result;
}

std::optional<Reduced> reduced_by(const Graph& graph, const Node& node) {
  static const std::map<std::string_view, Reduction> kinds = {{"ReduceSum", Reduction::sum},
                                                              {"ReduceMean", Reduction::sum},
                                                              {"ReduceProd", Reduction::prod},
                                                              {"ReduceMax", Reduction::max},
                                                              {"ReduceMin", Reduction::min}};
  const auto kind = kinds.find(node.op->name);
  if (kind == kinds.end()) return std::nullopt;
  const TensorType& type = graph.type(node.inputs[0]);
  if (type.dtype == DType::boolean || !is_supported(type.dtype)) return std::nullopt;
  Reduced result{kind->second, node.op->name == "ReduceMean", {}};
  std::optional<Sizes> given = Sizes{};
  if (node.inputs.size() > 1 && node.inputs[1]) given = integers_of(graph, node.inputs[1]);
  if (!given) return std::nullopt;
  const int rank = type.shape.rank();
  if (given->empty() && !AttrReader(*node.op, node.attrs).boolean("noop_with_empty_axes")) {
    for (int axis = 0; axis < rank; ++axis) result.axes.push_back(axis);
  }
  for (const std::int64_t axis : *given) result.axes.push_back(normalize_axis(axis, rank));
  return result;
}

// Puts nodes into units one after the other, in topological order; a node takes the units of its inputs into its own
// where that is sound.
class UnitGrower {
 public:
  UnitGrower(const Graph& graph, std::span<const NodeId> order, const Layouts& layouts, std::span<const char> commits,
             bool fuses, Units& units)
      : graph_(graph), order_(order), layouts_(layouts), commits_(commits), fuses_(fuses), units_(units) {
    units_.unit_of_.assign(graph.next_node_id().number, -1);
    units_.levels_.assign(graph.next_node_id().number, Level::element);
    position_.assign(graph.next_node_id().number, 0);
  }

  void grow() {
    for (std::size_t at = 0; at < order_.size(); ++at) {
      position_[order_[at].number] = at;
      const Node& node = graph_.node(order_[at]);
      if (!node.op->traits.leaf && !layouts_.is_view(node.id)) place(node);
    }
    if (fuses_) merge_siblings();
    put_in_order();
    if (fuses_) list_unfused();
  }

 private:
  const Layout& layout_of(const Node& node, std::size_t input) const { return layouts_.input_of(node, input); }

  std::int64_t count_of(Value value) const { return element_count(graph_.type(value).shape.sizes()); }

  bool is_direct(const Layout& layout) const { return layout.keeps_order(count_of(layout.root)); }

  static bool is_filled(const Node& node) {
    return !node.outputs.empty() && element_count(node.outputs.front().type.shape.sizes()) > 0;
  }

  int unit_of(NodeId node) const { return units_.unit_of_[node.number]; }
  Unit& unit(int number) { return units_.units_[static_cast<std::size_t>(number)]; }

  // The units that a node reads from, its own aside.
  std::vector<int> units_before(const Node& node) const {
    std::vector<int> result;
    for (std::size_t k = 0; k < node.inputs.size(); ++k) {
      if (!node.inputs[k]) continue;
      const int before = unit_of(layout_of(node, k).root.node);
      if (before >= 0 && before != unit_of(node.id)) result.push_back(before);
    }
    return result;
  }

  void place(const Node& node) {
    const int number = static_cast<int>(units_.units_.size());
    Unit fresh{.nodes = {node.id},
               .fused = is_filled(node) && (layouts_.copied_by(node.id) != nullptr || is_fusible(graph_, node)),
               .commits = commits_[node.id.number] != 0};
    if (fresh.fused) begin(node, fresh);
    units_.units_.push_back(std::move(fresh));
    merged_into_.push_back(number);
    append_place(number);
    units_.unit_of_[node.id.number] = number;
    if (!unit(number).fused || !fuses_) return;
    for (const int candidate : candidates(node)) merge(number, candidate);
  }

  // The space of a unit of one node.
  void begin(const Node& node, Unit& fresh) {
    const auto reduced = reduced_by(graph_, node);
    if (!reduced) {
      fresh.space = space_of(node.outputs.front().type.shape.sizes());
      return;
    }
    const Sizes sizes = graph_.type(node.inputs[0]).shape.sizes();
    fresh.space = space_of(sizes);
    units_.levels_[node.id.number] = divide(fresh.space, reduced_factors(sizes, fresh.space, reduced->axes), *reduced);
  }

  static std::vector<bool> reduced_factors(const Sizes& sizes, const Space& space, const std::vector<int>& axes) {
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
  static Level divide(Space& space, const std::vector<bool>& reduced, const Reduced& how) {
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

  std::vector<int> candidates(const Node& node) const {
    std::set<int, std::greater<>> found;
    for (std::size_t k = 0; k < data_inputs(node); ++k) {
      const Layout& layout = layout_of(node, k);
      const int from = unit_of(layout.root.node);
      if (from >= 0 && units_.units_[static_cast<std::size_t>(from)].fused && is_direct(layout)) found.insert(from);
    }
    return {found.begin(), found.end()};
  }

  // ---- Merging

  void merge(int into, int from) {
    if (into == from) return;
    Unit& a = unit(into);
    Unit& b = unit(from);
    const Level old_level = units_.levels_[a.nodes.back().number];
    Space space;
    std::vector<int> before;
    if (obstacle_between(into, from, space, before) != Obstacle::none) {
      units_.levels_[a.nodes.back().number] = old_level;
      return;
    }
    join_places(into, from, std::move(before));
    a.space = std::move(space);
    a.nodes.insert(a.nodes.end(), b.nodes.begin(), b.nodes.end());
    std::sort(a.nodes.begin(), a.nodes.end(),
              [&](NodeId x, NodeId y) { return position_[x.number] < position_[y.number]; });
    for (const NodeId id : b.nodes) units_.unit_of_[id.number] = into;
    b.nodes.clear();
    merged_into_[static_cast<std::size_t>(from)] = into;
  }

  // What keeps two units apart; where it is nothing, `space` is that of both, and `before` is as makes_cycle has it.
  // May change the level of a lone node.
  Obstacle obstacle_between(int into, int from, Space& space, std::vector<int>& before) {
    Unit& a = unit(into);
    Unit& b = unit(from);
    if (a.commits != b.commits) return Obstacle::commit;
    if (a.nodes.size() + b.nodes.size() > kMostNodes) return Obstacle::size;
    auto joint = joint_space(a, b);
    if (!joint) return Obstacle::space;
    space = *std::move(joint);
    const Obstacle flow = flows_between(into, from, space);
    if (flow != Obstacle::none) return flow;
    return makes_cycle(into, from, before) ? Obstacle::between : Obstacle::none;
  }

  // The unit that has taken in another.
  int now_in(int number) const {
    while (units_.units_[static_cast<std::size_t>(number)].nodes.empty()) {
      number = merged_into_[static_cast<std::size_t>(number)];
    }
    return number;
  }

  // Units that read the same computed value, which none of them computes, read it once if they are one.
  void merge_siblings() {
    std::map<Value, std::vector<int>> readers;
    for (std::size_t number = 0; number < units_.units_.size(); ++number) {
      if (!units_.units_[number].fused) continue;
      for (const NodeId id : units_.units_[number].nodes) {
        const Node& node = graph_.node(id);
        for (std::size_t k = 0; k < data_inputs(node); ++k) {
          const Layout& layout = layout_of(node, k);
          const int made_by = unit_of(layout.root.node);
          if (made_by < 0 || made_by == static_cast<int>(number) || !is_direct(layout)) continue;
          std::vector<int>& units = readers[layout.root];
          if (units.empty() || units.back() != static_cast<int>(number)) units.push_back(static_cast<int>(number));
        }
      }
    }
    for (const auto& [value, units] : readers) {
      for (std::size_t k = 1; k < units.size() && units.size() <= kMostSiblings; ++k) {
        for (std::size_t other = 0; other < k; ++other) {
          merge(now_in(units[k]), now_in(units[other]));
          merge(now_in(units[other]), now_in(units[k]));
        }
      }
    }
  }

  // The space in which both compute. A node alone may still turn out to work on rows of the other.
  std::optional<Space> joint_space(Unit& a, const Unit& b) {
    if (auto space = common_space(a.space, b.space)) return space;
    if (a.nodes.size() != 1) return std::nullopt;
    const Node& node = graph_.node(a.nodes.front());
    if (const auto reduced = reduced_by(graph_, node)) return divided_for(node, *reduced, b);
    if (!b.space.is_divided()) return std::nullopt;
    const Sizes rows = factors_of(b.space, false);
    if (!extents_of(node.outputs.front().type.shape.sizes(), rows)) return std::nullopt;
    units_.levels_[node.id.number] = Level::row;
    return b.space;
  }

  // A reduction in a space that is finer, or divided already.
  std::optional<Space> divided_for(const Node& node, const Reduced& reduced, const Unit& b) {
    const Sizes sizes = graph_.type(node.inputs[0]).shape.sizes();
    const auto fine = common_space(space_of(sizes), b.space);
    if (!fine) return std::nullopt;
    const std::vector<bool> factors = reduced_factors(sizes, *fine, reduced.axes);
    Space space = *fine;
    if (!space.is_divided()) {
      units_.levels_[node.id.number] = divide(space, factors, reduced);
      return space;
    }
    if (factors == space.row) {
      units_.levels_[node.id.number] = Level::row;
      return space;
    }
    std::vector<bool> leading = space.row;
    leading.flip();
    if (factors != leading || reduced.reduction != Reduction::sum) return std::nullopt;
    units_.levels_[node.id.number] = Level::column;
    return space;
  }

  // What keeps values from flowing between the two without memory.
  Obstacle flows_between(int into, int from, const Space& space) const {
    const auto flows = [&](int user, int source) {
      for (const NodeId id : units_.units_[static_cast<std::size_t>(user)].nodes) {
        const Node& node = graph_.node(id);
        for (std::size_t k = 0; k < node.inputs.size(); ++k) {
          if (!node.inputs[k] || unit_of(layout_of(node, k).root.node) != source) continue;
          const Obstacle flow = k < data_inputs(node) ? flow_into(node, layout_of(node, k), space) : Obstacle::order;
          if (flow != Obstacle::none) return flow;
        }
      }
      return Obstacle::none;
    };
    const Obstacle forward = flows(into, from);
    return forward != Obstacle::none ? forward : flows(from, into);
  }

  Obstacle flow_into(const Node& node, const Layout& layout, const Space& space) const {
    const Level source = units_.levels_[layout.root.node.number];
    const Level level = units_.levels_[node.id.number];
    if (source == Level::column) return Obstacle::column;
    if (!is_direct(layout)) return Obstacle::order;
    const Sizes effective = layout.sizes_without_repeats();
    const auto sound = [](bool is, Obstacle otherwise) { return is ? Obstacle::none : otherwise; };
    if (reduced_by(graph_, node)) {
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

  // Whether a value per row, of shape `effective`, is repeated along exactly the axes of the row.
  static bool repeats_along_rows(const Sizes& sizes, const Sizes& effective, const Space& space) {
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

  // ---- Cycles

  // Units have places in an order in which they could be computed, kept up to date as they are merged: what a unit
  // reads has a lower place.

  void append_place(int number) {
    const std::int64_t last = places_.empty() ? 0 : places_.rbegin()->first;
    place_of_.push_back(last + kRoom);
    places_[last + kRoom] = number;
  }

  // Whether something outside both lies on a way from one to the other; else `before` gets what the later one needs
  // that has a place after the earlier one.
  bool makes_cycle(int a, int b, std::vector<int>& before) const {
    const int early = place(a) < place(b) ? a : b;
    const int late = early == a ? b : a;
    std::set<int> met = {late};
    std::vector<int> pending = {late};
    while (!pending.empty()) {
      const int number = pending.back();
      pending.pop_back();
      for (const NodeId id : units_.units_[static_cast<std::size_t>(number)].nodes) {
        for (const int other : units_before(graph_.node(id))) {
          if (other == early && number != late) return true;
          if (place(other) <= place(early) || !met.insert(other).second) continue;
          if (met.size() > kMostVisits) return true;  // too far to tell: better two kernels than a long search
          pending.push_back(other);
        }
      }
    }
    met.erase(late);
    before.assign(met.begin(), met.end());
    return false;
  }

  // Both get the place of the earlier one, and what the later one needs goes before it.
  void join_places(int into, int from, std::vector<int> before) {
    const std::int64_t early = std::min(place(into), place(from));
    const std::int64_t late = std::max(place(into), place(from));
    places_.erase(late);
    places_[early] = into;
    place_of_[static_cast<std::size_t>(into)] = early;
    std::sort(before.begin(), before.end(), [&](int x, int y) { return place(x) < place(y); });
    make_room_before(into, static_cast<std::int64_t>(before.size()));
    const std::int64_t after = place(into);
    const auto next = places_.find(after);
    std::int64_t free = next == places_.begin() ? after - kRoom : std::prev(next)->first;
    const std::int64_t step = (after - free) / (static_cast<std::int64_t>(before.size()) + 1);
    for (const int number : before) {
      places_.erase(place(number));
      free += step;
      place_of_[static_cast<std::size_t>(number)] = free;
      places_[free] = number;
    }
  }

  void make_room_before(int number, std::int64_t count) {
    const auto here = places_.find(place(number));
    const std::int64_t previous = here == places_.begin() ? here->first - kRoom : std::prev(here)->first;
    if (here->first - previous > count) return;
    std::map<std::int64_t, int> wider;
    for (const auto& [place, unit] : places_) {
      const std::int64_t at = (static_cast<std::int64_t>(wider.size()) + 1) * kRoom;
      wider[at] = unit;
      place_of_[static_cast<std::size_t>(unit)] = at;
    }
    places_ = std::move(wider);
  }

  std::int64_t place(int number) const { return place_of_[static_cast<std::size_t>(number)]; }

  // ---- Order

  // Units by what they need, else by where their last node stands; empty ones go.
  void put_in_order() {
    auto& units = units_.units_;
    std::vector<std::vector<int>> users(units.size());
    std::vector<int> waits(units.size(), 0);
    for (std::size_t number = 0; number < units.size(); ++number) {
      std::set<int> needs;
      for (const NodeId id : units[number].nodes) {
        for (const int before : units_before(graph_.node(id))) {
          if (before != static_cast<int>(number)) needs.insert(before);
        }
      }
      waits[number] = static_cast<int>(needs.size());
      for (const int before : needs) users[static_cast<std::size_t>(before)].push_back(static_cast<int>(number));
    }
    const auto place_of = [&](std::size_t number) { return position_[units[number].nodes.back().number]; };
    std::set<std::pair<std::size_t, int>> ready;
    std::size_t live = 0;
    for (std::size_t number = 0; number < units.size(); ++number) {
      if (units[number].nodes.empty()) continue;
      ++live;
      if (waits[number] == 0) ready.insert({place_of(number), static_cast<int>(number)});
    }
    std::vector<Unit> ordered;
    while (!ready.empty()) {
      const auto number = static_cast<std::size_t>(ready.begin()->second);
      ready.erase(ready.begin());
      for (const NodeId id : units[number].nodes) units_.unit_of_[id.number] = static_cast<int>(ordered.size());
      ordered.push_back(std::move(units[number]));
      for (const int user : users[number]) {
        const auto at = static_cast<std::size_t>(user);
        if (--waits[at] == 0) ready.insert({place_of(at), user});
      }
    }
    internal_check(ordered.size() == live, "fused units that wait for each other");
    units = std::move(ordered);
    places_.clear();
    place_of_.clear();
    for (std::size_t number = 0; number < units.size(); ++number) append_place(static_cast<int>(number));
  }

  // ---- What is left apart

  void list_unfused() {
    for (int number = 0; number < static_cast<int>(units_.units_.size()); ++number) {
      if (!unit(number).fused) continue;
      std::set<int> before;
      for (const NodeId id : unit(number).nodes) {
        for (const int other : units_before(graph_.node(id))) {
          if (unit(other).fused) before.insert(other);
        }
      }
      for (const int other : before) {
        const NodeId lone = unit(number).nodes.back();
        const Level level = units_.levels_[lone.number];
        Space space;
        std::vector<int> between;
        units_.unfused_.push_back({other, number, obstacle_between(number, other, space, between)});
        units_.levels_[lone.number] = level;
      }
    }
  }

  const Graph& graph_;
  std::span<const NodeId> order_;
  const Layouts& layouts_;
  std::span<const char> commits_;
  bool fuses_;
  Units& units_;
  std::vector<std::size_t> position_;
  std::vector<int> merged_into_;
  std::vector<std::int64_t> place_of_;  // by unit
  std::map<std::int64_t, int> places_;  // and back
};

Units::Units(const Graph& graph, std::span<const NodeId> order, const Layouts& layouts, std::span<const char> commits,
             bool fuses) {
  UnitGrower(graph, order, layouts, commits, fuses, *this).grow();
}

}  // namespace asg::fusion
