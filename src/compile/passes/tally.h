#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "asg/graph/node.h"

namespace asg::passes {

// Counts what a pass does, by kind, and remembers where each kind was met first.
class Tally {
 public:
  void add(std::string_view kind, const Node& node);
  // "Add: 3, the first at encoder/Add#17", kinds in the order in which they were met; of very many the rest is counted.
  std::vector<std::string> lines() const;

 private:
  static constexpr std::size_t kMostLines = 24;
  struct Entry {
    std::string kind;
    std::string first;
    std::size_t count = 0;
  };
  std::vector<Entry> entries_;
  std::unordered_map<std::string_view, std::size_t> places_;  // kinds live in cards and tables, longer than a tally
};

}  // namespace asg::passes
