// Every op, layer and loss over all samples of its card, forward and backward: the engine against the interpreter.
#include <algorithm>

#include "asg/backend/cpu.h"
#include "asg/compile/pass.h"
#include "engine/sample_graphs.h"
#include "ops/cards.h"
#include "support/amount.h"
#include "support/compare.h"

namespace asg::test {
namespace {

StepResult run(Backend& backend, const SampleGraph& sample, const PassOptions& passes, std::vector<Array>* state) {
  const std::unique_ptr<Executable> executable = backend.compile(sample.graph, {.passes = passes});
  for (const auto& [variable, value] : sample.variables) executable->write(variable, value);
  StepResult result = executable->run(sample.inputs);
  for (const auto& [variable, value] : sample.variables) state->push_back(executable->read(variable));
  return result;
}

// Ways to compile: one pass off, or without oneDNN.
struct Way {
  std::string name;
  PassOptions passes = {};
  CpuOptions device = {.threads = 2};
};

std::vector<Way> ways() {
  std::vector<Way> result = {{"without oneDNN", {}, {.threads = 2, .onednn = false}}};
  if (kFewCases) return result;  // the passes are tested by themselves too
  for (const Pass& pass : graph_passes()) result.push_back({std::string(pass.name), {.off = {std::string(pass.name)}}});
  for (const ProgramPass& pass : program_passes()) {
    result.push_back({std::string(pass.name), {.off = {std::string(pass.name)}}});
  }
  return result;
}

class EngineSamples : public OpTest {
 protected:
  void expect_same(DType dtype, const std::vector<Way>& compiled) const {
    for (const Sample& sample : op().samples) {
      SCOPED_TRACE(sample.name);
      const SampleGraph graph = graph_of_sample(op(), sample, dtype);
      Interpreter interpreter;
      std::vector<Array> expected_state;
      const StepResult expected = run(interpreter, graph, {}, &expected_state);
      for (const Way& way : compiled) {
        SCOPED_TRACE("off: " + way.name);
        CpuBackend cpu(way.device);
        std::vector<Array> state;
        const StepResult actual = run(cpu, graph, way.passes, &state);
        for (const auto& [name, value] : expected.outputs) {
          const double bound = std::max(tolerance_for(op().tolerance, value.dtype()), is_float(dtype) ? 1e-12 : 0);
          EXPECT_TRUE(near(actual.outputs.at(name), value, bound)) << name;
        }
        for (std::size_t k = 0; k < state.size(); ++k) {
          EXPECT_TRUE(near(state[k], expected_state[k], tolerance_for(op().tolerance, state[k].dtype())));
        }
      }
    }
  }
};

TEST_P(EngineSamples, InF64) { expect_same(DType::f64, {{"nothing"}}); }
TEST_P(EngineSamples, InF32) { expect_same(DType::f32, {{"nothing"}}); }
TEST_P(EngineSamples, InF32WithOnePassOffAndWithoutOneDnn) { expect_same(DType::f32, ways()); }

INSTANTIATE_TEST_SUITE_P(AllOps, EngineSamples, testing::ValuesIn(cards_under_test()), name_of_test);

}  // namespace
}  // namespace asg::test
