#include "lab_hub/room.h"

#include <chrono>

#include <gtest/gtest.h>

#include "asg/asg.h"
#include "asg/backend/backend_registry.h"
#include "support/protocol.h"

namespace asg::test {

using nlohmann::json;

namespace {

constexpr std::chrono::seconds kPatience(60);

Graph perceptron() {
  Graph graph("perceptron");
  const Dim batch = Dim::symbol("batch");
  const Tensor features = graph.input("features", {DType::f32, {batch, 6}});
  const Tensor labels = graph.input("labels", {DType::i64, {batch}});
  const Tensor first = relu(nn::linear(features, 8, {.name = "first"})).named("bend_1");
  const Tensor second = relu(nn::linear(first, 8, {.name = "second"})).named("bend_2");
  const Tensor logits = nn::linear(second, 3, {.name = "head"});
  graph.set_output("logits", logits);
  graph.set_output("loss", loss::cross_entropy(logits, labels));
  return graph;
}

data::Dataset examples() { return data::synthetic(12, {6}, 3, 5); }

}  // namespace

train::TrainingSpec small_training() {
  train::TrainingSpec spec;
  spec.model = perceptron();
  spec.backend = BackendRegistry::global().make("cpu");
  spec.options.optimizer = optim::Optimizer::adam(1e-2);
  spec.batch = [](std::int64_t) { return examples().all(); };
  spec.datasets = {{"held_out", examples()}};
  return spec;
}

nlohmann::json replace_op(const std::string& at, const std::string& op) {
  return {{"do", "apply"}, {"edit", {{"commands", {{{"do", "replace_op"}, {"at", at}, {"op", op}}}}}}};
}

Room::Room(lab::HubOptions options, train::TrainingSpec spec)
    : hub_(std::make_unique<lab::Hub>(std::move(options), *this)) {
  training_ = hub_->add("small", std::move(spec));
}

json Room::state(lab::ClientId client, const std::function<bool(const json&)>& fits) {
  return next(client, [&](const json& event) { return event.at("event") == "training" && fits(event.at("state")); })
      .at("state");
}

void Room::send(lab::ClientId client, std::shared_ptr<const std::string> text, std::string_view /*key*/) {
  const std::lock_guard lock(mutex_);
  texts_[client].push_back(*text);
  hear(*text);
  ++sent_;
  changed_.notify_all();
}

void Room::send_binary(lab::ClientId client, std::shared_ptr<const std::string> bytes) {
  const std::lock_guard lock(mutex_);
  tensors_[client].push_back(*bytes);
  hear(lab::read_tensor_frame(*bytes).header);
  ++sent_;
  changed_.notify_all();
}

void Room::hear(std::string_view event) {
  const json said = json::parse(event);
  EXPECT_EQ(protocol_breach("event", said), "");
  heard_.insert(said.at("event"));
}

std::size_t Room::sent() {
  const std::lock_guard lock(mutex_);
  return sent_;
}

std::set<std::string> Room::heard() {
  const std::lock_guard lock(mutex_);
  return heard_;
}

json Room::next(lab::ClientId client, const std::function<bool(const json&)>& fits) {
  std::unique_lock lock(mutex_);
  const auto limit = std::chrono::steady_clock::now() + kPatience;
  for (;;) {
    std::deque<std::string>& waiting = texts_[client];
    while (!waiting.empty()) {
      const json event = json::parse(waiting.front());
      waiting.pop_front();
      if (fits(event)) return event;
    }
    if (changed_.wait_until(lock, limit) == std::cv_status::timeout) {
      ADD_FAILURE() << "nothing that fits came to client " << client;
      return json::object();
    }
  }
}

json Room::next(lab::ClientId client, const std::string& event) {
  return next(client, [&](const json& each) { return each.at("event") == event; });
}

json Room::ask(lab::ClientId client, json message) {
  const int number = ++last_ask_;
  message["ask"] = number;
  say(client, message);
  return next(client, [&](const json& each) { return each.contains("ask") && each.at("ask") == number; });
}

lab::TensorFrame Room::next_tensor(lab::ClientId client) {
  std::unique_lock lock(mutex_);
  if (!changed_.wait_for(lock, kPatience, [&] { return !tensors_[client].empty(); })) {
    ADD_FAILURE() << "no tensor came";
    return {};
  }
  const std::string bytes = tensors_[client].front();
  tensors_[client].pop_front();
  return lab::read_tensor_frame(bytes);
}

}  // namespace asg::test
