#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "asg/graph/card.h"

// The tests of this folder are made from the cards: each of them runs over every op, every op over its samples.
namespace asg::test {

// The ops that this program tests: all built-in ones (cards.cpp), or those of another program that takes the same
// tests (tests/generate).
std::vector<const OpCard*> cards_under_test();

class OpTest : public testing::TestWithParam<const OpCard*> {
 protected:
  const OpCard& op() const { return *GetParam(); }
};

inline std::string name_of_test(const testing::TestParamInfo<const OpCard*>& info) {
  std::string name = info.param->name;
  for (char& letter : name) {
    if (letter == '.') letter = '_';
  }
  return name;
}

}  // namespace asg::test

// Runs the tests of a fixture for all ops.
#define ASG_FOR_ALL_OPS(fixture) \
  INSTANTIATE_TEST_SUITE_P(AllOps, fixture, testing::ValuesIn(asg::test::cards_under_test()), asg::test::name_of_test)
