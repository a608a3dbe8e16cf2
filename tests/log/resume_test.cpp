// A log that is resumed from a checkpoint says what led to that checkpoint, no less and no more.
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "asg/train/log_reader.h"
#include "asg/train/logger.h"
#include "log/folder.h"

namespace asg::train {
namespace {

struct ResumedKind {
  const char* name;
  std::unique_ptr<Logger> (*make)(const std::string& path, LogFileOptions options);
};
const ResumedKind kResumedKinds[] = {{"log.jsonl", json_lines_logger}, {"log.csv", csv_logger}};

// "2 edit", for each record in order.
std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  for (const LogRecord& record : read_log(path)) lines.push_back(std::to_string(record.step) + " " + record.tag);
  return lines;
}

class LogResume : public FolderTest {
 protected:
  // What is left after a resume from `checkpoint`, of step 2, of a log that `write` made.
  std::vector<std::string> left(const ResumedKind& kind, const std::string& checkpoint,
                                const std::function<void(Logger&)>& write) const {
    const std::string file = path(kind.name);
    write(*kind.make(file, {}));
    kind.make(file, {.resume_after = 2, .resumed_from = checkpoint});
    return lines_of(file);
  }
};

TEST_F(LogResume, CutsOffWhatCameAfterTheCheckpointAtTheSameStep) {
  for (const ResumedKind& kind : kResumedKinds) {
    const auto write = [](Logger& logger) {
      logger.scalar("train/loss", 1, 1);
      logger.text("edit", 1, "apply");
      logger.scalar("train/loss", 2, 0.5);
      logger.text("checkpoint", 2, "run/checkpoints/step-00000002");
      logger.text("edit", 2, "apply");
      logger.text("checkpoint", 2, "run/checkpoints/step-00000002-2");
      logger.text("edit", 2, "apply");
      logger.scalar("train/loss", 3, 0.25);
    };
    const std::vector<std::string> first = {"1 train/loss", "1 edit", "2 train/loss", "2 checkpoint"};
    EXPECT_EQ(left(kind, "moved/checkpoints/step-00000002", write), first) << kind.name;
    std::vector<std::string> second = first;
    second.insert(second.end(), {"2 edit", "2 checkpoint"});
    EXPECT_EQ(left(kind, "run/checkpoints/step-00000002-2", write), second) << kind.name;
  }
}

TEST_F(LogResume, LogsACheckpointThatAKillKeptFromBeingLogged) {
  for (const ResumedKind& kind : kResumedKinds) {
    const auto write = [](Logger& logger) {
      logger.text("checkpoint", 1, "run/checkpoints/step-00000001");
      logger.scalar("train/loss", 2, 0.5);
    };
    const std::vector<std::string> whole = {"1 checkpoint", "2 train/loss", "2 checkpoint"};
    EXPECT_EQ(left(kind, "run/checkpoints/step-00000002", write), whole) << kind.name;
  }
}

TEST_F(LogResume, FlushesToTheDisk) {
  for (const ResumedKind& kind : kResumedKinds) {
    const auto logger = kind.make(path(kind.name), {});
    logger->scalar("train/loss", 1, 1);
    logger->flush();
    EXPECT_EQ(lines_of(path(kind.name)), std::vector<std::string>{"1 train/loss"}) << kind.name;
  }
}

}  // namespace
}  // namespace asg::train
