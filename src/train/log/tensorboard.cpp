// Event files for TensorBoard: records of TensorFlow's TFRecord format that hold Event messages. Field numbers are
// those of tensorflow/core/util/event.proto and tensorflow/core/framework/summary.proto, which
// tools/peers/tensorboard.py names.
#include <cstdio>
#include <filesystem>

#include "asg/core/error.h"
#include "asg/core/platform.h"
#include "asg/plot/png.h"
#include "asg/train/logger.h"
#include "train/log/append_file.h"
#include "train/log/crc32c.h"
#include "train/log/protobuf_writer.h"

namespace asg::train {
namespace {

namespace fs = std::filesystem;

void append_little_endian(std::string& out, std::uint64_t value, int bytes) {
  for (int k = 0; k < bytes; ++k) out += static_cast<char>(value >> (8 * k) & 0xFF);
}

// A check of data that may itself hold checks would be weak, so they are masked.
std::uint32_t masked(std::uint32_t check) { return (check >> 15 | check << 17) + 0xA282EAD8; }

// Length, its check, the message, its check.
std::string framed(const std::string& message) {
  std::string record;
  append_little_endian(record, message.size(), 8);
  append_little_endian(record, masked(crc32c(record)), 4);
  record += message;
  append_little_endian(record, masked(crc32c(message)), 4);
  return record;
}

class TensorBoardLogger : public Logger {
 public:
  TensorBoardLogger(const std::string& folder, const LogFileOptions& options)
      : clock_(options.clock ? options.clock : seconds_since_1970), file_(new_file(folder, clock_(), options), true) {
    ProtobufWriter version;
    version.real64(1, clock_());
    version.bytes(3, "brain.Event:2");
    file_.write(framed(version.message()));
    if (options.resume_after) tell_restart(*options.resume_after + 1);
  }

  void scalar(std::string_view tag, std::int64_t step, double value) override {
    ProtobufWriter summary;
    summary.bytes(1, tag);
    summary.real32(2, static_cast<float>(value));
    write(step, summary);
  }

  void text(std::string_view tag, std::int64_t step, std::string_view text) override {
    constexpr int kString = 7;  // DT_STRING
    ProtobufWriter tensor;
    tensor.integer(1, kString);
    ProtobufWriter dimension;
    dimension.integer(1, 1);
    ProtobufWriter shape;
    shape.bytes(2, dimension.message());
    tensor.bytes(2, shape.message());
    tensor.bytes(8, text);
    ProtobufWriter plugin;
    plugin.bytes(1, "text");
    ProtobufWriter metadata;
    metadata.bytes(1, plugin.message());
    ProtobufWriter summary;
    summary.bytes(1, tag);
    summary.bytes(8, tensor.message());
    summary.bytes(9, metadata.message());
    write(step, summary);
  }

  void histogram(std::string_view tag, std::int64_t step, const Array& values) override {
    const Histogram of = histogram_of(values);
    ProtobufWriter histogram;
    histogram.real64(1, of.min);
    histogram.real64(2, of.max);
    histogram.real64(3, static_cast<double>(of.count));
    histogram.real64(4, of.sum);
    histogram.real64(5, of.sum_squares);
    histogram.packed(6, of.limits);
    histogram.packed(7, of.counts);
    ProtobufWriter summary;
    summary.bytes(1, tag);
    summary.bytes(5, histogram.message());
    write(step, summary);
  }

  void image(std::string_view tag, std::int64_t step, const Array& pixels) override {
    const std::string png = plot::to_png(pixels);
    ProtobufWriter image;
    image.integer(1, pixels.sizes()[0]);
    image.integer(2, pixels.sizes()[1]);
    image.integer(3, pixels.rank() == 2 ? 1 : pixels.sizes()[2]);
    image.bytes(4, png);
    ProtobufWriter summary;
    summary.bytes(1, tag);
    summary.bytes(4, image.message());
    write(step, summary);
  }

  void flush() override { file_.sync(); }

 private:
  // TensorBoard reads the files of a folder in the order of their names, which begin with the time.
  static std::string new_file(const std::string& folder, double time, const LogFileOptions& options) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) {
      fail(ErrorCode::io_error, "the folder '" + folder + "': " + error.message(),
           "a folder that can be made or written");
    }
    if (!options.resume_after) remove_events(folder);
    for (int serial = 0;; ++serial) {
      char name[80];
      std::snprintf(name, sizeof(name), "events.out.tfevents.%010lld.asg.%06d", static_cast<long long>(time), serial);
      const std::string path = (fs::path(folder) / name).string();
      if (!fs::exists(path)) return path;
    }
  }

  static void remove_events(const std::string& folder) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with("events.out.tfevents.") && name.find(".asg.") != std::string::npos)
        fs::remove(entry.path(), ignored);
    }
  }

  // A session that starts: TensorBoard then forgets what it knows of this step and later ones.
  void tell_restart(std::int64_t step) {
    constexpr int kStart = 1;
    ProtobufWriter session;
    session.integer(1, kStart);
    ProtobufWriter event;
    event.real64(1, clock_());
    event.integer(2, step);
    event.bytes(7, session.message());
    file_.write(framed(event.message()));
  }

  void write(std::int64_t step, const ProtobufWriter& value) {
    ProtobufWriter summary;
    summary.bytes(1, value.message());
    ProtobufWriter event;
    event.real64(1, clock_());
    event.integer(2, step);
    event.bytes(5, summary.message());
    file_.write(framed(event.message()));
  }

  std::function<double()> clock_;
  AppendFile file_;
};

}  // namespace

std::unique_ptr<Logger> tensorboard_logger(const std::string& folder, LogFileOptions options) {
  return std::make_unique<TensorBoardLogger>(folder, options);
}

}  // namespace asg::train
