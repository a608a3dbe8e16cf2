#include "asg/optim/json.h"
#include "asg/train/trainer.h"
#include "graph/variables_below.h"

// What of a training begins anew or goes on otherwise, without an edit of its model.
namespace asg::train {
namespace {

// The settings that are constants of a step. The learning rate is a variable of it.
Attrs numbers_in_step(const optim::Optimizer& optimizer) {
  Attrs settings = optim::settings_in_force(optimizer);
  settings.erase("learning_rate");
  return settings;
}

}  // namespace

bool Trainer::set_optimizer(const Attrs& settings) {
  optim::Optimizer next = options_.optimizer;
  for (const auto& [name, value] : settings) next.set(name, value);
  optim::check_optimizer(next);  // what settings must hold together, those of groups too
  const Attr* rate = settings.find("learning_rate");
  const bool is_new = numbers_in_step(next) != numbers_in_step(options_.optimizer);
  std::swap(options_.optimizer, next);
  try {
    if (is_new) change(model_, {}, {}, false, held_state());
  } catch (...) {
    std::swap(options_.optimizer, next);
    throw;
  }
  if (rate != nullptr) set_learning_rate(rate->as_real());
  return is_new;
}

std::vector<std::string> Trainer::reset(std::span<const std::string> paths) {
  const Graph& model = model_.graph();
  std::set<VarId> variables;
  for (const std::string& path : paths) variables.merge(variables_below(model, path));
  if (paths.empty()) {
    for (const VarId id : model.variable_ids()) variables.insert(id);
  }
  // Seed and step of random ops are those of the training, which goes on.
  for (const std::string_view name : {kSeedVariable, kStepVariable}) variables.erase(model.find_variable(name));

  TrainingState left = held_state();
  const Sentence words = words_of_reset({paths.begin(), paths.end()});
  const SnapshotId before = keep_snapshot({"before: " + words.en, "перед: " + words.ru}, true, left);
  resets_.push_back({model_.journal().size(), steps_, words, before});
  const auto is_reset = [&](const auto& entry) { return variables.contains(entry.first); };
  const auto is_state_of_reset = [&](const auto& entry) { return variables.contains(entry.first.parameter); };
  std::erase_if(left.variables, is_reset);
  std::erase_if(left.optimizer, is_state_of_reset);
  // What is missing in a state begins.
  const Transition transition = {.after = model, .seed = options_.seed};
  const TrainingState anew = carry_over(left, transition, built_.step);
  std::vector<std::string> names;
  for (const VarId id : variables) {
    names.push_back(model.variable(id).name);
    built_.executable->write(id, anew.variables.at(id));
  }
  for (const auto& [key, id] : built_.step.updates.state) {
    if (variables.contains(key.parameter)) built_.executable->write(id, anew.optimizer.at(key));
  }
  values_changed();
  return names;
}

}  // namespace asg::train
