#include "train/restore_check.h"

#include <map>
#include <set>
#include <utility>

#include "asg/core/error.h"
#include "asg/train/trainer.h"

namespace asg::train {
namespace {

// What a message lists at most.
constexpr std::size_t kMostListed = 4;

using TypesByName = std::map<std::string, TensorType>;

TypesByName variable_types(const Graph& graph) {
  TypesByName types;
  for (const VarId id : graph.variable_ids()) {
    const Variable& variable = graph.variable(id);
    if (variable.kind == VarKind::parameter || variable.kind == VarKind::buffer)
      types.emplace(variable.name, variable.type);
  }
  return types;
}

// "'head.weight' is f32[8, 3] there and f32[16, 3] here", for each variable that is not the same in both.
std::vector<std::string> differences(const TypesByName& there, const TypesByName& here) {
  std::vector<std::string> result;
  for (const auto& [name, type] : there) {
    const auto own = here.find(name);
    if (own == here.end()) {
      result.push_back("'" + name + "' is only there");
    } else if (own->second != type) {
      result.push_back("'" + name + "' is " + type.to_string() + " there and " + own->second.to_string() + " here");
    }
  }
  for (const auto& [name, type] : here) {
    if (!there.contains(name)) result.push_back("'" + name + "' is only here");
  }
  return result;
}

std::string listed(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t k = 0; k < parts.size() && k < kMostListed; ++k) text += (k == 0 ? "" : ", ") + parts[k];
  if (parts.size() > kMostListed) text += ", and " + std::to_string(parts.size() - kMostListed) + " more";
  return text;
}

std::string listed_line(const char* what, const std::vector<std::string>& names) {
  return std::string(what) + " (" + std::to_string(names.size()) + "): " + (names.empty() ? "none" : listed(names)) +
         "\n";
}

const Array* saved_value(const CheckpointData& data, VarId id) {
  const auto value = data.state.variables.find(id);
  return value == data.state.variables.end() ? nullptr : &value->second;
}

bool is_of_type(const Array& value, const TensorType& type) {
  return value.dtype() == type.dtype && type.shape.is_known() && value.sizes() == type.shape.sizes();
}

}  // namespace

void check_restorable(const CheckpointData& data, const Model& model, const std::string& optimizer) {
  if (!data.optimizer.empty() && data.optimizer != optimizer) {
    fail(ErrorCode::bad_attribute,
         "a checkpoint of a training by '" + data.optimizer + "' for one by '" + optimizer + "'",
         "a checkpoint with the state of the same optimizer",
         "resume with '" + data.optimizer + "', or load the weights alone with restore_partly");
  }
  // Edits lead from one version of a model to another, which undo and redo know of.
  const Graph& first = data.model.first();
  if (first == model.first() || data.model.graph() == model.graph() || first == model.graph()) return;
  const std::vector<std::string> different =
      differences(variable_types(data.model.graph()), variable_types(model.graph()));
  if (different.empty()) return;
  fail(ErrorCode::type_mismatch, "a checkpoint of another model: " + listed(different),
       "a checkpoint of this model, or of another version of it",
       "describe the model of the checkpoint, or load the part that fits with restore_partly");
}

RestoreReport Trainer::restore_partly(const CheckpointData& data) {
  RestoreReport report;
  report.optimizer_loaded = data.optimizer == options_.optimizer.kind;
  TrainingState state = held_state();
  const Graph& own = model_.graph();
  const Graph& there = data.model.graph();
  for (const VarId id : there.variable_ids()) {
    const Variable& variable = there.variable(id);
    if (variable.kind != VarKind::parameter && variable.kind != VarKind::buffer) continue;
    const VarId target = own.find_variable(variable.name);
    const Array* value = saved_value(data, id);
    if (!target || value == nullptr) {
      report.skipped.push_back({variable.name, "the model has no such variable"});
    } else if (!is_of_type(*value, own.variable(target).type)) {
      report.skipped.push_back({variable.name, "it is " + variable.type.to_string() + "; the model has " +
                                                   own.variable(target).type.to_string()});
    } else {
      report.loaded.push_back(variable.name);
      state.variables.insert_or_assign(target, *value);
      if (report.optimizer_loaded) take_slots(data, id, target, state);
    }
  }
  const std::set<std::string> loaded(report.loaded.begin(), report.loaded.end());
  for (const auto& [name, type] : variable_types(own)) {
    if (!loaded.contains(name)) report.left.push_back(name);
  }
  set_state(state);
  return report;
}

void Trainer::take_slots(const CheckpointData& data, VarId from, VarId to, TrainingState& state) const {
  for (auto& [key, value] : state.optimizer) {
    if (key.parameter != to) continue;
    const auto stored = data.state.optimizer.find({from, key.slot});
    const bool is_same = stored != data.state.optimizer.end() && stored->second.dtype() == value.dtype() &&
                         stored->second.sizes() == value.sizes();
    if (is_same) value = stored->second;
  }
}

std::string RestoreReport::to_text() const {
  std::vector<std::string> reasons;
  for (const Skipped& each : skipped) reasons.push_back("'" + each.name + "', " + each.why);
  return listed_line("loaded", loaded) + listed_line("skipped", reasons) + listed_line("left as it was", left) +
         "optimizer state: " + (optimizer_loaded ? "loaded" : "left as it was") + "\n";
}

}  // namespace asg::train
