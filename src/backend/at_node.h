#pragma once

#include <new>
#include <utility>

#include "asg/core/error.h"
#include "asg/graph/node.h"

namespace asg {

[[noreturn]] void fail_no_memory(const Node& node);
[[noreturn]] void fail_foreign_exception(const Node& node, const char* message);

// Calls f; whatever it throws comes out as a UserError that names the node and where it was built.
template <class F>
auto at_node(const Node& node, F&& f) {
  try {
    return std::forward<F>(f)();
  } catch (const UserError& error) {
    throw error.with_node(node.path()).with_where(node.where.to_string());
  } catch (const InternalError&) {
    throw;
  } catch (const std::bad_alloc&) {
    fail_no_memory(node);
  } catch (const std::exception& error) {
    fail_foreign_exception(node, error.what());
  }
}

}  // namespace asg
