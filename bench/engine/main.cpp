// Our side of the comparison with other engines, one workload in one process.
//   bench_engine run d --threads 2 --steps 5      the median of so many steps, and all else that is measured
//   bench_engine serve d --threads 2              the same for a program: answers "run 5" on a line with times, in JSON
//   bench_engine limit --threads 2                what the machine can do: large products, a copy
//   bench_engine losses b --steps 50              the loss of each of the first steps, in JSON
//   bench_engine flops                            the workloads, and the operations in the products of a step
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "contender.h"
#include "limit.h"
#include "timing.h"

namespace {

using namespace asg::bench;
using Json = nlohmann::ordered_json;

struct Options {
  std::string workload;
  int threads = 2;
  int steps = 10;
  int start = 0;
  bool limit = false;
  bool json = false;
  double seconds = 0.5;
};

std::vector<double> milliseconds_of_steps(Contender& contender, int steps) {
  contender.step_seconds();  // fills the caches again
  std::vector<double> times;
  for (int step = 0; step < steps; ++step) times.push_back(1e3 * contender.step_seconds());
  return times;
}

void print_beginning(const Beginning& beginning) {
  std::printf("  compile %.3f s from %zu nodes (model %.3f s before, gradient and updates %.3f s in it)\n",
              beginning.compile_seconds, beginning.nodes, beginning.build_seconds, beginning.step_seconds);
  std::printf("  first   %.3f s for the first step\n", beginning.first_seconds);
  std::printf("  memory  peak %.1f MB, plan %.1f MB for %.1f MB alive at once\n", beginning.peak_bytes / 1e6,
              beginning.plan_bytes / 1e6, beginning.live_bytes / 1e6);
  std::printf("  value   %.9g first, %.9g after %zu steps\n", beginning.values.front(), beginning.values.back(),
              beginning.values.size());
}

// What the workload would take at the limit, in milliseconds.
double limit_milliseconds(const Workload& workload, int threads, double seconds) {
  if (workload.products.empty()) return 1e3 * copy_seconds(seconds);
  return 1e3 * workload.operations() / largest(product_rates(threads, seconds));
}

void run(const Options& options) {
  const Workload& workload = *find_workload(options.workload);
  const double limit = options.limit ? limit_milliseconds(workload, options.threads, options.seconds) : 0;
  Contender contender(workload, options.threads);
  std::vector<double> times = milliseconds_of_steps(contender, options.steps);
  const double middle = median(times);
  std::printf("%s: %s; %d threads\n", workload.name.c_str(), workload.words.c_str(), options.threads);
  std::printf("  step    %.3f ms, median of %d (fastest %.3f, slowest %.3f)\n", middle, options.steps,
              *std::min_element(times.begin(), times.end()), *std::max_element(times.begin(), times.end()));
  if (workload.operations() > 0) {
    std::printf("  rate    %.1f GFLOP/s for %.3f GFLOP\n", workload.operations() / middle / 1e6,
                workload.operations() / 1e9);
  }
  if (options.limit) std::printf("  limit   %.3f ms: %.0f %% of it\n", limit, 100 * limit / middle);
  print_beginning(contender.beginning());
}

void answer(const Json& line) { std::cout << line.dump() << std::endl; }

void serve(const Options& options) {
  const Workload& workload = *find_workload(options.workload);
  Contender contender(workload, options.threads);
  const Beginning& beginning = contender.beginning();
  answer({{"compile_s", beginning.compile_seconds},
          {"peak_mb", beginning.peak_bytes / 1e6},
          {"plan_mb", beginning.plan_bytes / 1e6},
          {"live_mb", beginning.live_bytes / 1e6},
          {"values", beginning.values},
          {"nodes", beginning.nodes}});
  std::string word;
  int steps = 0;
  while (std::cin >> word >> steps && word == "run") answer({{"ms", milliseconds_of_steps(contender, steps)}});
}

void print_losses(const Options& options) {
  const Contender contender(*find_workload(options.workload), options.threads, options.steps, options.start);
  answer({{"values", contender.beginning().values}});
}

void print_limit(const Options& options) {
  const std::vector<Rate> rates = product_rates(options.threads, options.seconds);
  const double copy = copy_seconds(options.seconds);
  if (options.json) {
    answer({{"gflops", largest(rates) / 1e9}, {"memcpy_ms", 1e3 * copy}});
    return;
  }
  std::printf("oneDNN, GFLOP/s on %d threads, medians: under our pool, under threads of its own\n", options.threads);
  for (const Rate& rate : rates) {
    std::printf("  %4d cubed %9.1f %9.1f\n", static_cast<int>(rate.length), rate.pool / 1e9, rate.own / 1e9);
  }
  std::printf("  limit     %9.1f\nmemcpy of 10M floats %.3f ms\n", largest(rates) / 1e9, 1e3 * copy);
}

void print_operations(const Options& options) {
  for (const Workload& workload : workloads()) {
    if (!options.workload.empty() && workload.name != options.workload) continue;
    if (options.json) {
      answer({{"workload", workload.name}, {"words", workload.words}, {"flops", workload.operations()}});
    } else {
      std::printf("%s  %14.0f  %s\n", workload.name.c_str(), workload.operations(), workload.words.c_str());
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Times workloads on the CPU engine");
  app.require_subcommand(1);
  const auto is_workload = CLI::Validator(
      [](const std::string& name) { return find_workload(name) ? "" : "there is no workload '" + name + "'"; }, "a-f");
  const auto command = [&](const char* name, const char* words, void (*body)(const Options&)) {
    CLI::App* result = app.add_subcommand(name, words);
    result->callback([&options, body] { body(options); });
    return result;
  };
  CLI::App* run_command = command("run", "Times one workload and prints what is measured", run);
  CLI::App* serve_command = command("serve", "Answers lines \"run N\" with the times of N steps, in JSON", serve);
  CLI::App* losses_command = command("losses", "Prints the loss of each of the first steps, in JSON", print_losses);
  CLI::App* limit_command = command("limit", "Measures what the machine can do", print_limit);
  CLI::App* flops_command = command("flops", "Prints the operations in the products of a step", print_operations);
  for (CLI::App* each : {run_command, serve_command, losses_command}) {
    each->add_option("workload", options.workload, "Which one")->required()->check(is_workload);
  }
  flops_command->add_option("workload", options.workload, "Which one; all if none is named")->check(is_workload);
  for (CLI::App* each : {run_command, serve_command, losses_command, limit_command}) {
    each->add_option("--threads", options.threads, "Threads to use")->check(CLI::Range(1, 1024))->capture_default_str();
  }
  for (CLI::App* each : {run_command, losses_command}) {
    each->add_option("--steps", options.steps, each == run_command ? "Steps to time" : "Steps to take")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
  }
  losses_command->add_option("--start", options.start, "Which weights to begin with: each number draws others")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  run_command->add_flag("--limit", options.limit, "Measure the limit first");
  for (CLI::App* each : {run_command, limit_command}) {
    each->add_option("--seconds", options.seconds, "For each figure of the limit")->capture_default_str();
  }
  for (CLI::App* each : {limit_command, flops_command}) each->add_flag("--json", options.json, "For programs");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
