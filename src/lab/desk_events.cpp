#include <algorithm>
#include <chrono>
#include <utility>

#include "lab/answer_json.h"
#include "lab/desk.h"

namespace asg::lab {
namespace {

constexpr std::string_view kRun = "run";  // and a step is a run

// The message that an event answers, where it answers one.
struct AnsweredMessage {
  std::string operator()(const train::events::EditApplied& event) const { return event.how; }
  std::string operator()(const train::events::EditRefused& event) const { return event.how; }
  std::string operator()(const train::events::Failed& event) const { return event.message; }
  std::string operator()(const train::events::SnapshotTaken&) const { return "snapshot"; }
  std::string operator()(const train::events::Returned&) const { return "return_to"; }
  std::string operator()(const train::events::ValueRead&) const { return "read"; }
  std::string operator()(const train::events::ValueSet&) const { return "set_value"; }
  std::string operator()(const train::events::LearningRateSet&) const { return "set_learning_rate"; }
  std::string operator()(const train::events::ResetDone&) const { return "reset"; }
  std::string operator()(const train::events::ScheduleSet&) const { return "set_schedule"; }
  std::string operator()(const train::events::OptimizerSet&) const { return "set_optimizer"; }
  std::string operator()(const train::events::Journal&) const { return "journal"; }
  std::string operator()(const train::events::Evaluated&) const { return "evaluate"; }
  std::string operator()(const train::events::CheckpointSaved&) const { return "save"; }
  std::string operator()(const train::events::CheckpointLoaded&) const { return "load"; }
  std::string operator()(const train::events::Branched&) const { return "branch"; }
  std::string operator()(const train::events::Paused&) const { return "pause"; }
  std::string operator()(const train::events::Stopped&) const { return "stop"; }
  template <class Other>
  std::string operator()(const Other& /*event*/) const {
    return "";
  }
};

// Of frames that a slow client may lose the newest is the one that counts.
std::string key_of(train::TrainingId training, const train::Event& event) {
  if (!std::holds_alternative<train::events::StepDone>(event)) return "";
  return "step/" + std::to_string(training.number);
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// What an event makes worth another look.
struct Consequences {
  bool loss = false;
  bool journal = false;
  bool snapshots = false;
};

struct ConsequencesOf {
  Consequences operator()(const train::events::EditApplied&) const { return {true, true, true}; }
  Consequences operator()(const train::events::ResetDone&) const { return {true, true, true}; }
  Consequences operator()(const train::events::Returned&) const { return {true, true, false}; }
  Consequences operator()(const train::events::CheckpointLoaded&) const { return {true, true, true}; }
  Consequences operator()(const train::events::ValueSet&) const { return {true, true, false}; }
  Consequences operator()(const train::events::LearningRateSet&) const { return {false, true, false}; }
  Consequences operator()(const train::events::ScheduleSet&) const { return {false, true, false}; }
  Consequences operator()(const train::events::OptimizerSet&) const { return {false, true, false}; }
  Consequences operator()(const train::events::SnapshotTaken&) const { return {false, false, true}; }
  template <class Other>
  Consequences operator()(const Other& /*event*/) const {
    return {};
  }
};

// Whoever looks at a trainer tells himself what he could not see.
bool is_of_a_look(const train::Event& event) {
  const auto* failed = std::get_if<train::events::Failed>(&event);
  return failed != nullptr && failed->message == "ask";
}

}  // namespace

void Hub::Desk::on_event(train::TrainingId training, const train::Event& event) {
  if (options_.sink) options_.sink(training, event);
  const std::lock_guard lock(mutex_);
  Folder& folder = folder_of(training, event);
  const bool state_changed = folder.record.take(event);
  const std::optional<Asker> asker = asker_of(folder, event);
  keep_journal(folder, event);
  follow_up(training, folder, event);
  answer_held(folder);
  note_branch(event);
  if (std::holds_alternative<train::events::GraphReady>(event)) folder.last_reading.reset();
  if (const auto* watched = std::get_if<train::events::Watched>(&event)) {
    folder.last_reading = std::make_shared<const train::events::Watched>(*watched);
  }
  if (clients_.empty() || is_of_a_look(event)) return;
  if (const auto* step = std::get_if<train::events::StepDone>(&event)) {
    send_step(training, folder, *step);
  } else if (const auto* watched = std::get_if<train::events::Watched>(&event)) {
    send_watched(training, *watched);
  } else {
    if (folder.untold_step) send_event(training, *std::exchange(folder.untold_step, {}), {});
    send_event(training, event, asker);
  }
  if (state_changed) send_state(folder.record);
}

void Hub::Desk::keep_journal(Folder& folder, const train::Event& event) {
  if (std::visit(ConsequencesOf{}, event).journal) folder.journal.reset();
  if (const auto* journal = std::get_if<train::events::Journal>(&event)) {
    folder.journal = std::make_shared<const train::events::Journal>(*journal);
  }
}

void Hub::Desk::follow_up(train::TrainingId training, const Folder& folder, const train::Event& event) {
  const Consequences next = std::visit(ConsequencesOf{}, event);
  if (next.snapshots) look_at_snapshots(training);
  if (clients_.empty()) return;
  if (next.journal) engine_.post(training, train::messages::Journal{});
  if (next.loss && folder.record.condition() == Condition::paused) look_at_loss(training, folder.cone, true);
}

// There is a model now, or there will never be one.
void Hub::Desk::answer_held(Folder& folder) {
  if (folder.held.empty() || (folder.record.model() == nullptr && !folder.record.is_gone())) return;
  for (const Held& each : std::exchange(folder.held, {})) {
    on_clerk(each.question, [this, each] { answer(each.question, each.request); });
  }
}

// A branch is told of by its origin, before it says anything itself.
Hub::Desk::Folder& Hub::Desk::folder_of(train::TrainingId training, const train::Event& event) {
  Folder& folder = folders_.at(training);
  if (const auto* branched = std::get_if<train::events::Branched>(&event)) {
    folders_.emplace(branched->branch, Folder{Record(branched->branch, branched->label, folder.record)});
  }
  return folder;
}

std::optional<Asker> Hub::Desk::asker_of(Folder& folder, const train::Event& event) {
  const train::Engine::CarriedOut numbers = engine_.carried_out();
  const std::string answered = std::visit(AnsweredMessage{}, event);
  // A step that fails is the answer to a run that was carried out before.
  const bool is_of_step = numbers.now == 0 && answered == kRun;
  const auto is_it = [&](const auto& entry) {
    const bool is_carried_out = is_of_step ? entry.first <= numbers.last : entry.first == numbers.now;
    return is_carried_out && entry.second.message == answered;
  };
  std::optional<Asker> asker;
  if (const auto found = std::find_if(folder.asked.begin(), folder.asked.end(), is_it); found != folder.asked.end()) {
    asker = found->second.asker;
    folder.asked.erase(found);
  }
  if (std::holds_alternative<train::events::Paused>(event)) end_runs(folder, event, asker);
  return asker;
}

// A run that was asked for ends here, whoever ended it, and everybody who waits for that is answered.
void Hub::Desk::end_runs(Folder& folder, const train::Event& paused, std::optional<Asker>& asker) {
  const std::uint64_t last = engine_.carried_out().last;
  for (auto entry = folder.asked.begin(); entry != folder.asked.end() && entry->first <= last;) {
    if (entry->second.message != kRun) {
      ++entry;
      continue;
    }
    const Asker ended = entry->second.asker;
    entry = folder.asked.erase(entry);
    if (!asker) {
      asker = ended;
    } else if (ended.ask) {
      send(ended, train::to_json(folder.record.id(), paused));
    }
  }
}

// A refusal concerns the one who asked; all else concerns everybody, a step that fails too.
void Hub::Desk::send_event(train::TrainingId training, const train::Event& event, const std::optional<Asker>& asker) {
  const std::string key = key_of(training, event);
  std::string json = train::to_json(training, event);
  const auto for_all = std::make_shared<const std::string>(json);
  const bool is_refusal =
      engine_.carried_out().now != 0 && (std::holds_alternative<train::events::EditRefused>(event) ||
                                         std::holds_alternative<train::events::Failed>(event));
  for (const auto& [id, client] : clients_) {
    const bool asked = asker && asker->client == id;
    if (asker && is_refusal && !asked) continue;
    outlet_.send(id, asked ? std::make_shared<const std::string>(with_ask(json, asker->ask)) : for_all, key);
  }
}

// Steps may be too short for all of them to be told; of those that are left out the newest is told before what comes
// after it.
void Hub::Desk::send_step(train::TrainingId training, Folder& folder, const train::events::StepDone& event) {
  folder.step_events.earn(event.seconds);
  if (!folder.step_events.is_left()) {
    folder.untold_step = event;
    return;
  }
  const auto start = std::chrono::steady_clock::now();
  folder.untold_step.reset();
  send_event(training, event, {});
  folder.step_events.spend(seconds_since(start));
}

// Each client gets what it watches itself. Most watch the same, which is then written once.
void Hub::Desk::send_watched(train::TrainingId training, const train::events::Watched& event) {
  const std::string key = "watched/" + std::to_string(training.number);
  std::map<std::vector<std::string>, Text> written;
  for (const auto& [id, client] : clients_) {
    const auto wish = client.watched.find(training);
    if (wish == client.watched.end() || wish->second.values.empty()) continue;
    Text& text = written[wish->second.values];
    if (text == nullptr)
      text = std::make_shared<const std::string>(train::to_json(training, part_of(event, wish->second.values)));
    outlet_.send(id, text, key);
  }
}

train::events::Watched Hub::Desk::part_of(const train::events::Watched& event, const std::vector<std::string>& values) {
  train::events::Watched own{.step = event.step, .readings = {}, .paths = {}};
  for (std::size_t k = 0; k < event.paths.size(); ++k) {
    if (std::find(values.begin(), values.end(), event.paths[k]) == values.end()) continue;
    own.readings.push_back(event.readings[k]);
    own.paths.push_back(event.paths[k]);
  }
  return own;
}

// A branch that was asked for is there now, or will never be.
void Hub::Desk::note_branch(const train::Event& event) {
  const auto* failed = std::get_if<train::events::Failed>(&event);
  const bool ends =
      std::holds_alternative<train::events::Branched>(event) || (failed != nullptr && failed->message == "branch");
  if (ends && branches_under_way_ > 0) --branches_under_way_;
}

void Hub::Desk::send_state(const Record& record) {
  if (clients_.empty()) return;
  send_to_all("{\"event\":\"training\",\"training\":" + std::to_string(record.id().number) +
              ",\"state\":" + record.to_json() + "}");
}

void Hub::Desk::send_to_all(std::string text) {
  const auto shared = std::make_shared<const std::string>(std::move(text));
  for (const auto& [id, client] : clients_) outlet_.send(id, shared, {});
}

}  // namespace asg::lab
