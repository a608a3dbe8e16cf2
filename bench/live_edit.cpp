// How long a live edit keeps a training waiting: a GPT of 12 layers and 256 features is trained by the engine and
// changed between two steps. Measured from the message to the event that tells of the new graph, and to the end of the
// next step, which compiles it for the sizes of its batch: what both take beyond a usual step is how long the edit kept
// the training waiting. Processor time beside it is what an idle machine would need. Prints a table, or JSON with
// --json.
//   demanded: at most 300 ms of waiting; `preserve` keeps the loss to 1e-5; what is kept is kept bit for bit
#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <ctime>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "asg/asg.h"
#include "asg/zoo/gpt2.h"

namespace {

using namespace asg;  // NOLINT
using Clock = std::chrono::steady_clock;

constexpr std::int64_t kBatch = 4;
constexpr std::int64_t kLength = 64;
constexpr std::int64_t kVocabulary = 65;
constexpr double kMostSeconds = 0.3;
constexpr double kMostChange = 1e-5;
constexpr int kRounds = 3;

Graph model() {
  return zoo::gpt2({.tokens = {.vocabulary = kVocabulary, .batch = kBatch, .length = kLength},
                    .positions = kLength,
                    .layers = 12,
                    .features = 256,
                    .heads = 8});
}

Array tokens_of(std::int64_t step) {
  Array result(DType::i64, {kBatch, kLength});
  for (std::int64_t k = 0; k < result.count(); ++k) result.set_i64(k, (step * 31 + k * k + 7 * k) % kVocabulary);
  return result;
}

NamedArrays batch_of(std::int64_t step) { return {{"tokens", tokens_of(step)}, {"targets", tokens_of(step + 1)}}; }

// Talks to the engine: posts a message and waits for what ends the answer, with the time of each event.
class Listener {
 public:
  Listener() : engine_([this](train::TrainingId, const train::Event& event) { hear(event); }) {}

  void add(train::TrainingSpec spec) { training_ = engine_.add(std::move(spec)); }
  void post(train::Message message) { engine_.post(training_, std::move(message)); }

  struct Heard {
    Clock::time_point at;
    train::Event event;
  };

  // The next event of a kind, those before it left out.
  template <class Kind>
  std::pair<Clock::time_point, Kind> wait_for() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return next_ < heard_.size(); });
      const Heard& each = heard_[next_++];
      if (const auto* failed = std::get_if<train::events::Failed>(&each.event)) fatal(failed->error);
      if (const auto* refused = std::get_if<train::events::EditRefused>(&each.event)) {
        fatal(refused->problems.front().detail());
      }
      if (const auto* found = std::get_if<Kind>(&each.event)) return {each.at, *found};
    }
  }

 private:
  [[noreturn]] static void fatal(const ErrorDetail& error) {
    std::fprintf(stderr, "%s\n", UserError(error).what());
    std::exit(1);
  }

  void hear(const train::Event& event) {
    const auto now = Clock::now();
    const std::lock_guard lock(mutex_);
    heard_.push_back({now, event});
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Heard> heard_;
  std::size_t next_ = 0;
  train::TrainingId training_;
  train::Engine engine_;
};

struct LiveEdit {
  const char* name;
  Edit edit;
};

std::vector<LiveEdit> live_edits() {
  using namespace edits;  // NOLINT
  return {{"insert a dropout",
           {{InsertBetween{.value = {"block_5"}, .user = {"block_6"}, .op = "nn.Dropout", .attrs = {{"ratio", 0.1}}}}}},
          {"swap an activation", {{ReplaceOp{.at = {"block_3/feed_forward/activation"}, .op = "Silu"}}}},
          {"widen with preserve",
           {{SetConfig{.at = {"block_7"}, .attrs = {{"hidden", std::int64_t{1280}}}}}, ResizePolicy::preserve}},
          {"delete a block", {{DeletePassthrough{.at = {"block_9"}}}}}};
}

// Seconds by the clock, and of all threads together on their processors.
struct Duration {
  double clock = 0;
  double processor = 0;
};

class Watch {
 public:
  Duration until(Clock::time_point end) const {
    return {std::chrono::duration<double>(end - clock_).count(),
            static_cast<double>(std::clock() - processor_) / CLOCKS_PER_SEC};
  }

 private:
  std::clock_t processor_ = std::clock();
  Clock::time_point clock_ = Clock::now();
};

struct Row {
  Duration told;     // from the message until the new graph is told
  Duration stepped;  // the next step
  double loss_before = 0;
  double loss_after = 0;
  int kept = 0;
  bool same_bits = true;
};

Duration one_step(Listener& listener) {
  const Watch watch;
  listener.post(train::messages::Run{1});
  const Duration result = watch.until(listener.wait_for<train::events::StepDone>().first);
  listener.wait_for<train::events::Paused>();
  return result;
}

double loss_of(Listener& listener) {
  listener.post(train::messages::Evaluate{"one_batch"});
  return listener.wait_for<train::events::Evaluated>().second.result.loss;
}

