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
  // `lowering`: how the graph was fitted to the device.
  CpuExecutable(Graph graph, PassReport lowering, PassOptions passes, std::shared_ptr<ThreadPool> pool,
                RunSubgraph run_subgraph);

  const Graph& graph() const override { return graph_; }
  void write(VarId variable, const Array& value) override;
  Array read(VarId variable) const override;
  StepResult run(const NamedArrays& inputs) override;
  std::shared_ptr<const Explanation> explain(const SizesByName& input_sizes) override;
  void set_profiling(bool on) override;
  std::shared_ptr<const Profile> profile() const override;

 private:
  // A program, how it came about, and what its steps took while profiling was on.
  struct Entry {
    std::unique_ptr<PreparedProgram> program;
    std::vector<PassReport> passes;  // over graphs, lowering aside
    StageTime emission;
    std::unique_ptr<StepRecorder> recorder;
  };

  Entry& prepared_for(const NamedArrays& inputs);
  Entry& prepared_for(const std::vector<Sizes>& sizes);  // of all inputs, in order
  Explanation explanation_of(const Entry& entry) const;
  void place_inputs(const Program& program, const NamedArrays& inputs, std::vector<Array>& dense);
  void place_variables(const Program& program);
  [[noreturn]] void fail_unwritten(VarId variable) const;

  Graph graph_;
  PassReport lowering_;
  PassOptions passes_;
  std::shared_ptr<ThreadPool> pool_;
  RunSubgraph run_subgraph_;
  std::map<VarId, Array> variables_;
  std::map<std::vector<Sizes>, Entry> programs_;
  Entry* last_ = nullptr;  // that ran
  bool profiling_ = false;
  Bases bases_;
};

}  // namespace asg::cpu
