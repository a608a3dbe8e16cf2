// Transforms of values: f32 goes out.
#include <algorithm>
#include <array>
#include <cmath>

#include "asg/core/error.h"
#include "asg/data/dataset.h"
#include "asg/data/transform.h"
#include "numbers_text.h"

namespace asg::data {
namespace {

Field as_float(const Field& given) {
  Field result = given;
  result.dtype = DType::f32;
  result.classes = 0;
  result.class_names.clear();
  return result;
}

// value = function(value, position in the example), for every number of every row.
template <class Function>
void for_each_value(const Array& given, Array& into, const Function& function) {
  const Array floats = given.cast(DType::f32);
  const auto from = floats.data<float>();
  const auto to = into.mutable_data<float>();
  const std::size_t rows = from.empty() ? 0 : static_cast<std::size_t>(given.sizes().front());
  const std::size_t width = rows == 0 ? 0 : from.size() / rows;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto source = from.subspan(row * width, width);
    const auto target = to.subspan(row * width, width);
    for (std::size_t k = 0; k < width; ++k) target[k] = function(source[k], k);
  }
}

template <class Function>
Transform pointwise(std::string text, Function function) {
  return {.text = std::move(text),
          .type = as_float,
          .apply = [function](const Array& given, const Rows&, Array& into) { for_each_value(given, into, function); },
          .by_value = true};
}

// One (shift, scale) for each position: (x − shift) · scale.
Transform by_position(std::string text, Sizes sizes, std::vector<float> shifts, std::vector<float> scales,
                      float offset) {
  Transform result =
      pointwise(text, [shifts = std::move(shifts), scales = std::move(scales), offset](float value, std::size_t k) {
        return (value - shifts[k]) * scales[k] + offset;
      });
  result.type = [text, sizes = std::move(sizes)](const Field& given) {
    if (given.sizes != sizes) {
      fail(ErrorCode::bad_shape, given.to_string() + " for " + text,
           "examples of the sizes that it was fitted to: " + Field{.name = given.name, .sizes = sizes}.to_string());
    }
    return as_float(given);
  };
  result.by_value = false;  // by the place within an example
  return result;
}

// Calls visit(rows as f32) for all examples, some at a time.
template <class Visit>
void for_blocks(const Dataset& dataset, std::string_view field, const Visit& visit) {
  constexpr std::int64_t kBlock = 1024;
  if (dataset.count() == 0) {
    fail(ErrorCode::missing_value, "the data set '" + dataset.name() + "' without examples",
         "at least one example to learn statistics from");
  }
  const Reading reading;
  for (std::int64_t first = 0; first < dataset.count(); first += kBlock) {
    NamedArrays block = dataset.take(first, std::min(first + kBlock, dataset.count()), reading);
    visit(block.find(field)->second.cast(DType::f32));
  }
}

// Running mean and sum of squared differences (Welford): exact enough for any number of examples.
struct Moments {
  double count = 0;
  double mean = 0;
  double squares = 0;

  void add(double value) {
    ++count;
    const double before = value - mean;
    mean += before / count;
    squares += before * (value - mean);
  }
  double deviation() const { return count > 0 ? std::sqrt(squares / count) : 0; }
};

float inverse(double width) { return width > 0 ? static_cast<float>(1 / width) : 0.0F; }

}  // namespace

Transform to_float() {
  constexpr float kBrightest = 255;
  std::array<float, 256> units;
  for (std::size_t byte = 0; byte < units.size(); ++byte) units[byte] = static_cast<float>(byte) / kBrightest;
  const auto apply = [units](const Array& given, const Rows&, Array& into) {
    if (given.dtype() != DType::u8) {
      into.assign(given.cast(DType::f32));
      return;
    }
    const auto from = given.data<std::uint8_t>();
    const auto to = into.mutable_data<float>();
    for (std::size_t k = 0; k < from.size(); ++k) to[k] = units[from[k]];
  };
  return {.text = "to_float()", .type = as_float, .apply = apply, .by_value = true};
}

