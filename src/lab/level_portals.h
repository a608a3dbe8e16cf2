#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "lab/scene_data.h"

namespace asg::lab {

// Which values of a derived view are shown as portals, however few their users are, so that lines show what flows
// through the layers and nothing else:
// - far values, which another pass made: what the gradient reads of the forward pass, what the update reads of both.
//   Those that come from one layer are one portal, named after it: "forward: attention +7".
// - still values, constants and variables that another layer holds. Those with the same users are one portal.
class LevelPortals {
 public:
  LevelPortals(const SceneData& data, const Frame& frame, const Scope& scope);

  // `leaf` stands outside the scope.
  bool is_far(int leaf) const;
  bool is_still(int leaf) const;
  // Users are items by their numbers, ascending.
  void add_far(const Source& value, const std::vector<int>& users);
  void add_still(const Source& value, std::optional<int> from, const std::vector<int>& users);
  void finish(Level& level) const;

 private:
  struct Group {
    Source first;
    std::string name;
    std::optional<int> from;
    std::vector<int> users;
    int count = 0;
  };
  Group& group(const std::string& key, const Source& value);

  const Frame& frame_;
  bool by_role_ = false;      // this level stands inside the folder of a role
  bool holds_still_ = false;  // still values are told apart
  std::string folder_;
  std::size_t depth_ = 0;  // parts of the paths of the items
  std::vector<Group> groups_;
  std::unordered_map<std::string, std::size_t> index_;
};

}  // namespace asg::lab
