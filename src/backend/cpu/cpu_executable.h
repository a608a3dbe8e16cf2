#pragma once

#include <memory>
#include <vector>

#include "asg/compile/pass.h"
#include "asg/compile/specialise.h"
#include "asg/compile/target.h"
#include "backend/cpu/bound_program.h"
#include "backend/cpu/bounded_run.h"

namespace asg::cpu {

// Holds the variables in place, or shares those of another, and one program for each set of input sizes that it has
// met; one for all lengths of a bounded symbol.
class CpuExecutable : public Executable {
 public:
  // `lowering`: how the graph was fitted to the device.
  CpuExecutable(Graph graph, PassReport lowering, PassOptions passes, std::shared_ptr<ThreadPool> pool, Means means);

  const Graph& graph() const override { return graph_; }
  void write(VarId variable, const Array& value) override;
  Array read(VarId variable) const override;
  Array lend(VarId variable) override;
  StepResult run(const NamedArrays& inputs) override;
  bool run_into(std::span<const Array> inputs, std::span<Array> outputs) override;
  void prepare(const SizesByName& input_sizes) override;
  bool share_variables(Executable& other) override;
  bool take_variable(VarId variable, Executable& other, VarId its_variable) override;
  std::shared_ptr<const Explanation> explain(const SizesByName& input_sizes) override;
  void set_profiling(bool on) override;
  std::shared_ptr<const Profile> profile() const override;

 private:
  // A program, how it came about, and what its steps took while profiling was on.
  struct Entry {
    std::unique_ptr<BoundedRun> bounded;  // null where all lengths are those of the inputs
    std::unique_ptr<BoundProgram> program;
    std::vector<PassReport> passes;  // over graphs, lowering aside
    StageTime emission;
    std::unique_ptr<StepRecorder> recorder;
  };

  Entry& entry_for(std::span<const Array> inputs);
  Entry& entry_for(const SizesByName& sizes);
  Entry make_entry(std::vector<InputType> inputs, const SymbolLengthsByName& lengths) const;
  Graph concrete_graph(Entry& entry, const SymbolLengthsByName& lengths) const;
  Entry& put_first(std::vector<std::unique_ptr<Entry>>::iterator entry);
  SymbolLengthsByName checked_lengths(std::span<const Array> inputs) const;
  Explanation explanation_of(const Entry& entry) const;

  Graph graph_;
  PassReport lowering_;
  PassOptions passes_;
  std::shared_ptr<ThreadPool> pool_;
  Means means_;
  std::shared_ptr<VariableStore> variables_ = std::make_shared<VariableStore>();
  std::vector<std::unique_ptr<Entry>> programs_;  // the one used last stands first
  const Entry* last_ = nullptr;                   // that ran
  bool profiling_ = false;
};

}  // namespace asg::cpu
