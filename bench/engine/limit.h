#pragma once

#include <cstdint>
#include <vector>

namespace asg::bench {

// A product of square matrices, in operations per second; medians.
struct Rate {
  std::int64_t length = 0;
  double pool = 0;  // oneDNN under our threads
  double own = 0;   // oneDNN under threads of its own
};

// What the machine can do: rates of large products. The largest of them is the limit that workloads are compared with.
std::vector<Rate> product_rates(int threads, double seconds_each);
double largest(const std::vector<Rate>& rates);

// Seconds to copy the array of workload f from one place to another, by one memcpy; the median.
double copy_seconds(double seconds);

}  // namespace asg::bench
