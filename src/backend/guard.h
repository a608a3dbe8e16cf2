#pragma once

#include "asg/backend/backend.h"

namespace asg {

// Says, while it lives, that a default per-op method of `backend` has handed `graph`, which holds only `op`, to
// `execute` in this thread. When the default `execute` meets that very graph, neither side implements the op.
// Throws not_implemented when such calls are nested so deep that they must be going round in circles.
class DefaultGuard {
 public:
  DefaultGuard(const Backend& backend, const Graph& graph, const OpCard& op);
  ~DefaultGuard();
  DefaultGuard(const DefaultGuard&) = delete;
  DefaultGuard& operator=(const DefaultGuard&) = delete;
};

// Throws not_implemented when a guard says that walking `graph` would call the default method that made it.
void refuse_default_cycle(const Backend& backend, const Graph& graph);

[[noreturn]] void fail_not_implemented(const Backend& backend, const OpCard& op);

}  // namespace asg
