// How many examples of each class are held out.
#include "asg/data/split.h"

#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "asg/core/error.h"
#include "asg/data/digits.h"
#include "asg/data/sampler.h"
#include "asg/data/text.h"

namespace asg::data {
namespace {

Dataset with_classes(std::int64_t examples, std::int64_t classes) {
  Array labels(DType::i64, {examples});
  for (std::int64_t k = 0; k < examples; ++k) labels.set_i64(k, k % classes);
  return make_dataset("classes", Array(DType::f32, {examples, 1}), labels, classes);
}

std::map<std::int64_t, std::int64_t> members_of(const Dataset& dataset) {
  std::map<std::int64_t, std::int64_t> result;
  const Array labels = dataset.column(kLabels);
  for (std::int64_t k = 0; k < labels.count(); ++k) ++result[labels.get_i64(k)];
  return result;
}

TEST(Split, HoldsTheShareOfAllOutHoweverSmallClassesAre) {
  struct Row {
    std::int64_t examples, classes;
    double share;
  };
  for (const Row& row : {Row{40, 20, 0.2}, Row{40, 20, 0.3}, Row{640, 10, 0.2}, Row{7, 7, 0.5}, Row{30, 3, 0},
                         Row{30, 3, 1}, Row{100, 3, 0.29}}) {
    const Split split = stratified_split(with_classes(row.examples, row.classes), row.share, 1);
    EXPECT_EQ(split.held_out.count(), std::llround(row.share * static_cast<double>(row.examples)));
    EXPECT_EQ(split.train.count() + split.held_out.count(), row.examples);
    const auto all = members_of(with_classes(row.examples, row.classes));
    auto held = members_of(split.held_out);
    for (const auto& [label, count] : all) {
      EXPECT_LT(std::abs(static_cast<double>(held[label]) - row.share * static_cast<double>(count)), 1) << label;
    }
  }
  // Which of equal classes give one is decided by the seed.
  const auto held_by = [](std::uint64_t seed) {
    return members_of(stratified_split(with_classes(40, 20), 0.2, seed).held_out);
  };
  EXPECT_EQ(held_by(1), held_by(1));
  EXPECT_NE(held_by(1), held_by(2));
}

// Figures of trainings on the digits hold for this split.
TEST(Split, OfTheDigitsIsWhatRoundingEachClassGives) {
  const std::map<std::int64_t, std::int64_t> expected = {{0, 36}, {1, 36}, {2, 35}, {3, 37}, {4, 36},
                                                         {5, 36}, {6, 36}, {7, 36}, {8, 35}, {9, 36}};
  EXPECT_EQ(members_of(stratified_split(digits(), 0.2, 20).held_out), expected);
}

TEST(Split, AndBalanceNeedOneLabelAnExample) {
  const Dataset texts = token_windows("texts", Array::ints({0, 1, 2, 0, 1, 2, 0, 1}), {.length = 3, .vocabulary = 3});
  for (const auto& use : {std::function<void()>([&] { stratified_split(texts, 0.5, 1); }),
                          std::function<void()>([&] { balancing_weights(texts); })}) {
    try {
      use();
      ADD_FAILURE() << "accepted";
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_shape);
      EXPECT_NE(std::string(error.what()).find("one label an example"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace asg::data
