#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "asg/core/error.h"
#include "asg/lab/costs.h"
#include "asg/lab/scene_json.h"
#include "asg/lab/tensor_frame.h"
#include "lab/answer_json.h"
#include "lab/desk.h"
#include "lab/desk_looks.h"

// What clients ask without changing anything. While a training runs its thread gives such looks a small part of its
// time (engine.h); what can be done elsewhere is done on the clerk's thread.
namespace asg::lab {
namespace {

using QuestionJson = nlohmann::ordered_json;

std::string tensor_frame_of(const Array& array, std::optional<std::int64_t> ask, train::TrainingId training,
                            const requests::ReadTensor& wish) {
  const std::int64_t count = std::min(array.count(), wish.limit);
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(count));
  for (std::int64_t k = 0; k < count; ++k) values.push_back(static_cast<float>(array.get(k)));
  QuestionJson header = {{"event", "tensor"},         {"training", training.number},    {"value", wish.value},
                         {"gradient", wish.gradient}, {"type", array.type_string()},    {"shape", array.sizes()},
                         {"count", array.count()},    {"elided", count < array.count()}};
  if (ask) header["ask"] = *ask;
  return tensor_frame(header.dump(), values);
}

ErrorDetail no_time_left() {
  return {.code = ErrorCode::limit_exceeded,
          .given = "more questions than there is time for while the training runs",
          .needed = "questions that take no more than 1 % of its time",
          .mend = "ask again in some seconds, or pause the training"};
}

// A client that says `watch` as a script does means what a Lab calls `subscribe`: it is one of many, with wishes of its
// own.
const requests::Subscribe* subscription_of(const Request& request, requests::Subscribe& storage) {
  if (const auto* wish = std::get_if<requests::Subscribe>(&request.question)) return wish;
  const auto* message = std::get_if<train::Message>(&request.question);
  const auto* watch = message == nullptr ? nullptr : std::get_if<train::messages::Watch>(message);
  if (watch == nullptr) return nullptr;
  storage = {watch->paths, watch->gradients, watch->every};
  return &storage;
}

}  // namespace

void Hub::Desk::ask(const Asker& asker, Request request) {
  requests::Subscribe storage;
  const requests::Subscribe* subscription = subscription_of(request, storage);
  // What somebody wants to watch is a question of this client alone.
  const std::string key = (subscription != nullptr ? std::to_string(asker.client) : "") + request.key;
  const Ticket question = questions_.add(key, subscription != nullptr ? "subscribe" : request.name, asker);
  if (question == nullptr) return;
  const train::TrainingId training = request.training;
  if (subscription != nullptr) return subscribe(question, training, *subscription);
  if (const auto* message = std::get_if<train::Message>(&request.question)) {
    const auto* reading = std::get_if<train::messages::Read>(message);
    return reading != nullptr ? read(question, training, reading->path) : tell_journal(question, training);
  }
  if (const auto* tensor = std::get_if<requests::ReadTensor>(&request.question)) {
    return read_tensor(question, training, *tensor);
  }
  if (std::holds_alternative<requests::History>(request.question)) return tell_history(question, training);
  if (std::holds_alternative<requests::AskCosts>(request.question)) return tell_costs(question, training);
  on_clerk(question, [this, question, request = std::move(request)] { answer(question, request); });
}

void Hub::Desk::on_clerk(const Ticket& question, std::function<void()> job) {
  clerk_.post(question->client(), [question, job = std::move(job)] {
    question->begin();
    try {
      job();
    } catch (const std::exception& error) {
      question->refuse(error);
    }
  });
}

void Hub::Desk::on_engine(const Ticket& question, train::TrainingId training, Effort effort,
                          std::function<void(train::Trainer& trainer)> look) {
  const train::Engine::Onlooker onlooker = {
      .who = question->client(), .effort = effort, .turned_away = [question] { question->refuse(no_time_left()); }};
  engine_.ask(training, onlooker, [question, look = std::move(look)](train::Trainer* trainer) {
    question->begin();
    try {
      if (trainer == nullptr) fail(ErrorCode::bad_command, "a training that ended", "one that goes on");
      look(*trainer);
    } catch (const std::exception& error) {
      question->refuse(error);
    }
  });
}

// Values are read on the engine's thread, of the last batch.
void Hub::Desk::read(const Ticket& question, train::TrainingId training, const std::string& path) {
  on_engine(question, training, Effort::large, [this, question, training, path](train::Trainer& trainer) {
    on_clerk(question, [question, training, path, value = trainer.read(path)] {
      question->answer(train::to_json(training, train::events::ValueRead{path, value}));
    });
  });
}

