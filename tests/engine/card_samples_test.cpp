// Every op, layer and loss over all samples of its card, forward and backward: the engine against the interpreter.
#include <algorithm>

#include "asg/backend/cpu.h"
#include "engine/sample_graphs.h"
#include "ops/cards.h"
#include "support/compare.h"

namespace asg::test {
namespace {

StepResult run(Backend& backend, const SampleGraph& sample, std::vector<Array>* state = nullptr) {
  const std::unique_ptr<Executable> executable = backend.compile(sample.graph);
  for (const auto& [variable, value] : sample.variables) executable->write(variable, value);
  StepResult result = executable->run(sample.inputs);
  if (state != nullptr) {
    for (const auto& [variable, value] : sample.variables) state->push_back(executable->read(variable));
  }
  return result;
}

class EngineSamples : public OpTest {
 protected:
  void expect_same(DType dtype) const {
    for (const Sample& sample : op().samples) {
      SCOPED_TRACE(sample.name);
      const SampleGraph graph = graph_of_sample(op(), sample, dtype);
      Interpreter interpreter;
      CpuBackend cpu(2);
      std::vector<Array> expected_state;
      std::vector<Array> state;
      const StepResult expected = run(interpreter, graph, &expected_state);
      const StepResult actual = run(cpu, graph, &state);
      for (const auto& [name, value] : expected.outputs) {
        const double bound = std::max(tolerance_for(op().tolerance, value.dtype()), is_float(dtype) ? 1e-12 : 0);
        EXPECT_TRUE(near(actual.outputs.at(name), value, bound)) << name;
      }
      for (std::size_t k = 0; k < state.size(); ++k) {
        EXPECT_TRUE(near(state[k], expected_state[k], tolerance_for(op().tolerance, state[k].dtype())));
      }
    }
  }
};

TEST_P(EngineSamples, InF64) { expect_same(DType::f64); }
TEST_P(EngineSamples, InF32) { expect_same(DType::f32); }

INSTANTIATE_TEST_SUITE_P(AllOps, EngineSamples, testing::ValuesIn(cards_under_test()), name_of_test);

}  // namespace
}  // namespace asg::test
