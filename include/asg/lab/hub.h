#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "asg/lab/server.h"
#include "asg/train/engine.h"

namespace asg::lab {

// Where frames for clients go. From any thread; must not block. See Server, which is one.
class Outlet {
 public:
  virtual ~Outlet() = default;
  virtual void send(ClientId client, std::shared_ptr<const std::string> text, std::string_view key) = 0;
  virtual void send_binary(ClientId client, std::shared_ptr<const std::string> bytes) = 0;
};

// A training that somebody opened.
struct Opened {
  std::string label;
  train::TrainingSpec spec;
};

struct HubOptions {
  std::string version = {};         // of the program, for the page
  std::string language = "en";      // in which the page begins
  std::string workspace = ".";      // folder below which files lie that clients name
  std::size_t most_trainings = 16;  // at a time, opened, branched off or added; clients cannot make more
  // A question that is not answered for so long, since a single step or evaluation takes longer, is answered by an
  // error.
  double answer_seconds = 30;
  // Makes a training from {"source": …, "data": …}, as `open` brings it; called on a thread of the hub. Throws what a
  // user can mend. Empty: nothing can be opened.
  std::function<Opened(std::string_view request)> open = {};
  // Gets every event, on the engine thread, for consoles and logs.
  std::function<void(train::TrainingId training, const train::Event& event)> sink = {};
};

// Between trainings and those who look at them: keeps what late comers need, answers questions about models, brings
// messages to the engine and events to all clients. docs/lab-hub.md tells who does what on which thread.
class Hub : public Sessions {
 public:
  Hub(HubOptions options, Outlet& outlet);
  ~Hub() override;  // stops all trainings

  // Begins paused.
  train::TrainingId add(std::string label, train::TrainingSpec spec);
  void post(train::TrainingId training, train::Message message);

  void connected(ClientId client, Access access) override;
  void received(ClientId client, std::string_view text) override;
  void closed(ClientId client) override;

 private:
  class Desk;
  std::unique_ptr<Desk> desk_;
};

}  // namespace asg::lab
