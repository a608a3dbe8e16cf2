// Variables that change where they lie: everybody else must not notice.
#include <functional>

#include <gtest/gtest.h>

#include "asg/asg.h"
#include "asg/backend/cpu.h"

namespace asg {
namespace {

struct StateCase {
  const char* name;
  // Given a cache f32[6, 2], a place i64[1, 1], a row f32[1, 2] and another variable f32[6, 2].
  std::function<void(Graph& graph, VarId cache, VarId other, const Tensor& place, const Tensor& row)> build;
};

VarId add_cache(Graph& graph, const char* name, const Sizes& sizes) {
  return graph.add_variable({.id = {}, .name = name, .type = {DType::f32, Shape::of(sizes)}, .kind = VarKind::cache});
}

Tensor written(Graph& graph, VarId cache, const Tensor& place, const Tensor& row) {
  return add_op("ScatterND", {graph.read(cache), place, row});
}

std::vector<StateCase> state_cases() {
  return {
      {"new value read",
       [](Graph& graph, VarId cache, VarId, const Tensor& place, const Tensor& row) {
         const Tensor now = written(graph, cache, place, row);
         graph.add_update(cache, now);
         graph.set_output("y", exp(now) + 1);
       }},
      {"old value read too",
       [](Graph& graph, VarId cache, VarId, const Tensor& place, const Tensor& row) {
         const Tensor now = written(graph, cache, place, row);
         graph.add_update(cache, now);
         graph.set_output("y", reduce_sum(now, {0}) - reduce_sum(graph.read(cache), {0}) * 2);
       }},
      {"old value put out",
       [](Graph& graph, VarId cache, VarId, const Tensor& place, const Tensor& row) {
         graph.add_update(cache, written(graph, cache, place, row));
         graph.set_output("y", graph.read(cache));
       }},
      {"part of the old value put out",
       [](Graph& graph, VarId cache, VarId, const Tensor& place, const Tensor& row) {
         graph.add_update(cache, written(graph, cache, place, row));
         graph.set_output("y", slice(graph.read(cache), Ints{0}, Ints{4}, Ints{0}));
       }},
      {"first rows of a computed value",
       [](Graph& graph, VarId cache, VarId, const Tensor&, const Tensor& row) {
         const Tensor more = exp(row * graph.constant(Array(DType::f32, {9, 2})));
         graph.add_update(cache, slice(more, Ints{0}, Ints{6}, Ints{0}));
         graph.set_output("y", row);
       }},
      {"first rows of another variable",
       [](Graph& graph, VarId cache, VarId, const Tensor&, const Tensor& row) {
         const VarId longer = add_cache(graph, "longer", {9, 2});
         graph.add_update(cache, slice(graph.read(longer), Ints{0}, Ints{6}, Ints{0}));
         graph.add_update(longer, graph.read(longer) * row);
         graph.set_output("y", graph.read(cache));
       }},
      {"new value put out",
       [](Graph& graph, VarId cache, VarId, const Tensor& place, const Tensor& row) {
         const Tensor now = written(graph, cache, place, row);
         graph.add_update(cache, now);
         graph.set_output("y", now);
       }},
      {"written twice",
       [](Graph& graph, VarId cache, VarId, const Tensor& place, const Tensor& row) {
         const Tensor once = written(graph, cache, place, row);
         graph.add_update(cache, add_op("ScatterND", {once, place + 1, row * 2}));
         graph.set_output("y", reduce_sum(once, {0}));
       }},
      {"one value for two variables",
       [](Graph& graph, VarId cache, VarId other, const Tensor& place, const Tensor& row) {
         const Tensor now = written(graph, cache, place, row);
         graph.add_update(cache, now);
         graph.add_update(other, now);
         graph.set_output("y", tanh(now) + graph.read(other));
       }},
      {"one fused value for two variables",
       [](Graph& graph, VarId cache, VarId other, const Tensor&, const Tensor& row) {
         const Tensor now = graph.read(cache) + row;
         graph.add_update(cache, now);
         graph.add_update(other, now);
         graph.set_output("y", graph.read(other) * 3);
       }},
      {"variables exchanged",
       [](Graph& graph, VarId cache, VarId other, const Tensor& place, const Tensor& row) {
         const Tensor now = written(graph, cache, place, row);
         graph.add_update(cache, graph.read(other));
         graph.add_update(other, now);
         graph.set_output("y", reduce_sum(now, {1}));
       }},
      {"written into another variable",
       [](Graph& graph, VarId cache, VarId other, const Tensor& place, const Tensor& row) {
         graph.add_update(other, written(graph, cache, place, row));
         graph.set_output("y", reduce_sum(graph.read(other), {1}));
       }},
      {"with a gate",
       [](Graph& graph, VarId cache, VarId, const Tensor& place, const Tensor& row) {
         const Tensor now = written(graph, cache, place, row);
         graph.add_update(cache, now);
         graph.set_output("y", reduce_sum(now, {1}));
         graph.set_output(std::string(kAllFinite), reduce_sum(row) < 3.5);
       }},
  };
}

Graph graph_of(const StateCase& each) {
  Graph graph(each.name);
  const VarId cache = add_cache(graph, "cache", {6, 2});
  const VarId other = add_cache(graph, "other", {6, 2});
  const Tensor place = graph.input("place", {DType::i64, {1, 1}});
  const Tensor row = graph.input("row", {DType::f32, {1, 2}});
  each.build(graph, cache, other, place, row);
  return graph;
}

// Outputs of three runs, then both variables.
std::vector<Array> values_on(Backend& backend, const Graph& graph) {
  const auto executable = backend.compile(graph, {.passes = {.verify = true}});
  for (const VarId id : graph.variable_ids()) {
    Array value(DType::f32, graph.variable(id).type.shape.sizes());
    for (std::int64_t k = 0; k < value.count(); ++k) value.set(k, 0.125 * static_cast<double>(k + 7 * id.number));
    executable->write(id, value);
  }
  std::vector<Array> values;
  for (const std::int64_t place : {4, 0, 2}) {
    const auto number = static_cast<float>(place);
    const StepResult result = executable->run(
        {{"place", Array::of<std::int64_t>({1, 1}, {place})}, {"row", Array::of<float>({1, 2}, {number, 0.5F})}});
    values.push_back(result.outputs.at("y").copy());
  }
  for (const VarId id : graph.variable_ids()) values.push_back(executable->read(id));
  return values;
}

TEST(State, ChangesInPlaceUnnoticed) {
  CpuBackend cpu(2);
  Interpreter interpreter;
  for (const StateCase& each : state_cases()) {
    const Graph graph = graph_of(each);
    const auto expected = values_on(interpreter, graph);
    const auto got = values_on(cpu, graph);
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t k = 0; k < got.size(); ++k) {
      for (std::int64_t at = 0; at < got[k].count(); ++at) {
        ASSERT_NEAR(got[k].get(at), expected[k].get(at), 1e-5) << each.name << ", value " << k;
      }
    }
  }
}

TEST(State, LeavesAVariableAloneWhereAPlaceIsWrong) {
  CpuBackend cpu(1);
  const StateCase plain = state_cases().front();
  const Graph graph = graph_of(plain);
  const auto executable = cpu.compile(graph);
  for (const VarId id : graph.variable_ids()) executable->write(id, Array(DType::f32, {6, 2}));
  EXPECT_THROW(
      executable->run({{"place", Array::of<std::int64_t>({1, 1}, {6})}, {"row", Array::of<float>({1, 2}, {1, 1})}}),
      UserError);
  const Array after = executable->read(graph.find_variable("cache"));
  for (std::int64_t at = 0; at < after.count(); ++at) EXPECT_EQ(after.get(at), 0);
}

}  // namespace
}  // namespace asg
