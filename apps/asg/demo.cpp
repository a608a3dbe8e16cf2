#include <chrono>
#include <cstdlib>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "asg/asg.h"
#include "asg/core/platform.h"
#include "commands.h"
#include "compute_options.h"
#include "console.h"
#include "demo_story.h"
#include "digits_model.h"
#include "lab_session.h"
#include "stop_signal.h"
#include "training_watch.h"

namespace asg::app {
namespace {

struct DemoOptions {
  std::int64_t steps = 1000;
  std::uint64_t seed = 1;
  ComputeOptions compute;
  std::string folder = "runs/demo";
  bool keep = false;
};

// Says of the data, and hands out the training. It is validated once, at its end.
train::TrainingSpec demo_spec(const DemoOptions& options, std::shared_ptr<Backend> backend) {
  constexpr std::int64_t kBatchSize = 64;
  constexpr double kHeldOut = 0.2;
  constexpr std::uint64_t kSplitSeed = 20;  // the same split whatever the seed of the training
  const data::Split split = data::stratified_split(data::digits(), kHeldOut, kSplitSeed);
  fmt::print("  data      {} digits of 8x8 pixels to learn from, {} held out\n", split.train.count(),
             split.held_out.count());
  const data::LoaderOptions batches{.batch_size = kBatchSize, .seed = options.seed, .threads = options.compute.threads};
  const auto loader = std::make_shared<data::Loader>(split.train, batches);
  train::TrainingSpec spec{.model = digits_model(), .backend = std::move(backend)};
  spec.options = {.optimizer = optim::Optimizer::adam(3e-3), .seed = options.seed};
  spec.batch = [loader](std::int64_t step) { return loader->at(step).arrays; };
  spec.datasets = {{"held_out", split.held_out}};
  spec.course.steps = options.steps;
  spec.course.steps_per_epoch = loader->per_epoch();
  spec.course.validate = "held_out";
  spec.course.validate_every = options.steps;
  spec.course.saving = {.folder = options.folder + "/checkpoints", .every = options.steps};
  return spec;
}

// Nobody is shown a page that is gone in a moment, or on a machine that tests something.
void announce_demo(const lab::Lab& lab, bool keep) {
  if (lab::page_assets().empty()) {
    fmt::print("  Model Lab   not shown: its page is not part of this program; `make web` builds it, with Node 18\n");
    return;
  }
  LabOptions options;
  options.open_browser = keep && std::getenv("CI") == nullptr;
  announce(lab, options);
}

// The training, the Lab that shows it, and whoever tells of it.
class Demo {
 public:
  explicit Demo(const DemoOptions& options) : options_(options) {}

  int run() {
    introduce();
    train::TrainingSpec spec = demo_spec(options_, backend_);
    lab::HubOptions hub = hub_options({});
    hub.sink = [this](train::TrainingId id, const train::Event& event) { take(id, event); };
    lab_.emplace(lab::ServerOptions{}, std::move(hub));
    announce_demo(*lab_, options_.keep);
    training_ = lab_->hub().add("demo", std::move(spec));
    lab_->hub().post(training_, train::messages::Run{});
    wait([this] { return watch_.is_over() || watch_.failure(); });
    if (options_.keep && !interrupted_) {
      fmt::print("  the Lab stays until Ctrl-C\n");
      std::fflush(stdout);
      wait([] { return false; });
    }
    end();
    return conclude();
  }

 private:
  void introduce() const {
    fmt::print("{}\n", painted("ASG demo: a small attention classifier learns handwritten digits", Paint::bold));
    fmt::print("  device    {} on {}\n", options_.compute.device, platform::cpu_name());
  }

  // On the engine's thread, as all that follows from events.
  void take(train::TrainingId id, const train::Event& event) {
    watch_.take(id, event);
    for (train::Message& wish : std::exchange(wishes_, {})) lab_->hub().post(id, std::move(wish));
  }

  template <class Condition>
  void wait(const Condition& is_met) {
    while (!interrupted_ && !is_met()) interrupted_ = stop_.wait_for(std::chrono::milliseconds(50));
  }

  void end() {
    if (!watch_.has_stopped()) lab_->hub().post(training_, train::messages::Stop{});
    watch_.wait_until_stopped();
    lab_.reset();
  }

  int conclude() const {
    if (const auto failure = watch_.failure()) throw UserError(*failure);
    if (story_.is_done()) return 0;
    fmt::print("Stopped after {} steps\n", watch_.result().steps);
    constexpr int kInterrupted = 130;
    return interrupted_ ? kInterrupted : 0;
  }

  const StopSignal stop_;  // before there are threads
  DemoOptions options_;
  std::shared_ptr<Backend> backend_ = make_backend(options_.compute);  // before anything is said or written
  DemoStory story_{options_.steps, options_.folder};
  std::vector<train::Message> wishes_;
  TrainingWatch watch_{[this](const train::Event& event) { wishes_ = story_.take(event); }};
  std::optional<lab::Lab> lab_;
  train::TrainingId training_;
  bool interrupted_ = false;
};

}  // namespace

void add_demo(CLI::App& app, int& outcome) {
  auto options = std::make_shared<DemoOptions>();
  CLI::App* command = app.add_subcommand(
      "demo", "Train a small classifier on handwritten digits and edit it half-way; the Model Lab shows it meanwhile");
  command->add_option("--steps", options->steps, "Steps to train")
      ->check(CLI::Range(2, 1'000'000))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Seed of everything random")->capture_default_str();
  add_compute_options(*command, options->compute);
  command->add_option("--folder", options->folder, "Where the checkpoint, the log and the plot go")
      ->capture_default_str();
  command->add_flag("--keep", options->keep, "Serve the Lab after the training too, until Ctrl-C");
  command->callback([options, &outcome] { outcome = Demo(*options).run(); });
}

}  // namespace asg::app
