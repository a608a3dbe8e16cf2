#pragma once

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

namespace asg {

struct Outcome {
  int code = -1;
  std::string text;  // standard output and errors together
};

// Runs the program in a shell, with a text as its standard input.
Outcome run(const std::string& arguments, const std::string& input = "");

// With its standard output sent elsewhere, as in ">/dev/full"; the text is what comes on the standard error.
Outcome run_redirected(const std::string& arguments, const std::string& redirection);

// Tests of the program, each with an empty folder of its own.
class ProgramTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& content) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace asg
