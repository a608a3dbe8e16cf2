#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "asg/data/split.h"
#include "asg/train/events.h"
#include "asg/train/trainer.h"

// What all examples share: the command line, a line for each epoch, and the checks at the end.
//
//   int main(int argc, char** argv) { return examples::run(argc, argv, "An example learns.", train_it); }
namespace examples {

struct CommandLine {
  bool is_short = false;  // --short: a few steps on what is part of the program, as the tests run it
  std::string data = {};  // --data FOLDER: where `asg data get` has put data sets; else its usual place
  std::string plot = {};  // --plot FILE: the curve of the loss, as SVG or PNG
};

// What an example has reached. The long run fails where it is worse than `at_least` or `at_most`.
struct Goal {
  std::string what;  // "held-out accuracy"
  double value = 0;
  std::optional<double> at_least = {};
  std::optional<double> at_most = {};
};

class Example {
 public:
  explicit Example(CommandLine line) : line_(std::move(line)) {}

  bool is_short() const { return line_.is_short; }
  std::int64_t pick(std::int64_t in_short, std::int64_t in_long) const { return is_short() ? in_short : in_long; }

  // A data set of grey pictures of 28×28 by its name; in the short run the digits that are part of the program, of the
  // same size. Throws where it was not fetched, with the command that does.
  asg::data::Split pictures(std::string_view name) const;

  // What the training says: the losses are kept, epochs and evaluations printed. A sink for run_training.
  bool note(const asg::train::Event& event);
  // The same for one who calls Trainer::step.
  void note_loss(std::int64_t step, double loss);
  // A line in the plot, such as at an edit.
  void mark(std::int64_t step, const std::string& label);

  // Finds the parameters that are what they were before the first step. To be called at the end of the training.
  void check_parameters(asg::train::Trainer& trainer);
  void reached(Goal goal) { goals_.push_back(std::move(goal)); }
  // A check of the example's own, in both runs.
  void expect(bool holds, std::string what);

  // Says what was reached and whether it is enough: that the loss fell, that every parameter moved, and, in the long
  // run, the goals. Returns what `main` returns.
  int finish() const;

 private:
  struct Point {
    std::int64_t step = 0;
    double loss = 0;
  };
  std::vector<std::string> failures() const;
  double mean_loss(std::size_t first, std::size_t last) const;
  double first_loss() const;  // means over a tenth of the steps, since one step says little
  double last_loss() const;
  void draw() const;

  CommandLine line_;
  std::vector<Point> losses_;
  std::vector<Point> held_out_;
  std::map<std::int64_t, std::string> marks_;
  std::vector<Goal> goals_;
  std::vector<std::string> failures_;
  bool parameters_checked_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Reads the command line, runs the example and finishes it. Prints errors for people.
int run(int argc, char** argv, std::string_view words, void (*example)(Example& example));

}  // namespace examples
