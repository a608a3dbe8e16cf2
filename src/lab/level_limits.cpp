// What keeps a level small enough to be sent and looked at, whatever the model is.
#include <algorithm>
#include <set>

#include "lab/scene_data.h"

namespace asg::lab {
namespace {

constexpr std::size_t kMostEdges = 4000;
constexpr std::size_t kMostTags = 2000;       // ends of portals
constexpr std::size_t kMostCrossings = 1000;  // inlets, and as many outlets

// The last crossing stands for all that are too many.
void join_crossings(std::vector<Crossing>& crossings) {
  if (crossings.size() <= kMostCrossings) return;
  const std::size_t kept = kMostCrossings - 1;
  Crossing rest{"+" + std::to_string(crossings.size() - kept), crossings[kept].value, crossings[kept].type};
  std::set<std::string> items;
  for (std::size_t k = kept; k < crossings.size(); ++k) {
    items.insert(crossings[k].items.begin(), crossings[k].items.end());
  }
  rest.items.assign(items.begin(), items.end());
  crossings.resize(kept);
  crossings.push_back(std::move(rest));
}

}  // namespace

void limit_level(Level& level) {
  join_crossings(level.inlets);
  join_crossings(level.outlets);
  if (level.edges.size() > kMostEdges) {
    level.left_out += static_cast<std::int64_t>(level.edges.size() - kMostEdges);
    level.edges.resize(kMostEdges);
  }
  std::size_t tags = 0;
  std::size_t kept = 0;
  for (; kept < level.portals.size(); ++kept) {
    tags += level.portals[kept].to.size() + 1;
    if (tags > kMostTags) break;
  }
  level.left_out += static_cast<std::int64_t>(level.portals.size() - kept);
  level.portals.resize(kept);
}

}  // namespace asg::lab
