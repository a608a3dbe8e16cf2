#include "asg/data/dataset.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "asg/data/digits.h"
#include "asg/data/split.h"

namespace asg::data {
namespace {

std::map<std::int64_t, int> class_counts(const Dataset& dataset) {
  std::map<std::int64_t, int> result;
  for (std::int64_t label : dataset.labels.data<std::int64_t>()) ++result[label];
  return result;
}

// Examples that carry their own number, so that they can be followed.
Dataset numbered(std::int64_t count) {
  std::vector<float> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 0.0F);
  return make_dataset("numbered", Array::of<float>({count, 1}, values), Array(DType::i64, {count}), 1);
}

std::vector<float> numbers(const Dataset& dataset) {
  const auto data = dataset.features.data<float>();
  return {data.begin(), data.end()};
}

TEST(Digits, AreTheWholeSet) {
  const Dataset all = digits();
  EXPECT_EQ(all.features.sizes(), (Sizes{1797, 8, 8}));
  EXPECT_EQ(all.classes, 10);
  const std::map<std::int64_t, int> expected = {{0, 178}, {1, 182}, {2, 177}, {3, 183}, {4, 181},
                                                {5, 182}, {6, 181}, {7, 179}, {8, 174}, {9, 180}};
  EXPECT_EQ(class_counts(all), expected);
  const auto pixels = all.features.data<float>();
  EXPECT_EQ(*std::min_element(pixels.begin(), pixels.end()), 0.0F);
  EXPECT_EQ(*std::max_element(pixels.begin(), pixels.end()), 1.0F);
  EXPECT_EQ(pixels[3], 13.0F / 16);  // the first row of the first digit is 0 0 5 13 9 1 0 0
}

TEST(Split, HoldsOutAFifthOfEveryClass) {
  const Dataset all = digits();
  const Split split = stratified_split(all, 0.2, 1);
  EXPECT_EQ(split.train.count() + split.held_out.count(), all.count());
  const auto whole = class_counts(all);
  for (const auto& [label, held] : class_counts(split.held_out)) {
    EXPECT_NEAR(held, whole.at(label) * 0.2, 0.5) << "class " << label;
  }
}

TEST(Split, PartsAreDisjointAndDecidedByTheSeed) {
  const Split split = stratified_split(numbered(50), 0.2, 7);
  std::vector<float> together = numbers(split.train);
  const std::vector<float> held = numbers(split.held_out);
  EXPECT_EQ(held.size(), 10U);
  together.insert(together.end(), held.begin(), held.end());
  EXPECT_EQ(std::set<float>(together.begin(), together.end()).size(), 50U);
  EXPECT_EQ(numbers(stratified_split(numbered(50), 0.2, 7).held_out), held);
  EXPECT_NE(numbers(stratified_split(numbered(50), 0.2, 8).held_out), held);
  EXPECT_THROW(stratified_split(numbered(5), 1.5, 1), UserError);
}

TEST(Batches, CoverAnEpochOnceAndShuffleTheNext) {
  const Batches batches(numbered(12), 4, 3);
  ASSERT_EQ(batches.per_epoch(), 3);
  auto epoch = [&](std::int64_t number) {
    std::vector<float> result;
    for (std::int64_t step = number * 3; step < number * 3 + 3; ++step) {
      const auto part = numbers(batches.at(step));
      result.insert(result.end(), part.begin(), part.end());
    }
    return result;
  };
  const auto first = epoch(0);
  EXPECT_EQ(std::set<float>(first.begin(), first.end()).size(), 12U);
  EXPECT_NE(first, epoch(1));
  EXPECT_EQ(first, epoch(0));
  EXPECT_EQ(numbers(Batches(numbered(12), 4, 3).at(5)), numbers(batches.at(5)));
}

TEST(Batches, ShortLastBatchIsLeftOut) {
  EXPECT_EQ(Batches(numbered(10), 4, 1).per_epoch(), 2);
  EXPECT_EQ(Batches(numbered(3), 4, 1).at(0).count(), 3);
  EXPECT_THROW(Batches(numbered(3), 0, 1), UserError);
  EXPECT_THROW(Batches(numbered(0), 1, 1), UserError);
}

TEST(Dataset, RefusesWhatDoesNotFit) {
  EXPECT_THROW(make_dataset("x", Array(DType::f32, {3, 2}), Array(DType::i64, {4}), 1), UserError);
  EXPECT_THROW(make_dataset("x", Array(DType::f32, {1, 2}), Array::ints({5}), 3), UserError);
  const std::vector<std::int64_t> beyond = {3};
  EXPECT_THROW(take(numbered(3), beyond), UserError);
}

TEST(Synthetic, IsDecidedByItsSeed) {
  const Dataset a = synthetic(20, {4}, 3, 1);
  EXPECT_TRUE(bit_equal(a.features, synthetic(20, {4}, 3, 1).features));
  EXPECT_FALSE(bit_equal(a.features, synthetic(20, {4}, 3, 2).features));
  EXPECT_EQ(class_counts(a).size(), 3U);
}

}  // namespace
}  // namespace asg::data