void Hub::Desk::read_tensor(const Ticket& question, train::TrainingId training, const requests::ReadTensor& wish) {
  on_engine(question, training, Effort::large, [this, question, training, wish](train::Trainer& trainer) {
    const bool before_any_batch = trainer.steps() == 0 && !wish.gradient;  // when variables alone can be read
    std::optional<Array> value = before_any_batch ? trainer.read(wish.value) : trainer.look(wish.value, wish.gradient);
    if (!value) {
      fail(ErrorCode::missing_value, "the gradient of '" + wish.value + "'", "a value that the loss depends on");
    }
    on_clerk(question, [this, question, training, wish, value = *std::move(value)] {
      question->answer_each([&](const Asker& asker) {
        outlet_.send_binary(asker.client,
                            std::make_shared<const std::string>(tensor_frame_of(value, asker.ask, training, wish)));
      });
    });
  });
}

// Nothing where a change is on its way, or was made since somebody asked.
std::shared_ptr<const train::events::Journal> Hub::Desk::known_journal(train::TrainingId training) {
  const std::lock_guard lock(mutex_);
  const Folder& folder = folders_.at(training);
  const bool may_change = std::any_of(folder.asked.begin(), folder.asked.end(),
                                      [](const auto& entry) { return entry.second.message != "run"; });
  return may_change ? nullptr : folder.journal;
}

void Hub::Desk::tell_journal(const Ticket& question, train::TrainingId training) {
  if (const auto known = known_journal(training)) {
    return on_clerk(question, [question, training, known] { question->answer(train::to_json(training, *known)); });
  }
  on_engine(question, training, Effort::small, [this, question, training](const train::Trainer& trainer) {
    const auto journal = std::make_shared<const train::events::Journal>(
        train::events::Journal{trainer.journal(), trainer.can_undo(), trainer.can_redo()});
    {
      const std::lock_guard lock(mutex_);
      folders_.at(training).journal = journal;
    }
    question->answer(train::to_json(training, *journal));
  });
}

void Hub::Desk::tell_history(const Ticket& question, train::TrainingId training) {
  on_clerk(question, [this, question, training] {
    const History history = [&] {
      const std::lock_guard lock(mutex_);
      return folders_.at(training).record.history();
    }();
    question->answer(history.to_json(training.number));
  });
}

// From the first time that somebody asks, steps are measured.
void Hub::Desk::tell_costs(const Ticket& question, train::TrainingId training) {
  on_engine(question, training, Effort::large, [this, question, training](train::Trainer& trainer) {
    trainer.set_profiling(true);
    const std::shared_ptr<const Explanation> explanation = trainer.explain();
    if (explanation == nullptr) {
      fail(ErrorCode::missing_value, "a model that has not run yet", "a step, which is what costs are of",
           "run or step the training");
    }
    std::shared_ptr<const Graph> model;
    {
      const std::lock_guard lock(mutex_);
      model = folders_.at(training).record.model();
    }
    const AnswerHead head{.training = training.number, .version = trainer.version(), .ask = {}};
    on_clerk(question,
             [question, head, model, explanation, step = trainer.steps(), seconds = step_seconds_of(trainer)] {
               question->answer(costs_json(costs_of(*model, *explanation, seconds), step, head));
             });
  });
}

bool Hub::Desk::has_value(Folder& folder, train::Trainer& trainer, const std::string& value) {
  constexpr std::size_t kMostKnown = 4096;
  if (folder.known_version != trainer.version() || folder.known_values.size() == kMostKnown)
    folder.known_values.clear();
  folder.known_version = trainer.version();
  const auto known = folder.known_values.find(value);
  if (known != folder.known_values.end()) return known->second;
  return folder.known_values.emplace(value, trainer.has_value(value)).first->second;
}

// What cannot be watched is refused before it could keep the others from watching. Only the engine's thread may ask the
// trainer; from there the wish goes on.
void Hub::Desk::subscribe(const Ticket& question, train::TrainingId training, const requests::Subscribe& wish) {
  on_engine(question, training, Effort::small, [this, question, training, wish](train::Trainer& trainer) {
    Folder* folder = nullptr;
    {
      const std::lock_guard lock(mutex_);
      folder = &folders_.at(training);  // stays where it is
    }
    for (const std::string& value : wish.values) {
      if (!has_value(*folder, trainer, value)) trainer.fail_unknown_path(value);
    }
    const std::lock_guard lock(mutex_);
    const auto client = clients_.find(question->client());
    if (client == clients_.end()) return;
    const Subscription before =
        std::exchange(client->second.watched[training], {wish.values, wish.gradients, wish.every});
    question->answer(
        train::to_json(training, train::events::Watched{.step = trainer.steps(), .readings = {}, .paths = {}}));
    watch_for_all(training, *folder);
    // Where the others watch all of it already there is a reading.
    if (before.values == wish.values || folder->last_reading == nullptr) return;
    const train::events::Watched own = part_of(*folder->last_reading, wish.values);
    if (own.paths.empty()) return;
    outlet_.send(client->first, std::make_shared<const std::string>(train::to_json(training, own)),
                 "watched/" + std::to_string(training.number));
  });
}

}  // namespace asg::lab
