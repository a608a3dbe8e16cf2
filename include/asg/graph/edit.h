#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "asg/core/error.h"
#include "asg/graph/attributes.h"
#include "asg/graph/graph.h"
#include "asg/graph/ids.h"
#include "asg/graph/refs.h"
#include "asg/graph/resize.h"

namespace asg {

namespace edits {

// Ids of nodes and variables made by a command are the next free ones, so a later command of the same edit can
// name them, and a replay gives the same graph.
struct AddInput {
  std::string name;
  TensorType type;
};
struct AddNode {
  std::string op;
  std::vector<ValueRef> inputs = {};
  Attrs attrs = {};
  std::string name = {};
  std::string scope = {};
};
struct SetOutput {
  std::string name;
  ValueRef value;
};
struct RemoveOutput {
  std::string name;
};
struct Rename {
  NodeRef node;
  std::string name;
};
// Another op in the same place, with the same inputs. Parameters whose slot and shape agree are kept. Refused with
// output_type_changed unless allowed. Inside a layer it becomes a change of configuration or of this instance's body.
struct ReplaceOp {
  NodePath at;
  std::string op;
  Attrs attrs = {};
  bool allow_type_change = false;
};
// A new one-input node (further inputs may be given) on the edge from `value` to input `input` of `user`; without a
// user: on all edges of the value, outputs of the graph included.
struct InsertBetween {
  ValueRef value;
  NodeRef user = {};
  std::uint32_t input = 0;
  std::string op;
  Attrs attrs = {};
  std::string name = {};
  std::vector<ValueRef> more_inputs = {};
};
// Removes a node and joins its users to its first input (or input `keep`). Types must agree downstream.
struct DeletePassthrough {
  NodePath at;
  std::uint32_t keep = 0;
};
// Removes a node and everything that depends on it, and variables that nobody uses any more. Refused when no
// output would be left.
struct DeleteCascade {
  NodeRef node;
};
struct Rewire {
  NodeRef user;
  std::uint32_t input = 0;
  ValueRef value;
};
// Changes the configuration of a layer, or attributes of a plain op; types and parameter shapes follow downstream.
struct SetConfig {
  NodePath at;
  Attrs attrs;
};
// Other numbers of the same type for a Constant, inside layers too: by the path "block/attention/scale".
struct SetConstant {
  NodeRef node;
  Array value;
};
// Binds `slot` of `node` to the variable of another slot. Its own variable is dropped when nobody uses it.
struct Share {
  NodeRef node;
  std::string slot;
  VarRef variable;
};
// Gives the slot a variable of its own again.
struct Unshare {
  NodeRef node;
  std::string slot;
};
// Of a parameter, or, by the path of a layer or scope in place of a name, of all parameters below it.
struct SetTrainable {
  VarRef variable;
  bool trainable = true;
};
// Puts nodes into one user block, which must be convex (no path leaves it and comes back).
struct Group {
  std::vector<NodeRef> nodes;
  std::string name = {};
};
// Replaces a layer or block by its body, one level deep.
struct Ungroup {
  NodeRef node;
};

}  // namespace edits

using Command = std::variant<edits::AddInput, edits::AddNode, edits::SetOutput, edits::RemoveOutput, edits::Rename,
                             edits::ReplaceOp, edits::InsertBetween, edits::DeletePassthrough, edits::DeleteCascade,
                             edits::Rewire, edits::SetConfig, edits::SetConstant, edits::Share, edits::Unshare,
                             edits::SetTrainable, edits::Group, edits::Ungroup>;
std::string_view name_of(const Command& command);  // "replace_op"

// A transaction: commands that are checked and applied together or not at all.
struct Edit {
  std::vector<Command> commands;
  ResizePolicy policy = ResizePolicy::automatic;  // of variables that change their size
};

struct TypeChange {
  Value value;
  std::string path;
  TensorType before;
  TensorType after;
};
enum class VarFate : std::uint8_t { kept, resized, added, dropped };
std::string_view name_of(VarFate fate);
struct VarChange {
  VarId variable;
  std::string name;
  VarFate fate;
  TensorType before;
  TensorType after;
  std::optional<ResizePolicy> policy = {};  // that a resized one follows; `fresh` also where nothing can be kept of it
};

// The outcome of an edit, or of a dry run of it.
struct EditReport {
  std::vector<UserError> problems;  // empty: the edit applies
  std::vector<TypeChange> type_changes;
  std::vector<VarChange> variables;  // every variable of either graph
  std::vector<NodeId> added, removed, changed;
  // What resized variables follow: never `automatic`; none where nothing is resized. `preserve` also where it was asked
  // for and nothing is resized.
  std::optional<ResizePolicy> policy = {};
  std::optional<UserError> not_preserved = {};  // why `automatic` became `overlap`
  bool ok() const { return problems.empty(); }
  std::string to_text() const;  // for people
};

// Applies the commands to a copy. The given graph is never changed. The rest is meaningful only when report.ok().
struct EditOutcome {
  EditReport report;
  Graph after;
  std::vector<ResizeRule> resizes = {};  // by the policy of the edit
};
EditOutcome check(const Graph& graph, const Edit& edit);

std::string to_json(const Edit& edit);
Edit edit_from_json(std::string_view json);  // throws bad_json, bad_command

}  // namespace asg
