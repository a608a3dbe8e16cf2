#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "asg/check/random_graph.h"

namespace asg {

// The differential test of the compiler: random graphs on the backend `cpu`, compiled in many ways, against the
// interpreter.

// A random graph made for what the compiler does: values with many readers, reductions over leading, trailing and other
// axes beside elementwise users of the same value, norms, products, windows, views, lookups, updates of variables,
// several outputs, of all kinds of dtypes and sizes. The same for the same seed and number.
GraphCase make_compiler_case(std::uint64_t seed, std::uint64_t number);

// A graph with values that is run as it is.
struct ProgramCase {
  std::string name;  // "forward", "gradient", "vjp of y0"
  GraphCase made;
};
// What is run of a case: the graph, the gradient of a scalar of all its outputs, and the vector-Jacobian product of
// each float output, by all float inputs and parameters. Where an op has no gradient, those are missing.
std::vector<ProgramCase> programs_of(const GraphCase& made);

// ---- Ways to compile and run

struct CompileWay {
  std::string name = "all passes";    // what is counted
  std::vector<std::string> off = {};  // passes that do not run
  bool onednn = true;
  int threads = 2;
};
// What can be switched off: every pass over graphs and programs, and "onednn".
std::vector<std::string> compiler_switches();
CompileWay way_without(const std::string& name);  // throws bad_command where there is no such switch
// "drawn": each switch is off by a chance, on one or two threads.
CompileWay drawn_way(std::uint64_t seed, std::uint64_t number);

// ---- The comparison

// Runs the program on `cpu` twice, with programs verified after each pass, and on the interpreter. Passes where
//   - all outputs and variables of both runs agree, see below;
//   - a second run without updates, and a run on the other number of threads, have the same bits.
//
// How much may they differ? A card's tolerance bounds the error of one op. What the errors of all ops before make of an
// output depends on the graph, so it is measured: the interpreter runs again with every float input, constant and
// result moved by random amounts up to the tolerance of its op. The largest movement of the output, three times, is
// added to the tolerance of the output itself. This is asked for only where that one alone is exceeded. An output that
// moves by more than a small part of its size proves nothing and is left out ("dropped"); graphs are made so that this
// is rare.
CaseCheck check_program(const GraphCase& program, const CompileWay& way);

struct CompilerFailure {
  std::uint64_t number = 0;
  std::string program;
  CompileWay way;
  std::string detail;
};

struct CompilerReport {
  std::map<std::string, std::uint64_t> graphs;  // by way: how many graphs were checked
  std::uint64_t programs = 0;                   // forward, gradients and products, each in all ways
  std::uint64_t dropped = 0;
  double largest_share = 0;  // of the tolerance of the output alone; above 1 the measured one was asked for
  std::vector<CompilerFailure> failures;

  void add(const CompilerReport& other);
};

// Which ways a graph is checked in.
using WaysOf = std::function<std::vector<CompileWay>(std::uint64_t number)>;
// With all passes, and a drawn combination.
WaysOf usual_ways(std::uint64_t seed);
// With all passes, and without each of these switches in turn.
WaysOf switched_ways(const std::vector<std::string>& switches);

// Graph `number`. What a pass, a verifier or a backend throws is a failure too.
CompilerReport check_compiler(std::uint64_t seed, std::uint64_t number, const WaysOf& ways);

// The failing program made small, as a test to copy.
std::string reduced_as_test(std::uint64_t seed, const CompilerFailure& failure);

}  // namespace asg
