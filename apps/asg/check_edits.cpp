#include "check_edits.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "asg/asg.h"
#include "asg/core/platform.h"
#include "asg/core/process.h"
#include "asg/core/sha256.h"
#include "asg/edit_check/edit_check.h"
#include "console.h"
#include "interrupt.h"

namespace asg::app {
namespace {

using EditJson = nlohmann::ordered_json;
using edit_check::Failure;
using edit_check::Trial;

struct EditCheckOptions {
  std::uint64_t seed = 1;
  std::uint64_t count = 100;
  std::optional<std::uint64_t> from;
  std::string state;
  std::string scripts;
  int messages = 24;
  bool as_drawn = false;
  std::int64_t growth = 0;
};

constexpr const char* kEditExamples = R"(
A trial is a tiny training of one of six models by one of nine optimizers that gets about 24 random messages: edits of
every kind with every policy, undo, redo, snapshots, settings, checkpoints, malformed lines; paused and running.
docs/edit-check.md lists what is checked. Exit code: 0 when all holds, 1 when something does not, 130 after Ctrl-C.

Examples:
  asg check edits                                  100 trials
  asg check edits --seed 7 --from 1234 --count 1   one trial again
  asg check edits --count 2000 --state FILE        goes on where FILE ends; counts add up while the program is unchanged
  asg check edits --count 0                        until something fails or you stop it
  asg check edits --scripts FOLDER                 also writes each failure as a script for `asg train --script`
  asg check edits --growth 2000                    memory that so many edits of one small model take)";

// What was checked so far, by the program that checked it: another program begins anew.
class EditCheckState {
 public:
  EditCheckState(std::string path, std::uint64_t seed) : path_(std::move(path)), seed_(seed) {
    if (path_.empty()) return;
    const std::string program = platform::program_path();
    if (program.empty()) {
      fail(ErrorCode::io_error, "a state file", "a system that tells which file the program is", "leave --state out");
    }
    code_ = sha256(platform::read_file(program));
    if (std::filesystem::exists(path_)) read();
    if (std::filesystem::exists(trace())) take_crash();
  }

  std::uint64_t next() const { return counts_.at("next"); }
  std::int64_t number(const char* name) const { return counts_.at(name); }
  const edit_check::Coverage& coverage() const { return coverage_; }
  const EditJson& failures() const { return failures_; }

  void add(const Trial& trial) {
    counts_["next"] = trial.number + 1;
    const auto add_to = [&](const char* name, std::int64_t more) {
      counts_[name] = counts_.at(name).get<std::int64_t>() + more;
    };
    add_to("trials", 1);
    add_to("messages", static_cast<std::int64_t>(trial.lines.size()));
    add_to("edits", trial.edits);
    add_to("accepted", trial.accepted);
    for (const auto& [name, count] : trial.coverage) coverage_[name] += count;
    for (const Failure& failure : trial.failures) {
      failures_.push_back({{"number", trial.number},
                           {"promise", edit_check::name_of(failure.promise)},
                           {"model", trial.setup.model},
                           {"optimizer", trial.setup.optimizer},
                           {"detail", failure.detail}});
    }
  }

  // The lines of the trial that runs, so that one which ends the process is known to the next run.
  void begin(std::uint64_t number) {
    counts_["next"] = number + 1;
    if (path_.empty()) return;
    write();
    trace_.open(trace(), std::ios::trunc);
    trace_ << number << std::endl;
  }
  void note(const std::string& line) {
    if (!path_.empty()) trace_ << line << std::endl;
  }
  void end() {
    if (path_.empty()) return;
    trace_.close();
    std::filesystem::remove(trace());
  }

  void write() const {
    if (path_.empty()) return;
    const EditJson page = {
        {"code", code_}, {"seed", seed_}, {"counts", counts_}, {"coverage", coverage_}, {"failures", failures_}};
    platform::write_file_atomically(path_, page.dump(1, ' ', true, EditJson::error_handler_t::replace) + "\n");
  }

 private:
  std::string trace() const { return path_ + ".running"; }

  void read() {
    try {
      const EditJson page = EditJson::parse(platform::read_file(path_));
      if (page.at("code") != code_) {
        fmt::print("{}: the program has changed since, so counts begin anew\n", path_);
        return;
      }
      if (page.at("seed") != seed_) {
        fail(ErrorCode::bad_command, fmt::format("--seed {} for {}", seed_, path_),
             fmt::format("the seed of the file, {}", page.at("seed").dump()), "name another file for another seed");
      }
      counts_ = page.at("counts");
      coverage_ = page.at("coverage").get<edit_check::Coverage>();
      failures_ = page.at("failures");
    } catch (const EditJson::exception&) {
      fail(ErrorCode::bad_json, "the file '" + path_ + "'", "a state that `asg check edits --state` has written",
           "name another file, or remove this one");
    }
  }

