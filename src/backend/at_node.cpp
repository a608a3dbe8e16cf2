#include "backend/at_node.h"

#include "asg/graph/card.h"

namespace asg {

void fail_no_memory(const Node& node) {
  throw UserError({ErrorCode::out_of_memory, "op '" + node.op->name + "', for which memory ran out",
                   "no more memory than this process can have", "use smaller sizes or a smaller dtype, or free arrays",
                   node.path(), node.where.to_string()});
}

void fail_foreign_exception(const Node& node, const char* message) {
  throw UserError({ErrorCode::computation_error, "op '" + node.op->name + "', which failed: " + message,
                   "values that the op can be computed on", "look at the values that reach the node", node.path(),
                   node.where.to_string()});
}

}  // namespace asg
