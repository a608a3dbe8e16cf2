#include <algorithm>
#include <set>
#include <unordered_map>

#include "asg/compile/bounded.h"
#include "asg/compile/specialise.h"
#include "compile/bounded/site.h"

namespace asg {
namespace {

using namespace bounded;

bool has_symbols(const Shape& shape) { return !shape.is_known(); }

bool has_symbols(const OutputInfo& info) {
  if (info.known == nullptr) return false;
  return std::any_of(info.known->begin(), info.known->end(), [](const Dim& dim) { return !dim.is_known(); });
}

template <typename Function>
void for_each_named_type(const Graph& graph, const Function& function) {
  for (const NodeId id : graph.inputs()) function("input '" + graph.node(id).path() + "'", graph.type({id, 0}));
  for (const VarId id : graph.variable_ids()) {
    function("variable '" + graph.variable(id).name + "'", graph.variable(id).type);
  }
}

// The bound of each symbol of the inputs.
SymbolLengthsByName bounds_of(const Graph& graph) {
  SymbolLengthsByName bounds;
  for_each_named_type(graph, [&](const std::string& what, const TensorType& type) {
    for (const Dim& dim : type.shape) {
      if (dim.is_known()) continue;
      const auto bound = dim.upper_bound();
      if (!dim.is_symbol() || !bound)
        throw Refusal{what + " has the length " + dim.to_string() + ", which is no bounded symbol"};
      bounds[dim.symbols().front()] = *bound;
    }
  });
  return bounds;
}

class Holder {
 public:
  explicit Holder(const Graph& given)
      : given_(given),
        at_bounds_(specialise(given, bounds_of(given)).graph),
        rewriter_(at_bounds_),
        lengths_(rewriter_) {}

  BoundedGraph run() {
    for (const VarId id : given_.variable_ids()) {
      if (!has_symbols(given_.variable(id).type.shape)) continue;
      throw Refusal{"variable '" + given_.variable(id).name + "' has a bounded length"};
    }
    for (const NodeId id : rewriter_.order()) {
      rewriter_.refresh(id);
      try {
        visit(id);
      } catch (const Refusal& refusal) {
        const Node& node = given_.node(id);
        throw Refusal{"'" + node.path() + "' (" + node.op->name + ") " + refusal.reason};
      }
    }
    BoundedGraph result;
    std::vector<Value> outputs = settled_outputs();
    PassResult done = rewriter_.finish({});
    result.graph = std::move(done.graph);
    result.remap = std::move(done.remap);
    std::vector<Output> named(result.graph.outputs().begin(), result.graph.outputs().end());
    for (std::size_t k = 0; k < named.size(); ++k) named[k].value = outputs[k];
    result.graph.set_outputs(std::move(named));
    result.lengths = lengths_.take();
    for (const Output& output : given_.outputs()) result.outputs.push_back(shape_of(output.value));
    return result;
  }

 private:
  StoredShape shape_of(Value value) const {
    const auto found = shapes_.find(value);
    if (found != shapes_.end()) return found->second;
    const Shape& sizes = at_bounds_.type(value).shape;
    return plain_shape(sizes, sizes);
  }

  // Whether nothing that the node reads or makes has a length which is told while running.
  bool is_untouched(const Node& node) const {
    for (const Value input : node.inputs) {
      if (input && (is_ragged(shape_of(input)) || has_symbols(given_.info(input)))) return false;
    }
    return std::none_of(node.outputs.begin(), node.outputs.end(),
                        [](const OutputInfo& output) { return has_symbols(output.type.shape) || has_symbols(output); });
  }

  void visit(NodeId id) {
    const Node& given = given_.node(id);
    const Node& node = rewriter_.node(id);
    if (given.op->traits.leaf) {
      if (has_symbols(given.outputs.front().type.shape)) {
        shapes_[{id, 0}] = plain_shape(given.outputs.front().type.shape, node.outputs.front().type.shape);
      }
      return;
    }
    // Integers that are followed while building are made of the lengths where they are used.
    const bool is_followed = std::all_of(given.outputs.begin(), given.outputs.end(),
                                         [](const OutputInfo& output) { return output.known != nullptr; });
    if (is_followed || is_untouched(given)) return;
    const Rule* rule = rule_for(*given.op);
    if (rule == nullptr) throw Refusal{"has no rule for lengths below a bound"};
    std::vector<StoredShape> shapes;
    for (const Value input : given.inputs) shapes.push_back(input ? shape_of(input) : StoredShape());
    Site site(given_, node, std::move(shapes), rewriter_, lengths_);
    for (std::size_t input = 0; input < given.inputs.size(); ++input) {
      const bool says_sizes = std::find(rule->sizes.begin(), rule->sizes.end(), input) != rule->sizes.end();
      if (!site.has(input) || says_sizes) continue;
      const OutputInfo& info = given_.info(given.inputs[input]);
      if (has_symbols(info)) site.set(input, site.from_lengths(info, *info.known));
    }
    rule->apply(site);
    std::vector<StoredShape> outputs = site.finish();
    for (std::uint32_t port = 0; port < outputs.size(); ++port) lay_out({id, port}, std::move(outputs[port]));
  }

  // A rule that went wrong must not go unseen: the lengths are those that inference found.
  void lay_out(Value value, StoredShape shape) {
    const Shape& lengths = given_.type(value).shape;
    const Shape& sizes = at_bounds_.type(value).shape;
    for (int axis = 0; axis < lengths.rank(); ++axis) {
      const StoredAxis& stored = shape[static_cast<std::size_t>(axis)];
      if (length_of(stored) != lengths[axis] || stored_length(stored) != sizes[axis].value()) {
        throw Refusal{"has the length " + lengths[axis].to_string() + " on axis " + std::to_string(axis) +
                      ", which cannot be followed"};
      }
      for (const StoredDigit& digit : stored) {
        const auto most = digit.length.upper_bound();
        if (most && *most <= digit.stored) continue;
        throw Refusal{"has the length " + lengths[axis].to_string() + ", which can be longer than at the bounds"};
      }
    }
    if (is_ragged(shape)) shapes_[value] = std::move(shape);
  }

  // Outputs that are integers made of lengths.
  std::vector<Value> settled_outputs() {
    std::vector<Value> values;
    for (const Output& output : given_.outputs()) {
      const OutputInfo& info = given_.info(output.value);
      values.push_back(output.value);
      if (!has_symbols(info)) continue;
      Site site(given_, rewriter_.node(output.value.node), {}, rewriter_, lengths_);
      values.back() = site.from_lengths(info, *info.known);
    }
    for (const Update& update : given_.updates()) {
      if (has_symbols(given_.info(update.value))) throw Refusal{"an update is made of lengths"};
    }
    return values;
  }

  const Graph& given_;
  Graph at_bounds_;
  passes::Rewriter rewriter_;
  LengthInputs lengths_;
  std::unordered_map<Value, StoredShape> shapes_;  // of values with a bounded axis
};

}  // namespace

std::vector<std::string> bounded_symbols(const Graph& graph) {
  std::set<std::string> found;
  for_each_named_type(graph, [&](const std::string&, const TensorType& type) {
    for (const Dim& dim : type.shape) {
      if (dim.is_symbol() && dim.upper_bound()) found.insert(dim.symbols().front());
    }
  });
  return {found.begin(), found.end()};
}

std::variant<BoundedGraph, NotBounded> hold_at_bounds(const Graph& graph) {
  try {
    return Holder(graph).run();
  } catch (const Refusal& refusal) {
    return NotBounded{refusal.reason};
  }
}

}  // namespace asg
