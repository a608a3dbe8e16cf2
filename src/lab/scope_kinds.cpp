// What scopes of derived views are: the layers of the model that they come from, and the folders above those.
#include "asg/graph/card.h"
#include "lab/scene_data.h"

namespace asg::lab {
namespace {

struct FolderKind {
  std::string_view path;
  std::string_view category;
};

constexpr FolderKind kFolders[] = {{"forward", "forward"}, {"gradient", "gradient"}, {"update", "update"},
                                   {"apply", "update"},    {"inputs", "leaf"},       {"constants", "leaf"},
                                   {"variables", "leaf"},  {"outputs", "leaf"}};

const SceneData& model_data_of(const SceneData& data) {
  if (data.view == View::model) return data;
  if (data.model_data == nullptr) {
    data.model_data = std::make_unique<SceneData>();
    data.model_data->model = data.model;
    data.model_data->root = std::make_unique<Frame>();
    data.model_data->root->sheet = sheet_of_graph(data.model, false, nullptr);
  }
  return *data.model_data;
}

}  // namespace

const OpCard* op_in_model(const SceneData& data, std::string_view path) {
  const Place place = find_place(model_data_of(data), path);
  if (!place || place.leaf < 0) return nullptr;
  const Leaf& leaf = place.frame->sheet->leaves[static_cast<std::size_t>(place.leaf)];
  return leaf.graph == nullptr ? nullptr : leaf.get().op;
}

ScopeKind kind_of_scope(const SceneData& data, const Scope& scope) {
  if (data.view != View::expanded) {
    for (const FolderKind& folder : kFolders) {
      if (scope.path == folder.path) return {"", std::string(folder.category)};
    }
    if (last_part(scope.path) == "check" && without_role(data.view, scope.path).empty()) return {"", "update"};
  }
  const std::string_view layer = without_role(data.view, scope.path);
  if (const OpCard* op = layer.empty() ? nullptr : op_in_model(data, layer)) {
    return {op->name, std::string(name_of(op->category))};
  }
  // A part of the body of a plain op, which the model does not open, has its colour.
  for (std::string_view around = parent_path(layer); !around.empty(); around = parent_path(around)) {
    if (const OpCard* op = op_in_model(data, around)) return {"", std::string(name_of(op->category))};
  }
  return {};
}

}  // namespace asg::lab
