// Logs of a training to all loggers at once, metrics batch by batch, and the pictures that follow from them.
//
//   example_logging [FOLDER]     writes into the folder, or into one that goes away
#include <cmath>
#include <filesystem>
#include <iostream>

#include "asg/asg.h"
#include "asg/metrics/confusion.h"
#include "asg/train/log_reader.h"

namespace fs = std::filesystem;
using namespace asg;

namespace {

constexpr int kSteps = 300;

// A wave for a training of which the figures are known.
double loss_at(int step) { return 2 * std::exp(-step / 80.0) + 0.1 + 0.05 * std::sin(step * 0.7); }

void log_everything(train::Logger& logger) {
  for (int step = 1; step <= kSteps; ++step) {
    logger.scalar("train/loss", step, loss_at(step));
    logger.scalar("learning_rate", step, 1e-3 * std::min(1.0, step / 50.0));
    if (step % 50 == 0) {
      logger.scalar("held_out/loss", step, loss_at(step) + 0.05);
      Array weights(DType::f32, {1000});
      for (int k = 0; k < 1000; ++k) weights.set(k, std::sin(k * 12.9898) * step / kSteps);
      logger.histogram("head.weight", step, weights);
    }
    if (step == 120) logger.text("edit", step, "widened the feed-forward part: 64 → 96");
    logger.progress(step, kSteps);
  }
  logger.scalar("train/loss", kSteps + 1, std::nan(""));
  Array picture(DType::f32, {16, 24, 3});
  for (int k = 0; k < 16 * 24 * 3; ++k) picture.set(k, (k % 72) / 72.0);
  logger.image("first_example", kSteps, picture);
  logger.flush();
}

// Three classes, of which the model mistakes one now and then.
std::unique_ptr<metrics::Metric> confusion() {
  auto metric = metrics::make_metric("confusion_matrix");
  for (std::int64_t batch = 0; batch < 10; ++batch) {
    Array scores(DType::f32, {30, 3});
    Array labels(DType::i64, {30});
    for (std::int64_t example = 0; example < 30; ++example) {
      const std::int64_t label = example % 3;
      const bool mistaken = (example + batch) % 7 == 0;
      labels.set_i64(example, label);
      scores.set(example * 3 + (mistaken ? (label + 1) % 3 : label), 1);
    }
    metric->add(scores, labels);
  }
  return metric;
}

void draw(const fs::path& folder, const metrics::Metric& metric) {
  const auto curves = train::curves_of(train::read_log((folder / "log.jsonl").string()));
  plot::Curves picture{.title = "An invented training", .y_label = "loss", .marks = {{120, "64 → 96"}}};
  for (const char* tag : {"train/loss", "held_out/loss"}) {
    const train::Curve& curve = curves.at(tag);
    picture.series.push_back({tag, {curve.steps.begin(), curve.steps.end()}, curve.values});
  }
  plot::write_plot(picture, (folder / "loss.svg").string());
  plot::write_plot(picture, (folder / "loss.png").string());
  plot::write_plot(plot::heat_map_of(*metric.confusion(), {"cat", "dog", "hen"}), (folder / "confusion.png").string());
}

}  // namespace

int main(int argc, char** argv) {
  const bool kept = argc > 1;
  const fs::path folder = kept ? fs::path(argv[1]) : fs::temp_directory_path() / "asg_example_logging";
  fs::create_directories(folder);
  {
    std::vector<std::unique_ptr<train::Logger>> loggers;
    loggers.push_back(std::make_unique<train::Console>());
    loggers.push_back(train::json_lines_logger((folder / "log.jsonl").string()));
    loggers.push_back(train::csv_logger((folder / "log.csv").string()));
    loggers.push_back(train::tensorboard_logger((folder / "tensorboard").string()));
    log_everything(*train::fan_out(std::move(loggers)));
  }
  const auto metric = confusion();
  std::cout << metric->confusion()->table(std::vector<std::string>{"cat", "dog", "hen"}) << "accuracy "
            << metric->value() << '\n';
  draw(folder, *metric);
  const bool written = fs::file_size(folder / "loss.png") > 0 && fs::file_size(folder / "log.csv") > 0;
  if (!kept) fs::remove_all(folder);
  return written ? 0 : 1;
}
