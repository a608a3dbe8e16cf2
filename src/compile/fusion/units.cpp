#include "compile/fusion/units.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "asg/graph/card.h"
#include "compile/fusion/fusible.h"
#include "compile/fusion/unit_places.h"
#include "compile/fusion/unit_spaces.h"
#include "compile/fusion/unit_table.h"

namespace asg::fusion {
namespace {

constexpr std::size_t kMostNodes = 96;     // of one unit
constexpr std::size_t kMostSiblings = 16;  // readers of one value that are tried in pairs
constexpr std::size_t kMostVisits = 512;   // of one search for a cycle

bool is_filled(const Node& node) {
  if (node.outputs.empty()) return false;
  const auto& dims = node.outputs.front().type.shape.dims();
  return std::all_of(dims.begin(), dims.end(), [](const Dim& dim) { return dim.value() > 0; });
}

// Puts nodes into units one after the other, in topological order; a node takes the units of its inputs into its own
// where that is sound.
class UnitGrower {
 public:
  UnitGrower(UnitTable& table, std::span<const NodeId> order, std::span<const char> commits, bool fuses)
      : table_(table),
        graph_(table.graph()),
        order_(order),
        commits_(commits),
        fuses_(fuses),
        position_(graph_.next_node_id().number, 0) {}

  void grow() {
    for (std::size_t at = 0; at < order_.size(); ++at) {
      position_[order_[at].number] = at;
      const Node& node = graph_.node(order_[at]);
      if (!node.op->traits.leaf && !table_.layouts().is_view(node.id)) place(node);
    }
    if (fuses_) merge_siblings();
    put_in_order();
  }

  // Every pair of fused units, in order, of which one reads what the other computes.
  std::vector<Unfused> unfused() {
    std::vector<Unfused> pairs;
    for (int number = 0; fuses_ && number < static_cast<int>(table_.all().size()); ++number) {
      if (!table_.unit(number).fused) continue;
      for (const int other : table_.units_before(number)) {
        if (!table_.unit(other).fused) continue;
        const NodeId lone = table_.unit(number).nodes.back();
        const Level level = table_.level(lone);
        Space space;
        pairs.push_back({other, number, obstacle_between(number, other, space)});
        table_.set_level(lone, level);
      }
    }
    return pairs;
  }

 private:
  void place(const Node& node) {
    const int number = static_cast<int>(table_.all().size());
    const bool copies = table_.layouts().copied_by(node.id) != nullptr;
    Unit fresh{.nodes = {node.id},
               .fused = is_filled(node) && (copies || is_fusible(graph_, node)),
               .commits = commits_[node.id.number] != 0};
    if (fresh.fused) fresh.space = first_space(table_, node);
    table_.all().push_back(std::move(fresh));
    merged_into_.push_back(number);
    met_in_.push_back(0);
    places_.append(number);
    table_.put(node.id, number);
    if (!table_.unit(number).fused || !fuses_) return;
    for (const int candidate : candidates(node)) merge(number, candidate);
  }

