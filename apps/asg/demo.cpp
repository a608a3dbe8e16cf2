#include <chrono>
#include <cmath>
#include <filesystem>

#include <fmt/core.h>

#include "asg/asg.h"
#include "asg/backend/backend_registry.h"
#include "asg/core/platform.h"
#include "asg/train/event_log.h"
#include "commands.h"
#include "console.h"
#include "digits_model.h"

namespace asg::app {
namespace {

constexpr std::int64_t kBatchSize = 64;
constexpr double kHeldOut = 0.2;
constexpr std::uint64_t kSplitSeed = 20;  // the same split whatever the seed of the training

struct DemoOptions {
  std::int64_t steps = 1000;
  std::uint64_t seed = 1;
  std::string device = "cpu";
  std::string folder = "runs/demo";
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// A training on the digits that is edited half-way and told to a person.
class Demo {
 public:
  explicit Demo(const DemoOptions& options)
      : options_(options),
        split_(data::stratified_split(data::digits(), kHeldOut, kSplitSeed)),
        loader_(split_.train, {.batch_size = kBatchSize, .seed = options.seed}),
        trainer_(digits_model(), BackendRegistry::global().make(options.device),
                 {.optimizer = optim::Optimizer::adam(3e-3), .seed = options.seed}),
        progress_(options.steps) {
    std::filesystem::create_directories(options.folder);
    log_ = train::json_lines_logger(log_path());
  }

  void run() {
    introduce();
    train_until(options_.steps / 2);
    edit();
    trainer_.set_learning_rate(1e-3);
    train_until(options_.steps);
    conclude();
  }

 private:
  static void heading(const std::string& text) { fmt::print("{}\n", painted(text, Paint::bold)); }

  void introduce() const {
    heading("ASG demo: a small attention classifier learns handwritten digits");
    fmt::print("  device    {} on {}\n", options_.device, platform::cpu_name());
    fmt::print("  data      {} digits of 8x8 pixels to learn from, {} held out\n", split_.train.count(),
               split_.held_out.count());
    tell_stages();
  }

  void tell_stages() const {
    const Graph& model = trainer_.model().graph();
    std::int64_t parameters = 0;
    for (VarId id : trainer_.step_graph().parameters) {
      parameters += model.variable(id).type.shape.element_count().value();
    }
    std::map<Role, int> roles;
    const Graph& step = trainer_.step_graph().graph;
    for (NodeId id : step.node_ids()) ++roles[step.node(id).origin ? step.node(id).origin->role : Role::forward];
    fmt::print("  model     {} nodes, {} parameters\n", model.node_count(), parameters);
    fmt::print("  step      {} nodes: {} forward, {} gradient, {} update\n", step.node_count(), roles[Role::forward],
               roles[Role::gradient], roles[Role::update]);
  }

  void train_until(std::int64_t last) {
    while (trainer_.steps() < last) {
      const train::StepReport report = trainer_.step(loader_.at(trainer_.steps()).arrays);
      log_->scalar("train/loss", report.step, report.loss);
      smoothed_ = smoothed_ == 0 ? report.loss : 0.95 * smoothed_ + 0.05 * report.loss;
      const std::int64_t epoch = (report.step - 1) / loader_.per_epoch() + 1;
      progress_.show(report.step, fmt::format("epoch {} loss {:.4f}", epoch, smoothed_));
    }
    progress_.pause();
  }

  double loss_on(const NamedArrays& batch) { return trainer_.infer(batch).at("loss").get(0); }

  void apply(const std::string& what, Command command, ResizePolicy policy = ResizePolicy::fresh) {
    const auto start = std::chrono::steady_clock::now();
    const EditReport report = trainer_.apply({{std::move(command)}, policy});
    int kept = 0;
    std::vector<std::string> others;
    for (const VarChange& change : report.variables) {
      if (change.fate == VarFate::kept) {
        ++kept;
      } else {
        others.push_back(fmt::format("{} {} {} -> {}", name_of(change.fate), change.name, change.before.to_string(),
                                     change.after.to_string()));
      }
    }
    log_->text("edit", trainer_.steps(), what);
    fmt::print("  {} in {:.0f} ms: {} variables keep their values\n", what, seconds_since(start) * 1000, kept);
    for (const std::string& line : others) fmt::print("      {}\n", line);
  }

  void edit() {
    heading("Half-way: three edits, and the training goes on from where it is");
    const NamedArrays batch = loader_.at(trainer_.steps()).arrays;
    apply("swapped the activation of the block: Gelu -> Silu",
          edits::ReplaceOp{.at = {"block/feed_forward/activation"}, .op = "Silu"});
    apply("inserted dropout before the block",
          edits::InsertBetween{
              .value = {"tokens"}, .user = "block", .op = "nn.Dropout", .attrs = {{"ratio", 0.1}}, .name = "dropout"});
    const double before = loss_on(batch);
    apply("widened its feed-forward part: 64 -> 96", edits::SetConfig{.at = {"block"}, .attrs = {{"hidden", 96}}},
          ResizePolicy::preserve);
    const double after = loss_on(batch);
    fmt::print("      loss on the same batch {:.7f} before, {:.7f} after (relative difference {:.1e})\n", before, after,
               std::abs(after - before) / std::max(std::abs(before), 1e-30));
    tell_stages();
  }

  void conclude() {
    const train::Evaluation result = trainer_.evaluate(split_.held_out);
    train::CheckpointData data = trainer_.checkpoint();
    data.metrics = {{"loss", result.loss}, {"accuracy", result.accuracy.value_or(0)}};
    const train::CheckpointInfo saved = train::CheckpointStore(options_.folder + "/checkpoints").save(data);
    const std::string plot = options_.folder + "/loss.svg";
    train::plot_log(log_path(), plot, "Digits, edited half-way");
    heading("Done");
    fmt::print("  {} steps in {:.1f} s; {} digits were held out and used for no choice\n", trainer_.steps(),
               seconds_since(start_), result.examples);
    fmt::print("  checkpoint: {}\n  loss plot: {}\n", saved.path, plot);
    const std::string accuracy = fmt::format("{:.1f} %", 100 * result.accuracy.value_or(0));
    fmt::print("  held-out accuracy: {}\n", painted(accuracy, Paint::green));
  }

  std::string log_path() const { return options_.folder + "/log.jsonl"; }

  DemoOptions options_;
  data::Split split_;
  data::Loader loader_;
  train::Trainer trainer_;
  Progress progress_;
  std::unique_ptr<train::Logger> log_;
  double smoothed_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

void add_demo(CLI::App& app, int& /*outcome*/) {
  auto options = std::make_shared<DemoOptions>();
  CLI::App* command = app.add_subcommand("demo", "Train a small classifier on handwritten digits and edit it half-way");
  command->add_option("--steps", options->steps, "Steps to train")
      ->check(CLI::Range(2, 1'000'000))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Seed of everything random")->capture_default_str();
  command->add_option("--device", options->device, "Where to compute; see `asg devices`")->capture_default_str();
  command->add_option("--folder", options->folder, "Where the checkpoint, the log and the plot go")
      ->capture_default_str();
  command->callback([options] { Demo(*options).run(); });
}

}  // namespace asg::app
