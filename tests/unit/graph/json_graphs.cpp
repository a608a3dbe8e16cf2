#include "json_graphs.h"

#include <cmath>
#include <limits>

#include "asg/graph/registry.h"
#include "asg/ops/ops.h"

namespace asg::test {
namespace {

OpCard dense_card() {
  return {.name = "json.Dense",
          .category = Category::container,
          .inputs = {{.name = "x"}},
          .outputs = {{.name = "y"}},
          .attributes = {{.name = "units", .kind = AttrKind::integer, .least = 1},
                         {.name = "bias", .kind = AttrKind::boolean, .fallback = Attr(true)}},
          .body =
              [](BodyContext& ctx) {
                const Dim units(ctx.integer("units"));
                const Tensor& x = ctx.in(0);
                const Dim width = x.shape()[x.rank() - 1];
                Tensor y =
                    add_op("MatMul", {x, ctx.parameter("weight", {width, units}, Initializer::xavier_uniform())});
                if (ctx.boolean("bias")) y = y + ctx.parameter("bias", Shape{units}, Initializer::zeros());
                ctx.output(y);
              },
          .composite = true};
}

OpCard pair_card() {
  return {.name = "json.Pair",
          .category = Category::container,
          .inputs = {{.name = "x"}},
          .outputs = {{.name = "y"}},
          .attributes = {{.name = "units", .kind = AttrKind::integer, .least = 1}},
          .body =
              [](BodyContext& ctx) {
                const Attrs attrs = {{"units", ctx.attr("units")}};
                const Tensor hidden = ctx.layer("first", "json.Dense", {ctx.in(0)}, attrs);
                ctx.output(ctx.layer("second", "json.Dense", {hidden}, attrs));
              },
          .composite = true};
}

OpCard block_card() {
  return {.name = "json.Block",
          .category = Category::container,
          .inputs = {{.name = "inputs", .dtypes = kAnyType, .type = "", .kind = PortKind::variadic}},
          .outputs = {{.name = "outputs", .dtypes = kAnyType, .type = "", .kind = PortKind::variadic}},
          .composite = true};
}

OpCard choose_card() {
  return {.name = "json.Choose",
          .category = Category::control_flow,
          .inputs = {{.name = "condition", .dtypes = kBool, .type = ""},
                     {.name = "captures", .dtypes = kAnyType, .type = "", .kind = PortKind::variadic}},
          .outputs = {{.name = "y", .dtypes = kAnyType, .type = ""}},
          .attributes = {{.name = "then_branch", .kind = AttrKind::graph},
                         {.name = "else_branch", .kind = AttrKind::graph}},
          .infer =
              [](InferContext& ctx) {
                for (const char* name : {"then_branch", "else_branch"}) {
                  if (static_cast<int>(ctx.attr(name).as_graph()->inputs().size()) + 1 == ctx.input_count()) continue;
                  fail(ErrorCode::capture_mismatch, "a branch with another number of inputs", "one for each capture");
                }
                const Graph& branch = *ctx.attr("then_branch").as_graph();
                ctx.output(branch.type(branch.outputs().front().value));
              },
          .kernel = [](KernelContext&) {}};
}

OpCard noise_card() {
  return {.name = "json.Noise",
          .category = Category::random,
          .inputs = {{.name = "x"}},
          .outputs = {{.name = "y"}},
          .traits = {.random = true},
          .infer = [](InferContext& ctx) { ctx.output(ctx.type(0)); },
          .kernel = [](KernelContext&) {}};
}

OpCard everything_card() {
  OpCard card = {.name = "json.Everything",
                 .category = Category::arithmetic,
                 .inputs = {{.name = "x"}},
                 .outputs = {{.name = "y"}, {.name = "z"}},
                 .infer =
                     [](InferContext& ctx) {
                       ctx.output(ctx.type(0));
                       ctx.output({DType::i64, {ctx.shape(0)[0] * Dim(2)}});
                     },
                 .kernel = [](KernelContext&) {}};
  const std::pair<std::string_view, AttrKind> attributes[] = {
      {"i", AttrKind::integer},   {"r", AttrKind::real},   {"b", AttrKind::boolean}, {"t", AttrKind::text},
      {"is", AttrKind::integers}, {"rs", AttrKind::reals}, {"ts", AttrKind::texts},  {"d", AttrKind::dtype},
      {"y", AttrKind::type},      {"a", AttrKind::tensor}, {"g", AttrKind::graph}};
  for (const auto& [name, kind] : attributes) card.attributes.push_back({.name = name, .kind = kind});
  return card;
}

OpCard maybe_card() {
  return {
      .name = "json.Maybe",
      .category = Category::arithmetic,
      .inputs = {{.name = "a"}, {.name = "b", .kind = PortKind::optional}, {.name = "c", .kind = PortKind::optional}},
      .outputs = {{.name = "y"}},
      .infer = [](InferContext& ctx) { ctx.output(ctx.type(0)); },
      .kernel = [](KernelContext&) {}};
}

const TensorType kRow = {DType::f32, {Dim::symbol("batch"), 4}};

Graph layers() {
  Graph graph("layers", GraphId{7});
  const Tensor x = graph.input("x", kRow);
  const Graph::ScopeGuard scope(graph, "encoder");
  const Tensor first = add_op("json.Dense", {x}, {{"units", 4}}).named("first");
  NodeSpec shared;
  shared.op = &Registry::global().get("json.Dense");
  shared.inputs = {first.value()};
  shared.attrs = {{"units", 4}};
  shared.bindings = {{"weight", graph.find_variable("encoder/first.weight")}};
  const Tensor second = graph.add_outputs(shared).front();
  graph.set_output("y", add_op("json.Pair", {second}, {{"units", 3}}));
  return graph;
}

Graph blocks() {
  auto body = std::make_shared<Graph>("body", GraphId{2});
  const Tensor inner = body->input("in", kRow);
  const Tensor inner_shape = body->input("shape", {DType::i64, {2}});
  // A body learns what its integer inputs hold from those who call it.
  Node told = body->node(inner_shape.node());
  told.outputs.front().known = std::make_shared<const std::vector<Dim>>(std::vector<Dim>{Dim::symbol("batch"), 4});
  body->put(std::move(told));
  const Tensor weight = body->parameter("scale", {DType::f32, {4}}, Initializer::ones());
  body->set_output("out", add_op("Reshape", {inner * weight, inner_shape}));
  body->set_output("again", inner);

  Graph graph("blocks");
  const Tensor x = graph.input("x", kRow);
  const Tensor shape = add_op("Shape", {x});
  NodeSpec block;
  block.op = &Registry::global().get("json.Block");
  block.inputs = {x.value(), shape.value()};
  block.body = body;
  const std::vector<Tensor> results = graph.add_outputs(block);
  graph.set_output("y", results[0] + results[1]);
  return graph;
}

Graph subgraphs() {
  const auto branch = [](const char* op) {
    auto graph = std::make_shared<Graph>(op, GraphId{3});
    graph->set_output("y", add_op(op, {graph->input("x", kRow)}));
    return GraphPtr(graph);
  };
  Graph graph("subgraphs");
  const Tensor x = graph.input("x", kRow);
  const Tensor condition = graph.input("condition", {DType::boolean, {}});
  // A branch with a branch inside.
  auto nested = std::make_shared<Graph>("nested", GraphId{4});
  const Tensor inner = nested->input("x", kRow);
  const Tensor yes = nested->constant(Array::scalar(DType::boolean, 1));
  nested->set_output(
      "y", add_op("json.Choose", {yes, inner}, {{"then_branch", branch("Neg")}, {"else_branch", branch("Abs")}}));
  graph.set_output(
      "y", add_op("json.Choose", {condition, x}, {{"then_branch", GraphPtr(nested)}, {"else_branch", branch("Abs")}}));
  return graph;
}

Graph state() {
  Graph graph("state");
  const TensorType type = {DType::f64, {2, 2}};
  const Initializer initializers[] = {Initializer::zeros(),
                                      Initializer::ones(),
                                      Initializer::constant(-0.0),
                                      Initializer::constant(0.1),
                                      Initializer::uniform(-1, 1e300),
                                      Initializer::normal(0, 5e-324),
                                      Initializer::xavier_uniform(),
                                      Initializer::kaiming_normal(),
                                      Initializer::orthogonal(std::sqrt(2.0)),
                                      Initializer::identity(),
                                      Initializer::given(Array::of<double>({2, 2}, {1, -0.0, 1e-310, NAN})),
                                      Initializer::constant(std::numeric_limits<double>::infinity())};
  int number = 0;
  for (const Initializer& init : initializers) {
    graph.add_variable({.id = {}, .name = "v" + std::to_string(number++), .type = type, .init = init});
  }
  const VarKind kinds[] = {VarKind::buffer, VarKind::optimizer, VarKind::random, VarKind::cache, VarKind::counter};
  for (const VarKind kind : kinds) {
    graph.add_variable(
        {.id = {}, .name = std::string(name_of(kind)), .type = type, .init = {}, .kind = kind, .trainable = false});
  }
  const VarId counted = graph.find_variable("counter");
  graph.add_update(counted, graph.read(counted) + 1.0);
  graph.set_output("old", graph.read(counted));
  return graph;
}

Graph attributes() {
  Graph graph("attributes");
  const Tensor x = graph.input("x", kRow);
  auto inner = std::make_shared<Graph>("inner");
  const auto all_with = [&](std::vector<std::int64_t> integers, std::vector<double> reals,
                            std::vector<std::string> texts, Array tensor, double real) {
    return add_op("json.Everything", {x},
                  {{"i", std::numeric_limits<std::int64_t>::min()},
                   {"r", real},
                   {"b", false},
                   {"t", "quote \" backslash \\ tab \t zero \x01 Ёж 木 𝄞"},
                   {"is", std::move(integers)},
                   {"rs", std::move(reals)},
                   {"ts", std::move(texts)},
                   {"d", DType::bf16},
                   {"y", TensorType{DType::i8, {Dim::symbol("n") * 2 + 1, Dim::symbol("seq", 128)}}},
                   {"a", std::move(tensor)},
                   {"g", GraphPtr(inner)}});
  };
  const double infinity = std::numeric_limits<double>::infinity();
  const Tensor full = all_with({std::numeric_limits<std::int64_t>::max(), -1}, {1, 0.1, -0.0, infinity, NAN},
                               {"", "a/b"}, Array::of<float>({3, 1}, {1, 2, 3}), 1);
  const Tensor empty = all_with({}, {}, {}, Array(DType::f16, {0, 4}), -infinity);
  const double odd_nan = std::bit_cast<double>(std::uint64_t{0xfff8000000000123});
  const Array bools = Array::of<bool>({2}, std::vector<bool>{true, false});
  const Tensor odd = all_with({0}, {odd_nan}, {"nan"}, bools, odd_nan);
  graph.set_output("y", full + empty + odd);
  graph.set_output("z", graph.tensor({odd.node(), 1}));
  return graph;
}

Graph derived() {
  Graph graph("derived", GraphId{4294967295});
  NodeSpec external;
  external.op = &Registry::global().get("External");
  external.attrs = {{"graph", 3}, {"node", 17}, {"port", 1}, {"type", kRow}};
  const Tensor saved = graph.add_outputs(external).front();
  NodeSpec gradient;
  gradient.op = &Registry::global().get("Neg");
  gradient.inputs = {saved.value()};
  gradient.origin = std::make_shared<const Origin>(Origin{NodeId{5}, "feed_forward/activation", Role::gradient});
  const Tensor dx = graph.add_outputs(gradient).front();
  NodeSpec noise;
  noise.op = &Registry::global().get("json.Noise");
  noise.inputs = {dx.value()};
  noise.stream = 0xfedcba9876543210;
  noise.origin = std::make_shared<const Origin>(Origin{NodeId{6}, "", Role::forward});
  graph.set_output("dx", graph.add_outputs(noise).front());
  return graph;
}

// As edits leave it: gaps between the ids, and users that stand before their producers.
Graph edited() {
  Graph graph("edited");
  const Tensor x = graph.input("x", kRow);
  const Tensor user = add_op("json.Maybe", {x, Tensor(), x});
  const Tensor dropped = add_op("Neg", {x});
  const Tensor producer = add_op("Abs", {x}).named("producer");
  graph.set_output("y", user);
  Node rewired = graph.node(user.node());
  rewired.inputs[2] = producer.value();
  graph.put(std::move(rewired));
  graph.erase(dropped.node());
  graph.erase(graph.add_variable({.id = {}, .name = "gone", .type = kRow, .init = {}}));
  return graph;
}

}  // namespace

void register_json_ops() {
  static const bool kDone = [] {
    for (OpCard (*card)() : {dense_card, pair_card, block_card, choose_card, noise_card, everything_card, maybe_card}) {
      Registry::global().add(card());
    }
    return true;
  }();
  static_cast<void>(kDone);
}

std::vector<NamedGraph> graphs_of_every_feature() {
  register_json_ops();
  return {{"empty", Graph("nothing in it")},
          {"layers", layers()},
          {"blocks", blocks()},
          {"subgraphs", subgraphs()},
          {"state", state()},
          {"attributes", attributes()},
          {"derived", derived()},
          {"edited", edited()}};
}

}  // namespace asg::test
