#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "asg/compile/executable.h"
#include "asg/graph/card.h"
#include "asg/graph/graph.h"

namespace asg {

// A graph whose output "loss" is one number, with values for its inputs and variables.
struct GraphCase {
  Graph graph{"random"};
  NamedArrays values;
};

// Random graphs out of all the given ops, made from their cards alone: a new card is in them without further ado.
//
// Each call of an op follows a sample of its card: its shapes, its attributes, its integers and conditions as
// constants. What can be differentiated comes from values that the graph has already, brought to the sample's shape and
// bent smoothly into its range, so that poles stay out of reach and kinks are rare. Ops without a gradient get the
// sample's numbers. Every result counts in the loss with weights of its own. Ops are dealt like cards
// from shuffled decks, so that all are called equally often.
class RandomGraphs {
 public:
  static constexpr int kCalls = 50;

  RandomGraphs(std::vector<const OpCard*> ops, std::uint64_t seed, int calls = kCalls);
  ~RandomGraphs();

  // The same graph for the same ops, seed and number.
  GraphCase make(std::uint64_t number) const;

  // The ops that can be called: all but the leaves, which stand in every graph or (External) in none.
  const std::vector<const OpCard*>& ops() const { return ops_; }

 private:
  struct Recipes;
  const OpCard& dealt(std::uint64_t position) const;

  std::vector<const OpCard*> ops_;
  std::uint64_t seed_;
  int calls_;
  std::unique_ptr<Recipes> recipes_;
};

// ---- The check

// A case is dropped only where differences at two steps disagree: then it stands at a kink, and they prove nothing.
enum class Verdict : std::uint8_t { passed, dropped, failed };

struct CaseCheck {
  Verdict verdict = Verdict::failed;
  double max_error = 0;  // max |analytic − numeric| / max(1, |numeric|) over the directions
  std::string detail;
  bool threw = false;  // failed by an error, not by its numbers
};

inline constexpr double kRandomGraphBound = 1e-5;

// The value of the loss by kernels against its value through all bodies, and its gradient against central differences
// along random directions: one for each input, and one for all parameters together.
CaseCheck check_case(const GraphCase& made);

struct RandomGraphReport {
  struct Failure {
    std::uint64_t number = 0;
    std::string detail;
  };
  int kept = 0;
  int dropped = 0;
  double max_error = 0;               // of the kept ones
  std::map<std::string, int> stands;  // in how many kept graphs each op stands
  std::vector<Failure> failures;

  void add(const RandomGraphReport& other);
  double drop_rate() const;
  int rarest() const;           // the smallest number of `stands`
  std::string to_text() const;  // the histogram, rarest first, and a closing line
};

// Graphs `first` … `first + count − 1`. `progress` is told the number of graphs that are done.
RandomGraphReport check_random_graphs(const RandomGraphs& graphs, std::uint64_t first, std::uint64_t count,
                                      const std::function<void(std::uint64_t)>& progress = {});

}  // namespace asg
