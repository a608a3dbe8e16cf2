// Algebraic simplification by a table of rules.
//   expects:    a graph of plain ops that validates
//   guarantees: the same function as docs/numbers.md promises it: rules are exact for all floats, but that x · x may
//               differ from x^2 in the last bit and the sign of a zero from a reduction of single elements. No rule of
//               the table applies to what is left. Types stay as they are.
//   example:    Mul(Expand(g, [4, 8]), x: f32[4, 8]) with g = 1 → x
//
// Rules look backwards only, so one walk from inputs to outputs with a fixed point at each node is a fixed point of the
// whole, in linear time.
#include <algorithm>

#include "compile/passes/effects.h"
#include "compile/passes/passes.h"
#include "compile/passes/simplify_site.h"
#include "compile/passes/tally.h"

namespace asg::passes {
namespace {

bool is_plain_elementwise(const OpCard& op) {
  return op.traits.elementwise && !op.traits.random && !op.composite && !has_effect(op) && op.outputs.size() == 1;
}

bool concerns(const Rule& rule, const OpCard& op) {
  if (rule.ops.empty()) return is_plain_elementwise(op);
  return std::find(rule.ops.begin(), rule.ops.end(), op.name) != rule.ops.end();
}

class Simplifier {
 public:
  explicit Simplifier(Graph graph) : rewriter_(std::move(graph)) {}

  PassResult run() {
    for (const NodeId id : rewriter_.order()) settle(id);
    return rewriter_.finish(tally_.lines());
  }

 private:
  // Far more than any node needs; a rule that undoes another would never end.
  static constexpr int kMostRewrites = 64;

  // Applies rules until none does, to new nodes before the one that uses them.
  void settle(NodeId first) {
    std::vector<NodeId> open = {first};
    for (int rewrites = 0; !open.empty();) {
      const NodeId id = open.back();
      rewriter_.refresh(id);
      std::vector<NodeId> made;
      const bool again = rewrites < kMostRewrites && improve(id, made);
      if (!again) open.pop_back();
      rewrites += again ? 1 : 0;
      open.insert(open.end(), made.begin(), made.end());
    }
  }

  // True where the node has become another one that should be looked at again.
  bool improve(NodeId id, std::vector<NodeId>& made) {
    const NodePtr node = rewriter_.graph().node_ptr(id);  // kept alive while the graph changes
    for (const Rule* rule : rules_for(*node->op)) {
      const Rewritten rewritten = rule->apply(Site(rewriter_, facts_, *node, made));
      if (!rewritten) continue;
      const bool forwarded = static_cast<bool>(rewritten->forward);
      const bool done = forwarded ? rewriter_.forward({node->id, 0}, rewritten->forward)
                                  : rewriter_.replace(node->id, *rewritten->op, rewritten->inputs, rewritten->attrs);
      if (!done) continue;
      tally_.add(rule->name, *node);
      return !forwarded;
    }
    return false;
  }

  const std::vector<const Rule*>& rules_for(const OpCard& op) {
    const auto [entry, is_new] = rules_.try_emplace(&op);
    if (!is_new) return entry->second;
    for (const auto& table : {arithmetic_rules(), shape_rules(), choice_rules(), broadcast_rules()}) {
      for (const Rule& rule : table) {
        if (concerns(rule, op)) entry->second.push_back(&rule);
      }
    }
    return entry->second;
  }

  Rewriter rewriter_;
  ValueFacts facts_;
  Tally tally_;
  std::unordered_map<const OpCard*, std::vector<const Rule*>> rules_;
};

}  // namespace

PassResult simplify(Graph graph) { return Simplifier(std::move(graph)).run(); }

}  // namespace asg::passes
