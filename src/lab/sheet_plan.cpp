// The sheet of the memory that a program works in: each buffer with the layer that writes it first, variables and
// inputs with the layer that they belong to.
#include <algorithm>
#include <array>
#include <unordered_map>

#include "asg/graph/card.h"
#include "lab/step_places.h"

namespace asg::lab {
namespace {

constexpr std::array<std::string_view, 5> kBufferKinds = {"input", "constant", "variable", "temporary", "output"};
static_assert(kBufferKinds.size() == static_cast<std::size_t>(Buffer::Kind::output) + 1);

class PlanSheet {
 public:
  PlanSheet(const Graph& model, const Program& program)
      : program_(program),
        origins_(model),
        maker_(program.buffers.size(), -1),
        made_of_(program.buffers.size()),
        comes_from_(program.buffers.size()) {
    origins_.sort_check(program.graph);
    for (std::size_t number = 0; number < program.steps.size(); ++number) note_step(number);
    for (const NodeId id : program.graph.node_ids()) note_leaf(program.graph.node(id));
  }

  std::shared_ptr<Sheet> build() {
    const std::vector<std::size_t> order = ordered();
    for (const std::size_t number : order) share_origins(number);
    std::vector<int> places(program_.buffers.size(), -1);
    for (const std::size_t number : order) places[number] = add(number);
    paths_.gather_scopes();
    for (std::size_t place = 0; place < order.size(); ++place) {
      Leaf& leaf = builder_.leaf(static_cast<int>(place));
      leaf.path = paths_.take(place, leaf.name);
      std::vector<int>& inputs = made_of_[static_cast<std::size_t>(leaf.buffer)];
      std::sort(inputs.begin(), inputs.end());
      inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
      for (const int input : inputs) {
        if (const int from = places[static_cast<std::size_t>(input)]; from >= 0) leaf.inputs.push_back({.leaf = from});
      }
    }
    Sheet sheet;
    sheet.title = program_.graph.name();
    return builder_.finish(std::move(sheet));
  }

 private:
  using Origin = std::vector<std::string>;

  static void add_origin(Origin& all, std::string origin) {
    if (!origin.empty() && std::find(all.begin(), all.end(), origin) == all.end()) all.push_back(std::move(origin));
  }

  // What a step writes comes from all of its ops, the one that tells most about it first.
  void note_step(std::size_t number) {
    const Step& step = program_.steps[number];
    for (const asg::View& output : step.outputs) {
      if (!output) continue;
      const auto written = static_cast<std::size_t>(output.buffer);
      if (maker_[written] < 0) maker_[written] = static_cast<int>(number);
      if (const Node* node = main_node(program_, step)) add_origin(comes_from_[written], origins_.path(*node));
      for (const NodeId id : step.nodes) add_origin(comes_from_[written], origins_.path(program_.graph.node(id)));
      for (const asg::View& input : step.inputs) {
        if (input && input.buffer != output.buffer) made_of_[written].push_back(input.buffer);
      }
    }
  }

  void note_leaf(const Node& node) {
    if (node.op->name == "Input") {
      given_.emplace(node.name, &node);
    } else if (node.op->name == "Variable" && !node.bindings.empty()) {
      read_.emplace(node.bindings.front().variable.number, &node);
    }
  }

  // The node that reads a variable or stands for an input.
  const Node* leaf_node(const Buffer& buffer) const {
    if (buffer.kind == Buffer::Kind::variable) {
      const auto found = read_.find(buffer.variable.number);
      return found == read_.end() ? nullptr : found->second;
    }
    if (buffer.kind != Buffer::Kind::input) return nullptr;
    const auto found = given_.find(buffer.name);
    return found == given_.end() ? nullptr : found->second;
  }

  // Given ones first, then by the step that writes them. Fusion leaves buffers behind that nobody needs: they are
  // empty.
  std::vector<std::size_t> ordered() const {
    std::vector<std::size_t> order;
    for (std::size_t number = 0; number < program_.buffers.size(); ++number) {
      if (program_.buffers[number].count > 0 || maker_[number] >= 0) order.push_back(number);
    }
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return std::pair(maker_[a], a) < std::pair(maker_[b], b); });
    return order;
  }

  // Buffers that take over each other's memory are one place of the plan, so what one holds the first holds as well.
  void share_origins(std::size_t number) {
    if (const Node* node = leaf_node(program_.buffers[number])) {
      Origin own = {origins_.path(*node)};
      for (std::string& origin : comes_from_[number]) add_origin(own, std::move(origin));
      comes_from_[number] = std::move(own);
    }
    int first = static_cast<int>(number);
    while (program_.buffers[static_cast<std::size_t>(first)].shares >= 0) {
      first = program_.buffers[static_cast<std::size_t>(first)].shares;
    }
    if (first == static_cast<int>(number)) return;
    for (const std::string& origin : comes_from_[number])
      add_origin(comes_from_[static_cast<std::size_t>(first)], origin);
  }

  std::string path_of(std::size_t number, const Node* leaf) const {
    const Buffer& buffer = program_.buffers[number];
    const std::string label =
        buffer.name.empty() ? "buffer_" + std::to_string(number) : std::string(last_part(buffer.name));
    if (leaf != nullptr && !origins_.path(*leaf).empty()) {
      const std::string folder(folder_of(origins_.role(*leaf)));
      const bool in_layer = leaf->op->name == "Variable";
      return joined_path(folder, joined_path(in_layer ? origins_.layer_scope(*leaf) : "", label));
    }
    if (maker_[number] >= 0 && buffer.kind != Buffer::Kind::variable) {
      const Step& step = program_.steps[static_cast<std::size_t>(maker_[number])];
      return joined_path(scope_of_step(program_, step, origins_), label);
    }
    return joined_path(std::string(kBufferKinds[static_cast<std::size_t>(buffer.kind)]) + "s", label);
  }

  int add(std::size_t number) {
    const Buffer& buffer = program_.buffers[number];
    const Node* leaf_of = leaf_node(buffer);
    const int maker = maker_[number];
    Leaf leaf{.name = buffer.name.empty() ? "buffer_" + std::to_string(number) : buffer.name,
              .role = maker < 0 ? Role::forward : role_of(program_, program_.steps[static_cast<std::size_t>(maker)]),
              .step = maker,
              .buffer = static_cast<int>(number),
              .op = std::string(kBufferKinds[static_cast<std::size_t>(buffer.kind)]),
              .category = std::string(name_of(Category::leaf)),
              .outputs = {{buffer.name, TensorType{buffer.dtype, Shape{buffer.count}}.to_string()}}};
    if (leaf_of != nullptr) leaf.role = origins_.role(*leaf_of);
    Origin& from = comes_from_[number];
    if (!from.empty()) {
      leaf.origin = from.front();
      leaf.more_origins.assign(from.begin() + 1, from.end());
    }
    paths_.add(path_of(number, leaf_of));
    return builder_.add(std::move(leaf));
  }

  const Program& program_;
  Origins origins_;
  std::vector<int> maker_;                 // the first step that writes a buffer
  std::vector<std::vector<int>> made_of_;  // the buffers that its writers read
  std::vector<Origin> comes_from_;
  std::unordered_map<std::string_view, const Node*> given_;
  std::unordered_map<std::uint32_t, const Node*> read_;
  SheetBuilder builder_;
  UniquePaths paths_;
};

}  // namespace

std::shared_ptr<Sheet> sheet_of_plan(const Graph& model, const Explanation& explanation) {
  return PlanSheet(model, explanation.program).build();
}

}  // namespace asg::lab
