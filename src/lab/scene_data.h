#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "asg/compile/explain.h"
#include "asg/lab/roles.h"
#include "lab/sheet.h"

namespace asg::lab {

// A sheet in its place: that of the whole scene, or the inside of a leaf of another. Layers of the same structure share
// their sheet.
struct Frame {
  std::shared_ptr<Sheet> sheet;
  std::string prefix = {};  // of all paths: "" or "block_0/attention/"
  Frame* outer = nullptr;
  int caller = -1;                    // the leaf of `outer` whose inside this is
  std::vector<VarId> variables = {};  // of the body, by number → of the model
  std::unordered_map<int, std::unique_ptr<Frame>> inner = {};
};

// What a path names: a leaf, or a scope (0 of an inner frame never: that is its caller).
struct Place {
  Frame* frame = nullptr;
  int leaf = -1;
  int scope = -1;

  explicit operator bool() const { return frame != nullptr; }
};

struct SceneData {
  View view = View::model;
  std::shared_ptr<const Graph> model;
  std::shared_ptr<const Explanation> explanation;
  std::vector<double> step_seconds;
  std::unique_ptr<Frame> root;

  // Held by every public function; what is below is filled when first needed.
  mutable std::mutex mutex;
  mutable std::unordered_map<std::string, std::shared_ptr<Sheet>> bodies;  // by op, configuration and types
  mutable std::vector<std::pair<std::string, int>> by_origin;              // sorted; leaves of the root
  mutable std::unique_ptr<SceneData> model_data;                           // the model of a derived view
  mutable std::unique_ptr<Roles> roles;
};

// ---- Opening

bool opens(const Leaf& leaf);
std::shared_ptr<Sheet> inside_of(const SceneData& data, Sheet& sheet, int leaf);
Frame& frame_inside(const SceneData& data, Frame& frame, int leaf);
// How many ops a leaf, or a range of leaves, is made of.
std::int64_t nodes_of_leaf(const SceneData& data, Sheet& sheet, int leaf);
std::int64_t nodes_between(const SceneData& data, Sheet& sheet, int first, int last);
// The work of leaves in FLOPs, by their cards; lengths that are not known count as 1.
double flops_between(const SceneData& data, Sheet& sheet, int first, int last);
// The variable of the model that a body calls `variable`; none where the frame is the inside of control flow.
VarId model_variable(const Frame& frame, VarId variable);

// ---- Paths

// None where the path names nothing.
Place find_place(const SceneData& data, std::string_view path);
Place place_at(const SceneData& data, std::string_view path);  // throws unknown_scope
int scope_of(const Sheet& sheet, int leaf);                    // the innermost one around it
// Scopes and layers that are open where the place is seen, from the outside in. A part of a divided scope is no part of
// the paths inside it.
std::vector<std::string> scopes_around(Place place);
std::string leaf_path(const Frame& frame, int leaf);
std::string scope_path(const Frame& frame, int scope);
// The value in words: "path:port", of the producer outside where it enters a layer. "" of an absent one, and of what
// only control flow gives.
std::string value_name(const Frame& frame, const Source& source);
std::string value_type(const Frame& frame, const Source& source);
std::string short_name(const Frame& frame, const Source& source);
std::vector<Item::Output> outputs_of(const Leaf& leaf);

// ---- Items and levels

Item item_of_leaf(const SceneData& data, Frame& frame, int leaf);
Item item_of_scope(const SceneData& data, Frame& frame, int scope);
Level level_of_scope(const SceneData& data, Frame& frame, int scope);
void mark_skips(std::vector<Edge>& edges, const std::vector<std::pair<int, int>>& ends, std::size_t items);
// Leaves out what would make the level too large to be looked at, and counts it.
void limit_level(Level& level);
// Marks chains of items that open and have the same structure. `ends` are the edges by the numbers of the items.
void mark_repeats(const SceneData& data, Sheet& sheet, const std::vector<Scope::Child>& children,
                  const std::vector<std::pair<int, int>>& ends, Level& level);

// The op at a path of the model, layers opened; null where a scope or nothing stands there.
const OpCard* op_in_model(const SceneData& data, std::string_view path);
// The op and the category of a scope of a derived view: those of the layer that it comes from. Folders of roles and of
// kinds of memory have a category only: "forward", "gradient", "update", "leaf".
struct ScopeKind {
  std::string op, category;
};
ScopeKind kind_of_scope(const SceneData& data, const Scope& scope);

// Whether anything in the scene comes from this place of the model, or from below it.
bool has_origin(const SceneData& data, const std::string& origin);
// A path without the folder of its role: "gradient/block_0" and "update/check/block_0" → "block_0". The same in views
// without such folders.
std::string_view without_role(View view, std::string_view path);
std::vector<std::string> origins_of(const SceneData& data, const Place& place);

}  // namespace asg::lab