  std::vector<int> candidates(const Node& node) const {
    std::vector<int> found;
    for (std::size_t k = 0; k < data_inputs(node); ++k) {
      const Layout& layout = table_.layout_of(node, k);
      const int from = table_.unit_of(layout.root.node);
      if (from >= 0 && table_.unit(from).fused && table_.is_direct(layout)) found.push_back(from);
    }
    std::sort(found.begin(), found.end(), std::greater<>());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  // ---- Merging

  void merge(int into, int from) {
    if (into == from) return;
    Unit& a = table_.unit(into);
    Unit& b = table_.unit(from);
    const NodeId lone = a.nodes.back();
    const Level old_level = table_.level(lone);
    Space space;
    if (obstacle_between(into, from, space) != Obstacle::none) {
      table_.set_level(lone, old_level);
      return;
    }
    places_.join(into, from, {met_.begin() + 1, met_.end()});
    a.space = std::move(space);
    for (const NodeId id : b.nodes) table_.put(id, into);
    append_in_order(b.nodes, a.nodes);
    a.nodes = std::move(b.nodes);
    b.nodes.clear();
    merged_into_[static_cast<std::size_t>(from)] = into;
  }

  // Both in topological order, and so the result.
  void append_in_order(std::vector<NodeId>& nodes, const std::vector<NodeId>& more) const {
    const auto is_earlier = [&](NodeId x, NodeId y) { return position_[x.number] < position_[y.number]; };
    if (!is_earlier(more.front(), nodes.back())) {
      nodes.insert(nodes.end(), more.begin(), more.end());
      return;
    }
    std::vector<NodeId> both(nodes.size() + more.size());
    std::merge(nodes.begin(), nodes.end(), more.begin(), more.end(), both.begin(), is_earlier);
    nodes = std::move(both);
  }

  // What keeps two units apart; where it is nothing, `space` is that of both, and `met_` is as makes_cycle has it.
  // May change the level of a lone node.
  Obstacle obstacle_between(int into, int from, Space& space) {
    const Unit& a = table_.unit(into);
    const Unit& b = table_.unit(from);
    if (a.commits != b.commits) return Obstacle::commit;
    if (a.nodes.size() + b.nodes.size() > kMostNodes) return Obstacle::size;
    auto joint = joint_space(table_, a, b);
    if (!joint) return Obstacle::space;
    space = *std::move(joint);
    const int early = places_.is_before(into, from) ? into : from;
    const int late = early == into ? from : into;
    const Obstacle flow = flow_between(table_, early, late, space);
    if (flow != Obstacle::none) return flow;
    return makes_cycle(early, late) ? Obstacle::between : Obstacle::none;
  }

  // Whether something outside both lies on a way from one to the other; else `met_` is the later one and what it needs
  // that has a place after the earlier one.
  bool makes_cycle(int early, int late) {
    ++search_;
    met_.clear();
    const auto meet = [&](int unit) {
      int& met_in = met_in_[static_cast<std::size_t>(unit)];
      if (met_in != search_) met_.push_back(unit);
      met_in = search_;
    };
    meet(late);
    for (std::size_t next = 0; next < met_.size(); ++next) {
      const int number = met_[next];
      for (const NodeId id : table_.unit(number).nodes) {
        for (const NodeId source : table_.sources_of(id)) {
          const int other = table_.unit_of(source);
          if (other < 0 || other == number) continue;
          if (other == early && number != late) return true;
          if (places_.is_before(early, other)) meet(other);
          if (met_.size() > kMostVisits) return true;  // too far to tell: better two kernels than a long search
        }
      }
    }
    return false;
  }

  // The unit that has taken in another.
  int now_in(int number) const {
    while (table_.unit(number).nodes.empty()) number = merged_into_[static_cast<std::size_t>(number)];
    return number;
  }

  // Units that read the same computed value, which none of them computes, read it once if they are one.
  void merge_siblings() {
    const ValueNumbers& numbers = table_.layouts().numbers();
    std::vector<std::pair<std::size_t, int>> readers;  // values by their numbers, and units
    for (int number = 0; number < static_cast<int>(table_.all().size()); ++number) {
      if (!table_.unit(number).fused) continue;
      for (const NodeId id : table_.unit(number).nodes) {
        const Node& node = graph_.node(id);
        for (std::size_t k = 0; k < data_inputs(node); ++k) {
          const Layout& layout = table_.layout_of(node, k);
          const int made_by = table_.unit_of(layout.root.node);
          if (made_by < 0 || made_by == number || !table_.is_direct(layout)) continue;
          readers.emplace_back(numbers.of(layout.root), number);
        }
      }
    }
    std::sort(readers.begin(), readers.end());
    readers.erase(std::unique(readers.begin(), readers.end()), readers.end());
    for (std::size_t first = 0, last = 0; first < readers.size(); first = last) {
      while (last < readers.size() && readers[last].first == readers[first].first) ++last;
      if (last - first > kMostSiblings) continue;
      for (std::size_t k = first + 1; k < last; ++k) {
        for (std::size_t other = first; other < k; ++other) {
          merge(now_in(readers[k].second), now_in(readers[other].second));
          merge(now_in(readers[other].second), now_in(readers[k].second));
        }
      }
    }
  }

  // ---- Order

  // Units by what they need, else by where their last node stands; empty ones go.
  void put_in_order() {
    std::vector<Unit>& units = table_.all();
    std::vector<std::vector<int>> users(units.size());
    std::vector<int> waits(units.size(), 0);
    for (std::size_t number = 0; number < units.size(); ++number) {
      const std::vector<int>& needs = table_.units_before(static_cast<int>(number));
      waits[number] = static_cast<int>(needs.size());
      for (const int before : needs) users[static_cast<std::size_t>(before)].push_back(static_cast<int>(number));
    }
    const auto place_of = [&](std::size_t number) { return position_[units[number].nodes.back().number]; };
    using Ready = std::pair<std::size_t, int>;  // the place of a unit, and its number
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
    std::size_t live = 0;
    for (std::size_t number = 0; number < units.size(); ++number) {
      if (units[number].nodes.empty()) continue;
      ++live;
      if (waits[number] == 0) ready.emplace(place_of(number), static_cast<int>(number));
    }
    std::vector<Unit> ordered;
    while (!ready.empty()) {
      const auto number = static_cast<std::size_t>(ready.top().second);
      ready.pop();
      for (const NodeId id : units[number].nodes) table_.put(id, static_cast<int>(ordered.size()));
      ordered.push_back(std::move(units[number]));
      for (const int user : users[number]) {
        const auto at = static_cast<std::size_t>(user);
        if (--waits[at] == 0) ready.emplace(place_of(at), user);
      }
    }
    internal_check(ordered.size() == live, "fused units that wait for each other");
    units = std::move(ordered);
    places_ = {};
    for (std::size_t number = 0; number < units.size(); ++number) places_.append(static_cast<int>(number));
  }

  UnitTable& table_;
  const Graph& graph_;
  std::span<const NodeId> order_;
  std::span<const char> commits_;
  bool fuses_;
  UnitPlaces places_;
  std::vector<std::size_t> position_;  // by node: in the order
  std::vector<int> merged_into_;       // by unit that is empty: who took it in
  std::vector<int> met_;               // units, in the last search for a cycle
  std::vector<int> met_in_;            // by unit: the last search that met it
  int search_ = 0;
};

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

Units::Units(const Graph& graph, std::span<const NodeId> order, const Layouts& layouts, std::span<const char> commits,
             bool fuses) {
  UnitTable table(graph, order, layouts);
  UnitGrower grower(table, order, commits, fuses);
  grower.grow();
  unfused_ = grower.unfused();
  units_ = std::move(table.all());
  unit_of_ = table.take_numbers();
  levels_ = table.take_levels();
}

}  // namespace asg::fusion
