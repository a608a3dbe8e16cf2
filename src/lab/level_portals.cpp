#include "lab/level_portals.h"

#include <algorithm>

#include "asg/graph/card.h"

namespace asg::lab {
namespace {

std::string_view first_part(std::string_view path) { return path.substr(0, path.find('/')); }

// The first `parts` parts of a path: "forward/block_0/norm/Mul", 2 → "forward/block_0".
std::string_view beginning(std::string_view path, std::size_t parts) {
  std::size_t end = 0;
  for (std::size_t k = 0; k < parts; ++k) {
    end = path.find('/', k == 0 ? 0 : end + 1);
    if (end == std::string_view::npos) return path;
  }
  return path.substr(0, end);
}

}  // namespace

LevelPortals::LevelPortals(const SceneData& data, const Frame& frame, const Scope& scope)
    : frame_(frame), folder_(first_part(scope.path)) {
  if (data.view == View::model || frame.outer != nullptr) return;
  const bool has_roles = data.view != View::expanded;
  by_role_ = has_roles && !scope.path.empty();
  // Between the folders of roles everything is one line.
  holds_still_ = by_role_ || !has_roles;
  depth_ = static_cast<std::size_t>(std::count(scope.path.begin(), scope.path.end(), '/')) + 2;
}

bool LevelPortals::is_far(int leaf) const {
  return by_role_ && leaf >= 0 && first_part(frame_.sheet->leaves[static_cast<std::size_t>(leaf)].path) != folder_;
}

bool LevelPortals::is_still(int leaf) const {
  if (!holds_still_ || leaf < 0) return false;
  const Leaf& maker = frame_.sheet->leaves[static_cast<std::size_t>(leaf)];
  if (maker.graph == nullptr) return maker.op == "variable" || maker.op == "constant";  // a buffer
  const std::string& op = maker.get().op->name;
  return op == "Variable" || op == "Constant";
}

LevelPortals::Group& LevelPortals::group(const std::string& key, const Source& value) {
  const auto [at, is_new] = index_.emplace(key, groups_.size());
  if (is_new) groups_.push_back({.first = value});
  return groups_[at->second];
}

void LevelPortals::add_far(const Source& value, const std::vector<int>& users) {
  const Leaf& maker = frame_.sheet->leaves[static_cast<std::size_t>(value.leaf)];
  const std::string_view place = beginning(maker.path, depth_);
  Group& joined = group("far " + std::string(place), value);
  if (joined.count++ == 0) {
    const std::string_view name = place == maker.path ? std::string_view(maker.name) : last_part(place);
    joined.name = std::string(first_part(maker.path)) + ": " + std::string(name);
  }
  joined.users.insert(joined.users.end(), users.begin(), users.end());
}

void LevelPortals::add_still(const Source& value, std::optional<int> from, const std::vector<int>& users) {
  std::string key = "still " + std::to_string(from.value_or(-1));
  for (const int user : users) key += ' ' + std::to_string(user);
  Group& joined = group(key, value);
  if (joined.count++ > 0) return;
  joined.name = short_name(frame_, value);
  joined.from = from;
  joined.users = users;
}

void LevelPortals::finish(Level& level) const {
  for (const Group& each : groups_) {
    Portal portal{each.name, value_name(frame_, each.first), value_type(frame_, each.first)};
    if (each.count > 1) portal.name += " +" + std::to_string(each.count - 1);
    if (each.from) portal.from = level.items[static_cast<std::size_t>(*each.from)].path;
    std::vector<int> users = each.users;
    std::sort(users.begin(), users.end());
    users.erase(std::unique(users.begin(), users.end()), users.end());
    for (const int user : users) portal.to.push_back(level.items[static_cast<std::size_t>(user)].path);
    level.portals.push_back(std::move(portal));
  }
}

}  // namespace asg::lab
