#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <utility>

namespace asg::train {

// First come, first served for each owner, and owners take turns: whoever brings much waits for it alone.
template <typename Item>
class FairQueue {
 public:
  bool empty() const { return lanes_.empty(); }

  void push(std::uint64_t owner, Item item) { lanes_[owner].push_back(std::move(item)); }

  // There must be one.
  Item pop() {
    auto lane = lanes_.upper_bound(last_);
    if (lane == lanes_.end()) lane = lanes_.begin();
    last_ = lane->first;
    return take(lane);
  }

  // Takes out the oldest items of each owner as long as they fit, and hands them to `use`.
  template <typename Fits, typename Use>
  void take_while(const Fits& fits, const Use& use) {
    for (auto lane = lanes_.begin(); lane != lanes_.end();) {
      const auto next = std::next(lane);
      while (fits(lane->second.front())) {
        const bool was_last = lane->second.size() == 1;
        use(take(lane));
        if (was_last) break;
      }
      lane = next;
    }
  }

  void clear() { lanes_.clear(); }

 private:
  using Lanes = std::map<std::uint64_t, std::deque<Item>>;  // none of them empty

  Item take(typename Lanes::iterator lane) {
    Item item = std::move(lane->second.front());
    lane->second.pop_front();
    if (lane->second.empty()) lanes_.erase(lane);
    return item;
  }

  Lanes lanes_;
  std::uint64_t last_ = 0;
};

}  // namespace asg::train
