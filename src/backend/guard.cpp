#include "backend/guard.h"

#include <algorithm>
#include <vector>

#include "asg/backend/primitives.h"

namespace asg {
namespace {

struct Entry {
  const Backend* backend;
  const Graph* graph;
  const OpCard* op;
};

// Deeper than subgraphs are ever nested. Only an `execute` that passes copies of its graph on to the per-op side gets
// there; one that passes the graph itself is found at once.
constexpr std::ptrdiff_t kDeepest = 100;
thread_local std::vector<Entry> under_way;

}  // namespace

DefaultGuard::DefaultGuard(const Backend& backend, const Graph& graph, const OpCard& op) {
  const auto depth = std::count_if(under_way.begin(), under_way.end(),
                                   [&](const Entry& entry) { return entry.backend == &backend && entry.op == &op; });
  if (depth >= kDeepest) fail_not_implemented(backend, op);
  under_way.push_back({&backend, &graph, &op});
}

DefaultGuard::~DefaultGuard() { under_way.pop_back(); }

void refuse_default_cycle(const Backend& backend, const Graph& graph) {
  for (const Entry& entry : under_way) {
    if (entry.backend == &backend && entry.graph == &graph) fail_not_implemented(backend, *entry.op);
  }
}

void fail_not_implemented(const Backend& backend, const OpCard& op) {
  const std::string method = is_primitive(op) ? "the method of " + op.name + ", run_primitive" : "run_op";
  fail(ErrorCode::not_implemented, "op '" + op.name + "' on backend '" + backend.name() + "'",
       "an op that this backend implements",
       "override " + method +
           " or execute; or let capabilities() say that the op is not supported, so that it is "
           "replaced by its body or runs on the host");
}

}  // namespace asg