std::map<std::string, Array> values_of(Listener& listener, const Graph& graph) {
  std::map<std::string, Array> result;
  for (const VarId id : graph.variable_ids()) {
    const std::string& name = graph.variable(id).name;
    listener.post(train::messages::Read{name});
    result[name] = listener.wait_for<train::events::ValueRead>().second.value;
  }
  return result;
}

// The model as it is before the edit is restored at the end, so that all edits meet the same one.
Row measure_edit(Listener& listener, const Graph& before, const Edit& edit) {
  Row row;
  listener.post(train::messages::TakeSnapshot{"before"});
  const train::SnapshotId snapshot = listener.wait_for<train::events::SnapshotTaken>().second.id;
  row.loss_before = loss_of(listener);
  const std::map<std::string, Array> values = values_of(listener, before);
  const Watch watch;
  listener.post(train::messages::Apply{edit});
  const EditReport report = listener.wait_for<train::events::EditApplied>().second.report;
  const auto [ready, graph] = listener.wait_for<train::events::GraphReady>();
  row.told = watch.until(ready);
  row.loss_after = loss_of(listener);
  const std::map<std::string, Array> now = values_of(listener, *graph.model);
  for (const VarChange& change : report.variables) {
    if (change.fate != VarFate::kept) continue;
    ++row.kept;
    row.same_bits = row.same_bits && bit_equal(values.at(change.name), now.at(change.name));
  }
  row.stepped = one_step(listener);
  listener.post(train::messages::ReturnTo{snapshot});
  listener.wait_for<train::events::GraphReady>();
  return row;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

Duration median(const std::vector<Duration>& values) {
  std::vector<double> clock, processor;
  for (const Duration& each : values) {
    clock.push_back(each.clock);
    processor.push_back(each.processor);
  }
  return {median(std::move(clock)), median(std::move(processor))};
}

}  // namespace

int main(int argc, char** argv) {
  const bool json = argc > 1 && std::string_view(argv[1]) == "--json";
  train::TrainingSpec spec;
  spec.model = model();
  const Graph graph = spec.model;
  spec.backend = BackendRegistry::global().make("cpu");
  spec.options = {.optimizer = optim::Optimizer::adamw(1e-3), .features = "tokens", .labels = "targets"};
  spec.options.optimizer.gradient_norm = true;
  spec.batch = batch_of;
  spec.datasets = {{"one_batch", data::make_dataset("one batch", batch_of(0))}};
  Listener listener;
  listener.add(std::move(spec));
  listener.wait_for<train::events::GraphReady>();
  one_step(listener);  // compiles
  std::vector<Duration> steps;
  for (int k = 0; k < 5; ++k) steps.push_back(one_step(listener));
  const Duration step = median(steps);

  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  if (!json) {
    std::printf("GPT of 12 layers and 256 features, batches of %lld x %lld: a step takes %.1f ms, %.1f of processors\n",
                static_cast<long long>(kBatch), static_cast<long long>(kLength), step.clock * 1e3,
                step.processor * 1e3);
    std::fflush(stdout);
  }
  for (const LiveEdit& each : live_edits()) {
    std::vector<Duration> waited;
    std::vector<double> told;
    Row row;
    for (int round = 0; round < kRounds; ++round) {
      row = measure_edit(listener, graph, each.edit);
      told.push_back(row.told.clock);
      waited.push_back({row.told.clock + row.stepped.clock - step.clock,
                        row.told.processor + row.stepped.processor - step.processor});
    }
    const Duration wait = median(waited);
    const double change = std::abs(row.loss_after - row.loss_before) / std::abs(row.loss_before);
    const bool preserves = each.edit.policy == ResizePolicy::preserve;
    const bool kept = wait.clock <= kMostSeconds && row.same_bits && (!preserves || change <= kMostChange);
    all.push_back({{"edit", each.name},
                   {"seconds_waited", wait.clock},
                   {"seconds_waited_first", waited.front().clock},
                   {"seconds_of_processors", wait.processor},
                   {"seconds_until_told", median(told)},
                   {"loss_before", row.loss_before},
                   {"loss_after", row.loss_after},
                   {"variables_kept", row.kept},
                   {"same_bits", row.same_bits}});
    if (json) continue;
    std::printf("  %-20s waits %6.1f ms (first %6.1f, of processors %6.1f), told after %6.1f ms: %s\n", each.name,
                wait.clock * 1e3, waited.front().clock * 1e3, wait.processor * 1e3, median(told) * 1e3,
                kept ? "kept" : "NOT KEPT");
    std::printf("  %-20s loss %.7f, then %.7f on the same batch; %d variables kept %s\n", "", row.loss_before,
                row.loss_after, row.kept, row.same_bits ? "bit for bit" : "NOT bit for bit");
    std::fflush(stdout);
  }
  if (json) std::printf("%s\n", all.dump(2).c_str());
  return 0;
}
