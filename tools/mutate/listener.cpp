// Linked into the test programs of the mutated build: notes after each test which mutants it reached.
#include <chrono>
#include <string>

#include <gtest/gtest.h>

namespace asg_mutant {

void note_test(const std::string& test, const char* result, double milliseconds);

namespace {

class Listener : public testing::EmptyTestEventListener {
  // What was reached before belongs to all tests.
  void OnTestProgramStart(const testing::UnitTest& /*program*/) override { note_test("start", "passed", 0); }
  void OnTestStart(const testing::TestInfo& /*test*/) override { begin_ = std::chrono::steady_clock::now(); }
  void OnTestEnd(const testing::TestInfo& test) override {
    const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - begin_;
    note_test(std::string(test.test_suite_name()) + "." + test.name(), test.result()->Failed() ? "failed" : "passed",
              passed.count());
  }
  std::chrono::steady_clock::time_point begin_;
};

const bool appended = [] {
  testing::UnitTest::GetInstance()->listeners().Append(new Listener);
  return true;
}();

}  // namespace
}  // namespace asg_mutant
