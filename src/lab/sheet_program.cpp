// Sheets of what a device runs: fused steps over buffers.
#include <algorithm>
#include <array>

#include "asg/graph/card.h"
#include "asg/graph/walk.h"
#include "lab/derived_paths.h"
#include "lab/sheet.h"

namespace asg::lab {
namespace {

std::string step_name(std::size_t number) { return "step_" + std::to_string(number); }

// The node that tells best what a step is about: the op of a call, else the last of the fused ones.
const Node* main_node(const Program& program, const Step& step) {
  if (step.node != nullptr) return step.node.get();
  return step.nodes.empty() ? nullptr : &program.graph.node(step.nodes.back());
}

std::string scope_of_step(const Program& program, const Step& step, const Origins& origins) {
  const Node* node = main_node(program, step);
  if (node == nullptr) return std::string(name_of(Role::update));
  return joined_path(folder_of(role_of(program, step)), origins.layer_scope(*node));
}

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

// ---- Buffers

constexpr std::array<std::string_view, 5> kBufferKinds = {"input", "constant", "variable", "temporary", "output"};
static_assert(kBufferKinds.size() == static_cast<std::size_t>(Buffer::Kind::output) + 1);

std::string buffer_path(const Buffer& buffer, std::size_t number, const std::string& maker) {
  const std::string label = "buffer_" + std::to_string(number);
  if (buffer.kind == Buffer::Kind::temporary) return joined_path(maker, label);
  const std::string folder = std::string(kBufferKinds[static_cast<std::size_t>(buffer.kind)]) + "s";
  return joined_path(folder, buffer.name.empty() ? label : buffer.name);
}

}  // namespace

std::shared_ptr<Sheet> sheet_of_program(const Graph& model, const Explanation& explanation) {
  return ProgramSheet(model, explanation).build();
}

std::shared_ptr<Sheet> sheet_of_plan(const Graph& model, const Explanation& explanation) {
  const Program& program = explanation.program;
  Origins origins(model);
  origins.sort_check(program.graph);
  const std::size_t count = program.buffers.size();
  std::vector<int> maker(count, -1);
  std::vector<std::vector<int>> made_of(count);
  for (std::size_t number = 0; number < program.steps.size(); ++number) {
    for (const asg::View& output : program.steps[number].outputs) {
      if (!output) continue;
      const auto written = static_cast<std::size_t>(output.buffer);
      if (maker[written] < 0) maker[written] = static_cast<int>(number);
      for (const asg::View& input : program.steps[number].inputs) {
        if (input && input.buffer != output.buffer) made_of[written].push_back(input.buffer);
      }
    }
  }
  // Given ones first, then by the step that writes them. Fusion leaves buffers behind that nobody needs: they are
  // empty.
  std::vector<std::size_t> order;
  for (std::size_t number = 0; number < count; ++number) {
    if (program.buffers[number].count > 0 || maker[number] >= 0) order.push_back(number);
  }
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return std::pair(maker[a], a) < std::pair(maker[b], b); });
  SheetBuilder builder;
  UniquePaths paths;
  std::vector<int> places(count, -1);
  for (const std::size_t number : order) {
    const Buffer& buffer = program.buffers[number];
    const Step* step = maker[number] < 0 ? nullptr : &program.steps[static_cast<std::size_t>(maker[number])];
    const Node* node = step == nullptr ? nullptr : main_node(program, *step);
    Leaf leaf{.name = buffer.name.empty() ? "buffer_" + std::to_string(number) : buffer.name,
              .role = step == nullptr ? Role::forward : role_of(program, *step),
              .origin = node == nullptr ? "" : origins.path(*node),
              .step = maker[number],
              .buffer = static_cast<int>(number),
              .op = std::string(kBufferKinds[static_cast<std::size_t>(buffer.kind)]),
              .category = std::string(name_of(Category::leaf)),
              .outputs = {{buffer.name, TensorType{buffer.dtype, Shape{buffer.count}}.to_string()}}};
    paths.add(buffer_path(buffer, number, step == nullptr ? "" : scope_of_step(program, *step, origins)));
    places[number] = builder.add(std::move(leaf));
  }
  paths.gather_scopes();
  for (std::size_t place = 0; place < order.size(); ++place) {
    Leaf& leaf = builder.leaf(static_cast<int>(place));
    leaf.path = paths.take(place, leaf.name);
    std::vector<int>& inputs = made_of[static_cast<std::size_t>(leaf.buffer)];
    std::sort(inputs.begin(), inputs.end());
    inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
    for (const int input : inputs) {
      const int maker_place = places[static_cast<std::size_t>(input)];
      if (maker_place >= 0) leaf.inputs.push_back({.leaf = maker_place});
    }
  }
  Sheet sheet;
  sheet.title = program.graph.name();
  return builder.finish(std::move(sheet));
}

}  // namespace asg::lab
