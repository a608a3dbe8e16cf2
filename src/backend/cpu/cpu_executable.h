#pragma once

#include <map>
#include <memory>

#include "asg/compile/pass.h"
#include "asg/compile/specialise.h"
#include "asg/compile/target.h"
#include "backend/cpu/prepared.h"

namespace asg::cpu {

// Holds the variables in place, and one prepared program for each set of input sizes that it has met.
class CpuExecutable : public Executable {
 public:
  CpuExecutable(Graph graph, PassOptions passes, std::shared_ptr<ThreadPool> pool, RunSubgraph run_subgraph);

  const Graph& graph() const override { return graph_; }
  void write(VarId variable, const Array& value) override;
  Array read(VarId variable) const override;
  StepResult run(const NamedArrays& inputs) override;

 private:
  const PreparedProgram& prepared_for(const NamedArrays& inputs);
  void place_inputs(const Program& program, const NamedArrays& inputs, std::vector<Array>& dense);
  void place_variables(const Program& program);
  [[noreturn]] void fail_unwritten(VarId variable) const;

  Graph graph_;
  PassOptions passes_;
  std::shared_ptr<ThreadPool> pool_;
  RunSubgraph run_subgraph_;
  std::map<VarId, Array> variables_;
  std::map<std::vector<Sizes>, std::unique_ptr<PreparedProgram>> programs_;
  Bases bases_;
};

}  // namespace asg::cpu
