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
bool Hub::Desk::hold(const Ticket& question, const Request& request) {
  const std::lock_guard lock(mutex_);
  Folder& folder = folders_.at(request.training);
  if (folder.record.model() != nullptr || folder.record.is_gone()) return false;
  folder.held.push_back({question, request});
  return true;
}

void Hub::Desk::answer(const Ticket& question, const Request& request) {
  if (hold(question, request)) return;
  const std::shared_ptr<Views> views = views_of(request.training);
  if (views->lacks_explanation(view_of(request.question))) return ask_device(question, request, views);
  question->answer(answer_to(request, *views));
}

// What the device made of the model it tells between two steps; then the clerk goes on.
void Hub::Desk::ask_device(const Ticket& question, const Request& request, std::shared_ptr<Views> views) {
  on_engine(question, request.training, Effort::large,
            [this, question, request, views = std::move(views)](const train::Trainer& trainer) {
              std::shared_ptr<const Explanation> explanation = trainer.explain();
              on_clerk(question, [this, question, request, views, explanation, seconds = step_seconds_of(trainer)] {
                views->set_explanation(explanation, seconds);
                question->answer(answer_to(request, *views));
              });
            });
}

std::string Hub::Desk::answer_to(const Request& request, Views& views) {
  const AnswerHead head{.training = request.training.number, .version = views.version(), .ask = {}};
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
