// The same bits on any number of threads; and whole random graphs as the interpreter computes them, with all passes on
// and with each one off.
#include "asg/backend/cpu.h"
#include "asg/check/random_graph.h"
#include "asg/compile/pass.h"
#include "asg/graph/walk.h"
#include "ops/cards.h"
#include "support/amount.h"
#include "support/compare.h"

namespace asg::test {
namespace {

constexpr int kGraphs = amount(12, 2);

struct Split {
  NamedArrays inputs;
  std::vector<std::pair<VarId, Array>> variables;
};

Split split_values(const GraphCase& made) {
  Split split;
  for (const auto& [name, value] : made.values) {
    const VarId variable = made.graph.find_variable(name);
    if (variable) {
      split.variables.emplace_back(variable, value);
    } else {
      split.inputs[name] = value;
    }
  }
  return split;
}

StepResult run(Backend& backend, const GraphCase& made, const CompileOptions& options = {}) {
  const std::unique_ptr<Executable> executable = backend.compile(made.graph, options);
  const Split values = split_values(made);
  for (const auto& [variable, value] : values.variables) executable->write(variable, value);
  return executable->run(values.inputs);
}

class EngineRandomGraphs : public testing::TestWithParam<int> {
 protected:
  GraphCase graph() const {
    const RandomGraphs graphs(cards_under_test(), 3);
    return graphs.make(static_cast<std::uint64_t>(GetParam()));
  }
};

TEST_P(EngineRandomGraphs, HaveTheSameBitsOnAnyNumberOfThreads) {
  const GraphCase made = graph();
  CpuBackend one(1);
  const StepResult expected = run(one, made);
  for (const int threads : {2, 3}) {
    CpuBackend several(threads);
    EXPECT_TRUE(identical(run(several, made).outputs.at("loss"), expected.outputs.at("loss"))) << threads;
  }
}

TEST_P(EngineRandomGraphs, AreWhatTheInterpreterComputes) {
  const GraphCase made = graph();
  Interpreter interpreter;
  const Array expected = run(interpreter, made).outputs.at("loss");
  CpuBackend cpu(2);
  EXPECT_TRUE(near(run(cpu, made).outputs.at("loss"), expected, 1e-9));
  std::vector<std::string> passes;
  for (const Pass& pass : graph_passes()) passes.emplace_back(pass.name);
  for (const ProgramPass& pass : program_passes()) passes.emplace_back(pass.name);
  for (const std::string& off : passes) {
    SCOPED_TRACE("without " + off);
    const CompileOptions options{.passes = {.off = {off}, .verify = true}};
    EXPECT_TRUE(near(run(cpu, made, options).outputs.at("loss"), expected, 1e-9));
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, EngineRandomGraphs, testing::Range(0, kGraphs));

}  // namespace
}  // namespace asg::test
