#include "asg/lab/scene.h"

#include <algorithm>
#include <array>

#include "lab/scene_data.h"

namespace asg::lab {
namespace {

constexpr std::array<std::string_view, 5> kViewNames = {"model", "expanded", "gradient", "optimised", "plan"};
static_assert(kViewNames.size() == static_cast<std::size_t>(View::plan) + 1);

std::shared_ptr<SceneData> data_of(View view, const Graph& model, std::shared_ptr<Sheet> sheet) {
  auto data = std::make_shared<SceneData>();
  data->view = view;
  data->model = std::make_shared<const Graph>(model);
  data->root = std::make_unique<Frame>();
  data->root->sheet = std::move(sheet);
  return data;
}

}  // namespace

std::string_view name_of(View view) { return kViewNames[static_cast<std::size_t>(view)]; }

std::optional<View> parse_view(std::string_view name) {
  const auto* const found = std::find(kViewNames.begin(), kViewNames.end(), name);
  if (found == kViewNames.end()) return std::nullopt;
  return static_cast<View>(found - kViewNames.begin());
}

Scene Scene::of_model(const Graph& model) {
  return Scene(data_of(View::model, model, sheet_of_graph(std::make_shared<const Graph>(model), false, nullptr)));
}

Scene Scene::of_expanded(const Graph& model, Mode mode) {
  const auto expanded = std::make_shared<const Graph>(expand(model, mode).graph);
  return Scene(data_of(View::expanded, model, sheet_of_derived(model, expanded, false)));
}

Scene Scene::of_step(const Graph& model, const train::StepGraph& step) {
  const auto graph = std::make_shared<const Graph>(step.graph);
  const auto apply = step.apply ? std::make_shared<const Graph>(*step.apply) : nullptr;
  return Scene(data_of(View::gradient, model, sheet_of_derived(model, graph, true, apply)));
}

Scene Scene::of_program(const Graph& model, std::shared_ptr<const Explanation> explanation,
                        std::vector<double> step_seconds) {
  auto data = data_of(View::optimised, model, sheet_of_program(model, *explanation));
  data->explanation = std::move(explanation);
  data->step_seconds = std::move(step_seconds);
  return Scene(std::move(data));
}

Scene Scene::of_plan(const Graph& model, std::shared_ptr<const Explanation> explanation) {
  auto data = data_of(View::plan, model, sheet_of_plan(model, *explanation));
  data->explanation = std::move(explanation);
  return Scene(std::move(data));
}

View Scene::view() const { return data_->view; }

Level Scene::level(std::string_view scope) const {
  const std::lock_guard lock(data_->mutex);
  const Place place = place_at(*data_, scope);
  if (place.scope >= 0) return level_of_scope(*data_, *place.frame, place.scope);
  const Leaf& leaf = place.frame->sheet->leaves[static_cast<std::size_t>(place.leaf)];
  if (!opens(leaf)) {
    const std::string op = leaf.graph != nullptr ? item_of_leaf(*data_, *place.frame, place.leaf).op : leaf.op;
    fail(ErrorCode::unknown_scope, "the inside of '" + std::string(scope) + "'",
         "a scope, a layer or a fused step; " + op + " is a single thing and holds nothing");
  }
  return level_of_scope(*data_, frame_inside(*data_, *place.frame, place.leaf), 0);
}

Item Scene::item(std::string_view path) const {
  const std::lock_guard lock(data_->mutex);
  const Place place = place_at(*data_, path);
  if (place.leaf >= 0) return item_of_leaf(*data_, *place.frame, place.leaf);
  return item_of_scope(*data_, *place.frame, place.scope);
}

bool Scene::has(std::string_view path) const {
  const std::lock_guard lock(data_->mutex);
  return static_cast<bool>(find_place(*data_, path));
}

std::optional<Scene::NodeAt> Scene::node(std::string_view path) const {
  const std::lock_guard lock(data_->mutex);
  const Place place = place_at(*data_, path);
  if (place.leaf < 0) return std::nullopt;
  const Leaf& leaf = place.frame->sheet->leaves[static_cast<std::size_t>(place.leaf)];
  if (leaf.graph == nullptr) return std::nullopt;
  return NodeAt{leaf.graph, leaf.node};
}

}  // namespace asg::lab
