#include "lab/desk.h"

#include <algorithm>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "asg/core/error.h"
#include "asg/lab/workspace.h"
#include "lab/answer_json.h"

namespace asg::lab {
namespace {

using DeskJson = nlohmann::ordered_json;

// Messages after which the loss of a waiting training may be another one.
bool changes_loss(std::string_view name) {
  constexpr std::string_view kNames[] = {"apply", "undo", "redo", "set_value", "reset", "return_to", "load"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

// A checkpoint may be named by its folder. Clients reach only those of the workspace.
void keep_inside(const std::string& workspace, Request& request) {
  auto* message = std::get_if<train::Message>(&request.question);
  auto* load = message == nullptr ? nullptr : std::get_if<train::messages::Load>(message);
  if (load == nullptr || load->which == "latest" || load->which == "best") return;
  load->which = file_below(workspace, load->which);
}

std::string clients_json(std::size_t count) { return DeskJson{{"event", "clients"}, {"count", count}}.dump(); }

}  // namespace

Hub::Desk::Desk(HubOptions options, Outlet& outlet)
    : options_(std::move(options)),
      outlet_(outlet),
      questions_(outlet, options_.answer_seconds),
      engine_([this](train::TrainingId training, const train::Event& event) { on_event(training, event); }) {}

// The engine still brings events while it ends, and may have questions of the clerk to answer.
Hub::Desk::~Desk() {
  questions_.stop();
  clerk_.stop();
  opener_.stop();
}

// The engine's first event waits for the mutex until the folder stands.
train::TrainingId Hub::Desk::add(std::string label, train::TrainingSpec spec) {
  const std::lock_guard lock(mutex_);
  Record record(std::move(label), spec);
  const train::TrainingId id = engine_.add(std::move(spec));
  record.set_id(id);
  send_state(folders_.emplace(id, Folder{std::move(record)}).first->second.record);
  return id;
}

void Hub::Desk::post(train::TrainingId training, train::Message message, std::uint64_t number) {
  if (std::holds_alternative<train::messages::Stop>(message)) look_before_stop(training);
  engine_.post(training, std::move(message), number);
}

void Hub::Desk::connected(ClientId client, Access access) {
  const std::lock_guard lock(mutex_);
  clients_.emplace(client, Client{access});
  DeskJson welcome = {{"event", "welcome"},
                      {"version", options_.version},
                      {"read_only", access == Access::read_only},
                      {"lang", options_.language},
                      {"trainings", DeskJson::array()}};
  for (const auto& [id, folder] : folders_) welcome["trainings"].push_back(DeskJson::parse(folder.record.to_json()));
  send({client}, welcome.dump());
  send_to_all(clients_json(clients_.size()));
}

void Hub::Desk::closed(ClientId client) {
  const std::lock_guard lock(mutex_);
  const auto gone = clients_.extract(client);
  if (gone.empty()) return;
  for (const auto& [training, wish] : gone.mapped().watched) {
    const auto folder = folders_.find(training);
    if (folder != folders_.end()) watch_for_all(training, folder->second);
  }
  send_to_all(clients_json(clients_.size()));
}

void Hub::Desk::received(ClientId client, std::string_view text) {
  Asker asker{client};
  std::string name = "message";
  try {
    Request request = request_from_json(text, asker.ask);
    name = request.name;
    keep_inside(options_.workspace, request);
    check_access(client, request);
    take(asker, request);
  } catch (const std::exception& error) {
    refuse(asker, name, error);
  }
}

void Hub::Desk::check_access(ClientId client, const Request& request) {
  const std::lock_guard lock(mutex_);
  const auto found = clients_.find(client);
  const bool may_change = found != clients_.end() && found->second.access == Access::full;
  if (!may_change && request.changes_something()) {
    fail(ErrorCode::bad_command, "'" + request.name + "' by somebody who may only look", "full access",
         "open the address that the program printed for whoever may change things");
  }
}

void Hub::Desk::check_training(train::TrainingId training) {
  const std::lock_guard lock(mutex_);
  if (folders_.contains(training)) return;
  fail(ErrorCode::bad_command, "training " + std::to_string(training.number), "a training that exists");
}

void Hub::Desk::take(const Asker& asker, const Request& request) {
  if (const auto* wish = std::get_if<requests::Open>(&request.question)) {
    {
      const std::lock_guard lock(mutex_);
      check_room_for_training();
    }
    opener_.post(asker.client, [this, asker, wish = *wish] { open(asker, wish); });
    return;
  }
  check_training(request.training);
  if (take_of_gone(asker, request)) return;
  const auto* message = std::get_if<train::Message>(&request.question);
  const bool is_question = message == nullptr || std::holds_alternative<train::messages::Read>(*message) ||
                           std::holds_alternative<train::messages::Journal>(*message) ||
                           std::holds_alternative<train::messages::Watch>(*message);
  is_question ? ask(asker, request) : pass_on(asker, request, *message);
}

bool Hub::Desk::take_of_gone(const Asker& asker, const Request& request) {
  const std::lock_guard lock(mutex_);
  const Folder& folder = folders_.at(request.training);
  if (!folder.record.is_gone()) return false;
  const auto* message = std::get_if<train::Message>(&request.question);
  const auto* subscription = std::get_if<requests::Subscribe>(&request.question);
  const bool needs_trainer =
      message != nullptr || subscription != nullptr || std::holds_alternative<requests::ReadTensor>(request.question);
  if (!needs_trainer) return false;
  if (message != nullptr && std::holds_alternative<train::messages::Journal>(*message) && folder.last_look != nullptr) {
    send(asker, train::to_json(request.training, folder.last_look->journal));
    return true;
  }
  if (subscription != nullptr && subscription->values.empty()) {
    send(asker, train::to_json(request.training, train::events::Watched{folder.record.step(), {}, {}}));
    return true;
  }
  const std::string number = std::to_string(request.training.number);
  if (folder.record.condition() == Condition::failed) {
    fail(ErrorCode::bad_command, "'" + request.name + "' for training " + number + ", which could not begin",
         "a training that goes on", "open it again when what it says is mended");
  }
  fail(ErrorCode::bad_command, "'" + request.name + "' for training " + number + ", which is stopped",
       "a training that goes on",
       "look at its model, charts and journal, which are still there; to train on open the model or the run anew");
}

// While a training waits, the loss before a change is computed too, unless it is known: what it has in common with the
// loss afterwards is then computed once.
void Hub::Desk::pass_on(const Asker& asker, const Request& request, const train::Message& message) {
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    Folder& folder = folders_.at(request.training);
    if (std::holds_alternative<train::messages::Branch>(message)) {
      check_room_for_training();
      ++branches_under_way_;
    }
    number = ++last_number_;
    folder.asked.emplace(number, Asked{train::name_of(message), asker});
    if (const auto* apply = std::get_if<train::messages::Apply>(&message)) {
      folder.record.expect_edit(train::words_of(apply->edit, folder.record.model().get()));
    }
    const bool waits = folder.record.condition() == Condition::paused;
    if (waits && changes_loss(request.name)) look_at_loss(request.training, folder.cone, false);
  }
  post(request.training, message, number);
}

// Each training keeps a model, its state and its programs.
void Hub::Desk::check_room_for_training() {
  const auto lives = [](const auto& entry) { return !entry.second.record.is_gone(); };
  const auto count = static_cast<std::size_t>(std::count_if(folders_.begin(), folders_.end(), lives));
  if (count + branches_under_way_ < options_.most_trainings) return;
  fail(ErrorCode::limit_exceeded, "one training more than " + std::to_string(options_.most_trainings),
       "at most " + std::to_string(options_.most_trainings) + " trainings and branches at a time",
       "stop one, or start the Lab with a larger --trainings");
}

// The engine watches all that anybody watches, as often as the keenest wants it.
void Hub::Desk::watch_for_all(train::TrainingId training, Folder& folder) {
  std::set<std::string> values;
  // Of the time, which readings may take from the training; docs/lab-hub.md adds up what viewers may take.
  constexpr double kShare = 0.006;
  train::messages::Watch watch{.paths = {}, .every = 0, .share = kShare};
  for (const auto& [id, client] : clients_) {
    const auto wish = client.watched.find(training);
    if (wish == client.watched.end() || wish->second.values.empty()) continue;
    values.insert(wish->second.values.begin(), wish->second.values.end());
    watch.gradients = watch.gradients || wish->second.gradients;
    watch.every = watch.every == 0 ? wish->second.every : std::min(watch.every, wish->second.every);
  }
  watch.paths.assign(values.begin(), values.end());
  watch.every = std::max<std::int64_t>(watch.every, 1);
  const train::messages::Watch& now = folder.watched;
  const bool is_same = watch.paths == now.paths && watch.gradients == now.gradients && watch.every == now.every;
  if (folder.record.is_gone() || (watch.paths.empty() && now.paths.empty()) || is_same) return;
  folder.watched = watch;
  folder.last_reading.reset();
  engine_.post(training, std::move(watch));
}

void Hub::Desk::send(const Asker& asker, std::string event) {
  outlet_.send(asker.client, std::make_shared<const std::string>(with_ask(std::move(event), asker.ask)), {});
}

void Hub::Desk::refuse(const Asker& asker, std::string_view name, const std::exception& error) {
  outlet_.send(asker.client, std::make_shared<const std::string>(failed_json(asker.ask, name, detail_of(error))), {});
}

}  // namespace asg::lab
