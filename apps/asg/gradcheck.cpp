#include "asg/check/gradcheck.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "asg/asg.h"
#include "asg/check/random_graph.h"
#include "asg/check/reduce.h"
#include "asg/core/platform.h"
#include "commands.h"
#include "console.h"

namespace asg::app {
namespace {

using Json = nlohmann::ordered_json;

struct GradcheckOptions {
  std::string op;
  int order = 1;
  bool json = false;
  std::optional<std::uint64_t> random;
  std::uint64_t seed = 1;
};

constexpr std::size_t kNameColumn = 26;

// A changing line on a terminal, nothing elsewhere: the table follows anyway.
class QuietProgress {
 public:
  QuietProgress(std::size_t total, bool wanted) {
    if (wanted && platform::is_terminal(1)) progress_.emplace(static_cast<std::int64_t>(total));
  }
  void show(std::size_t done, const std::string& note) {
    if (progress_) progress_->show(static_cast<std::int64_t>(done), note);
  }
  void pause() {
    if (progress_) progress_->pause();
  }

 private:
  std::optional<Progress> progress_;
};

// ---- Samples of the cards

struct Findings {
  std::vector<OpGradientReport> reports;
  std::vector<std::pair<const OpCard*, std::string>> without;  // and why
};

Findings check_ops(const std::vector<const OpCard*>& ops, const GradcheckOptions& options) {
  Findings findings;
  QuietProgress progress(ops.size(), !options.json);
  for (std::size_t index = 0; index < ops.size(); ++index) {
    progress.show(index, ops[index]->name);
    std::string reason = why_not_checked(*ops[index], options.order);
    if (reason.empty()) {
      findings.reports.push_back(check_gradients(*ops[index], options.order));
    } else {
      findings.without.emplace_back(ops[index], std::move(reason));
    }
  }
  progress.show(ops.size(), "done");
  return findings;
}

void print_json(const Findings& findings, std::size_t failed) {
  Json list = Json::array();
  for (const OpGradientReport& report : findings.reports) {
    list.push_back({{"name", report.name},
                    {"order", report.order},
                    {"samples", report.samples},
                    {"max_error", report.max_error},
                    {"bound", report.bound},
                    {"passed", report.passed}});
  }
  const Json page = {{"passed", findings.reports.size() - failed}, {"failed", failed}, {"ops", std::move(list)}};
  fmt::print("{}\n", page.dump(1));
}

void print_table(const Findings& findings, std::size_t failed) {
  fmt::print("{:<{}} {:>7} {:>10} {:>8}\n", "op", kNameColumn, "samples", "max error", "bound");
  for (const OpGradientReport& report : findings.reports) {
    fmt::print("{:<{}} {:>7} {:>10.1e} {:>8.0e}  {}\n", report.name, kNameColumn, report.samples, report.max_error,
               report.bound, report.passed ? painted("passed", Paint::green) : painted("failed", Paint::red));
    for (const GradientCheck& check : report.failures) fmt::print("  sample {}: {}\n", check.sample, check.detail);
  }
  if (!findings.without.empty()) fmt::print("\nwithout a gradient to check:\n");
  for (const auto& [op, reason] : findings.without) {
    fmt::print("{:<{}} {}\n", op->name, kNameColumn, reason);
  }
  fmt::print("\n{} passed, {} failed\n", findings.reports.size() - failed, failed);
}

int check_cards(const GradcheckOptions& options) {
  std::vector<const OpCard*> ops = Registry::global().all();
  if (!options.op.empty()) ops = {&Registry::global().get(options.op)};
  const Findings findings = check_ops(ops, options);
  std::size_t failed = 0;
  for (const OpGradientReport& report : findings.reports) failed += report.passed ? 0 : 1;
  if (options.json) {
    print_json(findings, failed);
  } else {
    print_table(findings, failed);
  }
  return failed == 0 ? 0 : 1;
}

// ---- Random graphs

Json json_of(const RandomGraphReport& report, const GradcheckOptions& options) {
  Json ops = Json::array();
  for (const auto& [op, count] : report.stands) ops.push_back({{"name", op}, {"graphs", count}});
  Json failures = Json::array();
  for (const RandomGraphReport::Failure& failure : report.failures) {
    failures.push_back({{"number", failure.number}, {"detail", failure.detail}});
  }
  return {{"passed", report.kept},           {"dropped", report.dropped},      {"failed", report.failures.size()},
          {"drop_rate", report.drop_rate()}, {"max_error", report.max_error},  {"seed", options.seed},
          {"ops", std::move(ops)},           {"failures", std::move(failures)}};
}

// Shows a failing graph as small as it can be made, as a test to copy.
void print_reduced(const RandomGraphs& graphs, const RandomGraphReport::Failure& failure) {
  fmt::print("graph {} failed: {}\n\n", failure.number, failure.detail);
  const GraphCase failing = graphs.make(failure.number);
  const GraphCase reduced = reduce_case(failing, fails_like(failing));
  fmt::print("{}\n", case_as_test(reduced, "RandomGraphs", "Graph" + std::to_string(failure.number)));
}

// With no number of graphs it goes on until one fails or somebody stops it.
int check_random(const GradcheckOptions& options) {
  constexpr std::uint64_t kPart = 100;
  const RandomGraphs graphs(Registry::global().all(), options.seed);
  const std::uint64_t asked = *options.random;
  RandomGraphReport all;
  for (std::uint64_t first = 0; (asked == 0 || first < asked) && all.failures.empty(); first += kPart) {
    const std::uint64_t count = asked == 0 ? kPart : std::min(kPart, asked - first);
    QuietProgress progress(asked == 0 ? kPart : asked, !options.json);
    all.add(check_random_graphs(graphs, first, count, [&](std::uint64_t done) {
      progress.show(asked == 0 ? done : first + done, fmt::format("{} graphs", first + done));
    }));
  }
  if (options.json) {
    fmt::print("{}\n", json_of(all, options).dump(1));
  } else {
    if (!all.failures.empty()) print_reduced(graphs, all.failures.front());
    fmt::print("{}", all.to_text());
  }
  return all.failures.empty() ? 0 : 1;
}

}  // namespace

void add_gradcheck(CLI::App& app, int& outcome) {
  auto options = std::make_shared<GradcheckOptions>();
  CLI::App* command = app.add_subcommand("gradcheck", "Check the gradients of the ops against central differences");
  CLI::Option* op = command->add_option("--op", options->op, "One op only, such as Softmax or nn.Linear");
  CLI::Option* order = command->add_option("--order", options->order, "1: gradients; 2: gradients of gradients")
                           ->check(CLI::Range(1, 2))
                           ->capture_default_str();
  command->add_flag("--json", options->json, "As JSON");
  CLI::Option* random = command
                            ->add_option("--random", options->random,
                                         "Check so many random graphs of all ops instead; 0: until one fails")
                            ->excludes(op)
                            ->excludes(order);
  command->add_option("--seed", options->seed, "Of the random graphs")->needs(random)->capture_default_str();
  command->callback(
      [options, &outcome] { outcome = options->random ? check_random(*options) : check_cards(*options); });
}

}  // namespace asg::app
