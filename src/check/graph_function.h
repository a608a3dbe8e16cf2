#pragma once

#include <string>
#include <vector>

#include "asg/backend/interpreter.h"
#include "asg/graph/contexts.h"
#include "asg/graph/graph.h"
#include "asg/graph/walk.h"

namespace asg {

// A graph that is computed many times with other numbers, as differences do. It calls the reference kernels that the
// interpreter calls, and gives the same bits, but does once what the interpreter does in each run: sort, infer, check
// attributes, and compute what depends on no input.
//   expects:    a graph that validates, whose inputs have known lengths
class GraphFunction {
 public:
  GraphFunction(const Graph& graph, Mode mode);  // layers are expanded; updates are left out

  // Outputs by name, for values of all inputs and variables by name.
  NamedArrays operator()(const NamedArrays& values);

  // A value of the given graph in the last run; an empty array where it has no counterpart or was not needed.
  Array value(Value of_given_graph) const;

 private:
  // One node. `kernel` is used where inference has told everything; else the interpreter runs the node.
  struct Step {
    NodePtr node;
    std::string given;  // name of the input or variable that it reads; "" for all others
    bool constant = false;
    bool direct = false;
    std::vector<std::size_t> inputs;  // slots; kAbsent
    std::size_t first_output = 0;     // slot
    Attrs attrs = {};
  };

  void add_step(const Node& node);
  void compute(const Step& step);
  void compute_by_kernel(const Step& step);
  void compute_by_interpreter(const Step& step);

  Interpreter interpreter_;
  Graph graph_;
  Remap remap_;
  std::vector<Step> steps_;
  std::vector<std::size_t> first_slot_;  // by node number
  std::vector<Array> values_;            // by slot
  std::vector<bool> constant_;           // by slot
};

}  // namespace asg
