#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "asg/train/event_log.h"
#include "asg/train/events.h"
#include "console.h"

namespace asg::app {

// Tells a person of the demo as it goes, keeps its log, and edits the model half-way.
class DemoStory {
 public:
  DemoStory(std::int64_t steps, std::string folder);

  // Tells of an event, and returns what is to be asked of the training now.
  std::vector<train::Message> take(const train::Event& event);

  bool is_done() const { return is_done_; }

 private:
  void tell_stages() const;
  void tell_step(const train::events::StepDone& event);
  std::vector<train::Message> begin_edits();
  void tell_edit(const train::events::EditApplied& event);
  void tell_refusal(const train::events::EditRefused& event);
  void tell_loss(double loss);
  void conclude();
  std::string take_expected();  // what the edit that was just answered is about
  std::string log_path() const { return folder_ + "/log.jsonl"; }

  std::int64_t steps_;
  std::string folder_;
  Progress progress_;
  std::unique_ptr<train::Logger> log_;
  std::chrono::steady_clock::time_point start_;  // of the training, when its graph stands
  std::chrono::steady_clock::time_point last_event_;
  std::optional<train::events::GraphReady> ready_;
  std::int64_t step_ = 0;
  double smoothed_ = 0;
  bool has_begun_edits_ = false;
  std::deque<std::string> expected_;   // edits of our own that are on their way
  std::optional<double> loss_before_;  // the last edit
  std::string checkpoint_;
  std::optional<train::Evaluation> evaluation_;
  bool is_done_ = false;
};

}  // namespace asg::app
