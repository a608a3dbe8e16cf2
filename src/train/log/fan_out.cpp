#include "asg/core/error.h"
#include "asg/core/log.h"
#include "asg/train/logger.h"

namespace asg::train {
namespace {

class FanOut : public Logger {
 public:
  explicit FanOut(std::vector<std::unique_ptr<Logger>> loggers) : loggers_(std::move(loggers)) {}

  void scalar(std::string_view tag, std::int64_t step, double value) override {
    to_all([&](Logger& each) { each.scalar(tag, step, value); });
  }
  void text(std::string_view tag, std::int64_t step, std::string_view text) override {
    to_all([&](Logger& each) { each.text(tag, step, text); });
  }
  void histogram(std::string_view tag, std::int64_t step, const Array& values) override {
    to_all([&](Logger& each) { each.histogram(tag, step, values); });
  }
  void image(std::string_view tag, std::int64_t step, const Array& pixels) override {
    to_all([&](Logger& each) { each.image(tag, step, pixels); });
  }
  void progress(std::int64_t step, std::int64_t total) override {
    to_all([&](Logger& each) { each.progress(step, total); });
  }
  void flush() override {
    to_all([](Logger& each) { each.flush(); });
  }

 private:
  // Mistakes in what is logged, such as a picture of two channels, are the caller's; only what the disk does is borne.
  template <class Call>
  void to_all(const Call& call) {
    for (auto& logger : loggers_) {
      if (logger == nullptr) continue;
      try {
        call(*logger);
      } catch (const UserError& error) {
        if (error.code() != ErrorCode::io_error) throw;
        log(LogLevel::warning, std::string("a log is given up: ") + error.what());
        logger.reset();
      }
    }
  }

  std::vector<std::unique_ptr<Logger>> loggers_;
};

}  // namespace

std::unique_ptr<Logger> fan_out(std::vector<std::unique_ptr<Logger>> loggers) {
  return std::make_unique<FanOut>(std::move(loggers));
}

}  // namespace asg::train
