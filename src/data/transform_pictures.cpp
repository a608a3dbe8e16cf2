// Transforms of pictures [height, width] or [channels, height, width].
#include <algorithm>
#include <cmath>
#include <cstring>

#include "asg/core/error.h"
#include "asg/data/transform.h"
#include "numbers_text.h"
#include "resample.h"

namespace asg::data {
namespace {

// Rows of pictures as planes of lines of elements.
struct Planes {
  std::int64_t planes = 1;  // of one example
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t element = 1;  // bytes

  std::int64_t line() const { return width * element; }
  std::int64_t plane() const { return height * line(); }
  std::int64_t example() const { return planes * plane(); }
};

Planes planes_of(DType dtype, std::span<const std::int64_t> sizes) {
  const std::size_t rank = sizes.size();
  return {.planes = rank == 3 ? sizes[0] : 1,
          .height = sizes[rank - 2],
          .width = sizes[rank - 1],
          .element = bytes_of(dtype)};
}

Planes planes_of(const Array& rows) { return planes_of(rows.dtype(), std::span(rows.sizes()).subspan(1)); }

void check_picture(const Field& given, const std::string& text) {
  const bool has_rank = given.sizes.size() == 2 || given.sizes.size() == 3;
  if (!has_rank || element_count(given.sizes) == 0) {
    fail(ErrorCode::bad_shape, given.to_string() + " for " + text,
         "pictures [height, width] or [channels, height, width]");
  }
}

Field with_size(Field field, std::int64_t height, std::int64_t width) {
  field.sizes[field.sizes.size() - 2] = height;
  field.sizes[field.sizes.size() - 1] = width;
  return field;
}

void check_size(std::int64_t height, std::int64_t width, const std::string& text) {
  constexpr std::int64_t kMost = 1 << 20;
  if (height >= 1 && width >= 1 && height <= kMost && width <= kMost) return;
  fail(ErrorCode::bad_attribute, text, "a height and a width from 1 to " + std::to_string(kMost));
}

void check_share(double share, const std::string& text) {
  if (!(share >= 0 && share <= 1)) fail(ErrorCode::bad_attribute, text, "a probability from 0 to 1");
}

// Calls body(row, first byte given, first byte made) for each example.
template <class Body>
void for_examples(const Array& given, const Rows& rows, Array& into, const Body& body) {
  const std::int64_t from = planes_of(given).example(), to = planes_of(into).example();
  for (std::int64_t row = 0; row < rows.count(); ++row) body(row, given.raw() + row * from, into.raw() + row * to);
}

void copy_bytes(std::byte* to, const std::byte* from, std::int64_t bytes) {
  std::memcpy(to, from, static_cast<std::size_t>(bytes));
}

// The window of each plane that begins at (top, left); what lies outside of the picture is zero.
void cut(const Planes& from, const std::byte* picture, std::int64_t top, std::int64_t left, const Planes& to,
         std::byte* made) {
  std::memset(made, 0, static_cast<std::size_t>(to.example()));
  const std::int64_t first = std::max<std::int64_t>(0, -left);
  const std::int64_t last = std::min(to.width, from.width - left);
  for (std::int64_t plane = 0; plane < to.planes && first < last; ++plane) {
    for (std::int64_t line = std::max<std::int64_t>(0, -top); line < std::min(to.height, from.height - top); ++line) {
      copy_bytes(made + plane * to.plane() + line * to.line() + first * to.element,
                 picture + plane * from.plane() + (top + line) * from.line() + (left + first) * from.element,
                 (last - first) * to.element);
    }
  }
}

void mirror_line(const std::byte* from, std::byte* to, std::int64_t width, std::int64_t element) {
  if (element == 1) {
    std::reverse_copy(from, from + width, to);
    return;
  }
  for (std::int64_t k = 0; k < width; ++k) copy_bytes(to + (width - 1 - k) * element, from + k * element, element);
}

Transform flip(std::string text, double probability, bool horizontally) {
  check_share(probability, text);
  Transform result{.text = text};
  result.type = [text](const Field& given) {
    check_picture(given, text);
    return given;
  };
  result.apply = [probability, horizontally](const Array& given, const Rows& rows, Array& into) {
    const Planes form = planes_of(given);
    for_examples(given, rows, into, [&](std::int64_t row, const std::byte* from, std::byte* to) {
      if (rows.random(row).uniform(0) >= probability) {
        copy_bytes(to, from, form.example());
        return;
      }
      for (std::int64_t line = 0; line < form.planes * form.height; ++line) {
        const std::int64_t plane = line / form.height, height = line % form.height;
        const std::byte* source = from + line * form.line();
        if (horizontally) {
          mirror_line(source, to + line * form.line(), form.width, form.element);
        } else {
          copy_bytes(to + (plane * form.height + form.height - 1 - height) * form.line(), source, form.line());
        }
      }
    });
  };
  return result;
}

std::string call_text(const char* name, std::int64_t height, std::int64_t width) {
  return std::string(name) + "(" + std::to_string(height) + ", " + std::to_string(width) + ")";
}

void check_resizable(const Field& given, const std::string& text) {
  check_picture(given, text);
  if (given.dtype == DType::u8 || given.dtype == DType::f32) return;
  fail(ErrorCode::bad_dtype, given.to_string() + " for " + text, "u8 or f32", "map to_float() first");
}

void resize_rows(const Array& given, const Rows& rows, Array& into,
                 const std::function<Window(std::int64_t row, const Planes& form)>& window_of) {
  const Planes form = planes_of(given), made = planes_of(into);
  for_examples(given, rows, into, [&](std::int64_t row, const std::byte* from, std::byte* to) {
    resample(given.dtype(), form.planes, from, form.height, form.width, window_of(row, form), to, made.height,
             made.width);
  });
}

Window whole(std::int64_t /*row*/, const Planes& form) { return {0, 0, form.height, form.width}; }

// Ten tries for a window of random area and shape that fits; then the largest in the middle of an allowed shape.
Window random_window(const RandomStream& random, const Planes& form, const CropRange& range) {
  constexpr std::uint64_t kTries = 10, kDraws = 4;
  const auto height = static_cast<double>(form.height), width = static_cast<double>(form.width);
  for (std::uint64_t attempt = 0; attempt < kTries; ++attempt) {
    const std::uint64_t at = attempt * kDraws;
    const double area = height * width * (range.least_area + random.uniform(at) * (range.most_area - range.least_area));
    const double least = std::log(range.least_ratio), most = std::log(range.most_ratio);
    const double ratio = std::exp(least + random.uniform(at + 1) * (most - least));
    const auto wide = static_cast<std::int64_t>(std::llround(std::sqrt(area * ratio)));
    const auto high = static_cast<std::int64_t>(std::llround(std::sqrt(area / ratio)));
    if (wide < 1 || high < 1 || wide > form.width || high > form.height) continue;
    const auto top = random.below(at + 2, static_cast<std::uint64_t>(form.height - high + 1));
    const auto left = random.below(at + 3, static_cast<std::uint64_t>(form.width - wide + 1));
    return {static_cast<std::int64_t>(top), static_cast<std::int64_t>(left), high, wide};
  }
  Window middle{0, 0, form.height, form.width};
  if (width / height < range.least_ratio) {
    middle.height = std::clamp<std::int64_t>(std::llround(width / range.least_ratio), 1, form.height);
  } else if (width / height > range.most_ratio) {
    middle.width = std::clamp<std::int64_t>(std::llround(height * range.most_ratio), 1, form.width);
  }
  middle.top = (form.height - middle.height) / 2;
  middle.left = (form.width - middle.width) / 2;
  return middle;
}

}  // namespace

Transform flip_horizontally(double probability) {
  return flip("flip_horizontally(" + number_text(probability) + ")", probability, true);
}

Transform flip_vertically(double probability) {
  return flip("flip_vertically(" + number_text(probability) + ")", probability, false);
}

Transform random_crop(std::int64_t height, std::int64_t width, std::int64_t padding) {
  const std::string text = call_text("random_crop", height, width);
  check_size(height, width, text);
  if (padding < 0) fail(ErrorCode::bad_attribute, "a padding of " + std::to_string(padding), "at least 0");
  Transform result{.text = text};
  result.type = [text, height, width, padding](const Field& given) {
    check_picture(given, text);
    const Planes form = planes_of(given.dtype, given.sizes);
    if (form.height + 2 * padding < height || form.width + 2 * padding < width) {
      fail(ErrorCode::bad_shape, given.to_string() + " for " + text,
           "pictures that are at least as large, padding included", "give more padding, or resize first");
    }
    return with_size(given, height, width);
  };
  result.apply = [padding](const Array& given, const Rows& rows, Array& into) {
    const Planes form = planes_of(given), made = planes_of(into);
    for_examples(given, rows, into, [&](std::int64_t row, const std::byte* from, std::byte* to) {
      const RandomStream random = rows.random(row);
      const auto places = [padding](std::int64_t before, std::int64_t after) {
        return static_cast<std::uint64_t>(before + 2 * padding - after + 1);
      };
      const auto top = static_cast<std::int64_t>(random.below(0, places(form.height, made.height))) - padding;
      const auto left = static_cast<std::int64_t>(random.below(1, places(form.width, made.width))) - padding;
      cut(form, from, top, left, made, to);
    });
  };
  return result;
}

Transform centre_crop(std::int64_t height, std::int64_t width) {
  const std::string text = call_text("centre_crop", height, width);
  check_size(height, width, text);
  Transform result{.text = text};
  result.type = [text, height, width](const Field& given) {
    check_picture(given, text);
    if (planes_of(given.dtype, given.sizes).height < height || planes_of(given.dtype, given.sizes).width < width) {
      fail(ErrorCode::bad_shape, given.to_string() + " for " + text, "pictures that are at least as large",
           "resize first");
    }
    return with_size(given, height, width);
  };
  result.apply = [](const Array& given, const Rows& rows, Array& into) {
    const Planes form = planes_of(given), made = planes_of(into);
    for_examples(given, rows, into, [&](std::int64_t, const std::byte* from, std::byte* to) {
      cut(form, from, (form.height - made.height) / 2, (form.width - made.width) / 2, made, to);
    });
  };
  return result;
}

Transform resize(std::int64_t height, std::int64_t width) {
  const std::string text = call_text("resize", height, width);
  check_size(height, width, text);
  Transform result{.text = text};
  result.type = [text, height, width](const Field& given) {
    check_resizable(given, text);
    return with_size(given, height, width);
  };
  result.apply = [](const Array& given, const Rows& rows, Array& into) { resize_rows(given, rows, into, whole); };
  return result;
}

Transform resize_shorter(std::int64_t size) {
  const std::string text = "resize_shorter(" + std::to_string(size) + ")";
  check_size(size, size, text);
  Transform result = resize(size, size);
  result.text = text;
  result.type = [text, size](const Field& given) {
    check_resizable(given, text);
    const Planes form = planes_of(given.dtype, given.sizes);
    const std::int64_t shorter = std::min(form.height, form.width);
    const auto scaled = [&](std::int64_t side) {
      return static_cast<std::int64_t>(static_cast<double>(side) * static_cast<double>(size) /
                                       static_cast<double>(shorter));
    };
    return with_size(given, form.height == shorter ? size : scaled(form.height),
                     form.width == shorter ? size : scaled(form.width));
  };
  return result;
}

Transform random_resized_crop(std::int64_t height, std::int64_t width, CropRange range) {
  const std::string text = call_text("random_resized_crop", height, width);
  check_size(height, width, text);
  if (!(range.least_area > 0 && range.least_area <= range.most_area && range.most_area <= 1) ||
      !(range.least_ratio > 0 && range.least_ratio <= range.most_ratio) || !std::isfinite(range.most_ratio)) {
    fail(ErrorCode::bad_attribute,
         text + " of areas " + numbers_text({range.least_area, range.most_area}) + " and ratios " +
             numbers_text({range.least_ratio, range.most_ratio}),
         "areas above 0 and up to 1, ratios above 0, the least not above the most");
  }
  Transform result{.text = text};
  result.type = [text, height, width](const Field& given) {
    check_resizable(given, text);
    return with_size(given, height, width);
  };
  result.apply = [range](const Array& given, const Rows& rows, Array& into) {
    resize_rows(given, rows, into,
                [&](std::int64_t row, const Planes& form) { return random_window(rows.random(row), form, range); });
  };
  return result;
}

}  // namespace asg::data
