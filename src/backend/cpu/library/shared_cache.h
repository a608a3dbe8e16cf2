#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace asg::cpu {

// Things that take long to make, by the numbers that say what they are: so that a program which is compiled again,
// after an edit or for another mode, makes none that there is. What was not asked for the longest goes when there are
// too many; whoever holds it keeps it. From any thread.
template <class Thing>
class SharedCache {
 public:
  using Key = std::vector<std::int64_t>;

  explicit SharedCache(std::size_t room) : room_(room) {}

  // The thing of this key; `make` makes one where there is none. Two threads that ask at the same time may both make
  // it, and get the same one.
  template <class Make>
  std::shared_ptr<const Thing> get(const Key& key, const Make& make) {
    if (auto found = find(key)) return found;
    auto fresh = std::make_shared<const Thing>(make());  // not while others wait
    const std::lock_guard lock(mutex_);
    const auto [place, is_new] = places_.try_emplace(key);
    if (!is_new) return place->second->second;
    things_.emplace_front(key, std::move(fresh));
    place->second = things_.begin();
    auto result = things_.front().second;
    while (things_.size() > room_) {
      places_.erase(things_.back().first);
      things_.pop_back();
    }
    return result;
  }

  std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return things_.size();
  }

 private:
  using Things = std::list<std::pair<Key, std::shared_ptr<const Thing>>>;

  std::shared_ptr<const Thing> find(const Key& key) {
    const std::lock_guard lock(mutex_);
    const auto place = places_.find(key);
    if (place == places_.end()) return nullptr;
    things_.splice(things_.begin(), things_, place->second);
    return place->second->second;
  }

  std::size_t room_;
  mutable std::mutex mutex_;
  Things things_;  // the one that was asked for last comes first
  std::map<Key, typename Things::iterator> places_;
};

}  // namespace asg::cpu
