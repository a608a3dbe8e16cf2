// From a view to the model and from the model to a view, by the origins of nodes.
#include <algorithm>

#include "lab/derived_paths.h"
#include "lab/scene_data.h"

namespace asg::lab {
namespace {

constexpr std::size_t kMostPlaces = 64;

const std::vector<std::pair<std::string, int>>& origin_index(const SceneData& data) {
  if (!data.by_origin.empty()) return data.by_origin;
  const Sheet& sheet = *data.root->sheet;
  for (std::size_t leaf = 0; leaf < sheet.leaves.size(); ++leaf) {
    if (!sheet.leaves[leaf].origin.empty())
      data.by_origin.emplace_back(sheet.leaves[leaf].origin, static_cast<int>(leaf));
    for (const std::string& origin : sheet.leaves[leaf].more_origins) {
      data.by_origin.emplace_back(origin, static_cast<int>(leaf));
    }
  }
  std::sort(data.by_origin.begin(), data.by_origin.end());
  return data.by_origin;
}

// The largest scopes of which all leaves are marked, at or below the place of the origin; `sums[k]` counts the marked
// leaves before leaf k.
class Cover {
 public:
  Cover(const Frame& frame, const std::vector<bool>& marked, std::string_view origin, View view)
      : frame_(frame), origin_(origin), view_(view), sums_(marked.size() + 1) {
    for (std::size_t leaf = 0; leaf < marked.size(); ++leaf) sums_[leaf + 1] = sums_[leaf] + (marked[leaf] ? 1 : 0);
  }

  std::vector<std::string> paths() {
    visit(0);
    return std::move(paths_);
  }

 private:
  int between(int first, int last) const {
    return sums_[static_cast<std::size_t>(last)] - sums_[static_cast<std::size_t>(first)];
  }

  // A scope with one op inside is more than the op.
  bool belongs(std::string_view scope) const {
    scope = without_role(view_, scope);
    return scope.starts_with(origin_) && (scope.size() == origin_.size() || scope[origin_.size()] == '/');
  }

  void visit(int index) {
    const Scope& scope = frame_.sheet->scopes[static_cast<std::size_t>(index)];
    for (const Scope::Child& child : scope.children) {
      if (paths_.size() == kMostPlaces) return;
      if (!child.is_scope) {
        if (between(child.index, child.index + 1) == 1) paths_.push_back(leaf_path(frame_, child.index));
        continue;
      }
      const Scope& inner = frame_.sheet->scopes[static_cast<std::size_t>(child.index)];
      const int count = between(inner.first, inner.last);
      if (count == inner.last - inner.first && belongs(inner.path)) {
        paths_.push_back(scope_path(frame_, child.index));
      } else if (count > 0) {
        visit(child.index);
      }
    }
  }

