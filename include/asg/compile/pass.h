#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "asg/graph/graph.h"
#include "asg/graph/walk.h"

namespace asg {

// What a pass made of a graph.
struct PassResult {
  Graph graph;
  Remap remap;                          // values of the given graph → values of this one; none where they are gone
  std::vector<std::string> notes = {};  // what was done, in words: a line for each kind of thing, with its number
};

// A step from a graph to one that computes the same. Passes keep the ids of the nodes they leave in place and give new
// nodes new ones; the same graph gives the same result.
struct Pass {
  std::string_view name;
  std::string_view words;                // what it does, in a sentence
  std::function<PassResult(Graph)> run;  // nodes that stay are moved on, not copied
};

// The passes over graphs, in the order in which they run:
//   fold_constants   what depends on constants and known shapes only is computed once
//   simplify         steps that change nothing go, dear ones become cheap ones
//   merge_common     what is computed twice is computed once
//   remove_dead      what nothing needs goes
const std::vector<Pass>& graph_passes();

// A pass over programs, see program.h. They are told apart by name only: make_program knows what they do.
struct ProgramPass {
  std::string_view name;
  std::string_view words;
};

// In the order in which they run, after those over graphs:
//   fuse        nodes that walk the same space become one kernel
//   recompute   cheap values are computed again where they are used instead of being kept
//   epilogues   products and convolutions end with the kernel that reads their result
//   schedule    steps run in an order that needs little memory
//   in_place    values take over the memory of those that are needed no more
const std::vector<ProgramPass>& program_passes();

// How a pass fared.
struct PassReport {
  std::string name;
  bool ran = true;                  // false: switched off
  std::string_view unit = "nodes";  // what is counted: nodes of the graph, steps of the program or bytes alive
  std::size_t before = 0;
  std::size_t after = 0;
  double seconds = 0;
  std::vector<std::string> notes = {};

  std::string to_text() const;  // "simplify: 120 → 96 nodes", then a line for each note
};

// Whether graphs and programs are verified after each pass where nobody says otherwise: after a call of the second
// function, else where the environment has ASG_VERIFY=1. The project's tests and fuzzers run so.
bool verifies_by_default();
void set_verifies_by_default(bool verifies);

struct PassOptions {
  std::vector<std::string> off = {};  // names of passes that shall not run
  // Is shown the graph after each pass that ran.
  std::function<void(std::string_view pass, const Graph& graph)> after = {};
  bool verify =
      verifies_by_default();  // check_pass after each pass over graphs, verify_program after those over programs

  bool is_off(std::string_view pass) const;
};

struct Passed {
  Graph graph;
  Remap remap;  // values of the given graph → values of the last one
  std::vector<PassReport> reports;
};

// Runs the passes over a graph of plain ops (layers are left as they are). Throws bad_command where a name that is to
// be switched off is that of no pass.
Passed run_passes(Graph graph, const PassOptions& options = {});

// Throws InternalError, naming the pass, unless `after` validates and can stand for `before`: the same inputs, outputs,
// updates and variables, in the same order and of the same types. A length that only data decided may have become
// known.
void check_pass(std::string_view pass, const Graph& before, const Graph& after);

}  // namespace asg
