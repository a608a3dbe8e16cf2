// How long a live edit keeps a training waiting: a GPT of 12 layers and 256 features is trained by the engine and
// changed between two steps. Measured from the message to the end of preparing, when the next step can begin, and to
// the end of that step. Prints a table, or JSON with --json.
//   demanded: at most 300 ms until the next step can begin; `preserve` keeps the loss to 1e-5; what is kept is kept bit
//   for bit
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

struct Row {
  double prepared = 0;   // seconds from the message until the next step can begin
  double processor = 0;  // the same in processor time of all threads: what it takes, whatever else the machine does
  double stepped = 0;    // until that step is done
  double loss_before = 0;
  double loss_after = 0;
  int kept = 0;
  bool same_bits = true;
};

double seconds(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
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
  const std::clock_t processor = std::clock();
  const auto begin = Clock::now();
  listener.post(train::messages::Apply{edit});
  const EditReport report = listener.wait_for<train::events::EditApplied>().second.report;
  const auto [ready, graph] = listener.wait_for<train::events::GraphReady>();
  row.prepared = seconds(begin, ready);
  row.processor = static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC;
  row.loss_after = loss_of(listener);
  const std::map<std::string, Array> now = values_of(listener, *graph.model);
  for (const VarChange& change : report.variables) {
    if (change.fate != VarFate::kept) continue;
    ++row.kept;
    row.same_bits = row.same_bits && bit_equal(values.at(change.name), now.at(change.name));
  }
  const auto next = Clock::now();
  listener.post(train::messages::Run{1});
  row.stepped = row.prepared + seconds(next, listener.wait_for<train::events::StepDone>().first);
  listener.wait_for<train::events::Paused>();
  listener.post(train::messages::ReturnTo{snapshot});
  listener.wait_for<train::events::GraphReady>();
  return row;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
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
  constexpr int kSteps = 5;
  listener.post(train::messages::Run{kSteps});
  std::vector<double> steps;
  for (int k = 0; k < kSteps; ++k) steps.push_back(listener.wait_for<train::events::StepDone>().second.seconds);
  listener.wait_for<train::events::Paused>();
  const double step = median(steps);

  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  if (!json) std::printf("GPT of 12 layers and 256 features; a step takes %.1f ms\n", step * 1e3);
  for (const LiveEdit& each : live_edits()) {
    std::vector<double> prepared, stepped, processor;
    Row row;
    for (int round = 0; round < kRounds; ++round) {
      row = measure_edit(listener, graph, each.edit);
      prepared.push_back(row.prepared);
      stepped.push_back(row.stepped);
      processor.push_back(row.processor);
    }
    const double change = std::abs(row.loss_after - row.loss_before) / std::abs(row.loss_before);
    const bool preserves = each.edit.policy == ResizePolicy::preserve;
    const bool kept = median(prepared) <= kMostSeconds && row.same_bits && (!preserves || change <= kMostChange);
    all.push_back({{"edit", each.name},
                   {"seconds_first", prepared.front()},
                   {"seconds_prepared", median(prepared)},
                   {"seconds_of_processor", median(processor)},
                   {"seconds_stepped", median(stepped)},
                   {"loss_before", row.loss_before},
                   {"loss_after", row.loss_after},
                   {"variables_kept", row.kept},
                   {"same_bits", row.same_bits}});
    if (json) continue;
    std::printf(
        "  %-20s ready in %6.1f ms (first %6.1f, processor %6.1f), stepped in %6.1f ms; loss %.6f, then %.6f; %d kept "
        "%s: %s\n",
        each.name, median(prepared) * 1e3, prepared.front() * 1e3, median(processor) * 1e3, median(stepped) * 1e3,
        row.loss_before, row.loss_after, row.kept, row.same_bits ? "bit for bit" : "NOT bit for bit",
        kept ? "kept" : "NOT KEPT");
    std::fflush(stdout);
  }
  if (json) std::printf("%s\n", all.dump(2).c_str());
  return 0;
}
