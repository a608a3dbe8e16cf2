#include "train_report.h"

#include <filesystem>
#include <optional>

#include <fmt/core.h>

#include "asg/core/platform.h"

namespace asg::app {
namespace {

// Where the logs of a training that goes on must be cut.
std::optional<std::int64_t> latest_step(const recipe::Recipe& recipe, bool resume) {
  if (!resume || recipe.folder.empty()) return std::nullopt;
  const auto all = train::CheckpointStore(recipe::checkpoint_folder(recipe.folder)).list();
  return all.empty() ? std::nullopt : std::optional(all.back().step);
}

std::vector<std::unique_ptr<train::Logger>> file_loggers(const recipe::Recipe& recipe, bool resume) {
  std::vector<std::unique_ptr<train::Logger>> loggers;
  if (recipe.folder.empty()) return loggers;
  std::filesystem::create_directories(recipe.folder);
  const train::LogFileOptions how{.resume_after = latest_step(recipe, resume), .clock = {}};
  if (recipe.log.jsonl || recipe.log.plot) {
    loggers.push_back(train::json_lines_logger(recipe::log_file(recipe.folder), how));
  }
  if (recipe.log.csv) loggers.push_back(train::csv_logger(recipe.folder + "/log.csv", how));
  if (recipe.log.tensorboard) loggers.push_back(train::tensorboard_logger(recipe.folder + "/tensorboard", how));
  return loggers;
}

}  // namespace

TrainReport::TrainReport(const recipe::Recipe& recipe, const recipe::Prepared& prepared, bool resume)
    : recipe_(recipe),
      files_(train::fan_out(file_loggers(recipe, resume))),
      shown_(screen_, prepared.spec.course.last_step().value_or(0)),
      kept_(*files_, prepared.spec.course.last_step().value_or(0), recipe.log.every) {
  fmt::print("{}\n  device  {} on {}\n  data    {}\n", recipe.name, recipe.device, platform::cpu_name(), prepared.data);
}

void TrainReport::take(const train::Event& event) {
  if (const auto* ready = std::get_if<train::events::GraphReady>(&event)) {
    screen_.print(fmt::format("  model   {} nodes, {} parameters; the step has {} nodes\n", ready->model->node_count(),
                              ready->parameters, ready->step_nodes));
  }
  if (const auto* saved = std::get_if<train::events::CheckpointSaved>(&event)) {
    checkpoint_ = saved->path;
  } else {
    shown_.write(event);
  }
  kept_.write(event);
}

void TrainReport::conclude(const train::TrainingResult& result, bool interrupted) {
  screen_.finish();
  files_->flush();
  const bool is_not_finite = result.reason == "not_finite";
  fmt::print("{} after {} steps", interrupted || is_not_finite ? "Stopped" : "Done", result.steps);
  if (is_not_finite) fmt::print(", since the last one was not finite");
  if (result.reason == "early_stopping") fmt::print(", since nothing got better");
  fmt::print("\n");
  if (!checkpoint_.empty()) fmt::print("  checkpoint  {}\n", checkpoint_);
  if (!recipe_.folder.empty()) {
    const std::string picture = recipe_.folder + "/loss.svg";
    if (recipe_.log.plot && train::plot_log(recipe::log_file(recipe_.folder), picture, recipe_.name)) {
      fmt::print("  loss plot   {}\n", picture);
    }
    if (interrupted) fmt::print("  go on with  --resume\n");
  }
  for (const auto& [name, value] : result.metrics) {
    if (name == "accuracy") {
      fmt::print("  held-out accuracy: {:.1f} %\n", 100 * value);
    } else {
      fmt::print("  held-out {}: {:.4f}\n", name, value);
    }
  }
}

}  // namespace asg::app
