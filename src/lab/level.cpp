// One level: the children of a scope as items, and what flows between them, lifted from the leaves and merged.
#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "lab/level_portals.h"
#include "lab/scene_data.h"

namespace asg::lab {
namespace {

constexpr std::size_t kMostOutputs = 8;  // listed of a scope

// A value that comes from outside, and one of its users.
struct Entering {
  Source value;
  int item = 0;
};

class LevelMaker {
 public:
  LevelMaker(const SceneData& data, Frame& frame, int scope)
      : data_(data),
        frame_(frame),
        sheet_(*frame.sheet),
        scope_(sheet_.scopes[static_cast<std::size_t>(scope)]),
        item_of_(static_cast<std::size_t>(scope_.last - scope_.first)),
        portals_(data, frame, scope_) {
    level_.view = data.view;
    level_.scope = scope_path(frame, scope);
    level_.title = scope == 0 ? sheet_.title : scope_.name;
  }

  Level make() {
    add_items();
    edge_to_.assign(level_.items.size(), -1);
    edge_from_.assign(level_.items.size(), -1);
    flowing_.assign(level_.items.size(), 0);
    for (int leaf = scope_.first; leaf < scope_.last; ++leaf) {
      add_uses(leaf);
      note_entering(leaf);
    }
    add_named_outlets();
    add_entering();
    portals_.finish(level_);
    mark_skips(level_.edges, ends_, level_.items.size());
    mark_repeats(data_, sheet_, scope_.children, ends_, level_);
    limit_level(level_);
    return std::move(level_);
  }

 private:
  bool inside(int leaf) const { return leaf >= scope_.first && leaf < scope_.last; }
  int item_of(int leaf) const { return item_of_[static_cast<std::size_t>(leaf - scope_.first)]; }
  const std::string& path(int item) const { return level_.items[static_cast<std::size_t>(item)].path; }

  void add_items() {
    for (const Scope::Child& child : scope_.children) {
      const int number = static_cast<int>(level_.items.size());
      int first = child.index;
      int last = child.index + 1;
      if (child.is_scope) {
        first = sheet_.scopes[static_cast<std::size_t>(child.index)].first;
        last = sheet_.scopes[static_cast<std::size_t>(child.index)].last;
      }
      std::fill(item_of_.begin() + (first - scope_.first), item_of_.begin() + (last - scope_.first), number);
      level_.items.push_back(child.is_scope ? item_of_scope(data_, frame_, child.index)
                                            : item_of_leaf(data_, frame_, child.index));
    }
  }

  // Users of each value of the leaf, value by value.
  void add_uses(int leaf) {
    const auto first = sheet_.uses.begin() + sheet_.first_use[static_cast<std::size_t>(leaf)];
    const auto last = sheet_.uses.begin() + sheet_.first_use[static_cast<std::size_t>(leaf) + 1];
    std::uint32_t ports = 0;
    for (auto use = first; use != last; ++use) ports = std::max(ports, use->port + 1);
    for (std::uint32_t port = 0; port < ports; ++port) {
      users_.clear();
      bool leaves_scope = false;
      bool far_only = true;  // what only another pass reads is shown there
      for (auto use = first; use != last; ++use) {
        if (use->port != port) continue;
        if (!inside(use->leaf)) {
          leaves_scope = true;
          far_only = far_only && portals_.is_far(use->leaf);
        } else if (item_of(use->leaf) != item_of(leaf)) {
          users_.push_back(item_of(use->leaf));
        }
      }
      std::sort(users_.begin(), users_.end());
      users_.erase(std::unique(users_.begin(), users_.end()), users_.end());
      const Source value = {.leaf = leaf, .port = port};
      const bool in_scope = scope_.children[static_cast<std::size_t>(item_of(leaf))].is_scope;
      if (leaves_scope && !far_only && !portals_.is_still(leaf)) add_outlet(short_name(frame_, value), value);
      const bool flows = !portals_.is_still(leaf) && (!users_.empty() || !far_only);
      if (leaves_scope || !users_.empty()) add_scope_output(value, flows);
      if (users_.size() > kMostLines) {
        add_portal(value, path(item_of(leaf)), users_);
      } else if (!users_.empty() && in_scope && portals_.is_still(leaf)) {
        portals_.add_still(value, item_of(leaf), users_);
      } else {
        for (const int user : users_) add_edge(item_of(leaf), user, value);
      }
    }
  }

  void add_outlet(std::string name, const Source& value) {
    outlet_at_.emplace(value_name(frame_, value), level_.outlets.size());
    level_.outlets.push_back(
        {std::move(name), value_name(frame_, value), value_type(frame_, value), {path(item_of(value.leaf))}});
  }

