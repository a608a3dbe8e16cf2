#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "asg/core/array.h"
#include "asg/core/error.h"
#include "asg/graph/graph.h"

namespace asg {

// What happens to variables whose shape changes. docs/ideas/edits.md says what each policy promises.
enum class ResizePolicy : std::uint8_t {
  automatic,  // preserve where that can hold, else overlap; the default
  fresh,      // its own initialiser, by seed and id: what was learnt is lost
  overlap,    // copy what both sizes have, initialise the rest
  preserve    // the model computes what it did: new outgoing weights are zero; else the edit is refused
};
std::string_view name_of(ResizePolicy policy);  // "auto", "fresh" …

// Old elements `from` … `from + count - 1` of an axis are `to` … `to + count - 1` of the new one.
struct KeptRun {
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::int64_t count = 0;
  friend bool operator==(const KeptRun&, const KeptRun&) = default;
};

// How a resized variable is filled, axis by axis: old elements lie where `kept` says, all others are new. An element
// that is new along any axis marked zero is zero; other new elements come from the initialiser. With the policy
// `fresh`, and where rank or dtype changed, all is new: the old sizes are then 0.
struct ResizeRule {
  VarId variable;
  Sizes old_sizes;
  Sizes new_sizes;
  std::vector<bool> zero_axes;
  std::vector<std::vector<KeptRun>> kept = {};  // by axis; none: the first elements, as many as both have
};

// From the new sizes back to the old ones: every element returns to the place that it came from. Nothing is zero.
ResizeRule inverted(const ResizeRule& rule);

struct ResizePlan {
  ResizePolicy policy = ResizePolicy::overlap;  // that is followed: never `automatic`
  std::vector<ResizeRule> rules;                // of all variables whose type differs
  std::optional<UserError> not_preserved;       // why `automatic` became overlap
};

// The rules for all resized variables between two versions of a model. `preserve` proves that `after` computes in eval
// mode what `before` does (see src/graph/preserve.h), also where nothing is resized; where it cannot, it throws
// preserve_impossible with the reason and offers `overlap`. `automatic` tries that where something is resized. With
// both, and with `overlap` where all variables become longer, or all shorter, elements stay with the channels that they
// belong to, so the rules from `after` to `before` are those from `before` to `after`, inverted.
ResizePlan make_resize_plan(const Graph& before, const Graph& after, ResizePolicy policy);
// Its rules alone.
std::vector<ResizeRule> plan_resize(const Graph& before, const Graph& after, ResizePolicy policy);

// The value of a resized variable. `fresh` is its initial value in the new shape (or zeros for optimiser state).
Array resized(const Array& old, const Array& fresh, const ResizeRule& rule);

}  // namespace asg
