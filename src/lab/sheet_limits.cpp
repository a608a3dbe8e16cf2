// What keeps a sheet fit for people, whatever names and sizes a model has.
#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "lab/sheet.h"

namespace asg::lab {

std::string_view scope_around(std::string_view path) {
  std::size_t parts = 0;
  for (std::size_t at = path.find('/'); at != std::string_view::npos; at = path.find('/', at + 1)) {
    if (++parts == kDeepestScope) return path.substr(0, at);
  }
  return parent_path(path);
}

std::string readable(std::string name) {
  constexpr std::size_t kLongest = 160;  // bytes
  if (name.size() > kLongest) {
    std::size_t end = kLongest;
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U) --end;  // not inside a letter
    name.resize(end);
    name += "…";
  }
  const auto is_control = [](char letter) { return static_cast<unsigned char>(letter) < 0x20U || letter == '\x7F'; };
  if (std::none_of(name.begin(), name.end(), is_control)) return name;
  std::string shown;
  for (const char letter : name) {
    if (is_control(letter)) {
      shown += "\uFFFD";
    } else {
      shown += letter;
    }
  }
  return shown;
}

namespace {

// Children of a part, so that neither the parts nor what is in them are too many.
std::size_t part_size(std::size_t children) {
  const auto root = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(children))));
  return std::max(root, (children + kMostItems - 1) / kMostItems);
}

void divide_scope(Sheet& sheet, const std::unordered_set<std::string_view>& taken, int index) {
  const std::vector<Scope::Child> children = std::move(sheet.scopes[static_cast<std::size_t>(index)].children);
  sheet.scopes[static_cast<std::size_t>(index)].children.clear();
  const std::size_t size = part_size(children.size());
  for (std::size_t first = 0; first < children.size(); first += size) {
    const std::size_t last = std::min(children.size(), first + size);
    const int number = static_cast<int>(sheet.scopes.size());
    Scope part{.name = std::to_string(first + 1) + "–" + std::to_string(last), .parent = index};
    part.path = joined_path(sheet.scopes[static_cast<std::size_t>(index)].path, part.name);
    while (taken.contains(part.path) || sheet.scope_at.contains(part.path)) part.path += "'";
    part.children.assign(children.begin() + static_cast<std::ptrdiff_t>(first),
                         children.begin() + static_cast<std::ptrdiff_t>(last));
    for (const Scope::Child& child : part.children) {
      if (child.is_scope) sheet.scopes[static_cast<std::size_t>(child.index)].parent = number;
    }
    sheet.scope_at.emplace(part.path, number);
    sheet.scopes.push_back(std::move(part));
    sheet.scopes[static_cast<std::size_t>(index)].children.push_back({true, number});
  }
}

}  // namespace

void divide_large_scopes(Sheet& sheet, const std::vector<Leaf>& leaves) {
  std::unordered_set<std::string_view> taken;
  // Parts of a very large scope come behind it, and are looked at in their turn.
  for (std::size_t index = 0; index < sheet.scopes.size(); ++index) {
    if (sheet.scopes[index].children.size() <= kMostItems) continue;
    if (taken.empty()) {
      for (const Leaf& leaf : leaves) taken.insert(leaf.path);
    }
    divide_scope(sheet, taken, static_cast<int>(index));
  }
}

}  // namespace asg::lab
