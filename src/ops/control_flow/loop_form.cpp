#include "ops/control_flow/loop_form.h"

#include "asg/graph/card.h"

namespace asg::ops {

bool is_constant_true(const Graph& graph, Value value) {
  const Node& node = graph.node(value.node);
  if (node.op->name != "Constant") return false;
  const Array& constant = AttrReader(*node.op, node.attrs).attr("value").as_tensor();
  return constant.count() == 1 && constant.get(0) != 0;
}

bool never_ends(const Graph& body) {
  Value condition = body.outputs().front().value;
  while (body.node(condition.node).op->name == "Identity") condition = body.node(condition.node).inputs.front();
  return condition.node == body.inputs()[1] || is_constant_true(body, condition);
}

}  // namespace asg::ops
