#pragma once

#include <cstdint>
#include <string>

#include "asg/train/events.h"
#include "asg/train/logger.h"

namespace asg::train {

// Writes what a training says into a log:
//   train/loss, learning_rate, gradient_norm   after each step, or every so many
//   epoch/loss                                 the mean of an epoch
//   held_out/loss, held_out/accuracy           of each evaluation, by the name of its data set
//   edit, warning, checkpoint                  texts
class EventLog {
 public:
  // `total`: the last step of the course; 0: nobody knows. The logger must live as long.
  EventLog(Logger& logger, std::int64_t total, std::int64_t every = 1);
  void write(const Event& event);

 private:
  Logger& logger_;
  std::int64_t total_;
  std::int64_t every_;
  std::int64_t step_ = 0;
};

// Loss curves of a log of ours, with a mark at each edit, as a picture: SVG or PNG by the end of the path. False where
// the log has no loss. Throws io_error.
bool plot_log(const std::string& log, const std::string& path, const std::string& title);

}  // namespace asg::train
