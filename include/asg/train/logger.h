#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asg/core/array.h"

// Where the figures of a training go. A logger knows nothing of trainers: whoever has a tag, a step and a value may
// call it. docs/logging.md describes the files. One thread at a time.
namespace asg::train {

class Logger {
 public:
  virtual ~Logger() = default;

  // A tag is a name with parts, such as "train/loss". Values that are not finite are kept as they are.
  virtual void scalar(std::string_view tag, std::int64_t step, double value) = 0;
  virtual void text(std::string_view tag, std::int64_t step, std::string_view text) = 0;
  // How the elements are spread.
  virtual void histogram(std::string_view tag, std::int64_t step, const Array& values) = 0;
  // [height, width] or [height, width, channels], u8 or floats from 0 to 1; see plot/png.h.
  virtual void image(std::string_view tag, std::int64_t step, const Array& pixels) = 0;

  // How far the work is; `total` 0: nobody knows. For those who show it.
  virtual void progress(std::int64_t /*step*/, std::int64_t /*total*/) {}
  // All that was logged is on the disk when it returns, where that can be.
  virtual void flush() {}
};

// Equal bins from the smallest to the largest finite value.
struct Histogram {
  double min = 0, max = 0;  // of finite values
  double sum = 0, sum_squares = 0;
  std::int64_t count = 0;       // of finite values
  std::int64_t not_finite = 0;  // left out
  std::vector<double> limits;   // upper ends of the bins
  std::vector<double> counts;   // of each
};
Histogram histogram_of(const Array& values, int bins = 30);

// What loggers to files have in common. Every record is handed to the system at once, so a process that is killed
// leaves all but perhaps a part of the last one, which readers leave out.
struct LogFileOptions {
  // Not set: a file that is there is begun anew. Set: it is gone on with, and what it says of later steps is cut off,
  // as is a broken last line. A file that is not there begins.
  std::optional<std::int64_t> resume_after;
  // The folder of the checkpoint of that step. A process may have been killed after it was saved and before that was
  // logged: then it is logged now.
  std::string resumed_from = {};
  std::function<double()> clock;  // seconds since 1970; the system's where it is not set
};

// One object a line: {"step":1,"time":…,"tag":"train/loss","value":0.5}. Constructor and calls throw io_error.
std::unique_ptr<Logger> json_lines_logger(const std::string& path, LogFileOptions options = {});
// "step,time,tag,value,text", a line for each scalar and each text; histograms and images have no place there.
std::unique_ptr<Logger> csv_logger(const std::string& path, LogFileOptions options = {});
// A file of events in a folder, which is made where it is not there. To resume begins another file in it, which tells
// TensorBoard to forget the later steps of those before.
std::unique_ptr<Logger> tensorboard_logger(const std::string& folder, LogFileOptions options = {});

// To several at once. One that fails is told of once, as a warning through asg::log, and left out from then on: a full
// disk must not end a training.
std::unique_ptr<Logger> fan_out(std::vector<std::unique_ptr<Logger>> loggers);

}  // namespace asg::train
