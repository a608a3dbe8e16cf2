#include "asg/backend/backend_registry.h"
#include "asg/backend/interpreter.h"
#include "asg/backend/single_op.h"
#include "asg/backend/walk.h"
#include "asg/ops/ops.h"
#include "must_fail/rows.h"

namespace asg::test {
namespace {

// y = exp(x) for x f32[2].
Graph exponential() {
  Graph graph;
  graph.set_output("y", exp(graph.input("x", {DType::f32, {Dim(2)}})).named("exponential"));
  return graph;
}

NamedDeviceArrays two_ones(Backend& backend) { return backend.upload_all({{"x", Array::of<float>({2}, {1, 1})}}); }

// Overrides neither side of the contract.
class Idle : public Backend {
 public:
  std::string name() const override { return "idle"; }
};

// Overrides `execute` and gives nothing back.
class Silent : public Backend {
 public:
  std::string name() const override { return "silent"; }
  NamedDeviceArrays execute(const Graph&, const NamedDeviceArrays&) override { return {}; }
};

// Has one kernel only.
class OnlyAdds : public Backend {
 public:
  std::string name() const override { return "only-adds"; }
  DeviceArray add(const DeviceArray& a, const DeviceArray& b) override { return kernels_.add(a, b); }

 private:
  Interpreter kernels_;
};

void run_in_the_wrong_order() {
  Interpreter interpreter;
  const Graph graph = exponential();
  std::vector<NodeId> schedule = graph.node_ids();
  std::reverse(schedule.begin(), schedule.end());
  walk_graph(interpreter, graph, two_ones(interpreter), schedule);
}

void gather_outside() {
  Interpreter interpreter;
  const DeviceArray inputs[] = {interpreter.upload(Array(DType::f32, {3})), interpreter.upload(Array::ints({7}))};
  run_single(interpreter, "Gather", inputs);
}

void run_op_that_gives_nothing() {
  Silent silent;
  const DeviceArray inputs[] = {silent.upload(Array(DType::f32, {3}))};
  run_single(silent, "Exp", inputs);
}

}  // namespace

std::vector<MustFail> backend_rows() {
  return {
      {ErrorCode::missing_value, "input_without_a_value", [] { Interpreter().execute(exponential(), {}); },
       "no value for input 'x'", "a value of type f32[2]", "give the input a value under its name"},
      {ErrorCode::missing_output, "nothing_produced", run_op_that_gives_nothing,
       "no value for output 'output_0' of op 'Exp' from backend 'silent'", "a value for every output of the graph",
       "let execute return each output of the graph under its name"},
      {ErrorCode::not_in_order, "reversed_schedule", run_in_the_wrong_order,
       "a schedule in which x has not run before exponential",
       "a schedule in which every node comes after those it depends on", "leave the schedule out, or sort it"},
      {ErrorCode::not_implemented, "no_such_kernel",
       [] {
         OnlyAdds backend;
         backend.execute(exponential(), two_ones(backend));
       },
       "op 'Exp' on backend 'only-adds'", "an op that this backend implements",
       "override the method of Exp, run_primitive or execute; or let capabilities() say that the op is not supported, "
       "so that it is replaced by its body or runs on the host"},
      {ErrorCode::no_side_overridden, "at_registration",
       [] { BackendRegistry().add({"idle", "does nothing"}, [] { return std::make_unique<Idle>(); }); },
       "backend 'idle', which overrides neither side of the contract",
       "a backend that overrides the per-op side or `execute`",
       "with kernels, override the methods of the primitives (or run_primitive) and run_op; with an engine for whole "
       "graphs, override execute"},
      {ErrorCode::computation_error, "index_outside", gather_outside, "index 7 in Gather",
       "an index from -3 to 2, because the axis has 3 elements",
       "check the indices, or the size of what they point into"},
      {ErrorCode::no_such_device, "unknown_backend", [] { BackendRegistry().make("gpu"); }, "backend 'gpu'",
       "one of those that there are: cpu, interp", "did you mean 'cpu'?"},
  };
}

}  // namespace asg::test
