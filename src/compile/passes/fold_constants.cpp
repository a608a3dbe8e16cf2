// Constant folding.
//   expects:    a graph of plain ops that validates
//   guarantees: the same function, bit for bit: constants are computed by the reference kernels, which are what every
//               device is compared with. A node is folded when all its inputs are constants, or when inference knows
//               its contents (Shape, Size and arithmetic with them). Random ops, ops that run subgraphs or have
//               effects, and what throws stay as they are, as do results that would take much memory or work.
//   example:    Reshape(y, Concat(Shape(x), [-1])) with x: f32[2, 3] → Reshape(y, [2, 3, -1])
#include <algorithm>
#include <optional>

#include "asg/compile/reference.h"
#include "asg/graph/expand.h"
#include "compile/passes/effects.h"
#include "compile/passes/passes.h"
#include "compile/passes/rewriter.h"
#include "compile/passes/tally.h"

namespace asg::passes {
namespace {

constexpr std::int64_t kMostBytes = 64 * 1024;  // of a result that is larger than what it is computed from
constexpr double kMostFlops = 1 << 24;          // reference kernels are slow

bool is_foldable(const OpCard& op) {
  return !op.traits.leaf && !op.traits.random && !op.composite && !has_effect(op) && !carries_stream(op) &&
         op.name != "Carrier";
}

// Ops that only repeat what they are given. They cost nothing where they stand, since whoever uses them can read one
// element over and over; as constants they would be large.
bool only_repeats(const OpCard& op) { return op.name == "Expand" || op.name == "ConstantOfShape"; }

std::optional<Array> known_array(const OutputInfo& info) {
  if (info.known == nullptr || !info.type.shape.is_known()) return std::nullopt;
  const auto is_known = [](const Dim& dim) { return dim.is_known(); };
  if (!std::all_of(info.known->begin(), info.known->end(), is_known)) return std::nullopt;
  Array array(info.type.dtype, info.type.shape.sizes());
  internal_check(array.count() == static_cast<std::int64_t>(info.known->size()), "known contents of another length");
  for (std::size_t position = 0; position < info.known->size(); ++position) {
    array.set_i64(static_cast<std::int64_t>(position), (*info.known)[position].value());
  }
  return array;
}

class Folder {
 public:
  explicit Folder(Graph graph) : rewriter_(std::move(graph)) {}

  PassResult run() {
    for (const NodeId id : rewriter_.order()) {
      rewriter_.refresh(id);
      const NodePtr node = rewriter_.graph().node_ptr(id);
      if (is_foldable(*node->op)) visit(*node);
    }
    return rewriter_.finish(tally_.lines());
  }

 private:
  void visit(const Node& node) {
    if (node.outputs.size() == 1) {
      if (auto array = known_array(node.outputs.front())) {
        tally_.add(node.op->name, node);
        return rewriter_.replace_by_constant(node.id, *std::move(array));
      }
    }
    if (!node.op->kernel) return;
    std::vector<const Array*> inputs;
    for (const Value input : node.inputs) {
      inputs.push_back(input ? value_of(input) : nullptr);
      if (input && inputs.back() == nullptr) return;
    }
    if (only_repeats(*node.op)) return repeat(node, inputs);
    if (is_too_much(node, inputs)) return;
    try {
      place(node, run_reference(*node.op, node.attrs, node.stream, inputs), inputs);
    } catch (const UserError&) {
      // Whoever runs the graph is told, with the place; if nobody needs the node, nobody is.
    }
  }

  const Array* value_of(Value value) const {
    if (const Array* constant = constant_of(rewriter_.graph(), value)) return constant;
    const auto repeated = repeated_.find(value.node);
    return repeated != repeated_.end() ? &repeated->second : nullptr;
  }

  // The node stays; others may be computed from its value, a view that takes no memory.
  void repeat(const Node& node, const std::vector<const Array*>& inputs) {
    if (!node.outputs.front().type.shape.is_known()) return;
    const Sizes sizes = node.outputs.front().type.shape.sizes();
    const Array one = node.op->name == "Expand"
                          ? *inputs.front()
                          : AttrReader(*node.op, node.attrs).attr("value").as_tensor().reshaped({});
    repeated_.emplace(node.id, one.broadcast_to(sizes));
  }

  // Of memory: what is repeated counts once.
  static std::int64_t bytes_of(const std::vector<const Array*>& inputs) {
    std::int64_t bytes = 0;
    for (const Array* input : inputs) {
      if (input == nullptr) continue;
      std::int64_t count = 1;
      for (int axis = 0; axis < input->rank(); ++axis) {
        const auto at = static_cast<std::size_t>(axis);
        if (input->strides()[at] != 0) count *= input->sizes()[at];
      }
      bytes += count * asg::bytes_of(input->dtype());
    }
    return bytes;
  }

  static bool is_too_much(const Node& node, const std::vector<const Array*>& inputs) {
    std::int64_t bytes = 0;
    std::vector<TensorType> given;
    std::vector<TensorType> made;
    for (const Array* input : inputs) {
      given.push_back(input != nullptr ? TensorType{input->dtype(), Shape::of(input->sizes())} : TensorType{});
    }
    for (const OutputInfo& output : node.outputs) {
      made.push_back(output.type);
      // What the data decide is at most about as large as the data.
      const auto count = output.type.shape.element_count().known();
      bytes += count ? *count * asg::bytes_of(output.type.dtype) : bytes_of(inputs);
    }
    if (bytes > std::max(kMostBytes, bytes_of(inputs))) return true;
    return node.op->cost && node.op->cost(CostContext(*node.op, node.attrs, given, made)).flops > kMostFlops;
  }

  void place(const Node& node, std::vector<Array> values, const std::vector<const Array*>& inputs) {
    std::int64_t bytes = 0;
    for (const Array& value : values) bytes += value.bytes();
    if (bytes > std::max(kMostBytes, bytes_of(inputs))) return;
    tally_.add(node.op->name, node);
    if (values.size() == 1) return rewriter_.replace_by_constant(node.id, std::move(values.front()));
    for (std::uint32_t port = 0; port < values.size(); ++port) {
      const Value constant = rewriter_.add_constant(node, std::move(values[port]));
      rewriter_.forward({node.id, port}, constant);
    }
  }

  Rewriter rewriter_;
  Tally tally_;
  std::unordered_map<NodeId, Array> repeated_;
};

}  // namespace

PassResult fold_constants(Graph graph) { return Folder(std::move(graph)).run(); }

}  // namespace asg::passes
