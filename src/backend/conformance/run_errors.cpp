// Values that do not fit, are missing, cannot be computed with or do not fit into memory.
#include "asg/backend/backend_registry.h"
#include "asg/backend/walk.h"
#include "asg/graph/registry.h"
#include "backend/conformance/expect_error.h"

namespace asg::conformance {
namespace {

// y = x + w for f32[batch, 2]
Graph sum_graph() {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {Dim::symbol("batch"), 2}});
  const Tensor w = graph.parameter("w", {DType::f32, {2}}, Initializer::zeros());
  graph.set_output("y", x + w);
  return graph;
}

const NamedArrays& good_values() {
  static const NamedArrays kValues = {{"x", reals({1, 2}, {1, 2})}, {"w", reals({2}, {3, 4})}};
  return kValues;
}

// The graph above with one value exchanged, or left out.
std::function<void(Backend&)> with(std::string name, std::optional<Array> value) {
  return [name, value](Backend& backend) {
    NamedArrays values = good_values();
    values.erase(name);
    if (value) values[name] = *value;
    backend.execute(sum_graph(), backend.upload_all(values));
  };
}

// Two inputs that share the symbol `batch`.
void uneven_batches(Backend& backend) {
  Graph graph;
  const TensorType type{DType::f32, {Dim::symbol("batch")}};
  graph.set_output("y", graph.input("a", type) + graph.input("b", type));
  backend.execute(graph, backend.upload_all({{"a", reals({2}, {1, 2})}, {"b", reals({3}, {1, 2, 3})}}));
}

void run_external(Backend& backend, std::int64_t graph_id, std::int64_t node) {
  Graph forward("forward", GraphId{21});
  forward.set_output("y", -forward.input("x", {DType::f32, {2}}));
  CachedRun ran = backend.run(forward, cache_of(forward, backend.upload_all({{"x", reals({2}, {1, 2})}})));
  Graph gradient("gradient", GraphId{22});
  NodeSpec spec;
  spec.op = &Registry::global().get("External");
  spec.attrs = {{"graph", graph_id}, {"node", node}, {"type", TensorType{DType::f32, {2}}}};
  gradient.set_output("y", -gradient.add_outputs(std::move(spec)).front());
  backend.run(gradient, std::move(ran.cache));
}

void run_without_value(Backend& backend) { backend.run(sum_graph(), {}); }

void gather_beyond(Backend& backend) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {2}});
  const Tensor indices = graph.input("indices", {DType::i64, {1}});
  graph.set_output("y", add_op("Gather", {x, indices}));
  backend.execute(graph, backend.upload_all({{"x", reals({2}, {1, 2})}, {"indices", longs({1}, {2})}}));
}

void submit_without_value(Backend& backend) { backend.submit(sum_graph(), {}).get(); }

// More bytes than any machine has, from two small operands.
void too_large(Backend& backend) {
  constexpr std::int64_t kLength = std::int64_t{1} << 22;
  const DeviceArray column = backend.upload(Array(DType::f32, {kLength, 1}));
  const DeviceArray row = backend.upload(Array(DType::f32, {1, kLength}));
  backend.add(column, row);
}

std::function<void(Backend&)> typed(std::function<void(Backend&, const DeviceArray&)> call) {
  return [call](Backend& backend) { call(backend, backend.upload(reals({2, 3}, {1, 2, 3, 4, 5, 6}))); };
}

std::function<void(Backend&)> executable(std::function<void(Executable&, VarId)> use) {
  return [use](Backend& backend) {
    const auto made = backend.compile(sum_graph());
    use(*made, made->graph().find_variable("w"));
  };
}