  void take_crash() {
    const std::string text = platform::read_file(trace());
    fmt::print("the program ended in this trial:\n{}\n", text);
    failures_.push_back({{"number", std::strtoull(text.c_str(), nullptr, 10)}, {"promise", "crash"}, {"detail", text}});
    std::filesystem::remove(trace());
  }

  std::string path_;
  std::uint64_t seed_;
  std::string code_;
  EditJson counts_ = {{"next", 0}, {"trials", 0}, {"messages", 0}, {"edits", 0}, {"accepted", 0}};
  edit_check::Coverage coverage_;
  EditJson failures_ = EditJson::array();
  std::ofstream trace_;
};

void print_failures(const Trial& trial, const EditCheckOptions& options) {
  for (const Failure& failure : trial.failures) {
    const std::string promise(edit_check::name_of(failure.promise));
    fmt::print("trial {}, {} by {}: {} failed: {}\n", trial.number, trial.setup.model, trial.setup.optimizer, promise,
               failure.detail);
    std::fflush(stdout);
    const std::vector<std::string> lines =
        options.as_drawn ? trial.lines : edit_check::reduce(trial.setup, trial.lines, failure.promise);
    for (const std::string& line : lines) fmt::print("  {}\n", line);
    if (!options.scripts.empty()) {
      const std::string folder = fmt::format("{}/{}-{}", options.scripts, trial.number, promise);
      fmt::print("  {}\n", edit_check::write_replay(folder, trial.setup, lines));
    }
    std::fflush(stdout);
  }
}

void print_counts(const EditCheckState& state) {
  for (const auto& [name, count] : state.coverage()) fmt::print("{:>9}  {}\n", count, name);
  fmt::print("{} trials, {} messages, {} edits, {} of them accepted\n", state.number("trials"),
             state.number("messages"), state.number("edits"), state.number("accepted"));
  fmt::print("{} failed\n", state.failures().size());
}

int check_growth(std::int64_t edits) {
  constexpr double kMegabyte = 1e6;
  const edit_check::Growth growth = edit_check::measure_growth(edits);
  fmt::print("{} edits accepted: {:.1f} MB resident before, {:.1f} MB after\n", growth.edits,
             static_cast<double>(growth.before) / kMegabyte, static_cast<double>(growth.after) / kMegabyte);
  return 0;
}

int run_edit_check(const EditCheckOptions& options) {
  constexpr int kInterrupted = 130;
  if (options.growth > 0) return check_growth(options.growth);
  EditCheckState state(options.state, options.seed);
  const std::uint64_t first = options.from.value_or(state.next());
  const std::uint64_t end = options.count == 0 ? UINT64_MAX : first + options.count;
  catch_interrupts();
  std::optional<Progress> progress;
  if (platform::is_terminal(1)) progress.emplace(options.count == 0 ? 0 : static_cast<std::int64_t>(options.count));
  bool stopped = false;
  for (std::uint64_t number = first; number < end && !stopped; ++number) {
    state.begin(number);
    const auto note = [&](const edit_check::Setup&, const std::string& line) { state.note(line); };
    const Trial trial =
        edit_check::run_trial(options.seed, number, {.messages = options.messages, .before_line = note});
    state.end();
    state.add(trial);
    if (progress && !trial.failures.empty()) progress->pause();
    if (!trial.failures.empty()) print_failures(trial, options);
    stopped = is_interrupted() || (options.count == 0 && !trial.failures.empty());
    if (progress) progress->show(static_cast<std::int64_t>(number + 1 - first), fmt::format("trial {}", number));
  }
  progress.reset();
  state.write();
  print_counts(state);
  if (is_interrupted()) return kInterrupted;
  return state.failures().empty() ? 0 : 1;
}

}  // namespace

void add_check_edits(CLI::App& check, int& outcome) {
  auto options = std::make_shared<EditCheckOptions>();
  CLI::App* command = check.add_subcommand("edits", "Send random edits and other messages to tiny trainings");
  command->add_option("--seed", options->seed, "Of the random trials")->capture_default_str();
  command->add_option("--count", options->count, "How many trials; 0: until something fails")->capture_default_str();
  CLI::Option* from = command->add_option("--from", options->from, "Number of the first trial; otherwise 0");
  command->add_option("--state", options->state, "File that keeps counts, and from where the next run goes on")
      ->excludes(from);
  command->add_option("--scripts", options->scripts, "Folder for a recipe and a script of each failure");
  command->add_option("--messages", options->messages, "How many messages a trial has")->capture_default_str();
  command->add_flag("--as-drawn", options->as_drawn, "Show the scripts of failures as they were drawn, not reduced");
  command->add_option("--growth", options->growth, "Report how much memory so many edits take, in place of trials");
  command->footer(kEditExamples);
  command->callback([options, &outcome] { outcome = run_edit_check(*options); });
}

}  // namespace asg::app
