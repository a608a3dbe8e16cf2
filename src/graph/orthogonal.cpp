#include "orthogonal.h"

#include <algorithm>
#include <cmath>

namespace asg {
namespace {

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

// Takes from `vector` its parts along the vectors that stand one after another in `basis`. One pass leaves rounding
// errors along the basis; a second one removes them.
void make_orthogonal(std::span<double> vector, std::span<const double> basis) {
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t first = 0; first < basis.size(); first += vector.size()) {
      const auto direction = basis.subspan(first, vector.size());
      const double part = dot(vector, direction);
      for (std::size_t k = 0; k < vector.size(); ++k) vector[k] -= part * direction[k];
    }
  }
}

}  // namespace

// Gram-Schmidt on normal vectors: the Q of a QR decomposition whose R has a positive diagonal, which is uniform.
std::vector<double> random_orthogonal(std::int64_t rows, std::int64_t columns, std::uint64_t seed, StreamKey stream) {
  const auto count = static_cast<std::size_t>(std::min(rows, columns));
  const auto length = static_cast<std::size_t>(std::max(rows, columns));
  constexpr double kTooShort = 1e-8;  // nothing but rounding errors is left of the vector: draw another
  std::vector<double> vectors(count * length);
  for (std::size_t index = 0; index < count; ++index) {
    const auto vector = std::span(vectors).subspan(index * length, length);
    double size = 0;
    for (std::uint64_t attempt = 0; size < kTooShort; ++attempt) {
      const RandomStream random(seed, stream, attempt);
      for (std::size_t k = 0; k < length; ++k) vector[k] = random.normal(index * length + k);
      make_orthogonal(vector, std::span<const double>(vectors).first(index * length));
      size = std::sqrt(dot(vector, vector));
    }
    for (double& element : vector) element /= size;
  }
  if (rows <= columns) return vectors;
  std::vector<double> transposed(vectors.size());
  for (std::size_t row = 0; row < length; ++row) {
    for (std::size_t column = 0; column < count; ++column) {
      transposed[row * count + column] = vectors[column * length + row];
    }
  }
  return transposed;
}

}  // namespace asg
