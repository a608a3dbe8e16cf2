// What is written to the standard output and does not arrive is told, whatever the command.
#include <filesystem>

#include <gtest/gtest.h>

#include "asg/asg.h"
#include "asg/core/platform.h"
#include "program.h"

namespace asg {
namespace {

class StandardOutput : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    Graph graph("tiny");
    const Tensor x = graph.input("features", {DType::f32, {Dim::symbol("batch"), 8}});
    graph.set_output("y", nn::linear(x, 3, {.name = "fc"}));
    model_ = write("tiny.json", to_json(graph));
    log_ = write("log.csv", "step,time,tag,value,text\n1,0,loss,2,\n2,1,loss,1,\n");
    words_ = write("vocab.txt", "[UNK]\n[CLS]\n[SEP]\nhello\n");
  }

  // Short outputs, which are lost at the end, long ones, which are lost on the way, and those of other threads.
  std::vector<std::string> commands() const {
    return {"--help",
            "--version",
            "version",
            "devices",
            "ops",
            "ops Gelu",
            "ops --json",
            "zoo lenet",
            "zoo lenet --out -",
            "data list",
            "data info digits",
            "inspect --json " + model_,
            "explain " + model_,
            "convert --to json " + model_ + " -",
            "run --input random " + model_,
            "tokens show -t " + words_,
            "tokens encode -t " + words_ + " " + words_,
            "plot --json " + log_ + " -o " + file("plot.svg"),
            "gradcheck --op Softmax",
            "check backend interp",
            "train --set course.steps=2",
            "demo --steps 2 --folder " + file("demo")};
  }

  std::string model_, log_, words_;
};

TEST_F(StandardOutput, ThatIsLostIsAnError) {
  const std::pair<const char*, const char*> places[] = {{">/dev/full", "No space left on device"},
                                                        {">&-", "Bad file descriptor"}};
  for (const auto& [place, reason] : places) {
    for (const std::string& command : commands()) {
      const Outcome outcome = run_redirected(command, place);
      EXPECT_EQ(outcome.code, 1) << command << place << "\n" << outcome.text;
      EXPECT_TRUE(outcome.text.starts_with(std::string("error: io_error: standard output: ") + reason))
          << command << place << "\n"
          << outcome.text;
    }
  }
}

TEST_F(StandardOutput, ThatIsNotThereDoesNotMatter) {
  const std::string copy = file("copy.json");
  const Outcome silent = run_redirected("convert " + model_ + " " + copy, ">&-");
  EXPECT_EQ(silent.code, 0) << silent.text;
  EXPECT_EQ(platform::read_file(copy), platform::read_file(model_));
}

// The first file that the training opens must not become its standard output.
TEST_F(StandardOutput, ThatIsClosedDoesNotLandInFiles) {
  EXPECT_EQ(run_redirected("train --set course.steps=2 --folder " + file("run"), ">&-").code, 1);
  EXPECT_EQ(run("plot " + file("run/log.jsonl") + " -o " + file("plot.svg")).code, 0);
}

// Whether the pipe ends the program, or a parent has it ignored: then the program ends by itself.
TEST_F(StandardOutput, ThatNobodyReadsAnyMoreIsNoError) {
  const std::string errors = file("errors");
  for (const char* before : {"", "--help >/dev/null; trap '' PIPE; " ASG_PROGRAM " "}) {
    EXPECT_EQ(run(before + ("ops --json 2>" + errors) + " | head -c 1").text, "{");
    EXPECT_EQ(platform::read_file(errors), "");
  }
}

}  // namespace
}  // namespace asg
