#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

namespace asg::bench {

// A client that asks for what the page asks for while somebody looks at a node of a training that runs: levels and a
// description at the beginning, statistics with gradients of the node in the panel and of the one under the mouse, and
// after each of them the tensor in the panel, at most once in a second. It reads what comes, as JSON, and throws it
// away.
class Onlooker {
 public:
  // Connects to the address that a server tells. Throws std::runtime_error where that cannot be done.
  explicit Onlooker(const std::string& url);
  ~Onlooker();  // closes the connection
  Onlooker(const Onlooker&) = delete;
  Onlooker& operator=(const Onlooker&) = delete;

  std::int64_t readings() const { return readings_; }  // events with statistics that came so far
  std::int64_t tensors() const { return tensors_; }
  std::int64_t refusals() const { return refusals_; }

 private:
  void look(std::uint16_t port, const std::string& target);

  std::atomic<bool> ends_ = false;
  std::atomic<std::int64_t> readings_ = 0;
  std::atomic<std::int64_t> tensors_ = 0;
  std::atomic<std::int64_t> refusals_ = 0;
  std::atomic<bool> is_connected_ = false;
  std::atomic<bool> has_failed_ = false;
  std::thread thread_;
};

}  // namespace asg::bench
