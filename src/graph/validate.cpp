#include "asg/graph/validate.h"

#include <string>
#include <unordered_set>
#include <utility>

#include "asg/graph/card.h"
#include "asg/graph/infer.h"
#include "asg/graph/walk.h"
#include "checks.h"

namespace asg {
namespace {

// A graph to be looked at, and how people find it: "" or "If#3:then_branch/".
struct Pending {
  const Graph* graph = nullptr;
  std::string prefix;
};

std::string types_of(const std::vector<OutputInfo>& outputs) {
  std::string text;
  for (const OutputInfo& output : outputs) text += (text.empty() ? "" : ", ") + output.type.to_string();
  return "(" + text + ")";
}

// Compares what a node holds with what inference finds.
void compare(const Node& node, const Inferred& inferred) {
  if (checked_attributes(*node.op, node.attrs) != node.attrs) {
    fail(ErrorCode::bad_attribute, "an attribute that is equal to its default", "only those that differ from it",
         "let checked_attributes make them");
  }
  // Only the caller of a body knows what its integer inputs hold.
  const bool same = is_input(node)
                        ? node.outputs.size() == 1 && node.outputs.front().type == inferred.outputs.front().type
                        : node.outputs == inferred.outputs;
  if (same) return;
  const std::string stored = types_of(node.outputs);
  const std::string found = types_of(inferred.outputs);
  if (stored != found) {
    fail(ErrorCode::type_mismatch, "outputs of type " + stored, "the types that inference gives: " + found,
         "infer the node anew after changing what stands before it");
  }
  fail(ErrorCode::type_mismatch, "known contents that inference does not give", "the contents that inference gives",
       "infer the node anew after changing what stands before it");
}

void look_at(const Pending& at, std::vector<UserError>& problems, std::vector<Pending>& pending) {
  const auto report = [&](GraphPlace, const UserError& error) {
    ErrorDetail detail = error.detail();
    detail.node = at.prefix + detail.node;
    problems.emplace_back(std::move(detail));
  };
  GraphChecks checks(*at.graph, report, compare);
  checks.run();
  for (const NodeId id : checks.holders()) {
    const Node& node = at.graph->node(id);
    if (node.body != nullptr) pending.push_back({node.body.get(), at.prefix + node.path() + "/"});
    for (const auto& [name, attr] : node.attrs) {
      if (attr.kind() != AttrKind::graph || attr.as_graph() == nullptr) continue;
      pending.push_back({attr.as_graph().get(), at.prefix + node.path() + ":" + name + "/"});
    }
  }
}

}  // namespace

std::vector<UserError> problems_of(const Graph& graph) {
  std::vector<UserError> problems;
  std::vector<Pending> pending = {{&graph, ""}};
  std::unordered_set<const Graph*> met;  // copies of a block share their body
  while (!pending.empty()) {
    const Pending at = std::move(pending.back());
    pending.pop_back();
    if (met.insert(at.graph).second) look_at(at, problems, pending);
  }
  return problems;
}

void validate(const Graph& graph) {
  const std::vector<UserError> problems = problems_of(graph);
  if (!problems.empty()) throw UserError(problems.front());
}

std::vector<std::string> warnings_of(const Graph& graph) {
  std::vector<Value> roots;
  for (const Output& output : graph.outputs()) roots.push_back(output.value);
  for (const Update& update : graph.updates()) roots.push_back(update.value);
  std::vector<bool> needed(graph.next_node_id().number, false);
  for (const NodeId id : ancestors(graph, roots)) needed[id.number] = true;

  std::vector<std::string> warnings;
  std::vector<bool> used(graph.next_variable_id().number, false);
  for (const Update& update : graph.updates()) {
    if (graph.has(update.variable)) used[update.variable.number] = true;
  }
  for (std::uint32_t number = 1; number < needed.size(); ++number) {
    if (!graph.has(NodeId{number})) continue;
    const Node& node = graph.node(NodeId{number});
    for (const Binding& binding : node.bindings) {
      if (graph.has(binding.variable)) used[binding.variable.number] = true;
    }
    if (needed[number]) continue;
    warnings.push_back(is_input(node) ? "the input '" + node.name + "' is not used"
                                      : "no output or update depends on the node " + node.path());
  }
  for (const VarId id : graph.variable_ids()) {
    if (!used[id.number]) warnings.push_back("the variable '" + graph.variable(id).name + "' is not used");
  }
  return warnings;
}

}  // namespace asg
