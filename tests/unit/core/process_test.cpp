#include "asg/core/process.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "asg/core/error.h"

namespace asg::platform {
namespace {

TEST(Process, TellsOutputAndCode) {
  const ProcessResult result = run_process({"sh", "-c", "pwd; echo trouble >&2; cat; exit 3"}, "/");
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(result.output, "/\ntrouble\n");
  EXPECT_EQ(run_process({"sh", "-c", "kill -9 $$"}, "/").code, 128 + 9);
}

TEST(Process, TakesArgumentsAsTheyAre) {
  EXPECT_EQ(run_process({"printf", "%s|", "a b", "$HOME", "'"}, "/").output, "a b|$HOME|'|");
}

TEST(Process, KeepsTheEndOfALongOutput) {
  const ProcessResult result = run_process({"sh", "-c", "seq 100000; echo last"}, "/");
  EXPECT_EQ(result.code, 0);
  EXPECT_LT(result.output.size(), std::size_t{1} << 18);
  EXPECT_TRUE(result.output.ends_with("100000\nlast\n"));
}

TEST(Process, EndsWithTheOneWhoWaits) {
  int ticks = 0;
  EXPECT_THROW(run_process({"sleep", "1000"}, "/",
                           [&] {
                             if (++ticks == 2) throw std::runtime_error("enough");
                           }),
               std::runtime_error);
}

TEST(Process, WhatIsNotThereIsRefused) {
  EXPECT_TRUE(has_program("sh"));
  EXPECT_FALSE(has_program("no-such-program-anywhere"));
  EXPECT_THROW(run_process({"no-such-program-anywhere"}, "/"), UserError);
  EXPECT_THROW(run_process({"sh", "-c", "true"}, "/no/such/folder"), UserError);
}

}  // namespace
}  // namespace asg::platform
