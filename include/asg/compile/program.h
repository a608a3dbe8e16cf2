#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "asg/compile/kernel.h"
#include "asg/compile/pass.h"
#include "asg/graph/graph.h"

namespace asg {

// What a graph of concrete shapes becomes before a device makes calls of it: memory, and steps in an order in which
// they can run one after the other. Nothing here knows a device.

// A piece of memory with one purpose.
struct Buffer {
  enum class Kind : std::uint8_t {
    input,      // given with every run
    constant,   // `value`
    variable,   // holds state between runs
    temporary,  // lives in the arena
    output      // handed out after the run; outlives it
  };
  Kind kind = Kind::temporary;
  DType dtype = DType::f32;
  std::int64_t count = 0;  // elements
  std::string name = {};   // of an input, an output or a variable
  VarId variable = {};
  Array value = {};
  int shares = -1;           // an earlier buffer whose memory it takes over; -1: it has its own
  std::int64_t offset = -1;  // bytes from the start of the arena, once planned

  std::int64_t bytes() const { return count * bytes_of(dtype); }
};

// A tensor in a buffer. Offsets and strides count elements.
struct View {
  int buffer = -1;
  std::int64_t offset = 0;
  Sizes sizes = {};
  Sizes strides = {};
  // Which computed value it reads or writes, as the number of the buffer made for that value. It stays the same when a
  // pass moves the value into another buffer: a variable that is updated in place, a copy.
  int value = -1;

  bool is_dense() const;  // row-major without gaps
  explicit operator bool() const { return buffer >= 0; }
  friend bool operator==(const View&, const View&) = default;
};

struct Step {
  enum class Kind : std::uint8_t {
    fused,  // `kernel` over `arguments`
    call,   // an op that the device computes as a whole (`node`), with `kernel` as its epilogue where there is one
    copy    // input 0 into output 0, both dense
  };
  Kind kind = Kind::fused;
  std::shared_ptr<const Kernel> kernel = {};
  std::vector<int> arguments = {};  // of the kernel: the buffers, in order
  NodePtr node = {};
  // What is read and written; of a call the inputs and outputs of the op, absent ones without a buffer, then those of
  // its epilogue.
  std::vector<View> inputs = {};
  std::vector<View> outputs = {};
  std::vector<NodeId> nodes = {};  // of the graph, whose work this is
  bool commits = false;            // changes variables only: left out where the step is not all finite
};

// What a variable holds after a run: all of a value, dense.
struct NewValue {
  VarId variable;
  int value = -1;
  Sizes sizes = {};
};

// Two kernels that are steps of their own although one reads what the other writes, and why.
struct UnfusedPair {
  int from = -1;  // steps
  int to = -1;
  std::string reason = {};
};

struct Program {
  Graph graph;  // of concrete shapes, whose values the views are
  std::vector<Buffer> buffers = {};
  std::vector<Step> steps = {};
  std::vector<View> results = {};         // of the graph's outputs, in order
  std::vector<NewValue> new_values = {};  // of the graph's updates, in order
  bool has_commits = false;               // the steps store the new values in their variables
  int all_finite = -1;                    // the buffer of the flag that lets updates be committed; -1: they always are
  std::vector<UnfusedPair> unfused = {};
  std::vector<PassReport> reports = {};
};

// What a device says of the nodes that it computes as a whole. What is left empty it never does.
struct CallRules {
  // Whether it takes input number `input` of the node with these strides; it always takes a dense one.
  std::function<bool(const Node& node, std::size_t input, const Sizes& sizes, const Sizes& strides)> takes_strides = {};
  // The axes of output number `port`, outermost first, in the order in which it should lie in memory, so that others
  // can read it where it lies; empty: as they are counted. The device is told by the strides of the step's output.
  std::function<std::vector<int>(const Node& node, std::uint32_t port)> output_order = {};
  // Whether the call can end with this kernel, whose points are the elements of the call's first output in order.
  std::function<bool(const Program& program, const Step& call, const Kernel& epilogue)> takes_epilogue = {};
  // Whether the call, given its first input and its first output in the same memory, changes there what differs and
  // leaves the rest alone: a variable, such as a cache that gets a row, is then not copied.
  std::function<bool(const Node& node)> changes_in_place = {};
};

// Makes a program of a graph: views become strides, what can be fused becomes kernels, the rest calls; variables change
// in place where nobody needs the old value any more. Runs the passes over programs, see program_passes().
//   expects:    a graph of plain ops in which all shapes are known
//   guarantees: the same outputs and updates, within rounding; the same graph gives the same program
Program make_program(Graph graph, const CallRules& device = {}, const PassOptions& options = {});

}  // namespace asg
