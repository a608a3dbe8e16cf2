#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "asg/core/platform.h"
#include "asg/metrics/confusion.h"
#include "asg/train/logger.h"
#include "program.h"

namespace asg {
namespace {

class PlotCommand : public ProgramTest {
 protected:
  std::string log(const std::string& name) const {
    const auto logger = name.ends_with(".csv") ? train::csv_logger(file(name)) : train::json_lines_logger(file(name));
    for (int step = 1; step <= 40; ++step) {
      logger->scalar("train/loss", step, 1.0 / step);
      logger->scalar("held_out/loss", step, 2.0 / step);
    }
    logger->text("edit", 20, "widened");
    return file(name);
  }
};

TEST_F(PlotCommand, DrawsLogs) {
  for (const char* name : {"log.jsonl", "log.csv"}) {
    const std::string svg = file("plot.svg");
    const auto told =
        nlohmann::json::parse(run("plot " + log(name) + " --json --log --smooth --title Curves -o " + svg).text);
    EXPECT_EQ(told.at("series").size(), 2u);
    EXPECT_EQ(told.at("series")[0].at("name"), "held_out/loss");
    EXPECT_EQ(told.at("series")[1].at("points"), 40);
    EXPECT_EQ(told.at("marks"), 1);
    const std::string text = platform::read_file(svg);
    for (const char* part : {"Curves", "train/loss", "widened", "stroke-opacity"}) {
      EXPECT_NE(text.find(part), std::string::npos) << part;
    }
  }
  const Outcome one = run("plot " + log("log.jsonl") + " --tag train/ --x time --out " + file("one.png"));
  EXPECT_EQ(one.code, 0) << one.text;
  EXPECT_NE(one.text.find("train/loss: 40 points"), std::string::npos) << one.text;
  EXPECT_EQ(one.text.find("held_out"), std::string::npos) << one.text;
  EXPECT_TRUE(platform::read_file(file("one.png")).starts_with("\x89PNG"));
  const Outcome two =
      run("plot " + log("a.jsonl") + " " + log("b.jsonl") + " --tag train/loss --out " + file("two.svg"));
  EXPECT_NE(two.text.find("a: train/loss"), std::string::npos) << two.text;
  EXPECT_NE(two.text.find("b: train/loss"), std::string::npos) << two.text;
}

TEST_F(PlotCommand, DrawsConfusionMatrices) {
  metrics::ConfusionMatrix matrix(2);
  matrix.add(0, 1, 3);
  const std::string csv = write("confusion.csv", matrix.csv(std::vector<std::string>{"cat", "dog"}));
  const Outcome outcome = run("plot " + csv + " -o " + file("confusion.svg"));
  EXPECT_EQ(outcome.code, 0) << outcome.text;
  EXPECT_NE(platform::read_file(file("confusion.svg")).find(">dog<"), std::string::npos);
}

TEST_F(PlotCommand, RefusesBadCallsWithWords) {
  struct Row {
    std::string arguments;
    int code;
    const char* contains;
  };
  const Row rows[] = {{"plot", 2, "logs"},
                      {"plot /nowhere.jsonl", 1, "io_error"},
                      {"plot " + log("log.jsonl") + " --tag lost", 1, "held_out/loss, train/loss"},
                      {"plot " + log("log.jsonl") + " -o picture.gif", 1, ".svg or .png"},
                      {"plot " + log("log.jsonl") + " --smooth 2", 1, "below 1"},
                      {"plot " + log("log.jsonl") + " --x epochs", 2, "epochs"},
                      {"plot " + write("bad.jsonl", "nothing\n"), 1, "line 1"},
                      {"plot " + write("empty.jsonl", ""), 1, "without a scalar"}};
  for (const Row& row : rows) {
    const Outcome outcome = run(row.arguments);
    EXPECT_EQ(outcome.code, row.code) << row.arguments << "\n" << outcome.text;
    EXPECT_NE(outcome.text.find(row.contains), std::string::npos) << row.arguments << "\n" << outcome.text;
  }
}

}  // namespace
}  // namespace asg
