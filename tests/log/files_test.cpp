#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "asg/core/log.h"
#include "asg/core/platform.h"
#include "asg/train/log_reader.h"
#include "asg/train/logger.h"
#include "log/folder.h"

namespace asg::train {
namespace {

namespace fs = std::filesystem;

std::function<double()> ticking() {
  return [now = 1000.0]() mutable { return now += 0.5; };
}

ErrorDetail error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const UserError& error) {
    return error.detail();
  }
  ADD_FAILURE() << "no error";
  return {};
}

class LogFiles : public FolderTest {};

// Both kinds of files hold scalars and texts.
struct Kind {
  const char* name;
  std::unique_ptr<Logger> (*make)(const std::string& path, LogFileOptions options);
};
const Kind kKinds[] = {{"log.jsonl", json_lines_logger}, {"log.csv", csv_logger}};

TEST_F(LogFiles, ReadBackWhatWasLogged) {
  const double values[] = {0.1,
                           -1e300,
                           5e-324,
                           123456789.25,
                           std::nan(""),
                           std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity()};
  const std::string odd = "a \"b\", c\nd → é";
  for (const Kind& kind : kKinds) {
    {
      const auto logger = kind.make(path(kind.name), {.clock = ticking()});
      std::int64_t step = 0;
      for (const double value : values) logger->scalar("train/loss", ++step, value);
      logger->scalar(odd, 3, 1);
      logger->text("edit", 4, odd);
    }
    const std::vector<LogRecord> records = read_log(path(kind.name));
    ASSERT_EQ(records.size(), std::size(values) + 2) << kind.name;
    for (std::size_t k = 0; k < std::size(values); ++k) {
      const double found = std::get<double>(records[k].value);
      EXPECT_TRUE(found == values[k] || (std::isnan(found) && std::isnan(values[k]))) << kind.name << " " << values[k];
      EXPECT_EQ(records[k].step, static_cast<std::int64_t>(k) + 1);
      EXPECT_EQ(records[k].tag, "train/loss");
      EXPECT_EQ(records[k].time, 1000.5 + 0.5 * static_cast<double>(k));
    }
    EXPECT_EQ(records[std::size(values)].tag, odd);
    EXPECT_EQ(std::get<std::string>(records.back().value), odd);
  }
}

TEST_F(LogFiles, AreWhatTheDocsSay) {
  {
    const auto json = json_lines_logger(path("log.jsonl"), {.clock = [] { return 12.5; }});
    json->scalar("loss", 1, 0.25);
    json->text("edit", 2, "wider");
    json->histogram("w", 3, Array::of<double>({6}, {0, 1, 2, 3, std::nan(""), 30}));
    json->image("x", 4, Array(DType::u8, {2, 3}));
    const auto csv = csv_logger(path("log.csv"), {.clock = [] { return 12.5; }});
    csv->scalar("loss", 1, 0.25);
    csv->text("edit", 2, "wider, deeper");
    csv->histogram("w", 3, Array(DType::f32, {3}));
  }
  std::istringstream lines(platform::read_file(path("log.jsonl")));
  std::vector<nlohmann::json> found;
  for (std::string line; std::getline(lines, line);) found.push_back(nlohmann::json::parse(line));
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0], nlohmann::json::parse(R"({"step":1,"time":12.5,"tag":"loss","value":0.25})"));
  EXPECT_EQ(found[1], nlohmann::json::parse(R"({"step":2,"time":12.5,"tag":"edit","text":"wider"})"));
  const auto& histogram = found[2].at("histogram");
  EXPECT_EQ(histogram.at("count"), 5);
  EXPECT_EQ(histogram.at("not_finite"), 1);
  EXPECT_EQ(histogram.at("counts").size(), 30u);
  EXPECT_EQ(histogram.at("counts")[0], 1);
  EXPECT_EQ(histogram.at("counts")[29], 1);
  EXPECT_EQ(found[3].at("image").at("width"), 3);
  EXPECT_TRUE(found[3].at("image").at("png").get<std::string>().starts_with("iVBORw0KGgo"));
  EXPECT_EQ(platform::read_file(path("log.csv")),
            "step,time,tag,value,text\n1,12.500,loss,0.25,\n2,12.500,edit,,\"wider, deeper\"\n");
}