Transform normalise(std::vector<double> means, std::vector<double> deviations) {
  const std::string text = "normalise(" + numbers_text(means) + "; " + numbers_text(deviations) + ")";
  if (means.empty() || means.size() != deviations.size()) {
    fail(ErrorCode::bad_attribute, text, "as many deviations as means, at least one");
  }
  for (const double deviation : deviations) {
    if (deviation > 0 && std::isfinite(deviation)) continue;
    fail(ErrorCode::bad_attribute, text, "deviations above 0");
  }
  const auto channels = static_cast<std::int64_t>(means.size());
  Transform result{.text = text};
  result.by_value = true;
  result.type = [text, channels](const Field& given) {
    if (given.dtype == DType::u8) {
      fail(ErrorCode::bad_dtype, given.to_string() + " for " + text, "numbers, not bytes",
           "map to_float() first: it turns bytes into 0 … 1, of which published means are");
    }
    if (channels != 1 && (given.sizes.empty() || given.sizes.front() != channels)) {
      fail(ErrorCode::bad_shape, given.to_string() + " for " + text,
           "examples [" + std::to_string(channels) + ", …], or one mean for all channels");
    }
    return as_float(given);
  };
  result.apply = [means = std::move(means), deviations = std::move(deviations)](const Array& given, const Rows& rows,
                                                                                Array& into) {
    const Array floats = given.cast(DType::f32);
    const std::size_t planes = static_cast<std::size_t>(rows.count()) * means.size();
    const std::size_t width = planes == 0 ? 0 : static_cast<std::size_t>(floats.count()) / planes;
    const auto from = floats.data<float>();
    const auto to = into.mutable_data<float>();
    for (std::size_t plane = 0; plane < planes; ++plane) {
      const auto mean = static_cast<float>(means[plane % means.size()]);
      const auto deviation = static_cast<float>(deviations[plane % means.size()]);
      for (std::size_t k = plane * width; k < (plane + 1) * width; ++k) to[k] = (from[k] - mean) / deviation;
    }
  };
  return result;
}

Transform standard(const Dataset& fitted_to, std::string_view field) {
  const Field& type = fitted_to.field(field);
  const auto width = static_cast<std::size_t>(element_count(type.sizes));
  std::vector<Moments> moments(width);
  for_blocks(fitted_to, field, [&](const Array& rows) {
    const auto values = rows.data<float>();
    for (std::size_t k = 0; k < values.size(); ++k) moments[k % width].add(values[k]);
  });
  std::vector<float> shifts, scales;
  for (const Moments& each : moments) {
    shifts.push_back(static_cast<float>(each.mean));
    scales.push_back(inverse(each.deviation()));
  }
  return by_position("standard(fitted to '" + fitted_to.name() + "')", type.sizes, std::move(shifts), std::move(scales),
                     0);
}

Transform min_max(const Dataset& fitted_to, std::string_view field, double low, double high) {
  if (!(low < high)) {
    fail(ErrorCode::bad_attribute, "min_max from " + number_text(low) + " to " + number_text(high),
         "a range with low below high");
  }
  const Field& type = fitted_to.field(field);
  const auto width = static_cast<std::size_t>(element_count(type.sizes));
  std::vector<float> least(width, std::numeric_limits<float>::infinity());
  std::vector<float> most(width, -std::numeric_limits<float>::infinity());
  for_blocks(fitted_to, field, [&](const Array& rows) {
    const auto values = rows.data<float>();
    for (std::size_t k = 0; k < values.size(); ++k) {
      least[k % width] = std::min(least[k % width], values[k]);
      most[k % width] = std::max(most[k % width], values[k]);
    }
  });
  std::vector<float> scales;
  for (std::size_t k = 0; k < width; ++k) {
    scales.push_back(static_cast<float>((high - low) * inverse(double{most[k]} - double{least[k]})));
  }
  return by_position("min_max(fitted to '" + fitted_to.name() + "')", type.sizes, std::move(least), std::move(scales),
                     static_cast<float>(low));
}

