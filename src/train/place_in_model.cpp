#include "asg/graph/card.h"
#include "asg/train/taps.h"
#include "graph/edit_places.h"
#include "graph/scopes.h"

namespace asg::train {

// An origin may lead into the body of a plain op, which a step takes apart to differentiate it. People see that op.
ModelPlace place_in_model(const Graph& model, const Graph& step, NodeId id) {
  const Node& node = step.node(id);
  if (node.origin == nullptr || !model.has(node.origin->node)) return {node.path(), node.op->name};
  const Node& outermost = model.node(node.origin->node);
  std::string inside = node.origin->path;
  while (true) {
    try {
      const std::vector<BodyLevel> levels = levels_of(model, {outermost.id, inside});
      const Node& found = levels.empty() ? outermost : levels.back().body.graph.node(levels.back().node);
      return {joined_scope(outermost.path(), inside), found.op->name};
    } catch (const UserError& error) {
      if (error.code() != ErrorCode::unknown_scope || inside.empty()) throw;
    }
    const std::size_t slash = inside.rfind('/');
    inside.resize(slash == std::string::npos ? 0 : slash);
  }
}

}  // namespace asg::train
