#include "asg/train/state.h"

#include <algorithm>

#include "asg/graph/resize.h"
#include "train/gather.h"

namespace asg::train {
namespace {

bool is_of_training(const Variable& variable) {
  return variable.name == kSeedVariable || variable.name == kStepVariable;
}

// A new variable. The two that random ops share come from the training itself, so that a mask depends on seed and
// step alone, whenever its layer was added.
Array first_value(const Variable& variable, std::uint64_t seed, std::int64_t committed) {
  if (!is_of_training(variable)) return initial_value(variable, seed);
  const bool is_seed = variable.name == kSeedVariable;
  Array value(variable.type.dtype, {});
  value.set_i64(0, is_seed ? static_cast<std::int64_t>(seed) : committed);
  return value;
}

const Array* find(const std::map<VarId, Array>& values, VarId id) {
  const auto entry = values.find(id);
  return entry == values.end() ? nullptr : &entry->second;
}

bool fits(const Array& value, const TensorType& type) {
  return value.dtype() == type.dtype && type.shape.is_known() && value.sizes() == type.shape.sizes();
}

// Carries one version of a training to the next.
class Carrier {
 public:
  Carrier(const TrainingState& state, const Transition& transition) : state_(state), transition_(transition) {
    for (const ResizeRule& rule : transition.resizes) rules_.emplace(rule.variable, &rule);
  }

  Array variable(VarId id) const {
    const Variable& slot = transition_.after.variable(id);
    const Array* old = begins_anew(id) ? nullptr : find(state_.variables, id);
    const Array* stored = from_other(id, slot, old);
    if (stored != nullptr && !is_merged(id)) return *stored;
    if (old != nullptr && fits(*old, slot.type)) return *old;
    const Array fresh = stored != nullptr ? *stored : first_value(slot, transition_.seed, state_.committed);
    const ResizeRule* rule = rule_of(id);
    return old != nullptr && rule != nullptr && old->sizes() == rule->old_sizes ? resized(*old, fresh, *rule) : fresh;
  }

  // `value` is what the parameter of the key has now; `slot` is the variable of the step.
  Array optimizer(const optim::StateKey& key, const Variable& slot, const Array* value) const {
    // A mean of the parameter begins with the parameter, also in the part that is new.
    const bool is_mean = key.slot == optim::kEmaSlot && value != nullptr;
    const Array* stored = from_other(key, slot.type);
    if (stored != nullptr && !is_merged(key.parameter)) return *stored;
    // Made only where it is needed: most of the state is kept, and there is much of it.
    const auto fresh = [&] {
      if (stored != nullptr) return *stored;
      return is_mean ? *value : initial_value(slot, transition_.seed);
    };
    const auto old = state_.optimizer.find(key);
    if (old == state_.optimizer.end() || begins_anew(key.parameter)) return fresh();
    if (!key.parameter || is_kept(key.parameter)) return fits(old->second, slot.type) ? old->second : fresh();
    const ResizeRule* rule = rule_of(key.parameter);
    if (rule == nullptr || element_count(rule->old_sizes) == 0) return fresh();  // the parameter began anew
    if (old->second.sizes() == rule->old_sizes && slot.type.shape.sizes() == rule->new_sizes) {
      return resized(old->second, fresh(), *rule);
    }
    return fits(old->second, slot.type) ? old->second : fresh();
  }

 private:
  const ResizeRule* rule_of(VarId id) const {
    const auto rule = rules_.find(id);
    return rule == rules_.end() ? nullptr : rule->second;
  }

  bool is_kept(VarId id) const {
    const Array* old = find(state_.variables, id);
    return old != nullptr && fits(*old, transition_.after.variable(id).type);
  }

  bool begins_anew(VarId id) const { return transition_.anew != nullptr && transition_.anew->contains(id); }

  // What was learned since the change counts, as far as there is any.
  bool is_merged(VarId id) const {
    if (transition_.is_whole) return false;
    const ResizeRule* rule = rule_of(id);
    return rule != nullptr && element_count(rule->old_sizes) > 0;
  }

  // Seed and step of random ops go on with the training: they do not come back from before a step.
  const Array* from_other(VarId id, const Variable& slot, const Array* old) const {
    if (transition_.other == nullptr) return nullptr;
    if (!transition_.is_whole && old == nullptr && is_of_training(slot)) return nullptr;
    const Array* stored = find(transition_.other->variables, id);
    return stored != nullptr && fits(*stored, slot.type) ? stored : nullptr;
  }

  // Not the sum over micro-batches from before a step: their update has been made since, or will be without it.
  const Array* from_other(const optim::StateKey& key, const TensorType& type) const {
    if (transition_.other == nullptr || (!transition_.is_whole && key.slot == kSumSlot)) return nullptr;
    const auto stored = transition_.other->optimizer.find(key);
    const bool is_there = stored != transition_.other->optimizer.end() && fits(stored->second, type);
    return is_there ? &stored->second : nullptr;
  }

  const TrainingState& state_;
  const Transition& transition_;
  std::map<VarId, const ResizeRule*> rules_;
};

}  // namespace

std::int64_t TrainingState::bytes() const {
  std::int64_t total = 0;
  for (const auto& [id, value] : variables) total += value.bytes();
  for (const auto& [key, value] : optimizer) total += value.bytes();
  return total;
}

TrainingState initial_state(const StepGraph& step, const Graph& model, const optim::Optimizer& optimizer,
                            std::uint64_t seed) {
  TrainingState result;
  result.learning_rate = optimizer.learning_rate();
  return carry_over(result, {.after = model, .seed = seed}, step);
}

TrainingState carry_over(const TrainingState& state, const Transition& transition, const StepGraph& step) {
  const Carrier carrier(state, transition);
  TrainingState result;
  result.learning_rate = state.learning_rate;
  result.steps = state.steps;
  result.committed = state.committed;
  result.updates = state.updates;
  for (VarId id : transition.after.variable_ids()) result.variables.emplace(id, carrier.variable(id));
  for (const auto& [key, id] : step.updates.state) {
    const Array* value = find(result.variables, key.parameter);
    result.optimizer.emplace(key, carrier.optimizer(key, step.graph.variable(id), value));
  }
  return result;
}

}  // namespace asg::train
