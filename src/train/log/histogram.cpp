#include <algorithm>
#include <cmath>
#include <limits>

#include "asg/core/error.h"
#include "asg/train/logger.h"

namespace asg::train {

Histogram histogram_of(const Array& values, int bins) {
  constexpr int kMostBins = 10'000;
  if (bins < 1 || bins > kMostBins) {
    fail(ErrorCode::bad_attribute, std::to_string(bins) + " bins", "from 1 to " + std::to_string(kMostBins));
  }
  Histogram result;
  if (values.count() == 0) return result;
  const Array reals = values.cast(DType::f64).dense();
  result.min = std::numeric_limits<double>::infinity();
  result.max = -result.min;
  for (const double value : reals.data<double>()) {
    if (!std::isfinite(value)) {
      ++result.not_finite;
      continue;
    }
    ++result.count;
    result.min = std::min(result.min, value);
    result.max = std::max(result.max, value);
    result.sum += value;
    result.sum_squares += value * value;
  }
  if (result.count == 0) {
    result.min = result.max = 0;
    return result;
  }
  // Halves, since the distance between the ends of the range of floats is no float.
  const double half_width = (result.max / 2 - result.min / 2) / bins;
  const int used = half_width > 0 ? bins : 1;
  for (int bin = 1; bin < used; ++bin) result.limits.push_back(result.min + half_width * bin + half_width * bin);
  result.limits.push_back(result.max);
  result.counts.resize(result.limits.size());
  for (const double value : reals.data<double>()) {
    if (!std::isfinite(value)) continue;
    const double at = used == 1 ? 0 : (value / 2 - result.min / 2) / half_width;
    ++result.counts[static_cast<std::size_t>(std::clamp(at, 0.0, used - 1.0))];
  }
  return result;
}

}  // namespace asg::train
