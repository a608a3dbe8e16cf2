#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace asg::bench {

struct CrowdFigures {
  std::int64_t asked = 0;
  std::int64_t unanswered = 0;
  std::int64_t refused = 0;                                                 // answered by an error
  double longest = 0;                                                       // seconds from a question to its answer
  std::int64_t fewest_readings = std::numeric_limits<std::int64_t>::max();  // of one viewer

  void add(const CrowdFigures& other) {
    asked += other.asked;
    unanswered += other.unanswered;
    refused += other.refused;
    longest = std::max(longest, other.longest);
    fewest_readings = std::min(fewest_readings, other.fewest_readings);
  }
};

// Viewers who ask a Lab all that one may ask, each just below the limit of messages in a second, on one core.
class Crowd {
 public:
  Crowd(const std::string& url, int viewers);
  ~Crowd();
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;

  void end();  // stops asking, and waits some seconds for the last answers
  CrowdFigures figures() const;

 private:
  class Viewer;
  std::vector<std::unique_ptr<Viewer>> viewers_;
};

}  // namespace asg::bench
