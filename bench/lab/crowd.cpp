#include "crowd.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>

#include <nlohmann/json.hpp>
#include <pthread.h>
#include <sched.h>

#include "asg/core/platform.h"
#include "lab_server/client.h"

namespace asg::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kMessagesPerSecond = 190;  // the limit is 200
constexpr std::array<const char*, 10> kCrowdQuestions = {
    R"({"do":"read","path":"block_1")",
    R"({"do":"read","path":"block_1/feed_forward/activation")",
    R"({"do":"tensor","value":"block_2:0","limit":65536)",
    R"({"do":"subscribe","values":["block_1:0","block_2:0","block_1/feed_forward/activation:0"],"gradients":true)",
    R"({"do":"journal")",
    R"({"do":"history")",
    R"({"do":"level","view":"model","scope":"")",
    R"({"do":"level","view":"optimised","scope":"")",
    R"({"do":"locate","view":"model","path":"block_1")",
    R"({"do":"costs")",
};

// The training has the other cores.
void stay_on_the_last_core() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(static_cast<std::size_t>(platform::hardware_threads() - 1), &cores);
  pthread_setaffinity_np(pthread_self(), sizeof(cores), &cores);
}

}  // namespace

class Crowd::Viewer {
 public:
  Viewer(const std::string& url, int number)
      : client_(static_cast<std::uint16_t>(std::stoi(url.substr(url.find(':', url.find("//")) + 1)))), number_(number) {
    if (client_.upgrade("/ws" + url.substr(url.find('?'))).status != 101) {
      throw std::runtime_error("the Lab refused the connection");
    }
    asking_ = std::thread([this] { ask(); });
    hearing_ = std::thread([this] { hear(); });
  }
  ~Viewer() {
    stop_asking();
    client_.close();
    hearing_.join();
  }

  void stop_asking() {
    ends_ = true;
    if (asking_.joinable()) asking_.join();
  }
  bool has_all_answers() const {
    const std::lock_guard lock(mutex_);
    return since_.empty();
  }
  CrowdFigures figures() const {
    const std::lock_guard lock(mutex_);
    CrowdFigures result = figures_;
    result.unanswered = static_cast<std::int64_t>(since_.size());
    result.fewest_readings = readings_;
    return result;
  }

 private:
  void ask() {
    stay_on_the_last_core();
    const Clock::time_point begin = Clock::now();
    for (std::int64_t k = 0; !ends_; ++k) {
      std::this_thread::sleep_until(begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(
                                                static_cast<double>(k) / kMessagesPerSecond)));
      {
        const std::lock_guard lock(mutex_);
        since_[k] = Clock::now();
        ++figures_.asked;
      }
      const auto which = static_cast<std::size_t>(k + number_) % kCrowdQuestions.size();
      client_.send_text(std::string(kCrowdQuestions[which]) + ",\"ask\":" + std::to_string(k) + "}");
    }
  }

  void hear() {
    stay_on_the_last_core();
    while (const std::optional<std::string> text = client_.text()) {
      // A tensor begins with a word and the length of its header.
      constexpr std::size_t kBeforeHeader = 8;
      const bool is_tensor = text->starts_with("ASGT");
      const std::string json =
          is_tensor ? text->substr(kBeforeHeader, text->find('}', kBeforeHeader) + 1 - kBeforeHeader) : *text;
      note(nlohmann::json::parse(json, nullptr, false));
    }
  }

  void note(const nlohmann::json& event) {
    if (!event.is_object()) return;
    const std::lock_guard lock(mutex_);
    if (event.value("event", "") == "watched" && !event.at("values").empty()) ++readings_;
    if (!event.contains("ask")) return;
    const auto asked = since_.find(event.at("ask").get<std::int64_t>());
    if (asked == since_.end()) return;
    figures_.longest = std::max(figures_.longest, std::chrono::duration<double>(Clock::now() - asked->second).count());
    if (event.value("event", "") == "failed") ++figures_.refused;
    since_.erase(asked);
  }

  lab::Client client_;
  int number_;
  std::atomic<bool> ends_ = false;
  mutable std::mutex mutex_;
  std::map<std::int64_t, Clock::time_point> since_;  // questions without an answer; guarded by mutex_, as all below
  CrowdFigures figures_;
  std::int64_t readings_ = 0;
  std::thread asking_, hearing_;
};

Crowd::Crowd(const std::string& url, int viewers) {
  for (int number = 0; number < viewers; ++number) viewers_.push_back(std::make_unique<Viewer>(url, number));
}

Crowd::~Crowd() = default;

void Crowd::end() {
  for (const auto& viewer : viewers_) viewer->stop_asking();
  const Clock::time_point until = Clock::now() + std::chrono::seconds(5);
  const auto is_done = [](const auto& viewer) { return viewer->has_all_answers(); };
  while (Clock::now() < until && !std::all_of(viewers_.begin(), viewers_.end(), is_done)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

CrowdFigures Crowd::figures() const {
  CrowdFigures result;
  for (const auto& viewer : viewers_) result.add(viewer->figures());
  return result;
}

}  // namespace asg::bench
