#pragma once

#include "asg/graph/edit.h"

// The fields of every command, once, for the writer and the reader of the journal: `need` what must be given, `may`
// what has a default. The name of a field in JSON is its name in C++.
namespace asg::edits {

template <class Visitor, class C>
void visit_fields(Visitor& v, C& c) {
  using T = std::remove_const_t<C>;
  if constexpr (std::is_same_v<T, AddInput>) {
    v.need("name", c.name), v.need("type", c.type);
  } else if constexpr (std::is_same_v<T, AddNode>) {
    v.need("op", c.op), v.may("inputs", c.inputs), v.may("attrs", c.attrs), v.may("name", c.name);
    v.may("scope", c.scope);
  } else if constexpr (std::is_same_v<T, SetOutput>) {
    v.need("name", c.name), v.need("value", c.value);
  } else if constexpr (std::is_same_v<T, RemoveOutput>) {
    v.need("name", c.name);
  } else if constexpr (std::is_same_v<T, Rename>) {
    v.need("node", c.node), v.need("name", c.name);
  } else if constexpr (std::is_same_v<T, ReplaceOp>) {
    v.need("at", c.at), v.need("op", c.op), v.may("attrs", c.attrs), v.may("allow_type_change", c.allow_type_change);
  } else if constexpr (std::is_same_v<T, InsertBetween>) {
    v.need("value", c.value), v.may("user", c.user), v.may("input", c.input), v.need("op", c.op);
    v.may("attrs", c.attrs), v.may("name", c.name), v.may("more_inputs", c.more_inputs);
  } else if constexpr (std::is_same_v<T, DeletePassthrough>) {
    v.need("at", c.at), v.may("keep", c.keep);
  } else if constexpr (std::is_same_v<T, DeleteCascade> || std::is_same_v<T, Ungroup>) {
    v.need("node", c.node);
  } else if constexpr (std::is_same_v<T, Rewire>) {
    v.need("user", c.user), v.may("input", c.input), v.need("value", c.value);
  } else if constexpr (std::is_same_v<T, SetConfig>) {
    v.need("at", c.at), v.need("attrs", c.attrs);
  } else if constexpr (std::is_same_v<T, SetConstant>) {
    v.need("node", c.node), v.need("value", c.value);
  } else if constexpr (std::is_same_v<T, Share>) {
    v.need("node", c.node), v.need("slot", c.slot), v.need("variable", c.variable);
  } else if constexpr (std::is_same_v<T, Unshare>) {
    v.need("node", c.node), v.need("slot", c.slot);
  } else if constexpr (std::is_same_v<T, SetTrainable>) {
    v.need("variable", c.variable), v.need("trainable", c.trainable);
  } else {
    static_assert(std::is_same_v<T, Group>, "a command without a list of its fields");
    v.need("nodes", c.nodes), v.may("name", c.name);
  }
}

}  // namespace asg::edits