TEST_F(LogFiles, GoOnAfterAResume) {
  for (const Kind& kind : kKinds) {
    {
      const auto logger = kind.make(path(kind.name), {});
      for (int step = 1; step <= 10; ++step) logger->scalar("loss", step, step);
    }
    std::ofstream(path(kind.name), std::ios::app) << "{\"step\": 11, \"ti";  // the process was killed here
    EXPECT_EQ(read_log(path(kind.name)).size(), 10u) << kind.name;
    {
      const auto logger = kind.make(path(kind.name), {.resume_after = 6});
      for (int step = 7; step <= 8; ++step) logger->scalar("loss", step, step * 100);
    }
    const Curve curve = curves_of(read_log(path(kind.name))).at("loss");
    EXPECT_EQ(curve.steps, (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8})) << kind.name;
    EXPECT_EQ(curve.values, (std::vector<double>{1, 2, 3, 4, 5, 6, 700, 800})) << kind.name;
    kind.make(path(kind.name), {.resume_after = 0});
    EXPECT_EQ(read_log(path(kind.name)).size(), 0u);
    kind.make(path("fresh_" + std::string(kind.name)), {.resume_after = 5})->scalar("loss", 6, 1);
    EXPECT_EQ(read_log(path("fresh_" + std::string(kind.name))).size(), 1u) << "a log that is not there begins";
    kind.make(path(kind.name), {})->scalar("loss", 1, 5);
    kind.make(path(kind.name), {});
    EXPECT_EQ(read_log(path(kind.name)).size(), 0u) << "without a resume it begins anew";
  }
}

// As an editor leaves them, or `cat` of two files.
TEST_F(LogFiles, MayHaveBlankLines) {
  for (const Kind& kind : kKinds) {
    {
      const auto logger = kind.make(path(kind.name), {});
      for (int step = 1; step <= 3; ++step) logger->scalar("loss", step, step);
    }
    std::string spaced = "\n";
    for (const char each : platform::read_file(path(kind.name)))
      spaced += each == '\n' ? "\n\n \r\n" : std::string(1, each);
    platform::write_file_atomically(path(kind.name), spaced);
    EXPECT_EQ(read_log(path(kind.name)).size(), 3u) << kind.name;
    kind.make(path(kind.name), {.resume_after = 2})->scalar("loss", 3, 300);
    const Curve curve = curves_of(read_log(path(kind.name))).at("loss");
    EXPECT_EQ(curve.values, (std::vector<double>{1, 2, 300})) << kind.name;
    EXPECT_EQ(platform::read_file(path(kind.name)).find("\n\n"), std::string::npos) << kind.name;
  }
}

TEST_F(LogFiles, SurviveAKillAtAnyMoment) {
  for (int round = 0; round < 6; ++round) {
    fs::remove_all(path("run"));
    fs::create_directories(path("run"));
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const auto json = json_lines_logger(path("run/log.jsonl"));
      const auto csv = csv_logger(path("run/log.csv"));
      const auto events = tensorboard_logger(path("run"));
      for (std::int64_t step = 1;; ++step) {
        json->scalar("loss", step, 1.0 / static_cast<double>(step));
        csv->scalar("loss", step, 1.0 / static_cast<double>(step));
        events->scalar("loss", step, 1.0 / static_cast<double>(step));
      }
    }
    const auto written = [&] { return fs::exists(path("run/log.csv")) ? fs::file_size(path("run/log.csv")) : 0; };
    while (written() < 2000u * (round + 1u)) {
      ASSERT_EQ(waitpid(child, nullptr, WNOHANG), 0) << "the child ended by itself";
      usleep(500);
    }
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    for (const Kind& kind : kKinds) {
      const Curve curve = curves_of(read_log(path("run/" + std::string(kind.name)))).at("loss");
      ASSERT_GT(curve.steps.size(), 10u);
      EXPECT_EQ(curve.steps.back(), static_cast<std::int64_t>(curve.steps.size())) << "none is missing";
      EXPECT_EQ(curve.values.back(), 1.0 / static_cast<double>(curve.steps.size()));
    }
  }
}

