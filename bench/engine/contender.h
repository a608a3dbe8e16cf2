#pragma once

#include <memory>
#include <vector>

#include "asg/backend/backend.h"
#include "workloads.h"

namespace asg::bench {

// What a contender tells of itself before it is timed.
struct Beginning {
  double build_seconds = 0;    // the model as a graph
  double step_seconds = 0;     // the graph of the step: gradient and updates
  double compile_seconds = 0;  // from the model's graph to a step that is ready: gradient, updates, compile
  double first_seconds = 0;    // the first run: it meets memory that nobody has touched
  double plan_bytes = 0;       // the arena of all temporaries
  double live_bytes = 0;       // of these, the most that is alive at once: what no plan can do without
  double peak_bytes = 0;       // the most memory after the first steps, less what there was before the model
  std::size_t nodes = 0;       // of the step's graph
  std::vector<double> values;  // of each of the first steps: the loss, or the mean of the squares of the output
};

// A workload on the CPU backend, from its graph to steps. The process should be fresh: the peak of memory is its own.
class Contender {
 public:
  // Each start draws other weights.
  Contender(const Workload& workload, int threads, int first_steps = 10, int start = 0);

  const Beginning& beginning() const { return beginning_; }
  double step_seconds();  // runs one step

 private:
  void make(int threads);
  void write_variables(int start);
  double value() const;

  const Workload& workload_;
  std::vector<Array> inputs_;  // in the order of the graph; outputs too
  Beginning beginning_;
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<Executable> executable_;
  std::vector<Array> outputs_;  // kept, so that steps write over them
};

}  // namespace asg::bench
