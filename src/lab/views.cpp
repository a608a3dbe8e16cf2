#include "lab/views.h"

#include <utility>

#include "asg/core/error.h"

namespace asg::lab {

Views::Views(std::int64_t version, std::shared_ptr<const Graph> model, std::shared_ptr<const train::StepGraph> step)
    : version_(version), model_(std::move(model)), step_(std::move(step)) {}

bool Views::lacks_explanation(View view) const {
  return (view == View::optimised || view == View::plan) && explanation_ == nullptr && !asked_;
}

void Views::set_explanation(std::shared_ptr<const Explanation> explanation, std::vector<double> step_seconds) {
  if (explanation_ != nullptr) return;  // another question was quicker, and scenes may be made of its answer
  asked_ = explanation != nullptr;      // a batch may come, so that it is worth asking again
  explanation_ = std::move(explanation);
  step_seconds_ = std::move(step_seconds);
}

const std::shared_ptr<const Explanation>& Views::explanation() const {
  if (explanation_ == nullptr) {
    fail(ErrorCode::missing_value, "a model that has not run yet",
         "a step, whose batch decides the sizes that programs are made for", "run or step the training");
  }
  return explanation_;
}

Scene Views::make(View view) const {
  switch (view) {
    case View::model:
      return Scene::of_model(*model_);
    case View::expanded:
      return Scene::of_expanded(*model_);
    case View::gradient:
      return Scene::of_step(*model_, *step_);
    case View::optimised:
      return Scene::of_program(*model_, explanation(), step_seconds_);
    case View::plan:
      return Scene::of_plan(*model_, explanation());
  }
  fail_internal("a view that nobody makes");
}

const Scene& Views::scene(View view) {
  const auto found = scenes_.find(view);
  return found != scenes_.end() ? found->second : scenes_.emplace(view, make(view)).first->second;
}

std::vector<Scene> Views::all() {
  std::vector<Scene> result;
  for (const View view : {View::model, View::expanded, View::gradient, View::optimised, View::plan}) {
    const bool needs_device = view == View::optimised || view == View::plan;
    if (!needs_device || explanation_ != nullptr) result.push_back(scene(view));
  }
  return result;
}

}  // namespace asg::lab
