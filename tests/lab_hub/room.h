#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "asg/lab/hub.h"
#include "asg/lab/tensor_frame.h"

namespace asg::test {

// features → three layers with Relu between them → logits, loss; and data for it.
train::TrainingSpec small_training();

// A message that puts another op in the place of one.
nlohmann::json replace_op(const std::string& at, const std::string& op);

// A hub with a small training, and clients who sit in the same room instead of behind sockets.
// Every frame that the hub sends is held against docs/protocol.schema.json.
class Room : public lab::Outlet {
 public:
  explicit Room(lab::HubOptions options = {}, train::TrainingSpec spec = small_training());

  lab::Hub& hub() { return *hub_; }
  train::TrainingId training() const { return training_; }

  void enter(lab::ClientId client, lab::Access access = lab::Access::full) { hub_->connected(client, access); }
  void leave(lab::ClientId client) { hub_->closed(client); }
  void say(lab::ClientId client, const nlohmann::json& message) { hub_->received(client, message.dump()); }
  // Says it with a number, and waits for what answers that number.
  nlohmann::json ask(lab::ClientId client, nlohmann::json message);

  // The next state of the first training that fits, as `training` tells it.
  nlohmann::json state(lab::ClientId client, const std::function<bool(const nlohmann::json&)>& fits);

  // The next event to the client that fits, or a failure after some seconds. What comes before it is taken too.
  nlohmann::json next(lab::ClientId client, const std::function<bool(const nlohmann::json&)>& fits);
  nlohmann::json next(lab::ClientId client, const std::string& event);
  lab::TensorFrame next_tensor(lab::ClientId client);
  std::size_t sent();             // frames to anybody, since the beginning
  std::set<std::string> heard();  // names of the events in them

  void send(lab::ClientId client, std::shared_ptr<const std::string> text, std::string_view key) override;
  void send_binary(lab::ClientId client, std::shared_ptr<const std::string> bytes) override;

 private:
  void hear(std::string_view event);  // with the mutex held

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<lab::ClientId, std::deque<std::string>> texts_;
  std::map<lab::ClientId, std::deque<std::string>> tensors_;
  std::size_t sent_ = 0;
  std::set<std::string> heard_;
  int last_ask_ = 0;
  std::unique_ptr<lab::Hub> hub_;
  train::TrainingId training_;
};

}  // namespace asg::test
