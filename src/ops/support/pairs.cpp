#include "ops/support/pairs.h"

#include <array>
#include <cstddef>
#include <set>
#include <utility>

namespace asg::ops {
namespace {

using Place = std::pair<std::size_t, std::size_t>;  // attribute, value
using Pair = std::pair<Place, Place>;               // the attribute of the first comes first

class PairCover {
 public:
  PairCover(const std::vector<AttrValues>& attributes, const AllowedAttrs& allowed)
      : attributes_(attributes), allowed_(allowed) {
    for (std::size_t first = 0; first < attributes.size(); ++first) {
      for (std::size_t second = first + 1; second < attributes.size(); ++second) add_pairs(first, second);
    }
  }

  std::vector<Attrs> rows() {
    std::vector<Attrs> rows;
    while (!missing_.empty()) {
      const Pair seed = *missing_.begin();
      missing_.erase(seed);
      std::vector<Place> chosen = {seed.first, seed.second};
      if (!is_allowed(chosen)) continue;
      fill(chosen);
      for (const Place& a : chosen) {
        for (const Place& b : chosen) missing_.erase({a, b});
      }
      rows.push_back(attrs_of(chosen));
    }
    return rows;
  }

 private:
  void add_pairs(std::size_t first, std::size_t second) {
    for (std::size_t a = 0; a < attributes_[first].values.size(); ++a) {
      for (std::size_t b = 0; b < attributes_[second].values.size(); ++b) missing_.insert({{first, a}, {second, b}});
    }
  }

  Attrs attrs_of(const std::vector<Place>& chosen) const {
    Attrs attrs;
    for (const auto& [attribute, value] : chosen) {
      attrs.set(attributes_[attribute].name, attributes_[attribute].values[value]);
    }
    return attrs;
  }

  bool is_allowed(const std::vector<Place>& chosen) const { return !allowed_ || allowed_(attrs_of(chosen)); }

  std::size_t gain(const std::vector<Place>& chosen, const Place& next) const {
    std::size_t count = 0;
    for (const Place& other : chosen) count += missing_.count(other < next ? Pair{other, next} : Pair{next, other});
    return count;
  }

  // Every attribute that is still free takes the allowed value that meets most others for the first time.
  void fill(std::vector<Place>& chosen) const {
    const std::array<std::size_t, 2> fixed = {chosen[0].first, chosen[1].first};
    for (std::size_t attribute = 0; attribute < attributes_.size(); ++attribute) {
      if (attribute == fixed[0] || attribute == fixed[1]) continue;
      std::vector<Place> best;
      std::size_t most = 0;
      for (std::size_t value = 0; value < attributes_[attribute].values.size(); ++value) {
        std::vector<Place> candidate = chosen;
        candidate.emplace_back(attribute, value);
        const std::size_t gained = gain(chosen, candidate.back());
        if ((!best.empty() && gained <= most) || !is_allowed(candidate)) continue;
        most = gained;
        best = std::move(candidate);
      }
      if (!best.empty()) chosen = std::move(best);
    }
  }

  const std::vector<AttrValues>& attributes_;
  const AllowedAttrs& allowed_;
  std::set<Pair> missing_;
};

}  // namespace

std::vector<Attrs> all_pairs(const std::vector<AttrValues>& attributes, const AllowedAttrs& allowed) {
  return PairCover(attributes, allowed).rows();
}

}  // namespace asg::ops
