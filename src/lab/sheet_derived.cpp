// Sheets of graphs that were derived from the model: its expansion, the training step.
#include "asg/graph/card.h"
#include "asg/graph/walk.h"
#include "lab/derived_paths.h"
#include "lab/sheet.h"

namespace asg::lab {
namespace {

// All random layers share the seed and the step: they belong to none of them.
const Variable* shared_by_all(const Graph& graph, const Node& node) {
  if (node.op->name != "Variable" || node.bindings.empty()) return nullptr;
  const Variable& variable = graph.variable(node.bindings.front().variable);
  return variable.kind == VarKind::random || variable.kind == VarKind::counter ? &variable : nullptr;
}

bool is_forward(Role role) { return folder_of(role) == name_of(Role::forward); }

// How many nodes of the forward part come from the same place of the model.
std::unordered_map<std::string, int> counted_origins(const Graph& graph, const Origins& origins) {
  std::unordered_map<std::string, int> counts;
  for (const NodeId id : graph.node_ids()) {
    const Node& node = graph.node(id);
    if (is_forward(origins.role(node))) ++counts[origins.path(node)];
  }
  return counts;
}

// A forward node that alone comes from its place in the model keeps that path; gradients and updates stand in the scope
// of the layer whose work they are.
class DerivedSheet {
 public:
  explicit DerivedSheet(const Graph& model) : origins_(model) {}

  // `folder`: below which all of it stands; "by role" where roles tell.
  void add(const std::shared_ptr<const Graph>& graph, std::string_view folder) {
    const std::unordered_map<std::string, int> counts = counted_origins(*graph, origins_);
    origins_.sort_check(*graph);
    std::vector<Source> places(graph->next_node_id().number);
    const auto source = [&](Value value) {
      Source result = value ? places[value.node.number] : Source{};
      result.port = value.port;
      return result;
    };
    for (const NodeId id : topological_order(*graph)) {
      const Node& node = graph->node(id);
      Leaf leaf{.name = shown_name(*graph, node),
                .graph = graph.get(),
                .node = id,
                .role = origins_.role(node),
                .origin = origins_.path(node)};
      leaf.inputs.reserve(node.inputs.size());
      for (const Value input : node.inputs) leaf.inputs.push_back(source(input));
      std::string path;
      if (const Variable* shared = shared_by_all(*graph, node)) {
        path = shared->name;
        leaf.origin.clear();
      } else if (is_forward(leaf.role) && !leaf.origin.empty()) {
        path = counts.at(leaf.origin) == 1 ? leaf.origin : joined_path(leaf.origin, node.label());
      } else {
        path = joined_path(origins_.layer_scope(node), node.label());
      }
      paths_.add(joined_path(folder == kByRole ? folder_of(leaf.role) : folder, path));
      places[id.number] = {.leaf = builder_.add(std::move(leaf))};
      ++count_;
    }
    for (const Output& output : graph->outputs()) sheet_.outlets.push_back({output.name, source(output.value)});
    sheet_.graphs.push_back(graph);
  }

  std::shared_ptr<Sheet> finish() {
    paths_.gather_scopes();
    for (std::size_t number = 0; number < count_; ++number) {
      Leaf& leaf = builder_.leaf(static_cast<int>(number));
      leaf.path = paths_.take(number, leaf.get().label());
    }
    sheet_.title = sheet_.graphs.front()->name();
    return builder_.finish(std::move(sheet_));
  }

  static constexpr std::string_view kByRole = "by role";

 private:
  Origins origins_;
  SheetBuilder builder_;
  UniquePaths paths_;
  Sheet sheet_;
  std::size_t count_ = 0;
};

}  // namespace

std::shared_ptr<Sheet> sheet_of_derived(const Graph& model, const std::shared_ptr<const Graph>& graph, bool by_role,
                                        const std::shared_ptr<const Graph>& apply) {
  DerivedSheet sheet(model);
  sheet.add(graph, by_role ? DerivedSheet::kByRole : std::string_view());
  if (apply != nullptr) sheet.add(apply, "apply");
  return sheet.finish();
}

}  // namespace asg::lab
