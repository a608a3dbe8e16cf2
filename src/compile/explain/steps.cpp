#include <algorithm>
#include <array>
#include <map>

#include "asg/compile/explain.h"
#include "asg/graph/card.h"
#include "asg/graph/contexts.h"

namespace asg {
namespace {

using Instruction = KernelInstruction::Kind;

StepKind kind_of_kernel(const Kernel& kernel) {
  const auto holds = [&](Instruction kind) {
    return std::any_of(kernel.instructions.begin(), kernel.instructions.end(),
                       [&](const KernelInstruction& each) { return each.kind == kind; });
  };
  const bool sums = std::any_of(kernel.stores.begin(), kernel.stores.end(),
                                [](const KernelStore& store) { return store.sum_over_leading; });
  if (holds(Instruction::reduce)) return StepKind::rows;
  if (sums) return StepKind::sums;
  const bool computes = holds(Instruction::compute) || holds(Instruction::uniform) || holds(Instruction::normal);
  return computes ? StepKind::elementwise : StepKind::rearranging;
}

StepKind kind_of_op(const OpCard& op) {
  if (op.name.starts_with("Conv")) return StepKind::convolution;
  switch (op.category) {
    case Category::linear_algebra:
      return StepKind::product;
    case Category::convolution:
      return StepKind::convolution;
    case Category::pooling:
      return StepKind::pooling;
    case Category::attention:
      return StepKind::attention;
    default:
      return StepKind::other;
  }
}

// Memory that a step touches: of a buffer no more than it has, of buffers in one place one (a product that its epilogue
// writes over).
class Touched {
 public:
  explicit Touched(const Program& program) : program_(program) {}

  void add(int number, std::int64_t elements) {
    const Buffer& buffer = program_.buffers[static_cast<std::size_t>(number)];
    const bool is_placed = buffer.kind == Buffer::Kind::temporary && buffer.offset >= 0;
    std::int64_t& bytes = bytes_[{is_placed, is_placed ? buffer.offset : number}];
    bytes = std::min(bytes + elements * bytes_of(buffer.dtype), std::max(bytes, buffer.bytes()));
  }

  std::int64_t bytes() const {
    std::int64_t total = 0;
    for (const auto& [place, bytes] : bytes_) total += bytes;
    return total;
  }

 private:
  const Program& program_;
  std::map<std::pair<bool, std::int64_t>, std::int64_t> bytes_;  // by offset in the arena, else by buffer
};

// Elements that are walked by strides: along a stride of 0 there is only one.
std::int64_t distinct(const std::vector<std::int64_t>& sizes, const std::vector<std::int64_t>& strides) {
  std::int64_t count = 1;
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) count *= strides[axis] == 0 ? 1 : sizes[axis];
  return count;
}

// Whether a kernel looks the argument up by an index; then its strides do not tell what is read.
bool is_looked_up(const Kernel& kernel, int argument) {
  return std::any_of(kernel.instructions.begin(), kernel.instructions.end(), [&](const KernelInstruction& each) {
    return each.kind == Instruction::load && each.argument == argument && each.operands[0] >= 0;
  });
}

void touch_by_kernel(const Step& step, Touched& read, Touched& written) {
  const Kernel& kernel = *step.kernel;
  for (std::size_t k = 0; k < step.arguments.size(); ++k) {
    const KernelArgument& argument = kernel.arguments[k];
    const std::int64_t elements = is_looked_up(kernel, static_cast<int>(k)) ? kernel.rows() * kernel.row_length()
                                                                            : distinct(kernel.space, argument.strides);
    (argument.output ? written : read).add(step.arguments[k], elements);
  }
}

void touch_by_views(const std::vector<View>& views, Touched& touched) {
  for (const View& view : views) {
    if (view) touched.add(view.buffer, distinct(view.sizes, view.strides));
  }
}

}  // namespace

std::string_view name_of(StepKind kind) {
  static constexpr std::array<std::string_view, std::size(kAllStepKinds)> kNames = {
      "elementwise", "rows", "sums", "rearranging", "product", "convolution", "pooling", "attention", "other", "copy"};
  return kNames[static_cast<std::size_t>(kind)];
}

StepKind kind_of(const Step& step) {
  if (step.kind == Step::Kind::fused) return kind_of_kernel(*step.kernel);
  return step.node != nullptr ? kind_of_op(*step.node->op) : StepKind::copy;
}

std::string title_of(const Program& program, const Step& step) {
  std::vector<std::pair<std::string, int>> ops;
  for (const NodeId id : step.nodes) {
    const std::string& name = program.graph.node(id).op->name;
    const auto known = std::find_if(ops.begin(), ops.end(), [&](const auto& each) { return each.first == name; });
    if (known == ops.end()) {
      ops.emplace_back(name, 1);
    } else {
      ++known->second;
    }
  }
  std::string text;
  for (const auto& [name, count] : ops) {
    text += (text.empty() ? "" : ", ") + name + (count > 1 ? " ×" + std::to_string(count) : "");
  }
  return text.empty() ? "copy" : text;
}

Role role_of(const Program& program, const Step& step) {
  if (step.nodes.empty() || step.commits) return Role::update;
  std::array<int, 4> counts = {};
  for (const NodeId id : step.nodes) {
    const auto& origin = program.graph.node(id).origin;
    ++counts[static_cast<std::size_t>(origin ? origin->role : Role::forward)];
  }
  return static_cast<Role>(std::max_element(counts.begin(), counts.end()) - counts.begin());
}

double flops_of(const Graph& graph, const Node& node) {
  std::vector<TensorType> inputs;
  std::vector<TensorType> outputs;
  for (const Value input : node.inputs) inputs.push_back(input ? graph.type(input) : TensorType{});
  for (const OutputInfo& output : node.outputs) outputs.push_back(output.type);
  const CostContext context(*node.op, node.attrs, std::move(inputs), std::move(outputs));
  if (node.op->cost) return node.op->cost(context).flops;
  return context.outputs().empty() ? 0 : context.elements(context.outputs().front());
}

StepCost cost_of(const Program& program, const Step& step) {
  StepCost cost;
  for (const NodeId id : step.nodes) cost.flops += flops_of(program.graph, program.graph.node(id));
  Touched read(program);
  Touched written(program);
  if (step.kind == Step::Kind::fused) {
    touch_by_kernel(step, read, written);
  } else {
    touch_by_views(step.inputs, read);
    touch_by_views(step.outputs, written);
  }
  cost.bytes_read = read.bytes();
  cost.bytes_written = written.bytes();
  return cost;
}

}  // namespace asg
