#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asg/graph/graph.h"

namespace asg::optim {

// Parameters that are trained otherwise than the rest: with another learning rate, other settings, or not at all.
// A parameter belongs to the first group whose conditions it all meets; a condition that is left out is met.
//   {.match = "*.bias", .settings = {{"weight_decay", 0.0}}}
//   {.rank_below = 2, .settings = {{"weight_decay", 0.0}}}      biases and the weights of norms
//   {.match = "encoder/**", .learning_rate_factor = 0.1}
//   {.match = "embedding.weight", .frozen = true}
struct Group {
  std::string name = {};   // of the group and its variable, of letters, digits and _; else "group_1", by its place
  std::string match = {};  // a pattern of names, see `matches_name`
  std::optional<int> rank_below = {};               // fewer axes than this
  std::function<bool(const Variable&)> where = {};  // anything else
  // The learning rate is that of the training times this. A variable on the device: it can be set while it trains.
  std::optional<double> learning_rate_factor = {};
  Attrs settings = {};  // in place of the optimiser's; all but "learning_rate" may stand here
  bool frozen = false;  // no gradient, no update, no state
};

// Whether a name like "encoder/block_3.attention.query.bias" is of a pattern. `*` stands for any characters and `?` for
// one, the slash excepted; `**` stands for anything. A pattern without a slash is compared with what follows the
// last slash of the name, so that "*.bias" means all biases.
bool matches_name(std::string_view pattern, std::string_view name);

// What is trained, and by which rules.
struct Assignment {
  std::vector<VarId> trained;             // by rising id
  std::map<VarId, std::size_t> group_of;  // place of its group among the groups, where there is one
  std::vector<std::string> warnings;
};

// A group that no parameter belongs to is a mistake when a training begins. Later an edit may have taken its
// parameters away.
enum class EmptyGroup : std::uint8_t { is_error, is_warning };

// Throws unknown_variable for a group without parameters.
Assignment assign_groups(const Graph& model, std::span<const Group> groups, EmptyGroup empty = EmptyGroup::is_error);

// "head" for a group with that name, else "group_<place from 1>".
std::string name_of(const Group& group, std::size_t place);

}  // namespace asg::optim
