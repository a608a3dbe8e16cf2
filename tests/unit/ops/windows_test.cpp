#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "ops/convolution/conv_parts.h"
#include "ops/support/gemm.h"

namespace asg::ops {
namespace {

std::vector<double> counted(std::int64_t count) {
  std::vector<double> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 1.0);
  return numbers;
}

// Sizes on and beside the borders of the register blocks, and the left factor in both layouts.
TEST(Gemm, IsTheSumOfProducts) {
  for (std::int64_t rows : {0, 1, 3, 4, 9}) {
    for (std::int64_t columns : {0, 1, 4, 7, 8}) {
      for (std::int64_t inner : {0, 1, 5}) {
        const auto a = counted(rows * inner);
        const auto b = counted(inner * columns);
        for (const MatrixView<double>& view :
             {MatrixView<double>{a.data(), inner, 1}, MatrixView<double>{a.data(), 1, rows}}) {
          std::vector<double> c(static_cast<std::size_t>(rows * columns), 0.5);
          gemm<double>(rows, columns, inner, view, b.data(), columns, c.data(), columns);
          for (std::int64_t row = 0; row < rows; ++row) {
            for (std::int64_t column = 0; column < columns; ++column) {
              double sum = 0.5;
              for (std::int64_t k = 0; k < inner; ++k) {
                sum += view.data[row * view.row_step + k * view.column_step] *
                       b[static_cast<std::size_t>(k * columns + column)];
              }
              EXPECT_EQ(c[static_cast<std::size_t>(row * columns + column)], sum);
            }
          }
        }
      }
    }
  }
}

TEST(Window, ReadsInsideTheInputOnly) {
  for (std::int64_t stride : {1, 2, 3}) {
    for (std::int64_t dilation : {1, 2}) {
      for (std::int64_t pad : {0, 1, 4}) {
        const Window window{.input = 5, .output = 6, .taps = 3, .stride = stride, .dilation = dilation, .pad = pad};
        for (std::int64_t tap = 0; tap < window.taps; ++tap) {
          for (std::int64_t position = 0; position < window.output; ++position) {
            const std::int64_t read = window.read_by(position, tap);
            const bool inside = read >= 0 && read < window.input;
            const bool told = position >= window.first_position(tap) && position < window.past_position(tap);
            EXPECT_EQ(told, inside) << "position " << position << ", tap " << tap << ", stride " << stride
                                    << ", dilation " << dilation << ", pad " << pad;
          }
        }
      }
    }
  }
}

Convolution two_axes() {
  Convolution conv;
  conv.batch = 1;
  conv.group_channels = 2;
  conv.group_outputs = 1;
  conv.windows[1] = {.input = 4, .output = 3, .taps = 2, .stride = 2, .dilation = 1, .pad = 1};
  conv.windows[2] = {.input = 5, .output = 4, .taps = 3, .stride = 1, .dilation = 2, .pad = 2};
  return conv;
}

// Adding is the transpose of reading: <read(x), p> = <x, add(p)> for all x and p.
TEST(Patches, AddingIsTheTransposeOfReading) {
  const Convolution conv = two_axes();
  const auto pixels = counted(conv.group_channels * conv.pixels());
  const auto patches = counted(conv.patch_rows() * conv.positions());
  std::vector<double> read(patches.size(), 0);
  read_patches(conv, pixels.data(), read.data(), conv.positions(), 1);
  std::vector<double> added(pixels.size(), 0);
  add_patches(conv, patches.data(), added.data());
  EXPECT_EQ(std::inner_product(read.begin(), read.end(), patches.begin(), 0.0),
            std::inner_product(pixels.begin(), pixels.end(), added.begin(), 0.0));
  EXPECT_GT(std::accumulate(added.begin(), added.end(), 0.0), 0.0);
}

TEST(Patches, CanBeReadTransposed) {
  const Convolution conv = two_axes();
  const auto pixels = counted(conv.group_channels * conv.pixels());
  const auto rows = static_cast<std::size_t>(conv.patch_rows());
  const auto positions = static_cast<std::size_t>(conv.positions());
  std::vector<double> plain(rows * positions, 0);
  std::vector<double> transposed(rows * positions, 0);
  read_patches(conv, pixels.data(), plain.data(), conv.positions(), 1);
  read_patches(conv, pixels.data(), transposed.data(), 1, conv.patch_rows());
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t position = 0; position < positions; ++position) {
      EXPECT_EQ(plain[row * positions + position], transposed[position * rows + row]);
    }
  }
}

}  // namespace
}  // namespace asg::ops
