// Whole graphs: order, symbols, state, subgraphs, carriers, events.
#include "asg/backend/walk.h"
#include "asg/compile/carrier.h"
#include "asg/graph/registry.h"
#include "backend/conformance/suite.h"

namespace asg::conformance {
namespace {

std::string compare(const NamedArrays& outputs, const std::string& name, const Array& expected) {
  const auto value = outputs.find(name);
  return value == outputs.end() ? "no output '" + name + "'" : difference(value->second, expected, 0);
}

std::string execute(Backend& backend, const Graph& graph, const NamedArrays& inputs, const std::string& name,
                    const Array& expected) {
  return compare(backend.download_all(backend.execute(graph, backend.upload_all(inputs))), name, expected);
}

// The halves of x, exchanged; then the first half once more.
Graph exchange() {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {4}});
  const std::vector<Tensor> halves = add_op_outputs("Split", {x}, {{"num_outputs", 2}});
  const Tensor both = add_op("Concat", {halves[1], halves[0]}, {{"axis", 0}});
  graph.set_output("y", add_op("Concat", {both, halves[0]}, {{"axis", 0}}));
  return graph;
}

// (x · w) + 1 for any batch.
Graph linear() {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {Dim::symbol("batch"), 2}});
  const Tensor w = graph.parameter("w", {DType::f32, {2, 1}}, Initializer::zeros());
  graph.set_output("y", add_op("MatMul", {x, w}) + 1);
  return graph;
}

// Two variables change places when `fine` is true.
struct Swap {
  Graph graph;
  VarId a;
  VarId b;

  Swap() {
    a = graph.add_variable({.id = {}, .name = "a", .type = {DType::f32, {}}, .init = {}});
    b = graph.add_variable({.id = {}, .name = "b", .type = {DType::f32, {}}, .init = {}});
    graph.set_output(std::string(kAllFinite), graph.input("fine", {DType::boolean, {}}));
    graph.add_update(a, graph.read(b));
    graph.add_update(b, graph.read(a));
  }
};

std::string updates_leave_by_name(Backend& backend) {
  const NamedArrays inputs = {{"fine", flags({}, {1})}, {"a", reals({}, {1})}, {"b", reals({}, {2})}};
  const NamedArrays outputs = backend.download_all(backend.execute(Swap().graph, backend.upload_all(inputs)));
  std::string wrong = compare(outputs, "update:a", reals({}, {2}));
  return wrong.empty() ? compare(outputs, "update:b", reals({}, {1})) : wrong;
}

std::string commits(Backend& backend) {
  const Swap swap;
  const auto step = backend.compile(swap.graph);
  step->write(swap.a, reals({}, {1}));
  step->write(swap.b, reals({}, {2}));
  if (!step->run({{"fine", flags({}, {1})}}).committed) return "a step that is fine is not committed";
  std::string wrong = difference(step->read(swap.a), reals({}, {2}), 0);
  if (wrong.empty()) wrong = difference(step->read(swap.b), reals({}, {1}), 0);
  if (!wrong.empty()) return wrong;
  if (step->run({{"fine", flags({}, {0})}}).committed) return "a step that is not fine is committed";
  return difference(step->read(swap.a), reals({}, {2}), 0);
}

std::string subgraph(Backend& backend, bool condition) {
  auto branch = [](double factor) {
    Graph graph("branch");
    graph.set_output("y", graph.input("x", {DType::f32, {2}}) * factor);
    return std::make_shared<const Graph>(std::move(graph));
  };
  Graph graph;
  const Tensor chosen = graph.input("condition", {DType::boolean, {}});
  const Tensor x = graph.input("x", {DType::f32, {2}});
  graph.set_output("y", add_op("If", {chosen, x}, {{"then_branch", branch(2)}, {"else_branch", branch(3)}}));
  const NamedArrays inputs = {{"condition", flags({}, {condition})}, {"x", reals({2}, {1, 10})}};
  const auto outputs = backend.compile(graph)->run(inputs).outputs;
  return compare(outputs, "y", condition ? reals({2}, {2, 20}) : reals({2}, {3, 30}));
}

// What lies between the leaves becomes one node; the numbers stay.
std::string carrier(Backend& backend) {
  const Collapsed collapsed = collapse(exchange(), [](const Node&) { return true; });
  int carriers = 0;
  for (NodeId id : collapsed.graph.node_ids()) carriers += collapsed.graph.node(id).op->name == "Carrier" ? 1 : 0;
  if (carriers != 1) return std::to_string(carriers) + " carriers instead of 1";
  const auto inputs = backend.upload_all({{"x", reals({4}, {1, 2, 3, 4})}});
  return compare(backend.download_all(walk_graph(backend, collapsed.graph, inputs)), "y",
                 reals({6}, {3, 4, 1, 2, 1, 2}));
}

std::string events(Backend& backend) {
  Event before;
  before.signal();
  const Event first_done;
  const Event second_done;
  const Array x = reals({4}, {1, 2, 3, 4});
  auto first = backend.submit(exchange(), backend.upload_all({{"x", x}}),
                              {.after = {before}, .then = {first_done}, .donated = {"x"}});
  auto second =
      backend.submit(exchange(), backend.upload_all({{"x", x}}), {.after = {first_done}, .then = {second_done}});
  std::string wrong = compare(backend.download_all(second.get()), "y", reals({6}, {3, 4, 1, 2, 1, 2}));
  if (!wrong.empty()) return wrong;
  second_done.wait();
  if (!first_done.happened()) return "the second submission ran before the first";
  return compare(backend.download_all(first.get()), "y", reals({6}, {3, 4, 1, 2, 1, 2}));
}

std::string unused_inputs(Backend& backend) {
  Graph graph = exchange();
  graph.input("unused", {DType::f32, {1}});
  return execute(backend, graph, {{"x", reals({4}, {1, 2, 3, 4})}}, "y", reals({6}, {3, 4, 1, 2, 1, 2}));
}

}  // namespace

void check_graphs(Checks& checks) {
  Backend& backend = checks.backend;
  auto check = [&](std::string name, const char* surface, const std::function<std::string()>& run) {
    checks.check("graphs", std::move(name), surface, run);
  };
  check("several outputs of one node", "execute", [&] {
    return execute(backend, exchange(), {{"x", reals({4}, {1, 2, 3, 4})}}, "y", reals({6}, {3, 4, 1, 2, 1, 2}));
  });
  for (std::int64_t batch : {1, 3}) {
    check("a batch of " + std::to_string(batch), "execute", [&] {
      const std::vector<double> ones(static_cast<std::size_t>(batch * 2), 1);
      const std::vector<double> sums(static_cast<std::size_t>(batch), 12);
      return execute(backend, linear(), {{"x", reals({batch, 2}, ones)}, {"w", reals({2, 1}, {1, 10})}}, "y",
                     reals({batch, 1}, sums));
    });
  }
  check("an input that nothing uses needs no value", "execute", [&] { return unused_inputs(backend); });
  check("updates leave by name", "execute", [&] { return updates_leave_by_name(backend); });
  check("updates commit together, unless all_finite is false", "compile", [&] { return commits(backend); });
  check("a subgraph, then branch", "compile", [&] { return subgraph(backend, true); });
  check("a subgraph, else branch", "compile", [&] { return subgraph(backend, false); });
  check("a carrier", "execute", [&] { return carrier(backend); });
  check("events and order", "submit", [&] { return events(backend); });
}

}  // namespace asg::conformance
