#include "demo_story.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "make_folder.h"

namespace asg::app {
namespace {

void heading(const std::string& text) { fmt::print("{}\n", painted(text, Paint::bold)); }

double story_seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct StoryEdit {
  std::string words;
  Edit edit;
};

std::vector<StoryEdit> half_way_edits() {
  return {
      {"swapped the activation of the block: Gelu -> Silu",
       {{edits::ReplaceOp{.at = {"block/feed_forward/activation"}, .op = "Silu"}}, ResizePolicy::fresh}},
      {"inserted dropout before the block",
       {{edits::InsertBetween{
            .value = {"tokens"}, .user = "block", .op = "nn.Dropout", .attrs = {{"ratio", 0.1}}, .name = "dropout"}},
        ResizePolicy::fresh}},
      {"widened its feed-forward part: 64 -> 96",
       {{edits::SetConfig{.at = {"block"}, .attrs = {{"hidden", 96}}}}, ResizePolicy::preserve}},
  };
}

}  // namespace

DemoStory::DemoStory(std::int64_t steps, std::string folder)
    : steps_(steps), folder_(std::move(folder)), progress_(steps) {
  make_folder(folder_, "--folder");
  log_ = train::json_lines_logger(log_path());
}

std::vector<train::Message> DemoStory::take(const train::Event& event) {
  using namespace train::events;
  std::vector<train::Message> wishes;
  if (is_done_) return wishes;
  if (const auto* ready = std::get_if<GraphReady>(&event)) {
    if (!std::exchange(ready_, *ready)) {
      start_ = std::chrono::steady_clock::now();
      tell_stages();
    }
  } else if (const auto* step = std::get_if<StepDone>(&event)) {
    tell_step(*step);
    if (step->step == steps_ / 2 && !std::exchange(has_begun_edits_, true)) wishes = begin_edits();
  } else if (const auto* applied = std::get_if<EditApplied>(&event)) {
    tell_edit(*applied);
  } else if (const auto* refused = std::get_if<EditRefused>(&event)) {
    tell_refusal(*refused);
  } else if (const auto* read = std::get_if<ValueRead>(&event); read != nullptr && read->path == "loss") {
    tell_loss(read->value.get(0));
  } else if (const auto* evaluated = std::get_if<Evaluated>(&event)) {
    evaluation_ = evaluated->result;
  } else if (const auto* saved = std::get_if<CheckpointSaved>(&event)) {
    checkpoint_ = saved->path;
  } else if (const auto* paused = std::get_if<Paused>(&event)) {
    progress_.pause();
    if (paused->reason == "course_done") conclude();
  }
  last_event_ = std::chrono::steady_clock::now();
  return wishes;
}

void DemoStory::tell_stages() const {
  const Graph& step = ready_->step->graph;
  std::map<Role, int> roles;
  for (NodeId id : step.node_ids()) ++roles[step.node(id).origin ? step.node(id).origin->role : Role::forward];
  fmt::print("  model     {} nodes, {} parameters\n", ready_->model->node_count(), ready_->parameters);
  fmt::print("  step      {} nodes: {} forward, {} gradient, {} update\n", step.node_count(), roles[Role::forward],
             roles[Role::gradient], roles[Role::update]);
}

void DemoStory::tell_step(const train::events::StepDone& event) {
  step_ = event.step;
  log_->scalar("train/loss", event.step, event.loss);
  smoothed_ = smoothed_ == 0 ? event.loss : 0.95 * smoothed_ + 0.05 * event.loss;
  progress_.show(event.step, fmt::format("epoch {} loss {:.4f}", event.epoch, smoothed_));
}

// All of them are carried out before the next step, in this order.
std::vector<train::Message> DemoStory::begin_edits() {
  progress_.pause();
  heading("Half-way: three edits, and the training goes on from where it is");
  std::vector<train::Message> wishes;
  for (StoryEdit& each : half_way_edits()) {
    const bool keeps_function = each.edit.policy == ResizePolicy::preserve;
    if (keeps_function) wishes.emplace_back(train::messages::Read{"loss"});
    expected_.push_back(std::move(each.words));
    wishes.emplace_back(train::messages::Apply{std::move(each.edit)});
    if (keeps_function) wishes.emplace_back(train::messages::Read{"loss"});
  }
  constexpr double kSecondRate = 1e-3;
  wishes.emplace_back(train::messages::SetLearningRate{kSecondRate});
  return wishes;
}

std::string DemoStory::take_expected() {
  if (expected_.empty()) return "an edit made in the Lab";
  std::string words = std::move(expected_.front());
  expected_.pop_front();
  return words;
}

void DemoStory::tell_edit(const train::events::EditApplied& event) {
  const double seconds = story_seconds_since(last_event_);
  const bool is_ours = !expected_.empty();
  const std::string words = take_expected();
  log_->text("edit", step_, words);
  progress_.pause();
  if (!is_ours) {
    fmt::print("  {}\n", words);
    return;
  }
  const auto& variables = event.report.variables;
  const auto kept =
      std::count_if(variables.begin(), variables.end(), [](const VarChange& c) { return c.fate == VarFate::kept; });
  fmt::print("  {} in {:.0f} ms: {} variables keep their values\n", words, seconds * 1000, kept);
  for (const VarChange& change : variables) {
    if (change.fate == VarFate::kept) continue;
    fmt::print("      {} {} {} -> {}\n", name_of(change.fate), change.name, change.before.to_string(),
               change.after.to_string());
  }
}

void DemoStory::tell_refusal(const train::events::EditRefused& event) {
  progress_.pause();
  const std::string words = take_expected();
  fmt::print("  not done: {}{}{}\n", words, event.problems.empty() ? "" : ": ",
             event.problems.empty() ? "" : event.problems.front().what());
}

void DemoStory::tell_loss(double loss) {
  if (!loss_before_) {
    loss_before_ = loss;
    return;
  }
  const double before = *std::exchange(loss_before_, std::nullopt);
  fmt::print("      loss on the same batch {:.7f} before, {:.7f} after (relative difference {:.1e})\n", before, loss,
             std::abs(loss - before) / std::max(std::abs(before), 1e-30));
  tell_stages();
}

void DemoStory::conclude() {
  is_done_ = true;
  log_.reset();  // the file is whole from here
  const std::string plot = folder_ + "/loss.svg";
  train::plot_log(log_path(), plot, "Digits, edited half-way");
  const train::Evaluation result = evaluation_.value_or(train::Evaluation{});
  heading("Done");
  fmt::print("  {} steps in {:.1f} s; {} digits were held out and used for no choice\n", step_,
             story_seconds_since(start_), result.examples);
  fmt::print("  checkpoint: {}\n  loss plot: {}\n", checkpoint_, plot);
  const std::string accuracy = fmt::format("{:.1f} %", 100 * result.accuracy.value_or(0));
  fmt::print("  held-out accuracy: {}\n", painted(accuracy, Paint::green));
  std::fflush(stdout);
}

}  // namespace asg::app
