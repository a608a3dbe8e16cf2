#include "onlooker.h"

#include <chrono>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "lab_server/client.h"

namespace asg::bench {
namespace {

using Clock = std::chrono::steady_clock;

// "http://127.0.0.1:4711/?token=x" in its parts.
std::uint16_t port_of(const std::string& url) {
  const std::size_t colon = url.find(':', url.find("//"));
  return static_cast<std::uint16_t>(std::stoi(url.substr(colon + 1)));
}
std::string target_of(const std::string& url) { return "/ws" + url.substr(url.find('?')); }

constexpr const char* kQuestions[] = {
    R"({"do":"level","view":"model","scope":"","ask":1})",
    R"({"do":"level","view":"model","scope":"block_1","ask":2})",
    R"({"do":"level","view":"model","scope":"block_1/feed_forward","ask":3})",
    R"({"do":"describe","view":"model","path":"block_1/feed_forward/activation","ask":4})",
    R"({"do":"history","ask":5})",
    R"({"do":"journal","ask":6})",
    R"({"do":"subscribe","values":["block_1/feed_forward/activation:0","block_2:0"],"gradients":true,"every":1})",
};
constexpr std::chrono::seconds kPause(1);  // between two tensors
constexpr const char* kTensor =
    R"({"do":"tensor","value":"block_1/feed_forward/activation:0","gradient":false,"limit":65536,"ask":7})";

}  // namespace

Onlooker::Onlooker(const std::string& url)
    : thread_([this, port = port_of(url), target = target_of(url)] { look(port, target); }) {
  while (!is_connected_ && !has_failed_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  if (!has_failed_) return;
  thread_.join();
  throw std::runtime_error("the Lab refused the connection");
}

Onlooker::~Onlooker() {
  ends_ = true;  // the next step wakes the thread
  thread_.join();
}

void Onlooker::look(std::uint16_t port, const std::string& target) {
  lab::Client client(port);
  if (client.upgrade(target).status != 101) {
    has_failed_ = true;
    return;
  }
  is_connected_ = true;
  for (const char* question : kQuestions) client.send_text(question);
  Clock::time_point fetched = Clock::now() - kPause;
  while (!ends_) {
    const std::optional<std::string> text = client.text();
    if (!text) return;
    if (text->starts_with("ASGT")) {
      ++tensors_;
    } else {
      const auto event = nlohmann::json::parse(*text);
      if (event.at("event") == "failed") ++refusals_;
      if (event.at("event") != "watched" || event.at("values").empty()) continue;
      ++readings_;
      if (Clock::now() - fetched < kPause) continue;
      fetched = Clock::now();
      client.send_text(kTensor);
    }
  }
}

}  // namespace asg::bench
