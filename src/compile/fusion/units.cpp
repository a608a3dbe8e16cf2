#include "compile/fusion/units.h"

#include <algorithm>
#include <map>
#include <set>

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
  return !node.outputs.empty() && element_count(node.outputs.front().type.shape.sizes()) > 0;
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
      std::set<int> before;
      for (const NodeId id : table_.unit(number).nodes) {
        for (const int other : table_.units_before(graph_.node(id))) {
          if (table_.unit(other).fused) before.insert(other);
        }
      }
      for (const int other : before) {
        const NodeId lone = table_.unit(number).nodes.back();
        const Level level = table_.level(lone);
        Space space;
        std::vector<int> between;
        pairs.push_back({other, number, obstacle_between(number, other, space, between)});
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
    places_.append(number);
    table_.put(node.id, number);
    if (!table_.unit(number).fused || !fuses_) return;
    for (const int candidate : candidates(node)) merge(number, candidate);
  }

  std::vector<int> candidates(const Node& node) const {
    std::set<int, std::greater<>> found;
    for (std::size_t k = 0; k < data_inputs(node); ++k) {
      const Layout& layout = table_.layout_of(node, k);
      const int from = table_.unit_of(layout.root.node);
      if (from >= 0 && table_.unit(from).fused && table_.is_direct(layout)) found.insert(from);
    }
    return {found.begin(), found.end()};
  }

  // ---- Merging

  void merge(int into, int from) {
    if (into == from) return;
    Unit& a = table_.unit(into);
    Unit& b = table_.unit(from);
    const NodeId lone = a.nodes.back();
    const Level old_level = table_.level(lone);
    Space space;
    std::vector<int> before;
    if (obstacle_between(into, from, space, before) != Obstacle::none) {
      table_.set_level(lone, old_level);
      return;
    }
    places_.join(into, from, std::move(before));
    a.space = std::move(space);
    a.nodes.insert(a.nodes.end(), b.nodes.begin(), b.nodes.end());
    std::sort(a.nodes.begin(), a.nodes.end(),
              [&](NodeId x, NodeId y) { return position_[x.number] < position_[y.number]; });
    for (const NodeId id : b.nodes) table_.put(id, into);
    b.nodes.clear();
    merged_into_[static_cast<std::size_t>(from)] = into;
  }

  // What keeps two units apart; where it is nothing, `space` is that of both, and `before` is as makes_cycle has it.
  // May change the level of a lone node.
  Obstacle obstacle_between(int into, int from, Space& space, std::vector<int>& before) {
    const Unit& a = table_.unit(into);
    const Unit& b = table_.unit(from);
    if (a.commits != b.commits) return Obstacle::commit;
    if (a.nodes.size() + b.nodes.size() > kMostNodes) return Obstacle::size;
    auto joint = joint_space(table_, a, b);
    if (!joint) return Obstacle::space;
    space = *std::move(joint);
    const Obstacle flow = flows_between(table_, into, from, space);
    if (flow != Obstacle::none) return flow;
    return makes_cycle(into, from, before) ? Obstacle::between : Obstacle::none;
  }

  // Whether something outside both lies on a way from one to the other; else `before` gets what the later one needs
  // that has a place after the earlier one.
  bool makes_cycle(int a, int b, std::vector<int>& before) const {
    const int early = places_.of(a) < places_.of(b) ? a : b;
    const int late = early == a ? b : a;
    std::set<int> met = {late};
    std::vector<int> pending = {late};
    while (!pending.empty()) {
      const int number = pending.back();
      pending.pop_back();
      for (const NodeId id : table_.unit(number).nodes) {
        for (const int other : table_.units_before(graph_.node(id))) {
          if (other == early && number != late) return true;
          if (places_.of(other) <= places_.of(early) || !met.insert(other).second) continue;
          if (met.size() > kMostVisits) return true;  // too far to tell: better two kernels than a long search
          pending.push_back(other);
        }
      }
    }
    met.erase(late);
    before.assign(met.begin(), met.end());
    return false;
  }

  // The unit that has taken in another.
  int now_in(int number) const {
    while (table_.unit(number).nodes.empty()) number = merged_into_[static_cast<std::size_t>(number)];
    return number;
  }

  // Units that read the same computed value, which none of them computes, read it once if they are one.
  void merge_siblings() {
    std::map<Value, std::vector<int>> readers;
    for (int number = 0; number < static_cast<int>(table_.all().size()); ++number) {
      if (!table_.unit(number).fused) continue;
      for (const NodeId id : table_.unit(number).nodes) {
        const Node& node = graph_.node(id);
        for (std::size_t k = 0; k < data_inputs(node); ++k) {
          const Layout& layout = table_.layout_of(node, k);
          const int made_by = table_.unit_of(layout.root.node);
          if (made_by < 0 || made_by == number || !table_.is_direct(layout)) continue;
          std::vector<int>& units = readers[layout.root];
          if (units.empty() || units.back() != number) units.push_back(number);
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

  // ---- Order

  // Units by what they need, else by where their last node stands; empty ones go.
  void put_in_order() {
    std::vector<Unit>& units = table_.all();
    std::vector<std::vector<int>> users(units.size());
    std::vector<int> waits(units.size(), 0);
    for (std::size_t number = 0; number < units.size(); ++number) {
      std::set<int> needs;
      for (const NodeId id : units[number].nodes) {
        for (const int before : table_.units_before(graph_.node(id))) needs.insert(before);
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
      for (const NodeId id : units[number].nodes) table_.put(id, static_cast<int>(ordered.size()));
      ordered.push_back(std::move(units[number]));
      for (const int user : users[number]) {
        const auto at = static_cast<std::size_t>(user);
        if (--waits[at] == 0) ready.insert({place_of(at), user});
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
  UnitTable table(graph, layouts);
  UnitGrower grower(table, order, commits, fuses);
  grower.grow();
  unfused_ = grower.unfused();
  units_ = std::move(table.all());
  unit_of_ = table.take_numbers();
  levels_ = table.take_levels();
}

}  // namespace asg::fusion