  // What flows on to the next layer comes first; weights that the update reads, and what is kept for the gradient,
  // behind.
  void add_scope_output(const Source& value, bool flows) {
    const auto number = static_cast<std::size_t>(item_of(value.leaf));
    if (!scope_.children[number].is_scope) return;
    std::vector<Item::Output>& outputs = level_.items[number].outputs;
    std::size_t& flowing = flowing_[number];
    if ((flows ? flowing : outputs.size()) == kMostOutputs) return;
    const std::size_t place = flows ? flowing++ : outputs.size();
    outputs.insert(outputs.begin() + static_cast<std::ptrdiff_t>(place),
                   {short_name(frame_, value), value_type(frame_, value)});
    if (outputs.size() > kMostOutputs) outputs.pop_back();
  }

  // Leaves of one item stand together, so the edges of an item are found by their ends.
  void add_edge(int from, int to, const Source& value) {
    const auto end = static_cast<std::size_t>(to);
    if (edge_from_[end] == from) {
      ++level_.edges[static_cast<std::size_t>(edge_to_[end])].count;
      return;
    }
    edge_from_[end] = from;
    edge_to_[end] = static_cast<int>(level_.edges.size());
    level_.edges.push_back({path(from), path(to), value_name(frame_, value), value_type(frame_, value)});
    ends_.emplace_back(from, to);
  }

  void add_portal(const Source& value, std::optional<std::string> from, const std::vector<int>& users) {
    Portal portal{short_name(frame_, value), value_name(frame_, value), value_type(frame_, value), std::move(from)};
    for (const int user : users) portal.to.push_back(path(user));
    level_.portals.push_back(std::move(portal));
  }

  void note_entering(int leaf) {
    for (const Source& input : sheet_.leaves[static_cast<std::size_t>(leaf)].inputs) {
      if (!input.absent() && (input.leaf < 0 || !inside(input.leaf))) entering_.push_back({input, item_of(leaf)});
    }
  }

  void add_entering() {
    const auto key = [](const Entering& each) {
      return std::tuple(each.value.inlet < 0, each.value.inlet, each.value.leaf, each.value.port, each.item);
    };
    std::sort(entering_.begin(), entering_.end(),
              [&](const Entering& a, const Entering& b) { return key(a) < key(b); });
    for (std::size_t first = 0; first < entering_.size();) {
      std::size_t last = first;
      users_.clear();
      for (; last < entering_.size() && entering_[last].value == entering_[first].value; ++last) {
        if (users_.empty() || users_.back() != entering_[last].item) users_.push_back(entering_[last].item);
      }
      const Source& value = entering_[first].value;
      if (portals_.is_far(value.leaf)) {
        portals_.add_far(value, users_);
      } else if (portals_.is_still(value.leaf)) {
        portals_.add_still(value, std::nullopt, users_);
      } else if (users_.size() > kMostLines) {
        add_portal(value, std::nullopt, users_);
      } else {
        Crossing inlet{short_name(frame_, value), value_name(frame_, value), value_type(frame_, value)};
        for (const int user : users_) inlet.items.push_back(path(user));
        level_.inlets.push_back(std::move(inlet));
      }
      first = last;
    }
  }

  // Outputs of the graph or of the layer leave every scope around their node.
  void add_named_outlets() {
    for (const Sheet::Outlet& outlet : sheet_.outlets) {
      if (outlet.value.leaf < 0) {
        if (scope_.parent < 0) {  // a layer that hands on what it is given
          level_.outlets.push_back(
              {outlet.name, value_name(frame_, outlet.value), value_type(frame_, outlet.value), {}});
        }
        continue;
      }
      if (!inside(outlet.value.leaf)) continue;
      const auto known = outlet_at_.find(value_name(frame_, outlet.value));
      if (known != outlet_at_.end()) {
        level_.outlets[known->second].name = outlet.name;
      } else {
        add_outlet(outlet.name, outlet.value);
        add_scope_output(outlet.value, true);
      }
    }
  }

  const SceneData& data_;
  Frame& frame_;
  Sheet& sheet_;
  const Scope& scope_;
  Level level_;
  std::vector<int> item_of_;  // by leaf, from the first
  LevelPortals portals_;
  std::vector<int> edge_to_, edge_from_;   // by the item at the end: the last edge to it, and where that begins
  std::vector<std::size_t> flowing_;       // by item: outputs of a scope that flow on
  std::vector<std::pair<int, int>> ends_;  // of the edges
  std::unordered_map<std::string, std::size_t> outlet_at_;  // by value
  std::vector<Entering> entering_;
  std::vector<int> users_;
};

}  // namespace

Level level_of_scope(const SceneData& data, Frame& frame, int scope) { return LevelMaker(data, frame, scope).make(); }

}  // namespace asg::lab
