#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "asg/core/error.h"
#include "asg/lab/costs.h"
#include "asg/lab/describe.h"
#include "asg/lab/plan.h"
#include "asg/lab/scene_json.h"
#include "asg/lab/tensor_frame.h"
#include "lab/answer_json.h"
#include "lab/desk.h"
#include "lab/desk_looks.h"

namespace asg::lab {
namespace {

using DeskAnswerJson = nlohmann::ordered_json;

// The view that must be there before a question can be answered.
View view_of(const Question& question) {
  if (const auto* level = std::get_if<requests::Level>(&question)) return level->view;
  if (const auto* describe = std::get_if<requests::Describe>(&question)) return describe->view;
  if (const auto* find = std::get_if<requests::Find>(&question)) return find->view;
  if (std::holds_alternative<requests::Locate>(question)) return View::plan;  // all of them
  if (std::holds_alternative<requests::Plan>(question)) return View::plan;
  return View::model;
}

std::string tensor_frame_of(const Array& array, std::optional<std::int64_t> ask, train::TrainingId training,
                            const requests::ReadTensor& wish) {
  const std::int64_t count = std::min(array.count(), wish.limit);
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(count));
  for (std::int64_t k = 0; k < count; ++k) values.push_back(static_cast<float>(array.get(k)));
  DeskAnswerJson header = {{"event", "tensor"},         {"training", training.number},    {"value", wish.value},
                           {"gradient", wish.gradient}, {"type", array.type_string()},    {"shape", array.sizes()},
                           {"count", array.count()},    {"elided", count < array.count()}};
  if (ask) header["ask"] = *ask;
  return tensor_frame(header.dump(), values);
}

}  // namespace

std::shared_ptr<Views> Hub::Desk::views_of(train::TrainingId training) {
  std::shared_ptr<Views>& views = views_[training];
  const std::lock_guard lock(mutex_);
  const Record& record = folders_.at(training).record;
  if (record.model() == nullptr) {
    const bool is_gone = folders_.at(training).record.is_gone();
    fail(ErrorCode::missing_value, is_gone ? "a training that could not begin" : "a training that is still being made",
         "one whose model stands ready", is_gone ? "" : "ask again in a moment");
  }
  if (views == nullptr || views->version() != record.version()) {
    views = std::make_shared<Views>(record.version(), record.model(), record.step_graph());
  }
  if (const auto& last = folders_.at(training).last_look) views->set_explanation(last->explanation, last->step_seconds);
  return views;
}

// Questions that come before the model are answered after it.
bool Hub::Desk::hold(const Asker& asker, const Request& request) {
  constexpr std::size_t kMostHeld = 256;
  const std::lock_guard lock(mutex_);
  Folder& folder = folders_.at(request.training);
  if (folder.record.model() != nullptr || folder.record.is_gone() || folder.held.size() == kMostHeld) return false;
  folder.held.push_back({asker, request});
  return true;
}

void Hub::Desk::answer(const Asker& asker, const Request& request) {
  try {
    if (hold(asker, request)) return;
    const std::shared_ptr<Views> views = views_of(request.training);
    if (views->lacks_explanation(view_of(request.question))) return ask_device(asker, request, views);
    outlet_.send(asker.client, std::make_shared<const std::string>(answer_to(request, *views)), {});
  } catch (const std::exception& error) {
    refuse(asker, request.name, error);
  }
}

// What the device made of the model it tells between two steps; then the clerk goes on.
void Hub::Desk::ask_device(const Asker& asker, const Request& request, std::shared_ptr<Views> views) {
  engine_.ask(request.training, [this, asker, request, views = std::move(views)](train::Trainer* trainer) {
    std::shared_ptr<const Explanation> explanation;
    std::vector<double> seconds;
    try {
      if (trainer != nullptr) {
        explanation = trainer->explain();
        seconds = step_seconds_of(*trainer);
      }
    } catch (const std::exception& error) {
      return refuse(asker, request.name, error);
    }
    clerk_.post([this, asker, request, views, explanation, seconds] {
      try {
        views->set_explanation(explanation, seconds);
        outlet_.send(asker.client, std::make_shared<const std::string>(answer_to(request, *views)), {});
      } catch (const std::exception& error) {
        refuse(asker, request.name, error);
      }
    });
  });
}

