#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "backend/cpu/prepared.h"
#include "backend/cpu/variable_store.h"

namespace asg::cpu {

// What an input has in one program.
struct InputType {
  DType dtype = DType::f32;
  Sizes sizes = {};

  friend bool operator==(const InputType&, const InputType&) = default;
};

// A prepared program with everything bound that stays from run to run: variables and constants to their memory, inputs
// and outputs to their positions. A run allocates nothing as long as inputs are dense and outputs are given arrays that
// fit, and looks nothing up.
class BoundProgram {
 public:
  // `inputs` are those for which the program was made, in the order of `graph`, which lives as long as this does.
  BoundProgram(const Graph& graph, Program program, std::vector<InputType> inputs, const Means& means);

  const PreparedProgram& prepared() const { return prepared_; }
  // Whether the inputs have the types and sizes for which the program was made.
  bool fits(std::span<const Array> inputs) const;
  bool is_for(std::span<const InputType> inputs) const {
    return std::equal(types_.begin(), types_.end(), inputs.begin());
  }
  // As Executable::run_into; a recorder is told what each step takes. Throws missing_value, bad_shape of variables.
  bool run(std::span<const Array> inputs, std::span<Array> outputs, VariableStore& variables, ThreadPool& pool,
           StepRecorder* recorder);

 private:
  // An input that the program reads.
  struct InputPlace {
    std::size_t buffer = 0;
    std::size_t position = 0;
    Array staging = {};  // holds it dense where what is given is not
  };
  struct OutputPlace {
    std::size_t buffer = 0;
    DType dtype = DType::f32;
    Sizes sizes = {};
    std::int64_t bytes = 0;
    bool direct = false;                // the program writes into the caller's memory
    const std::byte* memory = nullptr;  // of the caller, in the last run
  };

  void bind_variables(VariableStore& variables, ThreadPool& pool);
  [[noreturn]] void fail_unwritten(VarId variable) const;
  void place_inputs(std::span<const Array> inputs);
  void place_outputs(std::span<const Array> inputs, std::span<Array> outputs);
  bool can_take(const Array& array, std::size_t output, std::span<const Array> inputs) const;
  void copy_results(std::span<Array> outputs) const;

  const Graph& graph_;
  PreparedProgram prepared_;
  std::vector<InputType> types_;
  std::vector<InputPlace> inputs_;
  std::vector<OutputPlace> outputs_;
  std::vector<VarId> changed_;  // variables that the program writes
  const VariableStore* bound_to_ = nullptr;
  std::uint64_t bound_version_ = 0;
  Bases bases_;
  std::shared_ptr<ArenaPool> arenas_;
  const std::byte* placed_in_ = nullptr;  // where temporaries lay in the last run
};

}  // namespace asg::cpu
