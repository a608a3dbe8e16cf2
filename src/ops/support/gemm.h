#pragma once

#include <algorithm>
#include <cstdint>

namespace asg::ops {

// A matrix in memory: the element (row, column) stands at data[row * row_step + column * column_step].
template <class T>
struct MatrixView {
  const T* data = nullptr;
  std::int64_t row_step = 0;
  std::int64_t column_step = 1;
};

// A block of the product that fits the registers: its sums are kept there over the whole inner axis.
template <class T, int block_rows, int block_columns>
void gemm_block(std::int64_t inner, const MatrixView<T>& a, const T* b, std::int64_t b_step, T* c,
                std::int64_t c_step) {
  T sums[block_rows][block_columns] = {};
  for (std::int64_t k = 0; k < inner; ++k) {
    const T* left = a.data + k * a.column_step;
    const T* right = b + k * b_step;
    for (int row = 0; row < block_rows; ++row) {
      const T factor = left[row * a.row_step];
      for (int column = 0; column < block_columns; ++column) sums[row][column] += factor * right[column];
    }
  }
  for (int row = 0; row < block_rows; ++row) {
    for (int column = 0; column < block_columns; ++column) c[row * c_step + column] += sums[row][column];
  }
}

// All rows of `block_columns` columns of the product.
template <class T, int block_columns>
void gemm_columns(std::int64_t rows, std::int64_t inner, const MatrixView<T>& a, const T* b, std::int64_t b_step, T* c,
                  std::int64_t c_step) {
  constexpr int kRows = 4;
  std::int64_t row = 0;
  for (; row + kRows <= rows; row += kRows) {
    const MatrixView<T> part{a.data + row * a.row_step, a.row_step, a.column_step};
    gemm_block<T, kRows, block_columns>(inner, part, b, b_step, c + row * c_step, c_step);
  }
  for (; row < rows; ++row) {
    const MatrixView<T> part{a.data + row * a.row_step, a.row_step, a.column_step};
    gemm_block<T, 1, block_columns>(inner, part, b, b_step, c + row * c_step, c_step);
  }
}

// c += a · b with a[rows, inner] in any layout, and b[inner, columns] and c[rows, columns] with dense rows. The terms
// of each element are added in the order of the inner axis, so the bits depend on the sizes only. T is double or
// uint64_t (which also multiplies signed integers modulo 2^64).
template <class T>
void gemm(std::int64_t rows, std::int64_t columns, std::int64_t inner, const MatrixView<T>& a, const T* b,
          std::int64_t b_step, T* c, std::int64_t c_step) {
  if (rows == 0 || columns == 0 || inner == 0) return;  // there is nothing to add, and no memory to point into
  constexpr int kColumns = 4;
  std::int64_t column = 0;
  for (; column + kColumns <= columns; column += kColumns) {
    gemm_columns<T, kColumns>(rows, inner, a, b + column, b_step, c + column, c_step);
  }
  for (; column < columns; ++column) gemm_columns<T, 1>(rows, inner, a, b + column, b_step, c + column, c_step);
}

}  // namespace asg::ops