std::string Hub::Desk::answer_to(const Request& request, Views& views) {
  const AnswerHead head{.training = request.training.number, .version = views.version(), .ask = request.ask};
  if (const auto* wish = std::get_if<requests::Level>(&request.question)) {
    return level_json(views.scene(wish->view).level(wish->scope), head);
  }
  if (const auto* wish = std::get_if<requests::Describe>(&request.question)) {
    return described_json(describe(views.scene(wish->view), wish->path), head);
  }
  if (const auto* wish = std::get_if<requests::Find>(&request.question)) {
    return found_json(views.scene(wish->view).find(wish->text, wish->limit), head);
  }
  if (const auto* wish = std::get_if<requests::Locate>(&request.question)) {
    return located_json(locate(views.scene(wish->view), wish->path, views.all()), head);
  }
  internal_check(std::holds_alternative<requests::Plan>(request.question), "a question that the clerk can answer");
  return plan_json(plan_of(views.scene(View::optimised), views.scene(View::plan)), head);
}

// Values are read on the engine's thread, of the last batch.
void Hub::Desk::read_tensor(const Asker& asker, train::TrainingId training, const requests::ReadTensor& wish) {
  engine_.ask(training, [this, asker, training, wish](train::Trainer* trainer) {
    try {
      if (trainer == nullptr) fail(ErrorCode::bad_command, "a training that ended", "one that goes on");
      const bool before_any_batch = trainer->steps() == 0 && !wish.gradient;  // when variables alone can be read
      const std::optional<Array> value =
          before_any_batch ? trainer->read(wish.value) : trainer->look(wish.value, wish.gradient);
      if (!value) {
        fail(ErrorCode::missing_value, "the gradient of '" + wish.value + "'", "a value that the loss depends on");
      }
      auto frame = std::make_shared<const std::string>(tensor_frame_of(*value, asker.ask, training, wish));
      outlet_.send_binary(asker.client, std::move(frame));
    } catch (const std::exception& error) {
      refuse(asker, "tensor", error);
    }
  });
}

// From the first time that somebody asks, steps are measured.
void Hub::Desk::send_costs(const Asker& asker, train::TrainingId training) {
  engine_.ask(training, [this, asker, training](train::Trainer* trainer) {
    try {
      if (trainer == nullptr) fail(ErrorCode::bad_command, "a training that ended", "one that goes on");
      trainer->set_profiling(true);
      const std::shared_ptr<const Explanation> explanation = trainer->explain();
      if (explanation == nullptr) {
        fail(ErrorCode::missing_value, "a model that has not run yet", "a step, which is what costs are of",
             "run or step the training");
      }
      const AnswerHead head{.training = training.number, .version = trainer->version(), .ask = asker.ask};
      std::shared_ptr<const Graph> model;
      {
        const std::lock_guard lock(mutex_);
        model = folders_.at(training).record.model();
      }
      clerk_.post(
          [this, asker, head, model, explanation, step = trainer->steps(), seconds = step_seconds_of(*trainer)] {
            auto text = costs_json(costs_of(*model, *explanation, seconds), step, head);
            outlet_.send(asker.client, std::make_shared<const std::string>(std::move(text)), {});
          });
    } catch (const std::exception& error) {
      refuse(asker, "costs", error);
    }
  });
}

void Hub::Desk::open(const Asker& asker, const requests::Open& wish) {
  try {
    if (!options_.open) fail(ErrorCode::bad_command, "'open'", "a Lab that can open trainings");
    Opened opened = options_.open(wish.json);
    const train::TrainingId id = add(std::move(opened.label), std::move(opened.spec));
    send(asker, DeskAnswerJson{{"event", "opened"}, {"training", id.number}}.dump());
  } catch (const std::exception& error) {
    refuse(asker, "open", error);
  }
}

}  // namespace asg::lab
