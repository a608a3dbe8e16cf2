#include "asg/train/event_log.h"

#include "asg/plot/plot.h"
#include "asg/train/log_reader.h"

namespace asg::train {

EventLog::EventLog(Logger& logger, std::int64_t total, std::int64_t every)
    : logger_(logger), total_(total), every_(every) {}

void EventLog::write(const Event& event) {
  if (const auto* step = std::get_if<events::StepDone>(&event)) {
    step_ = step->step;
    if (step_ % every_ == 0) {
      logger_.scalar("train/loss", step_, step->loss);
      logger_.scalar("learning_rate", step_, step->learning_rate);
      if (step->gradient_norm) logger_.scalar("gradient_norm", step_, *step->gradient_norm);
    }
    logger_.progress(step_, total_);
  } else if (const auto* epoch = std::get_if<events::EpochDone>(&event)) {
    logger_.scalar("epoch/loss", epoch->step, epoch->loss);
  } else if (const auto* evaluated = std::get_if<events::Evaluated>(&event)) {
    for (const auto& [name, value] : figures_of(evaluated->result)) {
      logger_.scalar(evaluated->dataset + "/" + name, step_, value);
    }
  } else if (const auto* edit = std::get_if<events::EditApplied>(&event)) {
    logger_.text("edit", step_, edit->how);
  } else if (const auto* warned = std::get_if<events::Warned>(&event)) {
    const bool is_told = warned->text.en.find(warned->node) != std::string::npos;
    logger_.text("warning", step_, is_told ? warned->text.en : warned->text.en + " (" + warned->node + ")");
  } else if (const auto* saved = std::get_if<events::CheckpointSaved>(&event)) {
    logger_.text("checkpoint", saved->step, saved->path);
  } else if (const auto* loaded = std::get_if<events::CheckpointLoaded>(&event)) {
    step_ = loaded->step;
  }
}

bool plot_log(const std::string& log, const std::string& path, const std::string& title) {
  constexpr double kSmoothing = 0.9;
  const std::vector<LogRecord> records = read_log(log);
  plot::Curves curves{.title = title, .y_label = "loss"};
  for (const auto& [tag, curve] : curves_of(records)) {
    if (!tag.ends_with("/loss") || tag == "epoch/loss") continue;
    curves.series.push_back({tag, {curve.steps.begin(), curve.steps.end()}, curve.values});
  }
  if (curves.series.empty()) return false;
  for (const LogRecord& record : records) {
    const auto step = static_cast<double>(record.step);
    const bool is_marked = !curves.marks.empty() && curves.marks.back().x == step;
    if (record.tag == "edit" && !is_marked) curves.marks.push_back({step, "edit"});
  }
  curves.smoothing = kSmoothing;
  plot::write_plot(curves, path);
  return true;
}

}  // namespace asg::train
