#include "asg/compile/kernel.h"
#include "must_fail/rows.h"

namespace asg::test {

std::vector<MustFail> compile_rows() {
  return {
      {ErrorCode::bad_command, "unknown_instruction",
       [] {
         kernel_from_text(
             "kernel [8]\n"
             "  arg0: f32 out [1]\n"
             "  %0 = frobnicate : f32\n"
             "  store %0 -> arg0\n");
       },
       R"(line 3: "%0 = frobnicate : f32", at "frobnicate : f32")",
       "load, constant, position, reduce or the name of an op"},
      {ErrorCode::bad_command, "operand_that_comes_later",
       [] {
         kernel_from_text(
             "kernel [8]\n"
             "  arg0: f32 out [1]\n"
             "  %0 = exp %1 : f32\n"
             "  store %0 -> arg0\n");
       },
       R"(line 3: "%0 = exp %1 : f32")", "operands that come before it"},
  };
}

}  // namespace asg::test
