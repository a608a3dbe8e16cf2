#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

#include "asg/core/error.h"
#include "asg/lab/hub.h"

namespace asg::lab {

// Who asked, and under which number.
struct Asker {
  ClientId client = 0;
  std::optional<std::int64_t> ask = {};
};

class Questions;

// A question that is on its way to an answer, held by whoever works at it. All who ask the same before that work begins
// get one answer. It is answered exactly once, from any thread; where the last holder lets go of it without an answer,
// or where it takes too long, by an error.
class OpenQuestion {
 public:
  ~OpenQuestion();
  OpenQuestion(const OpenQuestion&) = delete;
  OpenQuestion& operator=(const OpenQuestion&) = delete;

  ClientId client() const { return client_; }  // who asked first
  // From now on the same question is another one: what is computed may be older than what happens next.
  void begin();
  // Each gets the JSON object with the number of its own question.
  void answer(const std::string& object);
  void answer_each(const std::function<void(const Asker& asker)>& send);
  void refuse(const ErrorDetail& detail);
  void refuse(const std::exception& error);

 private:
  friend class Questions;
  OpenQuestion(Questions& owner, std::uint64_t id, std::string key, std::string name, const Asker& asker);

  Questions& owner_;
  std::uint64_t id_;
  std::string key_;
  std::string name_;  // "level"
  ClientId client_;
  // Guarded by the mutex of the owner.
  std::vector<Asker> askers_;  // empty: it is answered
  std::chrono::steady_clock::time_point since_;
};

// All questions that wait for an answer. Bounded: who asks too much at once is refused.
class Questions {
 public:
  static constexpr std::size_t kMostAsked = 1024;     // by one client, before they are answered
  static constexpr std::size_t kMostDifferent = 256;  // of these

  // After `seconds` a question is answered by an error. The outlet must live longer.
  Questions(Outlet& outlet, double seconds);
  ~Questions();
  Questions(const Questions&) = delete;
  Questions& operator=(const Questions&) = delete;

  // What `key` says must be the same for the same question. Null where it joined one that waits, or was refused.
  std::shared_ptr<OpenQuestion> add(std::string key, std::string name, const Asker& asker);
  void stop();  // nobody is told anything any more

 private:
  friend class OpenQuestion;
  struct Load {
    std::size_t asked = 0;
    std::size_t different = 0;
  };
  struct Refusal {
    std::string name;
    std::vector<Asker> askers;
  };

  std::vector<Asker> close(OpenQuestion& question);
  std::vector<Asker> close_locked(OpenQuestion& question);
  void forget_key(const OpenQuestion& question);
  void count_down(ClientId client, std::size_t Load::* what);
  void refuse(const std::vector<Asker>& askers, std::string_view name, const ErrorDetail& detail);
  void watch();
  std::vector<Refusal> take_late();

  Outlet& outlet_;
  const std::chrono::steady_clock::duration patience_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;  // guarded by mutex_, as all below
  std::uint64_t last_id_ = 0;
  std::map<std::uint64_t, OpenQuestion*> open_;         // without an answer yet, the oldest first
  std::unordered_map<std::string, std::uint64_t> new_;  // of these, those that nobody works at yet
  std::unordered_map<ClientId, Load> loads_;
  std::thread thread_;  // last, so that it starts when all else is ready
};

}  // namespace asg::lab