Transform clip(double low, double high) {
  const std::string text = "clip(" + number_text(low) + ", " + number_text(high) + ")";
  if (!(low <= high)) fail(ErrorCode::bad_attribute, text, "a range with low not above high");
  return pointwise(text, [least = static_cast<float>(low), most = static_cast<float>(high)](float value, std::size_t) {
    return value < least ? least : value > most ? most : value;
  });
}

Transform log1p() {
  return pointwise("log1p()", [](float value, std::size_t) { return std::log1p(value); });
}

Transform noise(double deviation) {
  const std::string text = "noise(" + number_text(deviation) + ")";
  if (!(deviation >= 0) || !std::isfinite(deviation)) fail(ErrorCode::bad_attribute, text, "a deviation of at least 0");
  return {.text = text, .type = as_float, .apply = [deviation](const Array& given, const Rows& rows, Array& into) {
            const Array floats = given.cast(DType::f32);
            const auto from = floats.data<float>();
            const auto to = into.mutable_data<float>();
            const std::size_t width = from.empty() ? 0 : from.size() / rows.examples.size();
            for (std::size_t row = 0; width > 0 && row < rows.examples.size(); ++row) {
              const RandomStream random = rows.random(static_cast<std::int64_t>(row));
              for (std::size_t k = 0; k < width; ++k) {
                to[row * width + k] = from[row * width + k] + static_cast<float>(deviation * random.normal(k));
              }
            }
          }};
}

Transform one_hot(std::int64_t classes) {
  const std::string text = "one_hot(" + (classes > 0 ? std::to_string(classes) : "") + ")";
  Transform result{.text = text};
  result.type = [text, classes](const Field& given) {
    Field made = as_float(given);
    const std::int64_t length = classes > 0 ? classes : given.classes;
    if (length < 1) {
      fail(ErrorCode::missing_value, given.to_string() + " for " + text, "a field with classes, or their number",
           "give the number of classes: one_hot(10)");
    }
    made.sizes.push_back(length);
    return made;
  };
  result.apply = [](const Array& given, const Rows& rows, Array& into) {
    const auto to = into.mutable_data<float>();
    std::fill(to.begin(), to.end(), 0.0F);
    const std::int64_t length = into.sizes().back();
    const std::int64_t width = given.count() / std::max<std::int64_t>(rows.count(), 1);
    for (std::int64_t k = 0; k < given.count(); ++k) {
      const std::int64_t label = given.get_i64(k);
      if (label < 0 || label >= length) {
        fail(ErrorCode::bad_index,
             "class " + std::to_string(label) + " of example " +
                 std::to_string(rows.examples[static_cast<std::size_t>(k / width)]),
             "a class from 0 to " + std::to_string(length - 1));
      }
      to[static_cast<std::size_t>(k * length + label)] = 1;
    }
  };
  return result;
}

ChannelStatistics channel_statistics(const Dataset& dataset, std::string_view field) {
  const Sizes& sizes = dataset.field(field).sizes;
  const std::size_t channels = sizes.size() >= 3 ? static_cast<std::size_t>(sizes.front()) : 1;
  const std::size_t width = static_cast<std::size_t>(element_count(sizes)) / std::max<std::size_t>(channels, 1);
  std::vector<Moments> moments(channels);
  for_blocks(dataset, field, [&](const Array& rows) {
    const auto values = rows.data<float>();
    for (std::size_t k = 0; k < values.size(); ++k) moments[k / width % channels].add(values[k]);
  });
  ChannelStatistics result;
  for (const Moments& each : moments) {
    result.means.push_back(each.mean);
    result.deviations.push_back(each.deviation());
  }
  return result;
}

}  // namespace asg::data
