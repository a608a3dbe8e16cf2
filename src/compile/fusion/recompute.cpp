#include "compile/fusion/recompute.h"

#include <algorithm>
#include <map>

#include "asg/graph/card.h"
#include "compile/fusion/fusible.h"

namespace asg::fusion {
namespace {

constexpr std::int64_t kSmallestCount = 4096;  // of elements: keeping fewer costs nothing

bool is_cheap(ScalarOp op) {
  switch (op) {
    case ScalarOp::add:
    case ScalarOp::sub:
    case ScalarOp::mul:
    case ScalarOp::div:
    case ScalarOp::neg:
    case ScalarOp::abs:
    case ScalarOp::min:
    case ScalarOp::max:
      return true;
    default:
      return false;
  }
}

class RecomputeFinder {
 public:
  RecomputeFinder(const Graph& graph, const Layouts& layouts, const Units& units, const std::set<Value>& stored,
                  const std::set<Value>& results)
      : graph_(graph), layouts_(layouts), units_(units), stored_(stored), results_(results) {
    const auto all = units.all();
    for (std::size_t number = 0; number < all.size(); ++number) {
      for (const NodeId id : all[number].nodes) {
        const Node& node = graph.node(id);
        for (std::size_t k = 0; k < node.inputs.size(); ++k) {
          if (node.inputs[k]) note_reader(node, k, static_cast<int>(number));
        }
      }
    }
  }

  std::set<Value> find() {
    std::set<Value> found;
    for (const auto& [value, readers] : readers_) {
      if (is_candidate(value) && operands_are_kept(value, found)) found.insert(value);
    }
    return found;
  }

 private:
  struct Readers {
    std::vector<int> units = {};  // that read it and do not compute it
    bool by_element = true;       // all of them fused, and in its own shape
  };

  void note_reader(const Node& node, std::size_t input, int number) {
    const Layout& layout = layouts_.input_of(node, input);
    if (units_.unit_of(layout.root.node) == number) return;
    Readers& readers = readers_[layout.root];
    readers.units.push_back(number);
    const Unit& unit = units_.all()[static_cast<std::size_t>(number)];
    const Sizes sizes = graph_.type(layout.root).shape.sizes();
    const bool whole = layout.sizes == sizes && layout.keeps_order(element_count(sizes));
    if (!unit.fused || unit.commits || !whole || input >= data_inputs(node) ||
        unit.space.count() != element_count(sizes)) {
      readers.by_element = false;
    }
  }

  bool is_candidate(Value value) const {
    if (!stored_.contains(value) || results_.contains(value) || !readers_.at(value).by_element) return false;
    const Node& node = graph_.node(value.node);
    const int unit = units_.unit_of(value.node);
    return unit >= 0 && units_.all()[static_cast<std::size_t>(unit)].fused && is_cheap(node.op->scalar) &&
           layouts_.copied_by(node.id) == nullptr && units_.level_of(node.id) == Level::element &&
           element_count(graph_.type(value).shape.sizes()) >= kSmallestCount;
  }

  // Whether everything that it is computed from is there when its last user runs, without being kept for that alone.
  bool operands_are_kept(Value value, const std::set<Value>& recomputed) const {
    const Node& node = graph_.node(value.node);
    const auto& users = readers_.at(value).units;
    const int last_user = *std::max_element(users.begin(), users.end());
    for (std::size_t k = 0; k < node.inputs.size(); ++k) {
      const Layout& layout = layouts_.input_of(node, k);
      if (graph_.node(layout.root.node).op->traits.leaf) continue;
      if (!stored_.contains(layout.root) || recomputed.contains(layout.root)) return false;
      const auto& others = readers_.at(layout.root).units;
      if (*std::max_element(others.begin(), others.end()) < last_user) return false;
      // A value that is computed again from this one keeps it needed.
      if (std::find(users.begin(), users.end(), units_.unit_of(layout.root.node)) != users.end()) return false;
    }
    return true;
  }

  const Graph& graph_;
  const Layouts& layouts_;
  const Units& units_;
  const std::set<Value>& stored_;
  const std::set<Value>& results_;
  std::map<Value, Readers> readers_;
};

}  // namespace

std::set<Value> values_to_recompute(const Graph& graph, const Layouts& layouts, const Units& units,
                                    const std::set<Value>& stored, const std::set<Value>& results) {
  return RecomputeFinder(graph, layouts, units, stored, results).find();
}

}  // namespace asg::fusion
