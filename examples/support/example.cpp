#include "support/example.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "asg/core/error.h"
#include "asg/data/catalogue.h"
#include "asg/data/digits.h"
#include "asg/plot/plot.h"

namespace examples {

using namespace asg;

namespace {

void use_data_folder(const std::string& folder) {
#ifdef _WIN32
  _putenv_s("ASG_DATA", folder.c_str());
#else
  setenv("ASG_DATA", folder.c_str(), 1);
#endif
}

// Nothing where the line is not understood or asks for help.
std::optional<CommandLine> read_command_line(int argc, char** argv) {
  CommandLine line;
  for (int k = 1; k < argc; ++k) {
    const std::string_view word = argv[k];
    if (word == "--short") {
      line.is_short = true;
    } else if (word == "--data" && k + 1 < argc) {
      line.data = argv[++k];
    } else if (word == "--plot" && k + 1 < argc) {
      line.plot = argv[++k];
    } else {
      return std::nullopt;
    }
  }
  return line;
}

// At most 200 points, each the mean of its neighbours, so that the picture stays small.
plot::Series thinned(std::string name, const std::vector<double>& x, const std::vector<double>& y) {
  const std::size_t width = (x.size() + 199) / 200;
  plot::Series series{.name = std::move(name), .x = {}, .y = {}};
  for (std::size_t first = 0; first < x.size(); first += width) {
    const std::size_t last = std::min(first + width, x.size());
    double sum = 0;
    for (std::size_t k = first; k < last; ++k) sum += y[k];
    series.x.push_back(x[last - 1]);
    series.y.push_back(sum / static_cast<double>(last - first));
  }
  return series;
}

}  // namespace

data::Split Example::pictures(std::string_view name) const {
  if (!is_short()) return data::open(name);
  const data::Dataset digits = data::digits().mapped(data::resize(28, 28)).in_memory();
  return data::stratified_split(digits, 0.1, /*seed=*/1);
}

bool Example::note(const train::Event& event) {
  if (const auto* done = std::get_if<train::events::StepDone>(&event)) {
    note_loss(done->step, done->loss);
  } else if (const auto* epoch = std::get_if<train::events::EpochDone>(&event)) {
    std::printf("epoch %lld: loss %.4f, %.1f s\n", static_cast<long long>(epoch->epoch), epoch->loss, epoch->seconds);
  } else if (const auto* evaluated = std::get_if<train::events::Evaluated>(&event)) {
    const train::Evaluation& result = evaluated->result;
    std::printf("  %s: loss %.4f", evaluated->dataset.c_str(), result.loss);
    if (result.accuracy) std::printf(", accuracy %.2f %%", 100 * *result.accuracy);
    std::printf("\n");
    held_out_.push_back({losses_.empty() ? 0 : losses_.back().step, result.loss});
  } else if (const auto* warned = std::get_if<train::events::Warned>(&event)) {
    std::printf("warning: %s\n", warned->text.en.c_str());
  }
  std::fflush(stdout);
  return true;
}

void Example::note_loss(std::int64_t step, double loss) { losses_.push_back({step, loss}); }

void Example::mark(std::int64_t step, const std::string& label) {
  std::string& text = marks_[step];
  text += text.empty() ? label : ", " + label;
}

void Example::check_parameters(train::Trainer& trainer) {
  parameters_checked_ = true;
  const std::uint64_t seed = trainer.checkpoint().seed;
  const train::TrainingState state = trainer.state();
  for (VarId id : trainer.step_graph().parameters) {
    const Variable& variable = trainer.model().graph().variable(id);
    // First values are a pure function of the seed, so nobody has to have kept them.
    if (bit_equal(state.variables.at(id), initial_value(variable, seed))) {
      failures_.push_back("parameter '" + variable.name + "' did not move");
    }
  }
}

void Example::expect(bool holds, std::string what) {
  if (!holds) failures_.push_back(std::move(what));
}

double Example::mean_loss(std::size_t first, std::size_t last) const {
  double sum = 0;
  for (std::size_t k = first; k < last; ++k) sum += losses_[k].loss;
  return sum / static_cast<double>(last - first);
}

double Example::first_loss() const { return mean_loss(0, (losses_.size() + 9) / 10); }
double Example::last_loss() const { return mean_loss(losses_.size() - (losses_.size() + 9) / 10, losses_.size()); }

std::vector<std::string> Example::failures() const {
  std::vector<std::string> found = failures_;
  if (!parameters_checked_) found.emplace_back("nobody looked whether the parameters moved");
  if (losses_.size() < 2) {
    found.emplace_back("there was no training");
  } else if (!(last_loss() < first_loss())) {
    found.emplace_back("the loss did not fall");
  }
  for (const Goal& goal : goals_) {
    if (is_short()) break;
    if (goal.at_least && !(goal.value >= *goal.at_least)) found.push_back(goal.what + " is below its floor");
    if (goal.at_most && !(goal.value <= *goal.at_most)) found.push_back(goal.what + " is above its limit");
  }
  return found;
}

void Example::draw() const {
  plot::Curves curves{.title = "", .y_label = "loss", .series = {}, .marks = {}};
  for (const auto& [name, points] : {std::pair("training", &losses_), std::pair("held out", &held_out_)}) {
    std::vector<double> x, y;
    for (const Point& point : *points) {
      x.push_back(static_cast<double>(point.step));
      y.push_back(point.loss);
    }
    if (!x.empty()) curves.series.push_back(thinned(name, x, y));
  }
  for (const auto& [step, label] : marks_) curves.marks.push_back({static_cast<double>(step), label});
  plot::write_plot(curves, line_.plot);
}

int Example::finish() const {
  const std::vector<std::string> found = failures();
  if (losses_.size() >= 2) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    const double of_processors = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
    std::printf("loss %.4g -> %.4g in %zu steps, %.1f s (%.1f s of all processors together)\n", first_loss(),
                last_loss(), losses_.size(), seconds, of_processors);
  }
  for (const Goal& goal : goals_) {
    std::printf("%s: %.4g", goal.what.c_str(), goal.value);
    if (goal.at_least) std::printf(is_short() ? " (the long run: at least %g)" : " (at least %g)", *goal.at_least);
    if (goal.at_most) std::printf(is_short() ? " (the long run: at most %g)" : " (at most %g)", *goal.at_most);
    std::printf("\n");
  }
  for (const std::string& failure : found) std::printf("FAILED: %s\n", failure.c_str());
  if (!line_.plot.empty()) draw();
  return found.empty() ? 0 : 1;
}

int run(int argc, char** argv, std::string_view words, void (*example)(Example& example)) {
  const std::optional<CommandLine> line = read_command_line(argc, argv);
  std::printf("%.*s\n", static_cast<int>(words.size()), words.data());
  if (!line) {
    std::printf(
        "  --short        a few steps, on data that are part of the program\n"
        "  --data FOLDER  where data sets lie, see `asg data list`\n"
        "  --plot FILE    the curve of the loss, as .svg or .png\n");
    return 2;
  }
  try {
    if (!line->data.empty()) use_data_folder(line->data);
    Example state(*line);
    example(state);
    return state.finish();
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
}

}  // namespace examples
