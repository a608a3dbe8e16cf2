#include "asg/optim/group.h"

#include <algorithm>

namespace asg::optim {
namespace {

constexpr std::size_t kShownNames = 5;

// Which beginnings of a name the pattern read so far can stand for: one flag for each length. Each part of the pattern
// turns it into the next, so the time is the product of the two lengths whatever the pattern.
class Glob {
 public:
  explicit Glob(std::string_view name) : name_(name), reached_(name.size() + 1, 0) { reached_[0] = 1; }

  void read(char character) {
    for (std::size_t length = name_.size(); length > 0; --length) {
      const char last = name_[length - 1];
      const bool fits = character == '?' ? last != '/' : last == character;
      reached_[length] = static_cast<char>(fits && reached_[length - 1] != 0);
    }
    reached_[0] = 0;
  }
  void read_star(bool over_slashes) {
    for (std::size_t length = 1; length <= name_.size(); ++length) {
      if (reached_[length - 1] != 0 && (over_slashes || name_[length - 1] != '/')) reached_[length] = 1;
    }
  }
  // "**/": any folders, or none.
  void read_folders() {
    bool before = false;
    for (std::size_t length = 0; length <= name_.size(); ++length) {
      const bool here = reached_[length] != 0;
      if (before && name_[length - 1] == '/') reached_[length] = 1;
      before = before || here;
    }
  }
  bool whole() const { return reached_.back() != 0; }

 private:
  std::string_view name_;
  std::vector<char> reached_;
};

bool matches_whole(std::string_view pattern, std::string_view name) {
  Glob glob(name);
  while (!pattern.empty()) {
    std::size_t taken = 1;
    if (pattern.starts_with("**/")) {
      glob.read_folders();
      taken = 3;
    } else if (pattern.starts_with("**")) {
      glob.read_star(true);
      taken = 2;
    } else if (pattern.front() == '*') {
      glob.read_star(false);
    } else {
      glob.read(pattern.front());
    }
    pattern.remove_prefix(taken);
  }
  return glob.whole();
}

bool fits(const Group& group, const Variable& variable) {
  if (!group.match.empty() && !matches_name(group.match, variable.name)) return false;
  if (group.rank_below && variable.type.shape.rank() >= *group.rank_below) return false;
  return !group.where || group.where(variable);
}

std::vector<std::string> split(std::string_view text, std::string_view separators) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), kShownNames); ++k) {
    if (k > 0) text += ", ";
    text += names[k];
  }
  return names.size() > kShownNames ? text + ", ..." : text;
}

// Names that share a part with the pattern, or nearly: "*.wieght" is near "head.weight".
std::vector<std::string> near_names(std::string_view pattern, const std::vector<std::string>& names) {
  std::vector<std::string> parts;
  for (const std::string& name : names) {
    for (std::string& part : split(name, "/.")) parts.push_back(std::move(part));
  }
  std::vector<std::string> wanted;
  for (const std::string& part : split(pattern, "/.*?")) {
    if (std::string near = nearest_name(part, parts); !near.empty()) wanted.push_back(std::move(near));
  }
  std::vector<std::string> result;
  for (const std::string& name : names) {
    const std::vector<std::string> own = split(name, "/.");
    const bool all = std::all_of(wanted.begin(), wanted.end(), [&](const std::string& part) {
      return std::find(own.begin(), own.end(), part) != own.end();
    });
    if (all && !wanted.empty()) result.push_back(name);
  }
  return result;
}

ErrorDetail empty_group(const Group& group, std::size_t place, const std::vector<std::string>& names, bool taken) {
  ErrorDetail detail;
  detail.code = ErrorCode::unknown_variable;
  detail.given = "the group '" + name_of(group, place) + "'";
  if (!group.match.empty()) detail.given += " of '" + group.match + "'";
  if (taken) {
    detail.given += ", all of whose parameters belong to groups before it";
    detail.needed = "a group of at least one parameter; the first one that fits counts";
    detail.mend = "put it before the others";
    return detail;
  }
  detail.given += ", which no parameter belongs to";
  detail.needed = "a group of at least one parameter";
  const std::vector<std::string> near = near_names(group.match, names);
  if (!near.empty()) {
    detail.mend = "near names: " + list_of(near);
  } else {
    detail.mend = names.empty() ? "the model has no parameters" : "the parameters are: " + list_of(names);
  }
  return detail;
}

}  // namespace

std::string name_of(const Group& group, std::size_t place) {
  return group.name.empty() ? "group_" + std::to_string(place + 1) : group.name;
}

bool matches_name(std::string_view pattern, std::string_view name) {
  const std::size_t slash = name.rfind('/');
  const bool last_part = pattern.find('/') == std::string_view::npos && slash != std::string_view::npos &&
                         pattern.find("**") == std::string_view::npos;
  return matches_whole(pattern, last_part ? name.substr(slash + 1) : name);
}

Assignment assign_groups(const Graph& model, std::span<const Group> groups, EmptyGroup empty) {
  Assignment result;
  std::vector<std::string> names;
  std::vector<int> fitting(groups.size(), 0);  // 1: by its conditions; 2: and is not taken by a group before it
  for (const VarId id : model.variable_ids()) {
    const Variable& variable = model.variable(id);
    if (variable.kind != VarKind::parameter) continue;
    names.push_back(variable.name);
    bool found = false;
    bool frozen = !variable.trainable;
    for (std::size_t place = 0; place < groups.size(); ++place) {
      if (!fits(groups[place], variable)) continue;
      fitting[place] = std::max(fitting[place], found ? 1 : 2);
      if (found) continue;
      found = true;
      frozen = frozen || groups[place].frozen;
      result.group_of.emplace(id, place);
    }
    if (!frozen) result.trained.push_back(id);
  }
  for (std::size_t place = 0; place < groups.size(); ++place) {
    if (fitting[place] == 2) continue;
    ErrorDetail detail = empty_group(groups[place], place, names, fitting[place] == 1);
    if (empty == EmptyGroup::is_error) throw UserError(std::move(detail));
    result.warnings.emplace_back(UserError(std::move(detail)).what());
  }
  if (result.trained.empty() && !names.empty()) result.warnings.emplace_back("all parameters are frozen");
  return result;
}

}  // namespace asg::optim
