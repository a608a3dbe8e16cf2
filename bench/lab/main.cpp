// What it costs a training to be looked at: workload c of bench/engine on one compute thread, behind a whole Lab. Turns
// without a client and turns with one (onlooker.h) follow each other; the cost is the median over the pairs of turns of
// how much longer a step takes, all that happens between two steps included: by the clock, and by the processor time of
// the thread that trains, which a busy machine disturbs less. Prints words, or JSON with --json.
//   demanded: at most 3 %
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "../engine/timing.h"
#include "../engine/workloads.h"
#include "asg/backend/cpu.h"
#include "asg/lab/lab.h"
#include "crowd.h"
#include "onlooker.h"
#include "steps.h"

namespace {

using namespace asg;         // NOLINT
using namespace asg::bench;  // NOLINT

struct Options {
  int turns = 8;
  double seconds = 6;  // long enough for several readings
  bool json = false;
  int viewers = 0;  // a crowd in place of one page
  int pairs = 5;
  double pair_seconds = 60;
};

train::TrainingSpec spec_of(const Workload& workload) {
  train::TrainingSpec spec{.model = workload.model(), .backend = std::make_shared<CpuBackend>(1)};
  spec.options.optimizer = *workload.optimizer;
  spec.options.loss = workload.output;
  spec.batch = [inputs = workload.inputs()](std::int64_t) { return inputs; };
  return spec;
}

struct Result {
  std::vector<Moment> alone;    // of a step, by turns
  std::vector<Moment> watched;  // the same with somebody who looks
  std::vector<double> opening;  // the longest wait for a step while the client came
  double seconds = 0;           // of the turns with somebody
  std::int64_t readings = 0;
  std::int64_t tensors = 0;
  std::int64_t refusals = 0;
};

void sleep_seconds(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

// At least some steps, however slow they are.
Moment turn(const Steps& steps, double seconds) {
  constexpr std::size_t kLeast = 3;
  const std::size_t first = steps.count();
  sleep_seconds(seconds);
  while (steps.count() < first + kLeast) sleep_seconds(0.01);
  return steps.mean_since(first);
}

void watched_turn(const lab::Lab& lab, const Steps& steps, double seconds, Result& result) {
  const std::size_t first = steps.count() - 1;
  const Onlooker onlooker(lab.server().url());
  while (onlooker.readings() == 0) sleep_seconds(0.005);
  result.opening.push_back(steps.longest_since(first));
  const std::int64_t readings = onlooker.readings();
  const std::int64_t tensors = onlooker.tensors();
  result.watched.push_back(turn(steps, seconds));
  result.seconds += seconds;
  result.readings += onlooker.readings() - readings;
  result.tensors += onlooker.tensors() - tensors;
  result.refusals += onlooker.refusals();
}

Result measure(const Options& options) {
  Steps steps;
  lab::HubOptions hub;
  hub.sink = [&steps](train::TrainingId, const train::Event& event) { steps.take(event); };
  lab::Lab lab(lab::ServerOptions{}, std::move(hub));
  const train::TrainingId training = lab.hub().add("c", spec_of(*find_workload("c")));
  lab.hub().post(training, train::messages::Run{});
  while (steps.count() < 10) sleep_seconds(0.01);
  Result result;
  for (int pair = 0; pair < options.turns; ++pair) {
    result.alone.push_back(turn(steps, options.seconds));
    watched_turn(lab, steps, options.seconds, result);
    sleep_seconds(0.2);  // until nobody is there any more
  }
  result.alone.push_back(turn(steps, options.seconds));
  return result;
}

// Each turn with somebody against the turns before and after it, so that a machine that grows slower does not count.
double cost_of(const Result& result, double Moment::* time) {
  std::vector<double> costs;
  for (std::size_t each = 0; each < result.watched.size(); ++each) {
    costs.push_back(2 * result.watched[each].*time / (result.alone[each].*time + result.alone[each + 1].*time) - 1);
  }
  return median(costs);
}

// How far apart two turns without anybody are: what cannot be told from noise.
double noise_of(const Result& result, double Moment::* time) {
  std::vector<double> distances;
  for (std::size_t each = 1; each < result.alone.size(); ++each) {
    distances.push_back(std::abs(result.alone[each].*time / (result.alone[each - 1].*time) - 1));
  }
  return median(distances);
}

double median_milliseconds(const std::vector<Moment>& turns, double Moment::* time) {
  std::vector<double> values;
  for (const Moment& turn : turns) values.push_back(1e3 * turn.*time);
  return median(values);
}

nlohmann::ordered_json figures_by(const Result& result, double Moment::* time) {
  return {{"cost", cost_of(result, time)},
          {"noise", noise_of(result, time)},
          {"alone_ms", median_milliseconds(result.alone, time)},
          {"watched_ms", median_milliseconds(result.watched, time)}};
}

void print_by(const char* words, const nlohmann::ordered_json& figures) {
  std::printf("  %-14s a step %.2f ms alone, %.2f ms with somebody who looks: %.1f %% (noise %.1f %%)\n", words,
              figures.at("alone_ms").get<double>(), figures.at("watched_ms").get<double>(),
              100 * figures.at("cost").get<double>(), 100 * figures.at("noise").get<double>());
}

// Ten viewers who ask as fast as they may: what the training keeps of its rate, and what each of them gets.
int run_crowd(const Options& options) {
  Steps steps;
  lab::HubOptions hub;
  hub.sink = [&steps](train::TrainingId, const train::Event& event) { steps.take(event); };
  lab::Lab lab(lab::ServerOptions{}, std::move(hub));
  const train::TrainingId training = lab.hub().add("c", spec_of(*find_workload("c")));
  lab.hub().post(training, train::messages::Run{});
  while (steps.count() < 10) sleep_seconds(0.01);
  std::vector<double> kept, kept_processor;
  CrowdFigures figures;
  for (int pair = 0; pair < options.pairs; ++pair) {
    const Moment alone = turn(steps, options.pair_seconds);
    Crowd crowd(lab.server().viewer_url(), options.viewers);
    const Moment watched = turn(steps, options.pair_seconds);
    crowd.end();
    figures.add(crowd.figures());
    kept.push_back(alone.clock / watched.clock);
    kept_processor.push_back(alone.processor / watched.processor);
    sleep_seconds(1);
  }
  const nlohmann::ordered_json json = {{"viewers", options.viewers},
                                       {"pairs", options.pairs},
                                       {"turn_seconds", options.pair_seconds},
                                       {"rate_kept", median(kept)},
                                       {"rate_kept_by_processor_time", median(kept_processor)},
                                       {"longest_answer_s", figures.longest},
                                       {"asked", figures.asked},
                                       {"unanswered", figures.unanswered},
                                       {"refused", figures.refused},
                                       {"fewest_readings_of_a_viewer", figures.fewest_readings}};
  if (options.json) {
    std::printf("%s\n", json.dump().c_str());
    return 0;
  }
  std::printf("%d viewers at the rate limit, workload c on one thread, %d pairs of turns of %.0f s\n", options.viewers,
              options.pairs, options.pair_seconds);
  std::printf("  rate of the training that is kept   %.1f %%   (demanded: at least 97 %%)\n", 100 * median(kept));
  std::printf("  by the processor time of its thread %.1f %%\n", 100 * median(kept_processor));
  std::printf("  longest wait for an answer          %.2f s   (demanded: at most 2 s)\n", figures.longest);
  std::printf("  questions %lld, without an answer %lld, turned away for want of time %lld\n",
              static_cast<long long>(figures.asked), static_cast<long long>(figures.unanswered),
              static_cast<long long>(figures.refused));
  std::printf("  readings of the viewer who got fewest in a turn   %lld\n",
              static_cast<long long>(figures.fewest_readings));
  return 0;
}

int run(const Options& options) {
  const Result result = measure(options);
  const nlohmann::ordered_json figures = {
      {"clock", figures_by(result, &Moment::clock)},
      {"processor", figures_by(result, &Moment::processor)},
      {"opening_ms", 1e3 * median(result.opening)},
      {"readings_per_second", static_cast<double>(result.readings) / result.seconds},
      {"tensors_per_second", static_cast<double>(result.tensors) / result.seconds},
      {"refusals", result.refusals},
      {"turns", options.turns},
      {"turn_seconds", options.seconds},
  };
  if (options.json) {
    std::printf("%s\n", figures.dump().c_str());
    return 0;
  }
  std::printf("workload c on one thread\n");
  print_by("by the clock", figures.at("clock"));
  print_by("processor", figures.at("processor"));
  std::printf("  %.2f readings and %.2f tensors in a second; the longest step while the client came %.0f ms\n",
              figures.at("readings_per_second").get<double>(), figures.at("tensors_per_second").get<double>(),
              figures.at("opening_ms").get<double>());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("What it costs a training to be looked at");
  app.add_option("--turns", options.turns, "Pairs of turns")->check(CLI::Range(1, 1000))->capture_default_str();
  app.add_option("--seconds", options.seconds, "Length of a turn")->check(CLI::Range(0.1, 60.0))->capture_default_str();
  app.add_option("--viewers", options.viewers, "Measure a crowd of viewers who ask as fast as they may")
      ->check(CLI::Range(0, 30));
  app.add_option("--pairs", options.pairs, "Pairs of turns with a crowd and without")->check(CLI::Range(1, 100));
  app.add_option("--pair-seconds", options.pair_seconds, "Length of such a turn")->check(CLI::Range(0.1, 600.0));
  app.add_flag("--json", options.json, "One line of JSON");
  CLI11_PARSE(app, argc, argv);
  try {
    return options.viewers > 0 ? run_crowd(options) : run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
