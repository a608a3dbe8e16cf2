#include "compile/passes/tally.h"

namespace asg::passes {

void Tally::add(std::string_view kind, const Node& node) {
  const auto [place, is_new] = places_.try_emplace(kind, entries_.size());
  if (is_new) entries_.push_back({std::string(kind), node.path(), 0});
  ++entries_[place->second].count;
}

std::vector<std::string> Tally::lines() const {
  std::vector<std::string> lines;
  std::size_t rest = 0;
  for (const Entry& entry : entries_) {
    if (lines.size() == kMostLines) {
      rest += entry.count;
      continue;
    }
    const std::string first = entry.count == 1 ? ", at " : ", the first at ";
    lines.push_back(entry.kind + ": " + std::to_string(entry.count) + first + entry.first);
  }
  if (rest > 0) lines.push_back("and " + std::to_string(rest) + " of other kinds");
  return lines;
}

}  // namespace asg::passes
