#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asg/core/array.h"
#include "asg/data/source.h"

namespace asg::data {

class Dataset;

// The examples that a transform is applied to.
struct Rows {
  std::span<const std::int64_t> examples;  // their numbers, one for each row
  const Reading& reading;

  std::int64_t count() const { return static_cast<std::int64_t>(examples.size()); }
  // The random numbers of a row: by seed, epoch and number of the example.
  RandomStream random(std::int64_t row) const {
    return reading.chance.of(static_cast<std::uint64_t>(examples[static_cast<std::size_t>(row)])).stream();
  }
};

// Turns one field of examples into another. A plain object: one of your own is a text and two functions.
struct Transform {
  std::string text = {};  // for people: "normalise(0.1307, 0.3081)"
  // What becomes of a field; throws where the transform does not fit it.
  std::function<Field(const Field& given)> type = {};
  // Rows `given` [n, …] into rows `into` [n, …], both dense. Called by several threads at once.
  std::function<void(const Array& given, const Rows& rows, Array& into)> apply = {};
  // Whether each number becomes another one by its value and its channel alone, and none is moved, added or left out.
  // Such transforms of bytes are looked up in a table, one pass for all that follow each other.
  bool by_value = false;
};

// One after the other. Random ones get numbers of their own each.
Transform chain(std::vector<Transform> transforms);

// ---- Values. Numbers of any dtype come in (integers by their value), f32 goes out.

// Bytes become 0 … 1, other numbers stay what they are.
Transform to_float();
// (x − mean) / deviation, by channel: of an example [channels, …] one of each for every channel, or one for all. Bytes
// are refused, since published means are those of 0 … 1: take to_float() first.
Transform normalise(std::vector<double> means, std::vector<double> deviations);
// Learnt from a data set, for each number of an example by itself (each column of a table). A column without any
// variation becomes 0.
Transform standard(const Dataset& fitted_to, std::string_view field = "features");  // mean 0, deviation 1
Transform min_max(const Dataset& fitted_to, std::string_view field = "features", double low = 0, double high = 1);
Transform clip(double low, double high);
Transform log1p();                            // log(1 + x), exact near 0; of x below −1 it is NaN
Transform noise(double deviation);            // adds normal noise, anew in each epoch
Transform one_hot(std::int64_t classes = 0);  // 0: as many as the field has; throws bad_index on a number that is none

// Mean and deviation of each channel of a data set, for `normalise`. Throws missing_value on an empty one.
struct ChannelStatistics {
  std::vector<double> means;
  std::vector<double> deviations;
};
ChannelStatistics channel_statistics(const Dataset& dataset, std::string_view field = "features");

// ---- Form. The dtype stays.
Transform flatten();
Transform reshape(Sizes sizes);  // throws bad_shape where the number of elements differs

// ---- Pictures [height, width] or [channels, height, width]. The dtype stays.
Transform flip_horizontally(double probability = 0.5);
Transform flip_vertically(double probability = 0.5);
// A window at random after `padding` rows and columns of zeros on every side.
Transform random_crop(std::int64_t height, std::int64_t width, std::int64_t padding = 0);
Transform centre_crop(std::int64_t height, std::int64_t width);
// By triangle filters that grow with the reduction, as Pillow's BILINEAR; u8 and f32.
Transform resize(std::int64_t height, std::int64_t width);
Transform resize_shorter(std::int64_t size);  // the shorter side gets the size, the other one follows
// A window of random area (a share of the picture) and shape (width / height), resized: the usual augmentation of
// photographs.
struct CropRange {
  double least_area = 0.08;
  double most_area = 1;
  double least_ratio = 3.0 / 4;
  double most_ratio = 4.0 / 3;
};
Transform random_resized_crop(std::int64_t height, std::int64_t width, CropRange range = {});

}  // namespace asg::data
