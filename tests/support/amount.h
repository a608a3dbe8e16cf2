#pragma once

namespace asg::test {

// Under a sanitizer every case takes ten times as long, and what it looks for shows in few of them.
#ifdef ASG_FEW_CASES
constexpr bool kFewCases = true;
#else
constexpr bool kFewCases = false;
#endif

// How many cases a test looks at.
constexpr int amount(int all, int few) { return kFewCases ? few : all; }

}  // namespace asg::test
