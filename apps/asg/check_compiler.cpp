#include "check_compiler.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "asg/asg.h"
#include "asg/check/compiler_check.h"
#include "asg/core/platform.h"
#include "asg/core/process.h"
#include "asg/core/sha256.h"
#include "console.h"
#include "interrupt.h"

namespace asg::app {
namespace {

using Json = nlohmann::ordered_json;

struct CompilerCheckOptions {
  std::uint64_t seed = 1;
  std::uint64_t count = 1000;
  std::optional<std::uint64_t> from;
  int jobs = 1;
  bool fail_fast = false;
  bool reduce = true;
  bool print_numbers = false;
  std::string state;
  std::vector<std::string> switches;
};

constexpr const char* kExamples = R"(
Each graph, the gradient of a scalar of its outputs, and the vector-Jacobian product of each output run on the backend
cpu and on the interpreter. Without --switch a graph is compiled with all passes and with a drawn combination of passes,
oneDNN and threads. Exit code: 0 when all agree, 1 when something differs, 130 after Ctrl-C.

Examples:
  asg check compiler                                  1,000 graphs
  asg check compiler --seed 7 --from 1234 --count 1   one graph again
  asg check compiler --count 200000 --state FILE      resumes where FILE ends; counts add up while the program is unchanged
  asg check compiler --count 200000 --jobs 16         16 graphs at a time
  asg check compiler --count 0                        until something differs or you stop it
  asg check compiler --switch all --count 2000        each pass and option off in turn
  asg check compiler --switch fuse --switch in_place)";

// ---- The state of a check that several runs share

// What was checked so far, by the program that checked it: another program begins anew.
class CompilerCheckState {
 public:
  CompilerCheckState(std::string path, std::uint64_t seed, const std::string& mode)
      : path_(std::move(path)), seed_(seed), mode_(mode) {
    if (path_.empty()) return;
    const std::string program = platform::program_path();
    if (program.empty()) {
      fail(ErrorCode::io_error, "a state file", "a system that tells which file the program is", "leave --state out");
    }
    code_ = sha256(platform::read_file(program));
    if (std::filesystem::exists(path_)) read();
  }

  std::uint64_t next() const { return next_; }
  const CompilerReport& report() const { return report_; }

  void add(const CompilerReport& report, std::uint64_t next) {
    report_.add(report);
    next_ = next;
  }

  void write() const {
    if (path_.empty()) return;
    Json graphs = Json::object();
    for (const auto& [way, count] : report_.graphs) graphs[way] = count;
    Json failures = Json::array();
    for (const CompilerFailure& failure : report_.failures) {
      failures.push_back({{"number", failure.number},
                          {"program", failure.program},
                          {"way", failure.way.name},
                          {"off", failure.way.off},
                          {"onednn", failure.way.onednn},
                          {"threads", failure.way.threads},
                          {"detail", failure.detail}});
    }
    Json modes = other_modes_;
    modes[mode_] = {{"next", next_},
                    {"graphs", std::move(graphs)},
                    {"programs", report_.programs},
                    {"dropped", report_.dropped},
                    {"largest_share", report_.largest_share},
                    {"failures", std::move(failures)}};
    const Json page = {{"code", code_}, {"seed", seed_}, {"modes", std::move(modes)}};
    platform::write_file_atomically(path_, page.dump(1) + "\n");
  }

 private:
  void read() {
    try {
      const Json page = Json::parse(platform::read_file(path_));
      if (page.at("code") != code_) {
        fmt::print("{}: the program has changed since, so counts begin anew\n", path_);
        return;
      }
      if (page.at("seed") != seed_) {
        fail(ErrorCode::bad_command, fmt::format("--seed {} for {}", seed_, path_),
             fmt::format("the seed of the file, {}", page.at("seed").dump()), "name another file for another seed");
      }
      other_modes_ = page.at("modes");
      if (other_modes_.contains(mode_)) read_mode(other_modes_.at(mode_));
    } catch (const Json::exception&) {
      fail(ErrorCode::bad_json, "the file '" + path_ + "'", "a state that `asg check compiler --state` has written",
           "name another file, or remove this one");
    }
  }

  void read_mode(const Json& mode) {
    next_ = mode.at("next");
    for (const auto& [way, count] : mode.at("graphs").items()) report_.graphs[way] = count;
    report_.programs = mode.at("programs");
    report_.dropped = mode.at("dropped");
    report_.largest_share = mode.at("largest_share");
    for (const Json& failure : mode.at("failures")) {
      const CompileWay way{failure.at("way"), failure.at("off"), failure.at("onednn"), failure.at("threads")};
      report_.failures.push_back({failure.at("number"), failure.at("program"), way, failure.at("detail")});
    }
  }

