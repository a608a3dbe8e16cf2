#include "ops/control_flow/subgraphs.h"

#include <algorithm>

#include "asg/core/limits.h"
#include "asg/graph/body.h"
#include "asg/graph/expand.h"
#include "asg/graph/walk.h"
#include "ops/support/infer.h"

namespace asg::ops {

const Graph& closed_graph(const AttrReader& ctx, std::string_view name) {
  const std::string quoted = "'" + std::string(name) + "'";
  const GraphPtr& graph = ctx.attr(name).as_graph();
  if (graph == nullptr) fail(ErrorCode::bad_attribute, "no graph for " + quoted, "the graph that is to be run");
  if (!graph->variable_ids().empty()) {
    fail(ErrorCode::capture_mismatch, "variables inside " + quoted,
         "a closed graph, whose values all come in through its inputs", "read the variable outside and pass it in");
  }
  return *graph;
}

std::vector<OutputInfo> infos_of(const InferContext& ctx, int first) {
  std::vector<OutputInfo> infos;
  for (int index = first; index < ctx.input_count(); ++index) {
    OutputInfo info{ctx.type(index), nullptr};
    if (auto known = ctx.known(index)) info.known = std::make_shared<const std::vector<Dim>>(*std::move(known));
    infos.push_back(std::move(info));
  }
  return infos;
}

void append(std::vector<OutputInfo>& to, std::vector<OutputInfo> more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

std::set<std::string> symbols_of(const std::vector<OutputInfo>& infos) {
  std::set<std::string> symbols;
  for (const OutputInfo& info : infos) {
    for (const Dim& dim : info.type.shape) {
      for (std::string& symbol : dim.symbols()) symbols.insert(std::move(symbol));
    }
  }
  return symbols;
}

bool is_told(const Dim& dim, const std::set<std::string>& outside) {
  const auto symbols = dim.symbols();
  return std::all_of(symbols.begin(), symbols.end(), [&](const std::string& name) { return outside.contains(name); });
}

Shape seen_from_outside(InferContext& ctx, const Shape& shape, const std::set<std::string>& outside) {
  std::vector<Dim> dims;
  for (const Dim& dim : shape) dims.push_back(is_told(dim, outside) ? dim : ctx.fresh_symbol());
  return Shape(std::move(dims));
}

namespace {

[[noreturn]] void fail_carried(std::size_t state, const std::string& before, const std::string& after) {
  fail(ErrorCode::type_mismatch,
       "state " + std::to_string(state) + " that goes into the body as " + before + " and comes out as " + after,
       "a state that keeps its type from one iteration to the next",
       "cast, reshape or expand the initial value, or what the body gives for it");
}

// Whether the lengths may be equal: those that only data inside decide are checked when they are known.
bool may_be(const TensorType& before, const TensorType& after, const std::set<std::string>& outside) {
  if (before.dtype != after.dtype || before.shape.rank() != after.shape.rank()) return false;
  for (int axis = 0; axis < before.shape.rank(); ++axis) {
    if (before.shape[axis] != after.shape[axis] && is_told(after.shape[axis], outside)) return false;
  }
  return true;
}

}  // namespace

CarriedBody carried_body(const Graph& body, const std::vector<OutputInfo>& infos, int first_state, int states,
                         int first_output) {
  CarriedBody result{retype(body, infos), symbols_of(infos)};
  for (std::size_t state = 0; state < static_cast<std::size_t>(states); ++state) {
    const TensorType& before = infos[static_cast<std::size_t>(first_state) + state].type;
    const Output& next = result.graph.outputs()[static_cast<std::size_t>(first_output) + state];
    const TensorType& after = result.graph.type(next.value);
    if (!may_be(before, after, result.outside)) fail_carried(state, before.to_string(), after.to_string());
  }
  return result;
}

void carry(std::vector<Array>& values, std::size_t first_state, std::span<Array> next) {
  for (std::size_t state = 0; state < next.size(); ++state) {
    Array& value = values[first_state + state];
    if (value.sizes() != next[state].sizes()) fail_carried(state, value.type_string(), next[state].type_string());
    value = std::move(next[state]);
  }
}

void infer_called(InferContext& ctx) {
  const Graph typed = retype(closed_graph(ctx, "body"), infos_of(ctx, 0));
  if (typed.outputs().empty()) {
    fail(ErrorCode::wrong_input_count, "a graph without outputs for 'body'", "at least one output");
  }
  for (const Output& output : typed.outputs()) ctx.output(typed.type(output.value));
}

void inline_graph(BodyContext& ctx, const Graph& graph) {
  Remap values;
  for (std::size_t index = 0; index < ctx.inputs.size(); ++index) {
    values.set({graph.inputs()[index], 0}, ctx.inputs[index].value());
  }
  for (NodeId id : topological_order(graph)) {
    const Node& node = graph.node(id);
    if (node.op->traits.leaf && node.op->name == "Input") continue;
    NodeSpec spec;
    spec.op = node.op;
    for (Value input : node.inputs) spec.inputs.push_back(input ? values(input) : Value{});
    spec.attrs = node.attrs;
    spec.name = node.name;
    if (!node.name.empty() && ctx.graph().find_node(node.path())) {
      spec.name = ctx.graph().free_name(node.scope, node.name);  // an input of the op has this name
    }
    spec.scope = node.scope;
    spec.body = node.body;
    spec.stream = node.stream;
    spec.where = node.where;
    const std::vector<Tensor> outputs = ctx.graph().add_outputs(std::move(spec));
    for (std::uint32_t port = 0; port < outputs.size(); ++port) values.set({id, port}, outputs[port].value());
  }
  for (const Output& output : graph.outputs()) ctx.output(ctx.graph().tensor(values(output.value)));
}

SubgraphRuns::SubgraphRuns(const KernelContext& ctx, const Graph& graph) : ctx_(ctx), graph_(graph) {
  const auto draws = [](const Graph& inner) {
    const auto ids = inner.node_ids();
    return std::any_of(ids.begin(), ids.end(),
                       [&](NodeId id) { return inner.node(id).op->composite || carries_stream(*inner.node(id).op); });
  };
  if (!draws(graph_)) return;
  // Without blocks, whose nodes keep streams of their own.
  graph_ = expand(graph, Mode::train, [](const Node& node) { return node.op->name == "Carrier"; }).graph;
  random_ = draws(graph_);
}

std::vector<Array> SubgraphRuns::run(const std::vector<Array>& inputs, std::size_t known,
                                     std::optional<std::int64_t> number) {
  std::vector<OutputInfo> infos;
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    OutputInfo info{{inputs[index].dtype(), Shape::of(inputs[index].sizes())}, nullptr};
    auto contents = index >= known ? known_contents(inputs[index]) : std::nullopt;
    if (contents) info.known = std::make_shared<const std::vector<Dim>>(*std::move(contents));
    infos.push_back(std::move(info));
  }
  if (infos != typed_by_) graph_ = retype(graph_, infos);
  typed_by_ = std::move(infos);
  if (!random_) return ctx_.run_graph(graph_, inputs);
  const StreamKey key = number ? combine(ctx_.stream, static_cast<std::uint64_t>(*number)) : ctx_.stream;
  Graph drawn = graph_;
  for (NodeId id : graph_.node_ids()) {
    if (!carries_stream(*graph_.node(id).op)) continue;
    Node node = graph_.node(id);
    node.stream = combine(key, node.stream);
    drawn.put(std::move(node));
  }
  return ctx_.run_graph(drawn, inputs);
}

std::vector<Array> stored_inputs(const KernelContext& ctx, int first, int count) {
  const int end = count < 0 ? ctx.input_count() : first + count;
  std::vector<Array> arrays;
  for (int index = first; index < end; ++index) {
    arrays.push_back(ctx.in(index).cast(ctx.input_dtypes[static_cast<std::size_t>(index)]));
  }
  return arrays;
}

void set_output(KernelContext& ctx, int port, const Array& value) {
  Array& output = ctx.out(port);
  if (output.sizes() != value.sizes()) output = Array(output.dtype(), value.sizes());
  output.assign(value.cast(output.dtype()));
}

void stack(std::vector<Array>& parts, Array part) {
  const std::int64_t most = limit_of(Limit::elements);
  const std::int64_t each = std::max<std::int64_t>(part.count(), 1);
  if (static_cast<std::int64_t>(parts.size()) >= most / each) {
    fail_limit(Limit::elements, std::to_string(parts.size() + 1) + " iterations that each give " + part.type_string());
  }
  parts.push_back(std::move(part));
}

void set_stacked_output(KernelContext& ctx, int port, const std::vector<Array>& parts, Stacking stacking) {
  if (parts.empty()) return;  // the output has no elements, and inference has told its sizes
  Array& output = ctx.out(port);
  Sizes sizes = parts.front().sizes();
  const int axis = normalize_axis(stacking.axis, parts.front().rank() + 1);
  sizes.insert(sizes.begin() + axis, static_cast<std::int64_t>(parts.size()));
  if (output.sizes() != sizes) output = Array(output.dtype(), sizes);
  sizes[static_cast<std::size_t>(axis)] = 1;
  for (std::size_t number = 0; number < parts.size(); ++number) {
    if (parts[number].sizes() != parts.front().sizes()) {
      fail(ErrorCode::computation_error,
           "an output of the body that is " + parts.front().type_string() + " at first and " +
               parts[number].type_string() + " in iteration " + std::to_string(number),
           "the same size in every iteration, so that they can be put side by side", "pad it to one size");
    }
    const std::size_t place = stacking.reversed ? parts.size() - 1 - number : number;
    Array slot = output.sliced(axis, static_cast<std::int64_t>(place), 1, 1);
    slot.assign(parts[number].cast(output.dtype()).reshaped(sizes));
  }
}

}  // namespace asg::ops
