#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asg/graph/card.h"
#include "asg/graph/graph.h"

// What the ops that hold graphs (If, Scan, Loop, Call) have in common: closed graphs, typed by what is passed to them.
namespace asg::ops {

// The graph of attribute `name`. Throws bad_attribute where there is none, capture_mismatch where it reads variables.
const Graph& closed_graph(const AttrReader& ctx, std::string_view name);

// What is known of the inputs from `first` on, as a subgraph is typed by them.
std::vector<OutputInfo> infos_of(const InferContext& ctx, int first);
void append(std::vector<OutputInfo>& to, std::vector<OutputInfo> more);

// The symbols that the shapes of these values hold. A length that uses others is decided by data inside a subgraph and
// has no name outside.
std::set<std::string> symbols_of(const std::vector<OutputInfo>& infos);
bool is_told(const Dim& dim, const std::set<std::string>& outside);
// The shape as it is seen from outside: what only data inside decide gets a new name.
Shape seen_from_outside(InferContext& ctx, const Shape& shape, const std::set<std::string>& outside);

// A body that is run again and again, typed. Some of its inputs are carried from one run to the next: outputs from
// `first_output` on are their next values and must have their types. Throws type_mismatch.
struct CarriedBody {
  Graph graph;
  std::set<std::string> outside;  // symbols that have a meaning outside
};
// `infos` types all inputs of the body, of which those from `first_state` on, `states` of them, are carried.
CarriedBody carried_body(const Graph& body, const std::vector<OutputInfo>& infos, int first_state, int states,
                         int first_output);
// Hands the next values of the states on. Throws type_mismatch where one has changed its size.
void carry(std::vector<Array>& values, std::size_t first_state, std::span<Array> next);

// Types the outputs of an op that runs the graph `body` once on all its inputs (Carrier, Call), and puts the nodes of
// such a graph into the body of the op.
void infer_called(InferContext& ctx);
void inline_graph(BodyContext& ctx, const Graph& graph);

// Runs one subgraph of a kernel many times. Values come and go in their storage types. Where the graph draws random
// numbers, the number of the run is part of the key, so that each run draws others.
class SubgraphRuns {
 public:
  SubgraphRuns(const KernelContext& ctx, const Graph& graph);

  // `known`: inputs from this one on are the same in all runs, so that what small integers among them hold is known.
  std::vector<Array> run(const std::vector<Array>& inputs, std::size_t known, std::optional<std::int64_t> number = {});

 private:
  const KernelContext& ctx_;
  Graph graph_;
  std::vector<OutputInfo> typed_by_;
  bool random_ = false;
};

// The inputs of a kernel from `first` on, `count` of them or all, in their storage types.
std::vector<Array> stored_inputs(const KernelContext& ctx, int first, int count = -1);
// Copies into an output of the kernel, which takes its size from `value` where inference could not tell it.
void set_output(KernelContext& ctx, int port, const Array& value);

// Keeps what one more run gave for an output. Throws limit_exceeded where all of them have too many elements.
void stack(std::vector<Array>& parts, Array part);
// What the runs gave for one output, put side by side along a new axis; from the last to the first if `reversed`.
// Throws computation_error where they have different sizes.
struct Stacking {
  int axis = 0;
  bool reversed = false;
};
void set_stacked_output(KernelContext& ctx, int port, const std::vector<Array>& parts, Stacking stacking);

}  // namespace asg::ops