  std::string path_;
  std::uint64_t seed_;
  std::string mode_;
  std::string code_;
  std::uint64_t next_ = 0;
  CompilerReport report_;
  Json other_modes_ = Json::object();
};

// ---- The run

std::string words_of(const CompilerFailure& failure) {
  std::string off;
  for (const std::string& name : failure.way.off) off += (off.empty() ? ", off: " : " ") + name;
  return fmt::format("graph {}, {}, {}{}{}, {} thread{}:\n{}", failure.number, failure.program, failure.way.name, off,
                     failure.way.onednn ? "" : ", without oneDNN", failure.way.threads,
                     failure.way.threads == 1 ? "" : "s", failure.detail);
}

void print_report(const CompilerReport& report) {
  for (const auto& [way, count] : report.graphs) fmt::print("{:>9} graphs  {}\n", count, way);
  fmt::print("{} programs compared, {} of them partly left out, since rounding moves them too far\n", report.programs,
             report.dropped);
  fmt::print("largest difference: {:.2g} times the tolerance of a single op\n", report.largest_share);
  fmt::print("{} failed\n", report.failures.size());
}

WaysOf ways_of(const CompilerCheckOptions& options) {
  if (options.switches.empty()) return usual_ways(options.seed);
  if (options.switches.front() == "all") return switched_ways(compiler_switches());
  return switched_ways(options.switches);
}

// Checks graphs one after the other, or several at a time; reports are added in the order of the graphs.
class CompilerCheckRun {
 public:
  explicit CompilerCheckRun(const CompilerCheckOptions& options)
      : options_(options), ways_(ways_of(options)), state_(options.state, options.seed, mode_of(options)) {
    first_ = options.from.value_or(state_.next());
    end_ = options.count == 0 ? UINT64_MAX : first_ + options.count;
    stops_at_failure_ = options.fail_fast || options.count == 0;
    if (platform::is_terminal(1)) progress_.emplace(static_cast<std::int64_t>(options.count), "graphs");
  }

  int run() {
    constexpr int kInterrupted = 130;
    catch_interrupts();
    for (std::uint64_t number = first_; number < end_ && !stopped_;) {
      const std::uint64_t most = options_.jobs == 1 ? 1 : 32 * static_cast<std::uint64_t>(options_.jobs);
      number += check_block(number, std::min(most, end_ - number));
      if (progress_) progress_->show(static_cast<std::int64_t>(number - first_), fmt::format("up to graph {}", number));
      save(false);
    }
    progress_.reset();
    save(true);
    if (shown_ && options_.reduce) fmt::print("\n{}\n", reduced_as_test(options_.seed, *shown_));
    print_report(state_.report());
    if (is_interrupted()) return kInterrupted;
    return state_.report().failures.empty() ? 0 : 1;
  }

 private:
  static std::string mode_of(const CompilerCheckOptions& options) {
    std::string mode = "usual";
    for (const std::string& name : options.switches) mode += " " + name;
    return mode;
  }

  // How many of the graphs from `first` on were checked: all, but after an interrupt or a failure that stops the run.
  std::uint64_t check_block(std::uint64_t first, std::uint64_t count) {
    std::vector<std::optional<CompilerReport>> reports(count);
    std::atomic<std::uint64_t> next = 0;
    std::atomic<bool> failed = false;
    const auto work = [&] {
      while (!is_interrupted() && !(failed && stops_at_failure_)) {
        const std::uint64_t at = next++;
        if (at >= count) return;
        if (options_.print_numbers) print_number(first + at);
        reports[at] = check_compiler(options_.seed, first + at, ways_);
        if (!reports[at]->failures.empty()) failed = true;
      }
    };
    std::vector<std::thread> others;
    for (int job = 1; job < options_.jobs; ++job) others.emplace_back(work);
    work();
    for (std::thread& other : others) other.join();
    std::uint64_t checked = 0;
    for (; checked < count && reports[checked]; ++checked) add(*reports[checked], first + checked);
    stopped_ = is_interrupted() || (failed && stops_at_failure_);
    return checked;
  }

  static void print_number(std::uint64_t number) {
    fmt::print("graph {}\n", number);
    std::fflush(stdout);
  }

  void add(const CompilerReport& report, std::uint64_t number) {
    state_.add(report, number + 1);
    for (const CompilerFailure& failure : report.failures) {
      if (progress_) progress_->pause();
      fmt::print("{}\n", words_of(failure));
      std::fflush(stdout);
      if (!shown_) shown_ = failure;
    }
  }

  void save(bool now) {
    constexpr auto kSaveEvery = std::chrono::seconds(5);
    if (!now && Clock::now() - saved_ < kSaveEvery) return;
    state_.write();
    saved_ = Clock::now();
  }

  using Clock = std::chrono::steady_clock;
  const CompilerCheckOptions& options_;
  WaysOf ways_;
  CompilerCheckState state_;
  std::uint64_t first_ = 0;
  std::uint64_t end_ = 0;
  bool stops_at_failure_ = false;
  bool stopped_ = false;
  std::optional<Progress> progress_;
  std::optional<CompilerFailure> shown_;  // the first failure of this run
  Clock::time_point saved_ = Clock::now();
};

}  // namespace

void add_check_compiler(CLI::App& check, int& outcome) {
  auto options = std::make_shared<CompilerCheckOptions>();
  CLI::App* command =
      check.add_subcommand("compiler", "Compare compiled random graphs and their gradients with the interpreter");
  command->add_option("--seed", options->seed, "Of the random graphs")->capture_default_str();
  command->add_option("--count", options->count, "How many graphs; 0: until something differs")->capture_default_str();
  CLI::Option* from = command->add_option("--from", options->from, "Number of the first graph; otherwise 0");
  command->add_option("--state", options->state, "File that keeps counts, and from where the next run goes on")
      ->excludes(from);
  command->add_option("--jobs", options->jobs, "How many graphs are checked at a time")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command->add_flag("--fail-fast", options->fail_fast, "Stop at the first failure");
  command->add_flag("--reduce,!--no-reduce", options->reduce,
                    "Print the first failing graph made small, as a test (default)");
  command->add_flag("--print-numbers", options->print_numbers,
                    "Print the number of each graph before it is checked, so that a crash shows which one it was");
  command->add_option("--switch", options->switches, "Off alone, in turn: a pass, onednn, or all of them: all");
  command->footer(kExamples);
  command->callback([options, &outcome] { outcome = CompilerCheckRun(*options).run(); });
}

}  // namespace asg::app