  const Frame& frame_;
  std::string_view origin_;
  View view_;
  std::vector<int> sums_;
  std::vector<std::string> paths_;
};

void mark_below(const SceneData& data, const std::string& origin, std::vector<bool>& marked) {
  const auto& index = origin_index(data);
  const auto mark_from = [&](const std::string& from, const auto& belongs) {
    for (auto at = std::lower_bound(index.begin(), index.end(), std::pair(from, -1)); at != index.end(); ++at) {
      if (!belongs(at->first)) break;
      marked[static_cast<std::size_t>(at->second)] = true;
    }
  };
  mark_from(origin, [&](const std::string& path) { return path == origin; });
  mark_from(origin + "/", [&](const std::string& path) { return path.starts_with(origin + "/"); });
}

// Those that have a place of their own in the plan, the ones in the arena first: they are in its picture.
std::vector<std::string> marked_buffers(const SceneData& data, const std::vector<bool>& marked) {
  std::vector<std::string> in_arena, beside;
  for (std::size_t leaf = 0; leaf < marked.size(); ++leaf) {
    const int number = data.root->sheet->leaves[leaf].buffer;
    if (!marked[leaf] || number < 0) continue;
    const Buffer& buffer = data.explanation->program.buffers[static_cast<std::size_t>(number)];
    if (buffer.shares >= 0) continue;
    auto& paths = buffer.kind == Buffer::Kind::temporary ? in_arena : beside;
    paths.push_back(leaf_path(*data.root, static_cast<int>(leaf)));
  }
  in_arena.insert(in_arena.end(), beside.begin(), beside.end());
  return in_arena;
}

}  // namespace

bool has_origin(const SceneData& data, const std::string& origin) {
  const auto& index = origin_index(data);
  const auto at = std::lower_bound(index.begin(), index.end(), std::pair(origin, -1));
  if (at != index.end() && at->first == origin) return true;
  const std::string below = origin + "/";
  const auto inside = std::lower_bound(index.begin(), index.end(), std::pair(below, -1));
  return inside != index.end() && inside->first.starts_with(below);
}

std::string_view without_role(View view, std::string_view path) {
  if (view == View::model || view == View::expanded) return path;
  const std::size_t folder = path.find('/');
  std::string_view layer = folder == std::string_view::npos ? std::string_view() : path.substr(folder + 1);
  // The check of gradients stands in the update, and what was fused with others with them, layer by layer.
  constexpr std::string_view kCheck = "check/";
  if (layer == "check") return {};
  if (layer.starts_with(kCheck)) layer.remove_prefix(kCheck.size());
  return layer;
}

std::vector<std::string> Scene::origins(std::string_view path) const {
  const std::lock_guard lock(data_->mutex);
  return origins_of(*data_, place_at(*data_, path));
}

std::vector<std::string> Scene::with_origin(std::string_view model_path) const {
  const std::lock_guard lock(data_->mutex);
  std::string_view origin = model_path;
  while (origin.ends_with('/')) origin.remove_suffix(1);
  if (data_->view == View::model) {
    // A derived node may come from deeper inside than the model shows: from the body of a plain op.
    if (find_place(*data_, model_path)) return {std::string(model_path)};
    while (!origin.empty() && !find_place(*data_, origin)) origin = parent_path(origin);
    if (origin.empty()) return {};
    return {std::string(origin)};
  }
  std::vector<bool> marked(data_->root->sheet->leaves.size());
  mark_below(*data_, std::string(origin), marked);
  if (data_->view == View::plan) return marked_buffers(*data_, marked);
  return Cover(*data_->root, marked, origin, data_->view).paths();
}

namespace {

// What follows from an item in another view, by way of the model. A place of the same role comes before all others: the
// gradient of a layer is looked for among gradients.
std::vector<std::string> places_in(const Scene& view, const std::vector<std::string>& origins,
                                   std::string_view folder) {
  std::vector<std::string> all, same;
  for (const std::string& origin : origins) {
    for (std::string& found : view.with_origin(origin)) {
      if (std::find(all.begin(), all.end(), found) != all.end()) continue;
      if (std::string_view(found).substr(0, found.find('/')) == folder) same.push_back(found);
      all.push_back(std::move(found));
    }
  }
  const bool has_roles = view.view() != View::model && view.view() != View::expanded;
  if (has_roles && !same.empty()) all = std::move(same);
  if (all.size() > kMostPlaces) all.resize(kMostPlaces);
  return all;
}

}  // namespace

std::vector<Places> locate(const Scene& scene, std::string_view path, const std::vector<Scene>& views) {
  const std::vector<std::string> origins = scene.origins(path);
  const bool has_role = scene.view() != View::model && scene.view() != View::expanded;
  const std::string folder(has_role ? folder_of(scene.item(path).role) : "");
  std::vector<Places> all;
  for (const Scene& view : views) {
    Places places{.view = view.view()};
    if (view.view() == scene.view()) {
      places.paths.emplace_back(path);
    } else {
      places.paths = places_in(view, origins, folder);
    }
    all.push_back(std::move(places));
  }
  return all;
}

}  // namespace asg::lab