std::vector<Mistake> value_mistakes() {
  using Code = ErrorCode;
  return {
      {"an input without a value", "execute", {Code::missing_value}, true, with("x", std::nullopt)},
      {"an input without a value", "run", {Code::missing_value}, true, run_without_value},
      {"an input without a value", "submit", {Code::missing_value}, true, submit_without_value},
      {"a parameter without a value", "execute", {Code::missing_value}, true, with("w", std::nullopt)},
      {"a parameter without a value", "compile", {Code::missing_value}, true, executable([](Executable& made, VarId) {
         made.run({{"x", reals({1, 2}, {1, 2})}});
       })},
      {"reading a parameter without a value",
       "compile",
       {Code::missing_value},
       false,
       executable([](Executable& made, VarId w) { made.read(w); })},
      {"an input of another dtype", "execute", {Code::type_mismatch}, true, with("x", longs({1, 2}, {1, 2}))},
      {"a parameter of another dtype", "execute", {Code::type_mismatch}, true, with("w", longs({2}, {1, 2}))},
      {"a parameter of another dtype",
       "compile",
       {Code::type_mismatch},
       false,
       executable([](Executable& made, VarId w) { made.write(w, longs({2}, {1, 2})); })},
      {"an input of another length", "execute", {Code::bad_shape}, true, with("x", reals({1, 3}, {1, 2, 3}))},
      {"an input of another rank", "execute", {Code::bad_shape}, true, with("x", reals({2}, {1, 2}))},
      {"a parameter of another shape", "compile", {Code::bad_shape}, false, executable([](Executable& made, VarId w) {
         made.write(w, reals({3}, {1, 2, 3}));
       })},
      {"a parameter that is not there",
       "compile",
       {Code::unknown_variable},
       false,
       executable([](Executable& made, VarId) { made.write(VarId{99}, reals({2}, {1, 2})); })},
      {"one symbol with two lengths", "execute", {Code::bad_shape, Code::broadcast_mismatch}, true, uneven_batches},
  };
}

std::vector<Mistake> op_mistakes() {
  using Code = ErrorCode;
  const std::vector<Code> shape = {Code::bad_shape, Code::broadcast_mismatch};
  return {
      {"Add of shapes that do not fit", "typed", shape, false,
       typed([](Backend& b, const DeviceArray& x) { b.add(x, b.upload(reals({2}, {1, 2}))); })},
      {"Add of two dtypes", "typed", {Code::type_mismatch}, false, typed([](Backend& b, const DeviceArray& x) {
         b.add(x, b.upload(longs({3}, {1, 2, 3})));
       })},
      {"MatMul of shapes that do not fit", "typed", shape, false,
       typed([](Backend& b, const DeviceArray& x) { b.matmul(x, x); })},
      {"Reshape to another number of elements", "typed", shape, false,
       typed([](Backend& b, const DeviceArray& x) { b.reshape(x, Integers{4}); })},
      {"ReduceSum over an axis that is not there",
       "typed",
       {Code::bad_index},
       false,
       typed([](Backend& b, const DeviceArray& x) { b.reduce_sum(x, Integers{2}, true); })},
      {"Squeeze of a longer axis", "typed", shape, false,
       typed([](Backend& b, const DeviceArray& x) { b.squeeze(x, Integers{0}); })},
      {"Split into sizes that do not add up", "typed", shape, false,
       typed([](Backend& b, const DeviceArray& x) { b.split(x, 1, Integers{1, 1}, 0); })},
      {"Gather beyond the end",
       "typed",
       {Code::computation_error, Code::bad_index},
       false,
       typed([](Backend& b, const DeviceArray& x) { b.gather(x, b.upload(longs({1}, {2})), 0); })},
      {"Gather beyond the end", "execute", {Code::computation_error, Code::bad_index}, true, gather_beyond},
      {"a value of a node that has not run",
       "run",
       {Code::unknown_node},
       true,
       [](Backend& backend) { run_external(backend, 21, 99); }},
      {"a value of a graph that has not run",
       "run",
       {Code::unknown_graph},
       true,
       [](Backend& backend) { run_external(backend, 99, 1); }},
      {"a result larger than the memory", "typed", {Code::out_of_memory}, false, too_large},
      {"a backend that does not exist",
       "",
       {Code::no_such_device},
       false,
       [](Backend&) { BackendRegistry::global().make("no such backend"); }},
  };
}

}  // namespace

void check_run_errors(Checks& checks) {
  check_mistakes(checks, "errors of a run", value_mistakes());
  check_mistakes(checks, "errors of a run", op_mistakes());
}

}  // namespace asg::conformance
