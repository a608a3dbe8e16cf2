#include "lab/scene_data.h"

namespace asg::lab {

// An edge skips where its end can be reached through another item to which its beginning leads. Lifting to scopes can
// close circles: edges that lead back in the order of the items are left out.
void mark_skips(std::vector<Edge>& edges, const std::vector<std::pair<int, int>>& ends, std::size_t items) {
  const std::size_t words = (items + 63) / 64;
  std::vector<std::uint64_t> reach(items * words);
  std::vector<std::vector<std::size_t>> leaving(items);
  for (std::size_t edge = 0; edge < ends.size(); ++edge) {
    if (ends[edge].first < ends[edge].second) leaving[static_cast<std::size_t>(ends[edge].first)].push_back(edge);
  }
  for (std::size_t item = items; item-- > 0;) {
    std::uint64_t* own = reach.data() + item * words;
    for (const std::size_t edge : leaving[item]) {
      const std::uint64_t* next = reach.data() + static_cast<std::size_t>(ends[edge].second) * words;
      for (std::size_t word = 0; word < words; ++word) own[word] |= next[word];
    }
    for (const std::size_t edge : leaving[item]) {
      const auto end = static_cast<std::size_t>(ends[edge].second);
      edges[edge].skips = (own[end / 64] >> (end % 64) & 1u) != 0;
    }
    for (const std::size_t edge : leaving[item]) {
      const auto end = static_cast<std::size_t>(ends[edge].second);
      own[end / 64] |= std::uint64_t{1} << (end % 64);
    }
  }
}

}  // namespace asg::lab
