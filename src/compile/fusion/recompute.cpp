#include "compile/fusion/recompute.h"

#include <algorithm>

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
  RecomputeFinder(const Graph& graph, const Layouts& layouts, const Units& units, const ValueSet& stored,
                  const ValueSet& results)
      : graph_(graph),
        layouts_(layouts),
        units_(units),
        stored_(stored),
        results_(results),
        readers_(layouts.numbers().count()) {
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

  ValueSet find() {
    ValueSet found(layouts_.numbers());
    for (const NodeId id : graph_.node_ids()) {
      for (std::uint32_t port = 0; port < layouts_.numbers().ports_of(id); ++port) {
        const Value value{id, port};
        if (is_candidate(value) && operands_are_kept(value, found)) found.insert(value);
      }
    }
    return found;
  }

 private:
  // Of a value: the units that read it and do not compute it.
  struct Readers {
    std::vector<int> units = {};
    bool by_element = true;  // all of them fused, and in its own shape
  };

  const Readers& readers_of(Value value) const { return readers_[layouts_.numbers().of(value)]; }

  void note_reader(const Node& node, std::size_t input, int number) {
    const Layout& layout = layouts_.input_of(node, input);
    if (units_.unit_of(layout.root.node) == number) return;
    Readers& readers = readers_[layouts_.numbers().of(layout.root)];
    readers.units.push_back(number);
    const Unit& unit = units_.all()[static_cast<std::size_t>(number)];
    const Sizes& sizes = layouts_.of(layout.root).sizes;
    const std::int64_t count = element_count(sizes);
    const bool whole = layout.sizes == sizes && layout.keeps_order(count);
    if (!unit.fused || unit.commits || !whole || input >= data_inputs(node) || unit.space.count() != count) {
      readers.by_element = false;
    }
  }

  bool is_candidate(Value value) const {
    const Readers& readers = readers_of(value);
    if (readers.units.empty() || !readers.by_element) return false;
    if (!stored_.contains(value) || results_.contains(value)) return false;
    const Node& node = graph_.node(value.node);
    const int unit = units_.unit_of(value.node);
    return unit >= 0 && units_.all()[static_cast<std::size_t>(unit)].fused && is_cheap(node.op->scalar) &&
           layouts_.copied_by(node.id) == nullptr && units_.level_of(node.id) == Level::element &&
           layouts_.count_of(value) >= kSmallestCount;
  }

  // Whether everything that it is computed from is there when its last user runs, without being kept for that alone.
  bool operands_are_kept(Value value, const ValueSet& recomputed) const {
    const Node& node = graph_.node(value.node);
    const auto& users = readers_of(value).units;
    const int last_user = *std::max_element(users.begin(), users.end());
    for (std::size_t k = 0; k < node.inputs.size(); ++k) {
      const Layout& layout = layouts_.input_of(node, k);
      if (graph_.node(layout.root.node).op->traits.leaf) continue;
      if (results_.contains(layout.root)) continue;  // kept to the end, also where no other unit reads it
      if (!stored_.contains(layout.root) || recomputed.contains(layout.root)) return false;
      const auto& others = readers_of(layout.root).units;
      if (*std::max_element(others.begin(), others.end()) < last_user) return false;
      // A value that is computed again from this one keeps it needed.
      if (std::find(users.begin(), users.end(), units_.unit_of(layout.root.node)) != users.end()) return false;
    }
    return true;
  }

  const Graph& graph_;
  const Layouts& layouts_;
  const Units& units_;
  const ValueSet& stored_;
  const ValueSet& results_;
  std::vector<Readers> readers_;  // by the number of the value
};

}  // namespace

ValueSet values_to_recompute(const Graph& graph, const Layouts& layouts, const Units& units, const ValueSet& stored,
                             const ValueSet& results) {
  return RecomputeFinder(graph, layouts, units, stored, results).find();
}

}  // namespace asg::fusion
