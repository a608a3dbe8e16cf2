#include "asg/data/dataset.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "asg/core/error.h"
#include "asg/data/digits.h"
#include "asg/data/split.h"
#include "numbered.h"

namespace asg::data {
namespace {

using test::numbered;
using test::numbers;

std::map<std::int64_t, int> class_counts(const Dataset& dataset) {
  std::map<std::int64_t, int> result;
  const Array labels = dataset.column("labels");
  for (const std::int64_t label : labels.data<std::int64_t>()) ++result[label];
  return result;
}

TEST(Digits, AreTheWholeSet) {
  const Dataset all = digits();
  EXPECT_EQ(all.field("features").to_string(), "features f32[8, 8]");
  EXPECT_EQ(all.field("labels").to_string(), "labels i64[] of 10 classes");
  EXPECT_EQ(all.count(), 1797);
  const std::map<std::int64_t, int> expected = {{0, 178}, {1, 182}, {2, 177}, {3, 183}, {4, 181},
                                                {5, 182}, {6, 181}, {7, 179}, {8, 174}, {9, 180}};
  EXPECT_EQ(class_counts(all), expected);
  const Array features = all.column("features");
  const auto pixels = features.data<float>();
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
  std::vector<float> together = numbers(split.train.all());
  const std::vector<float> held = numbers(split.held_out.all());
  EXPECT_EQ(held.size(), 10U);
  together.insert(together.end(), held.begin(), held.end());
  EXPECT_EQ(std::set<float>(together.begin(), together.end()).size(), 50U);
  EXPECT_EQ(numbers(stratified_split(numbered(50), 0.2, 7).held_out.all()), held);
  EXPECT_NE(numbers(stratified_split(numbered(50), 0.2, 8).held_out.all()), held);
  EXPECT_THROW(stratified_split(numbered(5), 1.5, 1), UserError);
}

TEST(Dataset, GivesExamplesInTheOrderAskedFor) {
  const Dataset data = numbered(6);
  const std::vector<std::int64_t> some = {4, 0, 4};
  const NamedArrays taken = data.take(some);
  EXPECT_EQ(numbers(taken), (std::vector<float>{4, 0, 4}));
  EXPECT_EQ(taken.at("labels").type_string(), "i64[3]");
  EXPECT_EQ(numbers(data.take(2, 5)), (std::vector<float>{2, 3, 4}));
  EXPECT_EQ(data.take(3, 3).at("features").type_string(), "f32[0, 1]");
}

TEST(Dataset, SubsetsRenamesAndJoinsWithoutCopies) {
  const Dataset data = numbered(6);
  const Dataset odd = data.subset({5, 3, 1});
  EXPECT_EQ(numbers(odd.all()), (std::vector<float>{5, 3, 1}));
  EXPECT_EQ(numbers(odd.subset({2, 0}).all()), (std::vector<float>{1, 5}));
  const Dataset joined = concatenated("both", {odd, data.subset({0, 2})});
  EXPECT_EQ(joined.count(), 5);
  EXPECT_EQ(numbers(joined.all()), (std::vector<float>{5, 3, 1, 0, 2}));
  const std::vector<std::int64_t> mixed = {4, 0, 3, 1};
  EXPECT_EQ(numbers(joined.take(mixed)), (std::vector<float>{2, 5, 0, 3}));
  EXPECT_TRUE(data.renamed("features", "pixels").has("pixels"));
  EXPECT_EQ(numbers(odd.in_memory().all()), (std::vector<float>{5, 3, 1}));
}

TEST(Dataset, MapsWhenExamplesAreRead) {
  const Dataset data = numbered(4);
  const Dataset mapped = data.mapped(clip(1, 2)).mapped(one_hot(), {"labels"});
  EXPECT_EQ(mapped.field("labels").to_string(), "labels f32[1]");
  EXPECT_EQ(numbers(mapped.all()), (std::vector<float>{1, 1, 2, 2}));
  EXPECT_EQ(numbers(data.all()), (std::vector<float>{0, 1, 2, 3}));
}

TEST(Dataset, TakesAnyNamedArrays) {
  const Dataset data =
      make_dataset("pairs", NamedArrays{{"left", Array(DType::u8, {3, 2})}, {"right", Array(DType::f64, {3})}});
  EXPECT_EQ(data.fields().size(), 2U);
  EXPECT_EQ(data.field("left").to_string(), "left u8[2]");
  EXPECT_EQ(data.classes(), 0);
}

struct Mistake {
  const char* name;
  std::function<void()> make;
  ErrorCode code;
  const char* contains;
};

class DatasetMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(DatasetMistakes, AreToldInWords) {
  try {
    GetParam().make();
    FAIL() << "accepted";
  } catch (const UserError& error) {
    EXPECT_EQ(name_of(error.code()), name_of(GetParam().code)) << error.what();
    EXPECT_NE(std::string(error.what()).find(GetParam().contains), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, DatasetMistakes,
    testing::Values(
        Mistake{"fewer_labels", [] { make_dataset("x", Array(DType::f32, {3, 2}), Array(DType::i64, {4}), 1); },
                ErrorCode::bad_shape, "as many labels"},
        Mistake{"class_out_of_range", [] { make_dataset("x", Array(DType::f32, {2, 2}), Array::ints({0, 5}), 3); },
                ErrorCode::bad_index, "label 5 of example 1"},
        Mistake{"negative_class", [] { make_dataset("x", Array(DType::f32, {1, 2}), Array::ints({-1}), 3); },
                ErrorCode::bad_index, "a class from 0 to 2"},
        Mistake{"one_hot_out_of_range",
                [] {
                  const Dataset data = make_dataset("x", Array(DType::f32, {2, 2}), Array::ints({0, 5}), 0);
                  data.mapped(one_hot(3), {"labels"}).all();
                },
                ErrorCode::bad_index, "class 5 of example 1"},
        Mistake{"example", [] { numbered(3).subset({3}); }, ErrorCode::bad_index, "a number from 0 to 2"},
        Mistake{"range", [] { numbered(3).take(2, 4); }, ErrorCode::bad_index, "inside 0 to 3"},
        Mistake{"field", [] { numbered(3).field("feature"); }, ErrorCode::missing_value, "did you mean 'features'"},
        Mistake{"different_parts", [] { concatenated("x", {numbered(2), numbered(2).renamed("features", "pixels")}); },
                ErrorCode::bad_shape, "the same fields"},
        Mistake{"no_parts", [] { concatenated("x", {}); }, ErrorCode::missing_value, "at least one"},
        Mistake{"taken_name", [] { numbered(3).renamed("features", "labels"); }, ErrorCode::bad_name, "'labels'"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(Synthetic, IsDecidedByItsSeed) {
  const Dataset a = synthetic(20, {4}, 3, 1);
  EXPECT_TRUE(bit_equal(a.column("features"), synthetic(20, {4}, 3, 1).column("features")));
  EXPECT_FALSE(bit_equal(a.column("features"), synthetic(20, {4}, 3, 2).column("features")));
  EXPECT_EQ(class_counts(a).size(), 3U);
}

TEST(Buffers, UseMemoryAgainOnlyWhenNobodyHoldsIt) {
  const Buffers buffers;
  Array first = buffers.take(DType::f32, {100});
  const std::byte* const place = first.raw();
  const Array view = first.sliced(0, 10, 5, 1);
  first = Array();
  EXPECT_NE(buffers.take(DType::f32, {100}).raw(), place);  // the view holds it
  EXPECT_EQ(buffers.allocated(), 2);
  {
    const Array a = buffers.take(DType::u8, {390});
    EXPECT_EQ(buffers.allocated(), 2);
    EXPECT_NE(buffers.take(DType::u8, {8}).raw(), nullptr);  // too small for large memory
  }
  EXPECT_EQ(buffers.allocated(), 3);
}

}  // namespace
}  // namespace asg::data
