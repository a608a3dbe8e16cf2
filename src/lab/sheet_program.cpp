// The sheet of what a device runs: fused steps.
#include "asg/graph/card.h"
#include "asg/graph/walk.h"
#include "lab/derived_paths.h"
#include "lab/sheet.h"
#include "lab/step_places.h"

namespace asg::lab {
namespace {

std::string step_name(std::size_t number) { return "step_" + std::to_string(number); }

class ProgramSheet {
 public:
  ProgramSheet(const Graph& model, const Explanation& explanation)
      : program_(explanation.program),
        origins_(model),
        step_of_(program_.graph.next_node_id().number, -1),
        places_(program_.graph.next_node_id().number) {
    origins_.sort_check(program_.graph);
    for (std::size_t number = 0; number < program_.steps.size(); ++number) {
      for (const NodeId id : program_.steps[number].nodes) {
        int& step = step_of_[id.number];
        if (step < 0) step = static_cast<int>(number);
      }
      scopes_.push_back(scope_of_step(program_, program_.steps[number], origins_));
    }
  }

  std::shared_ptr<Sheet> build() {
    const std::vector<NodeId> order = topological_order(program_.graph);
    for (const NodeId id : order) add_node(program_.graph.node(id));
    add_copies();
    paths_.gather_scopes();
    for (std::size_t number = 0; number < order.size() + copies_; ++number) {
      Leaf& leaf = builder_.leaf(static_cast<int>(number));
      leaf.path = paths_.take(number, leaf.graph != nullptr ? leaf.get().label() : leaf.name);
    }
    Sheet sheet;
    sheet.title = program_.graph.name();
    for (const Output& output : program_.graph.outputs()) sheet.outlets.push_back({output.name, source(output.value)});
    return builder_.finish(std::move(sheet));
  }

 private:
  Source source(Value value) const {
    if (!value) return {};
    Source result = places_[value.node.number];
    result.port = value.port;
    return result;
  }

  void add_node(const Node& node) {
    const int step = step_of_[node.id.number];
    Leaf leaf{.name = shown_name(program_.graph, node),
              .graph = &program_.graph,
              .node = node.id,
              .role = origins_.role(node),
              .origin = origins_.path(node),
              .step = step};
    for (const Value input : node.inputs) leaf.inputs.push_back(source(input));
    std::string scope = joined_path(folder_of(leaf.role), origins_.layer_scope(node));
    std::string label = node.label();
    if (step >= 0) {
      const auto number = static_cast<std::size_t>(step);
      scope = scopes_[number];
      if (program_.steps[number].nodes.size() == 1) {
        label = step_name(number);
        leaf.name = label;
      } else {
        scope = joined_path(scope, step_name(number));
        builder_.set_step(scope, step);
      }
    }
    paths_.add(joined_path(scope, label));
    places_[node.id.number] = {.leaf = builder_.add(std::move(leaf))};
  }

  // Copies are the work of no node. They read what an earlier step wrote into the buffer.
  void add_copies() {
    std::vector<Source> writers(program_.buffers.size());
    for (std::size_t number = 0; number < program_.steps.size(); ++number) {
      const Step& step = program_.steps[number];
      if (step.nodes.empty()) {
        Leaf leaf{.name = step_name(number),
                  .role = Role::update,
                  .step = static_cast<int>(number),
                  .op = title_of(program_, step),
                  .category = std::string(name_of(Category::shape))};
        const auto from = static_cast<std::size_t>(step.inputs.front().buffer);
        if (!writers[from].absent()) leaf.inputs.push_back(writers[from]);
        const Buffer& written = program_.buffers[static_cast<std::size_t>(step.outputs.front().buffer)];
        leaf.outputs.push_back({written.name, TensorType{written.dtype, Shape{written.count}}.to_string()});
        paths_.add(joined_path(scopes_[number], leaf.name));
        const Source place = {.leaf = builder_.add(std::move(leaf))};
        writers[static_cast<std::size_t>(step.outputs.front().buffer)] = place;
        ++copies_;
        continue;
      }
      for (const DataView& output : step.outputs) {
        if (output) writers[static_cast<std::size_t>(output.buffer)] = source({step.nodes.back(), 0});
      }
    }
  }

  using DataView = asg::View;
  const Program& program_;
  Origins origins_;
  std::vector<int> step_of_;         // by node
  std::vector<std::string> scopes_;  // of the steps
  std::vector<Source> places_;
  std::size_t copies_ = 0;
  SheetBuilder builder_;
  UniquePaths paths_;
};

}  // namespace

std::shared_ptr<Sheet> sheet_of_program(const Graph& model, const Explanation& explanation) {
  return ProgramSheet(model, explanation).build();
}

}  // namespace asg::lab
