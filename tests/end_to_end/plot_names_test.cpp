// Series of several logs are told apart by the shortest names that do.
#include <filesystem>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "asg/train/logger.h"
#include "program.h"

namespace asg {
namespace {

class PlotNames : public ProgramTest {
 protected:
  // The names of the series, each followed by a bar.
  std::string names_of(const std::vector<std::string>& logs) const {
    std::string arguments = "plot --json -o " + file("plot.svg");
    for (const std::string& log : logs) {
      const std::string path = file(log);
      std::filesystem::create_directories(std::filesystem::path(path).parent_path());
      const auto logger = log.ends_with(".csv") ? train::csv_logger(path) : train::json_lines_logger(path);
      for (int step = 1; step <= 2; ++step) logger->scalar("loss", step, step);
      arguments += " " + path;
    }
    const Outcome outcome = run(arguments);
    if (outcome.code != 0) return outcome.text;
    const auto told = nlohmann::json::parse(outcome.text);
    std::string names;
    for (const auto& series : told.at("series")) names += series.at("name").get<std::string>() + "|";
    return names;
  }
};

TEST_F(PlotNames, AreShortAndDiffer) {
  const struct {
    std::vector<std::string> logs;
    const char* names;
  } rows[] = {
      {{"log.jsonl"}, "loss|"},
      {{"a.jsonl", "b.csv"}, "a: loss|b: loss|"},
      {{"run/log.csv", "run/log.jsonl"}, "log.csv: loss|log.jsonl: loss|"},
      {{"a/log.jsonl", "b/log.jsonl"}, "a: loss|b: loss|"},
      {{"x1/logs/log.jsonl", "x2/logs/log.jsonl"}, "x1/logs: loss|x2/logs: loss|"},
      {{"x1/log.jsonl", "x1/logs/log.jsonl"}, "x1: loss|logs: loss|"},
      {{"a/log.jsonl", "b/log.jsonl", "b/other.jsonl"}, "a/log.jsonl: loss|b/log.jsonl: loss|b/other.jsonl: loss|"},
      {{"a/log.jsonl", "a/log.jsonl"}, "loss|"},
      {{"a/log.jsonl", "b/log.jsonl", "b/../a/./log.jsonl"}, "a: loss|b: loss|"},
  };
  for (const auto& row : rows) EXPECT_EQ(names_of(row.logs), row.names);
}

}  // namespace
}  // namespace asg
