#pragma once

#include <string>
#include <string_view>

namespace asg {

inline std::string joined_scope(std::string_view outer, std::string_view inner) {
  if (inner.empty()) return std::string(outer);
  return outer.empty() ? std::string(inner) : std::string(outer) + "/" + std::string(inner);
}

// What two scopes have in common, by whole names: "a/b/c" and "a/bd" → "a".
inline std::string shared_scope(std::string_view a, std::string_view b) {
  std::size_t shared = 0;
  for (std::size_t at = 0;; ++at) {
    const bool a_ends = at == a.size() || a[at] == '/';
    const bool b_ends = at == b.size() || b[at] == '/';
    if (a_ends && b_ends) shared = at;
    if (at == a.size() || at == b.size() || a[at] != b[at]) return std::string(a.substr(0, shared));
  }
}

// The part of `scope` below `outer`, which it begins with.
inline std::string scope_below(std::string_view outer, std::string_view scope) {
  if (outer.empty()) return std::string(scope);
  return scope.size() == outer.size() ? "" : std::string(scope.substr(outer.size() + 1));
}

}  // namespace asg
