#include "asg/data/transform.h"

#include <atomic>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "asg/core/error.h"
#include "asg/data/dataset.h"
#include "asg/io/npz.h"

namespace asg::data {
namespace {

template <class T>
Dataset rows(Sizes sizes, const std::vector<T>& values) {
  return make_dataset("rows", NamedArrays{{"features", Array::of<T>(std::move(sizes), values)}});
}

template <class T>
std::vector<T> values(const Dataset& dataset, const Reading& reading = {}) {
  const NamedArrays all = dataset.take(0, dataset.count(), reading);
  const auto data = all.at("features").data<T>();
  return {data.begin(), data.end()};
}

Reading in_epoch(std::uint64_t epoch) { return {.chance = {.seed = 3, .epoch = epoch}}; }

TEST(Transform, BytesBecomeNumbersFromZeroToOne) {
  EXPECT_EQ(values<float>(rows<std::uint8_t>({1, 3}, {0, 51, 255}).mapped(to_float())),
            (std::vector<float>{0, 0.2F, 1}));
  EXPECT_EQ(values<float>(rows<std::int64_t>({1, 2}, {-3, 300}).mapped(to_float())), (std::vector<float>{-3, 300}));
}

TEST(Transform, NormalisesByChannel) {
  const Dataset data = rows<float>({2, 2, 2}, {1, 2, 10, 20, 3, 4, 30, 40});
  EXPECT_EQ(values<float>(data.mapped(normalise({1, 10}, {1, 10}))), (std::vector<float>{0, 1, 0, 1, 2, 3, 2, 3}));
  EXPECT_EQ(values<float>(data.mapped(normalise({0}, {2}))),
            (std::vector<float>{0.5, 1, 5, 10, 1.5, 2, 15, 20}));  // one mean for all channels
}

TEST(Transform, StatisticsOfChannelsAreThoseOfAllTheirNumbers) {
  const ChannelStatistics found = channel_statistics(rows<float>({2, 2, 1, 2}, {1, 3, 0, 0, 5, 7, 0, 8}));
  EXPECT_EQ(found.means, (std::vector<double>{4, 2}));
  EXPECT_NEAR(found.deviations[0], std::sqrt(5.0), 1e-12);
  EXPECT_NEAR(found.deviations[1], std::sqrt(12.0), 1e-12);
}

TEST(Transform, FittedOnesKeepWhatTheyLearnt) {
  const Dataset train = rows<float>({3, 3}, {1, 5, 7, 2, 5, 8, 3, 5, 9});
  const Dataset test = rows<float>({1, 3}, {4, 6, 8});
  const auto scaled = values<float>(test.mapped(standard(train)));
  EXPECT_NEAR(scaled[0], 2 / std::sqrt(2.0 / 3), 1e-6);
  EXPECT_EQ(scaled[1], 0);  // a column that does not vary
  EXPECT_EQ(scaled[2], 0);
  EXPECT_EQ(values<float>(test.mapped(min_max(train))), (std::vector<float>{1.5, 0, 0.5}));
  EXPECT_EQ(values<float>(train.mapped(min_max(train, "features", -1, 1))),
            (std::vector<float>{-1, -1, -1, 0, -1, 0, 1, -1, 1}));
}

TEST(Transform, ClipsLogsAndFlattens) {
  const Dataset data = rows<float>({1, 2, 2}, {-1, 0, 1, 3});
  EXPECT_EQ(values<float>(data.mapped(clip(0, 2))), (std::vector<float>{0, 0, 1, 2}));
  EXPECT_EQ(values<float>(data.mapped(clip(0, 2)).mapped(log1p()))[3], std::log1p(2.0F));
  EXPECT_EQ(data.mapped(flatten()).field("features").sizes, (Sizes{4}));
  EXPECT_EQ(data.mapped(reshape({1, 4, 1})).field("features").sizes, (Sizes{1, 4, 1}));
}

TEST(Transform, OneHotMarksTheClass) {
  EXPECT_EQ(values<float>(rows<std::int64_t>({2}, {2, 0}).mapped(one_hot(3))), (std::vector<float>{0, 0, 1, 1, 0, 0}));
}

TEST(Transform, RandomOnesDependOnSeedEpochAndExampleAlone) {
  const Dataset data = rows<float>({4, 1}, {0, 0, 0, 0}).mapped(noise(1));
  const auto first = values<float>(data, in_epoch(0));
  EXPECT_EQ(std::set<float>(first.begin(), first.end()).size(), 4U);
  EXPECT_EQ(values<float>(data, in_epoch(0)), first);
  EXPECT_NE(values<float>(data, in_epoch(1)), first);
  const std::vector<std::int64_t> turned = {3, 0};
  const NamedArrays two = data.take(turned, in_epoch(0));
  EXPECT_EQ(two.at("features").get(0), first[3]);
  EXPECT_EQ(two.at("features").get(1), first[0]);
  // Another noise above it draws other numbers.
  const auto both = values<float>(data.mapped(noise(1)), in_epoch(0));
  for (std::size_t k = 0; k < both.size(); ++k) EXPECT_NE(both[k], 2 * first[k]);
}

TEST(Transform, NoiseHasTheDeviationAskedFor) {
  const Dataset data = rows<float>({1, 20000}, std::vector<float>(20000, 5)).mapped(noise(0.5));
  double sum = 0, squares = 0;
  for (const float value : values<float>(data, in_epoch(0))) {
    sum += value;
    squares += (value - 5) * (value - 5);
  }
  EXPECT_NEAR(sum / 20000, 5, 0.02);
  EXPECT_NEAR(std::sqrt(squares / 20000), 0.5, 0.01);
}

TEST(Transform, FlipsWhatItDraws) {
  const Dataset data = rows<std::uint8_t>({1, 2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(values<std::uint8_t>(data.mapped(flip_horizontally(1))), (std::vector<std::uint8_t>{3, 2, 1, 6, 5, 4}));
  EXPECT_EQ(values<std::uint8_t>(data.mapped(flip_vertically(1))), (std::vector<std::uint8_t>{4, 5, 6, 1, 2, 3}));
  EXPECT_EQ(values<std::uint8_t>(data.mapped(flip_vertically(0))), (std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6}));
  const Dataset wide = rows<float>({1, 2, 1, 2}, {1, 2, 3, 4});
  EXPECT_EQ(values<float>(wide.mapped(flip_horizontally(1))), (std::vector<float>{2, 1, 4, 3}));
}

TEST(Transform, AMaskIsTurnedLikeItsPicture) {
  std::vector<float> pixels(64 * 4);
  for (std::size_t k = 0; k < pixels.size(); ++k) pixels[k] = static_cast<float>(k);
  const Array picture = Array::of<float>({64, 2, 2}, pixels);
  const Dataset data = make_dataset("masks", NamedArrays{{"features", picture}, {"mask", picture}})
                           .mapped(flip_horizontally(), {"features", "mask"})
                           .mapped(random_crop(2, 2, 1), {"features", "mask"});
  const NamedArrays all = data.take(0, 64, in_epoch(2));
  EXPECT_TRUE(bit_equal(all.at("features"), all.at("mask")));
  EXPECT_FALSE(bit_equal(all.at("features"), picture));
}

TEST(Transform, CropsWithZerosAround) {
  const Dataset data = rows<std::uint8_t>({1, 1, 2, 2}, {1, 2, 3, 4});
  std::set<std::vector<std::uint8_t>> seen;
  for (std::uint64_t epoch = 0; epoch < 200; ++epoch) {
    seen.insert(values<std::uint8_t>(data.mapped(random_crop(2, 2, 1)), in_epoch(epoch)));
  }
  EXPECT_EQ(seen.size(), 9U);  // every place
  EXPECT_TRUE(seen.contains({0, 0, 0, 1}));
  EXPECT_TRUE(seen.contains({4, 0, 0, 0}));
  EXPECT_TRUE(seen.contains({1, 2, 3, 4}));
  const Dataset larger = rows<float>({1, 3, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  EXPECT_EQ(values<float>(larger.mapped(centre_crop(1, 2))), (std::vector<float>{5, 6}));
}

TEST(Transform, ResizesAsPillowDoes) {
  const NamedArrays pillow = io::read_npz_file(ASG_SOURCE_DIR "/tests/data/files/pillow_resize.npz");
  const auto resized = [&](const char* name, const Array& expected) {
    const Array given = pillow.at(name).reshaped({1, 9, 7});
    return make_dataset("picture", NamedArrays{{"features", given}})
        .mapped(resize(expected.sizes()[0], expected.sizes()[1]))
        .column("features");
  };
  for (const auto& [given, made, tolerance] : {std::tuple{"given", "smaller", 1e-3},
                                               {"given", "larger", 1e-3},
                                               {"bytes", "bytes_smaller", 1.0},
                                               {"bytes", "bytes_larger", 1.0}}) {
    const Array& expected = pillow.at(made);
    const Array found = resized(given, expected);
    ASSERT_EQ(found.count(), expected.count());
    for (std::int64_t k = 0; k < found.count(); ++k) EXPECT_NEAR(found.get(k), expected.get(k), tolerance) << made << k;
  }
}

TEST(Transform, ResizesTheShorterSide) {
  const Dataset tall = rows<float>({1, 3, 20, 10}, std::vector<float>(600, 4));
  EXPECT_EQ(tall.mapped(resize_shorter(5)).field("features").sizes, (Sizes{3, 10, 5}));
  for (const float value : values<float>(tall.mapped(resize_shorter(5)))) EXPECT_NEAR(value, 4, 1e-5);
}

TEST(Transform, RandomResizedCropsStayInsideThePicture) {
  std::vector<float> pixels;
  for (int k = 0; k < 12 * 30; ++k) pixels.push_back(100 + static_cast<float>(k % 30));
  const Dataset data = rows<float>({1, 12, 30}, pixels).mapped(random_resized_crop(4, 4));
  std::set<float> firsts;
  for (std::uint64_t epoch = 0; epoch < 100; ++epoch) {
    const auto made = values<float>(data, in_epoch(epoch));
    firsts.insert(made[0]);
    for (const float value : made) EXPECT_TRUE(value >= 100 && value <= 129.001F) << value;
  }
  EXPECT_GT(firsts.size(), 30U);
  // A picture that no ratio fits gives its middle.
  const Dataset thin = rows<float>({1, 1, 30}, std::vector<float>(30, 1)).mapped(random_resized_crop(2, 2));
  EXPECT_EQ(values<float>(thin), (std::vector<float>{1, 1, 1, 1}));
}

// Where the whole area is wanted no try fits: the middle of the picture in the nearest allowed shape, which is not
// resized here, so that each number tells its place.
TEST(Transform, CropsThatFitNowhereAreTheLargestInTheMiddle) {
  struct Row {
    std::int64_t height, width;  // of the picture
    std::int64_t high, wide;     // of the crop
  };
  for (const Row& row : {Row{100, 10, 13, 10}, Row{10, 100, 10, 13}}) {
    std::vector<float> pixels(static_cast<std::size_t>(row.height * row.width));
    for (std::size_t k = 0; k < pixels.size(); ++k) pixels[k] = static_cast<float>(k);
    const Dataset data = rows<float>({1, row.height, row.width}, pixels)
                             .mapped(random_resized_crop(row.high, row.wide, {.least_area = 1, .most_area = 1}));
    std::vector<float> expected;
    const std::int64_t top = (row.height - row.high) / 2;
    const std::int64_t left = (row.width - row.wide) / 2;
    for (std::int64_t y = top; y < top + row.high; ++y) {
      for (std::int64_t x = left; x < left + row.wide; ++x) expected.push_back(static_cast<float>(y * row.width + x));
    }
    EXPECT_EQ(values<float>(data, in_epoch(0)), expected) << row.height << " by " << row.width;
  }
}

// Bytes are looked up in a table where transforms allow it: the same bits as one transform after the other.
TEST(Transform, TablesOfBytesChangeNoBit) {
  constexpr std::int64_t kExamples = 5;
  Array pixels(DType::u8, {kExamples, 3, 9, 16});
  for (std::int64_t k = 0; k < pixels.count(); ++k) pixels.set_i64(k, k * 37 % 256);
  const Dataset bytes = make_dataset("bytes", pixels, Array(DType::i64, {kExamples}), 2);
  const Transform colours = normalise({0.485, 0.456, 0.406}, {0.229, 0.224, 0.225});
  const Reading reading{.chance = {.seed = 7, .epoch = 2, .key = 3}};
  const auto features = [&](const Dataset& data) { return data.take(0, data.count(), reading).at("features"); };
  const auto alone = [](Transform transform) {
    transform.by_value = false;
    return transform;
  };
  const std::vector<std::vector<Transform>> cases = {{to_float()},
                                                     {to_float(), colours},
                                                     {to_float(), colours, flatten()},
                                                     {to_float(), chain({colours, clip(-1, 1), reshape({6, 72})})},
                                                     {flip_horizontally(), to_float(), colours},
                                                     {to_float(), noise(0.1), clip(0, 1)},
                                                     {to_float(), standard(bytes.mapped(to_float()))},
                                                     {flatten(), to_float(), log1p()}};
  for (const std::vector<Transform>& transforms : cases) {
    Dataset fast = bytes;
    Dataset plain = bytes;
    std::string text;
    for (const Transform& each : transforms) {
      fast = fast.mapped(each);
      plain = plain.mapped(alone(each));
      text += each.text + " ";
    }
    EXPECT_EQ(fast.field("features"), plain.field("features")) << text;
    EXPECT_TRUE(bit_equal(features(fast), features(plain))) << text;
    EXPECT_TRUE(bit_equal(fast.column("labels"), plain.column("labels"))) << text;
  }
}

// By a table that would not see that the second half of what was one channel is another one now.
TEST(Transform, TablesKnowChannelsThatWereDivided) {
  for (const std::int64_t side : {4, 16, 40, 512}) {
    Array pixels(DType::u8, {2, 1, side, side});
    for (std::int64_t k = 0; k < pixels.count(); ++k) pixels.set_i64(k, k * 37 % 256);
    const Dataset bytes = make_dataset("bytes", pixels, Array(DType::i64, {2}), 2);
    const Transform divide = reshape({2, side / 2, side});
    Transform by_channel = normalise({0, 0.5}, {1, 0.25});
    const Dataset fast = bytes.mapped(to_float()).mapped(divide).mapped(by_channel);
    by_channel.by_value = false;
    const Dataset plain = bytes.mapped(to_float()).mapped(divide).mapped(by_channel);
    EXPECT_TRUE(bit_equal(fast.column("features"), plain.column("features"))) << side;
  }
}

// What is looked up is tried out before: every byte at every place would be 256 examples.
TEST(Transform, ATableOfALargePictureTriesFewExamples) {
  const auto examples_of_side = [](std::int64_t side) {
    const auto applied = std::make_shared<std::atomic<int>>(0);
    Transform counted = to_float();
    counted.apply = [applied, apply = counted.apply](const Array& given, const Rows& rows, Array& into) {
      ++*applied;
      apply(given, rows, into);
    };
    const Array pixels(DType::u8, {1, 1, side, side});
    make_dataset("one", pixels, Array(DType::i64, {1}), 2).mapped(counted);
    return applied->load();
  };
  EXPECT_EQ(examples_of_side(16), 256);
  EXPECT_EQ(examples_of_side(1024), 16);
  EXPECT_EQ(examples_of_side(4096), 2);
}

TEST(Transform, AChainIsTheTransformsOneAfterTheOther) {
  const Dataset data = rows<std::uint8_t>({2, 2, 2}, {0, 255, 255, 0, 51, 51, 51, 51});
  const Transform both = chain({to_float(), normalise({0.5}, {0.5}), flatten()});
  EXPECT_EQ(both.text, "to_float(), then normalise(0.5; 0.5), then flatten()");
  EXPECT_EQ(data.mapped(both).field("features").to_string(), "features f32[4]");
  EXPECT_EQ(values<float>(data.mapped(both)),
            values<float>(data.mapped(to_float()).mapped(normalise({0.5}, {0.5})).mapped(flatten())));
  EXPECT_EQ(values<std::uint8_t>(data.mapped(chain({}))), values<std::uint8_t>(data));
}

struct Misfit {
  const char* name;
  std::function<void()> make;
  const char* contains;
};

class Misfits : public testing::TestWithParam<Misfit> {};

TEST_P(Misfits, AreToldInWords) {
  try {
    GetParam().make();
    FAIL() << "accepted";
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find(GetParam().contains), std::string::npos) << error.what();
  }
}

Dataset row_of_three() { return rows<float>({1, 3}, {1, 2, 3}); }
Dataset bytes() { return rows<std::uint8_t>({1, 2, 2}, {1, 2, 3, 4}); }

INSTANTIATE_TEST_SUITE_P(
    All, Misfits,
    testing::Values(Misfit{"bytes_normalised", [] { bytes().mapped(normalise({0}, {1})); }, "map to_float() first"},
                    Misfit{"channels", [] { row_of_three().mapped(normalise({0, 0}, {1, 1})); },
                           "features f32[3] for normalise(0, 0; 1, 1)"},
                    Misfit{"deviation", [] { normalise({0}, {0}); }, "deviations above 0"},
                    Misfit{"means", [] { normalise({0, 1}, {1}); }, "as many deviations as means"},
                    Misfit{"no_picture", [] { row_of_three().mapped(flip_horizontally()); },
                           "features f32[3] for flip"},
                    Misfit{"probability", [] { flip_horizontally(1.5); }, "from 0 to 1"},
                    Misfit{"crop", [] { bytes().mapped(random_crop(3, 3)); }, "give more padding"},
                    Misfit{"centre", [] { bytes().mapped(centre_crop(3, 3)); }, "resize first"},
                    Misfit{"size", [] { resize(0, 3); }, "from 1 to"},
                    Misfit{"wide", [] { rows<double>({1, 2, 2}, {1, 2, 3, 4}).mapped(resize(1, 1)); }, "u8 or f32"},
                    Misfit{"range", [] { clip(2, 1); }, "low not above high"},
                    Misfit{"fitted", [] { bytes().mapped(standard(row_of_three())); }, "fitted to"},
                    Misfit{"nothing_to_fit", [] { standard(rows<float>({0, 3}, {})); }, "without examples"},
                    Misfit{"classes", [] { row_of_three().mapped(one_hot()); }, "one_hot(10)"},
                    Misfit{"elements", [] { row_of_three().mapped(reshape({2, 2})); }, "reshape([2, 2])"},
                    Misfit{"areas", [] { random_resized_crop(2, 2, {.least_area = 0}); }, "areas above 0"}),
    [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace asg::data