TEST_F(LogFiles, RefuseWhatIsNoLog) {
  struct Row {
    const char* name;
    const char* content;
    ErrorCode code;
    const char* words;
  };
  const Row rows[] = {
      {"a.jsonl", "no json\n", ErrorCode::bad_json, "a JSON object"},
      {"a.jsonl", "{\"step\":1,\"time\":1,\"tag\":\"x\",\"value\":2}\n{\"step\":1}\n", ErrorCode::bad_json, "line 2"},
      {"a.jsonl", "{\"step\":1.5,\"time\":1,\"tag\":\"x\",\"value\":2}\n", ErrorCode::bad_json, "integer"},
      {"a.jsonl", "{\"step\":1,\"time\":1,\"tag\":\"x\",\"value\":\"many\"}\n", ErrorCode::bad_json, "a number"},
      {"a.jsonl", "{\"step\":1,\"time\":1,\"tag\":\"x\"}\n", ErrorCode::bad_json, "without a value"},
      {"a.jsonl", "{\"step\":1,\"time\":1,\"tag\":\"x\",\"histogram\":7}\n", ErrorCode::bad_json, "without \"min\""},
      {"a.csv", "1,2,3\n", ErrorCode::bad_json, "3 fields"},
      {"a.csv", "a,b,c,d,e\n", ErrorCode::bad_json, "header"},
      {"a.csv", "step,time,tag,value,text\nx,1,t,2,\n", ErrorCode::bad_json, "the step 'x'"},
      {"a.csv", "step,time,tag,value,text\n1,1,t,2x,\n", ErrorCode::bad_json, "'2x'"},
  };
  for (const Row& row : rows) {
    std::ofstream(path(row.name), std::ios::trunc) << row.content;
    const ErrorDetail error = error_of([&] { read_log(path(row.name)); });
    EXPECT_EQ(name_of(error.code), name_of(row.code)) << row.content;
    const std::string all = UserError(error).what();
    EXPECT_NE(all.find(row.words), std::string::npos) << all;
    EXPECT_NE(all.find(row.name), std::string::npos) << all;
  }
  EXPECT_EQ(error_of([&] { read_log(path("nowhere.jsonl")); }).code, ErrorCode::io_error);
  EXPECT_EQ(error_of([&] { json_lines_logger(path("no/folder/log.jsonl")); }).code, ErrorCode::io_error);
  std::ofstream(path("file")) << "x";
  EXPECT_EQ(error_of([&] { tensorboard_logger(path("file/below")); }).code, ErrorCode::io_error);
}

// What a full disk does.
class FailingLogger : public Logger {
 public:
  void scalar(std::string_view, std::int64_t, double) override {
    fail(ErrorCode::io_error, "\"log\": no space left on device", "space");
  }
  void text(std::string_view, std::int64_t, std::string_view) override {}
  void histogram(std::string_view, std::int64_t, const Array&) override {}
  void image(std::string_view, std::int64_t, const Array&) override {}
};

TEST_F(LogFiles, OneThatFailsIsToldOfAndLeftOut) {
  std::vector<std::string> warnings;
  set_log_sink([&](LogLevel, std::string_view message) { warnings.emplace_back(message); });
  std::vector<std::unique_ptr<Logger>> loggers;
  loggers.push_back(std::make_unique<FailingLogger>());
  loggers.push_back(json_lines_logger(path("log.jsonl")));
  const auto all = fan_out(std::move(loggers));
  for (int step = 1; step <= 3; ++step) all->scalar("loss", step, 1);
  EXPECT_THROW(all->image("x", 1, Array(DType::u8, {1, 2, 2})), UserError) << "a mistake of the caller is told to it";
  set_log_sink(nullptr);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("no space left"), std::string::npos);
  EXPECT_EQ(read_log(path("log.jsonl")).size(), 3u);
}

TEST_F(LogFiles, AFullDiskIsAnError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full here";
  const auto logger = json_lines_logger("/dev/full");
  EXPECT_EQ(error_of([&] { logger->scalar("loss", 1, 1); }).code, ErrorCode::io_error);
}

TEST(Histograms, CountEveryFiniteValueOnce) {
  const double huge = std::numeric_limits<double>::max();
  const std::vector<std::vector<double>> rows = {{},
                                                 {5},
                                                 {5, 5, 5},
                                                 {-huge, 0, huge},
                                                 {0, 1e-320},
                                                 {1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
                                                 {std::nan(""), std::numeric_limits<double>::infinity()}};
  for (const auto& row : rows) {
    const Histogram of = histogram_of(Array::of<double>({static_cast<std::int64_t>(row.size())}, row));
    double counted = 0;
    for (const double count : of.counts) counted += count;
    EXPECT_EQ(counted, static_cast<double>(of.count));
    EXPECT_EQ(of.count + of.not_finite, static_cast<std::int64_t>(row.size()));
    EXPECT_EQ(of.limits.size(), of.counts.size());
    EXPECT_TRUE(std::is_sorted(of.limits.begin(), of.limits.end()));
    if (of.count > 0) {
      EXPECT_EQ(of.limits.back(), of.max);
    }
  }
  EXPECT_THROW(histogram_of(Array(DType::f32, {1}), 0), UserError);
}

}  // namespace
}  // namespace asg::train
