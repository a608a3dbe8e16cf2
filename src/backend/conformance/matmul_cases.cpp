#include "backend/conformance/suite.h"

namespace asg::conformance {
namespace {

// Small whole numbers that differ from place to place.
std::vector<double> counted(std::int64_t count, double first) {
  std::vector<double> values;
  for (std::int64_t k = 0; k < count; ++k) values.push_back(first + static_cast<double>(k % 7));
  return values;
}

// A batch of products by plain loops; a batch of 1 is used for all.
Array product(const std::vector<double>& a, std::int64_t a_batch, const std::vector<double>& b, std::int64_t b_batch,
              std::int64_t rows, std::int64_t inner, std::int64_t columns, Sizes sizes) {
  std::vector<double> result;
  const std::int64_t batches = std::max(a_batch, b_batch);
  for (std::int64_t batch = 0; batch < batches; ++batch) {
    const double* left = a.data() + (a_batch == 1 ? 0 : batch * rows * inner);
    const double* right = b.data() + (b_batch == 1 ? 0 : batch * inner * columns);
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t column = 0; column < columns; ++column) {
        double sum = 0;
        for (std::int64_t k = 0; k < inner; ++k) sum += left[row * inner + k] * right[k * columns + column];
        result.push_back(sum);
      }
    }
  }
  return reals(std::move(sizes), result);
}

}  // namespace

Cases matmul_cases() {
  const auto a6 = counted(6, 1);
  const auto b12 = counted(12, -2);
  const auto a24 = counted(24, 0);
  const auto b24 = counted(24, -3);
  return {
      binary_case("MatMul", "of two matrices", reals({2, 3}, a6), reals({3, 4}, b12),
                  product(a6, 1, b12, 1, 2, 3, 4, {2, 4})),
      binary_case("MatMul", "of two vectors", reals({3}, {1, 2, 3}), reals({3}, {4, 5, 6}), reals({}, {32})),
      binary_case("MatMul", "of a vector and a matrix", reals({2}, {1, 10}), reals({2, 3}, a6),
                  reals({3}, {41, 52, 63})),
      binary_case("MatMul", "of a matrix and a vector", reals({2, 3}, a6), reals({3}, {1, 10, 100}),
                  reals({2}, {321, 654})),
      binary_case("MatMul", "of two batches", reals({4, 2, 3}, a24), reals({4, 3, 2}, b24),
                  product(a24, 4, b24, 4, 2, 3, 2, {4, 2, 2})),
      binary_case("MatMul", "of a batch and one matrix", reals({4, 2, 3}, a24), reals({3, 4}, b12),
                  product(a24, 4, b12, 1, 2, 3, 4, {4, 2, 4})),
      binary_case("MatMul", "of one matrix and a batch", reals({2, 3}, a6), reals({2, 3, 4}, b24),
                  product(a6, 1, b24, 2, 2, 3, 4, {2, 2, 4})),
      binary_case("MatMul", "of batches that broadcast", reals({2, 1, 1, 3}, {1, 2, 3, 4, 5, 6}),
                  reals({2, 3, 1}, {1, 0, 0, 0, 1, 1}), reals({2, 2, 1, 1}, {1, 5, 4, 11})),
      binary_case("MatMul", "of a batch and a vector", reals({2, 1, 2}, {1, 2, 3, 4}), reals({2}, {1, 10}),
                  reals({2, 1}, {21, 43})),
      binary_case("MatMul", "over nothing is zero", reals({2, 0}, {}), reals({0, 3}, {}),
                  reals({2, 3}, {0, 0, 0, 0, 0, 0})),
      binary_case("MatMul", "of an empty batch", reals({0, 2, 3}, {}), reals({3, 4}, b12), reals({0, 2, 4}, {})),
      binary_case("MatMul", "with NaN and infinity", reals({2, 2}, {kNan, 1, kInfinity, 1}), reals({2, 1}, {1, 1}),
                  reals({2, 1}, {kNan, kInfinity})),
  };
}

}  // namespace asg::conformance
