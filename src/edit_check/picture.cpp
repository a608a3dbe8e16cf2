#include "edit_check/picture.h"

#include <cstring>

#include "asg/graph/json.h"
#include "train/gather.h"

namespace asg::edit_check {
namespace {

using train::TrainingState;

std::string name_in(const Picture& picture, VarId id) {
  return picture.graph.has(id) ? picture.graph.variable(id).name : "variable " + std::to_string(id.number);
}

std::string name_in(const Picture& picture, const optim::StateKey& key) {
  return "optimizer state '" + key.slot + "'" + (key.parameter ? " of " + name_in(picture, key.parameter) : "");
}

// The text around the first place where two texts differ.
std::string around_difference(const std::string& a, const std::string& b) {
  constexpr std::size_t kAround = 60;
  std::size_t at = 0;
  while (at < a.size() && at < b.size() && a[at] == b[at]) ++at;
  const std::size_t from = at < kAround ? 0 : at - kAround;
  return "…" + a.substr(from, 2 * kAround) + "… became …" + b.substr(from, 2 * kAround) + "…";
}

std::string array_difference(const Array& a, const Array& b) {
  if (bit_equal(a, b)) return "";
  if (a.dtype() != b.dtype() || a.sizes() != b.sizes()) return a.type_string() + " became " + b.type_string();
  std::int64_t first = -1;
  std::int64_t count = 0;
  for (std::int64_t k = 0; k < a.count(); ++k) {
    const double x = a.get(k);
    const double y = b.get(k);
    if (std::memcmp(&x, &y, sizeof x) == 0) continue;
    if (first < 0) first = k;
    ++count;
  }
  if (first < 0) return "bits differ";
  return std::to_string(count) + " of " + std::to_string(a.count()) + " elements, element " + std::to_string(first) +
         " is " + std::to_string(b.get(first)) + " instead of " + std::to_string(a.get(first));
}

template <class Key>
std::string map_difference(const std::map<Key, Array>& expected, const std::map<Key, Array>& actual,
                           const Picture& old_names, const Picture& new_names) {
  for (const auto& [key, value] : expected) {
    const auto found = actual.find(key);
    if (found == actual.end()) return name_in(old_names, key) + " is gone";
    const std::string difference = array_difference(value, found->second);
    if (!difference.empty()) return name_in(old_names, key) + ": " + difference;
  }
  for (const auto& [key, value] : actual) {
    if (!expected.contains(key)) return name_in(new_names, key) + " is new";
  }
  return "";
}

std::string number_difference(const char* what, double expected, double actual) {
  if (std::memcmp(&expected, &actual, sizeof actual) == 0) return "";
  return std::string(what) + " is " + std::to_string(actual) + " instead of " + std::to_string(expected);
}

std::string counter_difference(const TrainingState& expected, const TrainingState& actual) {
  for (const std::string& difference :
       {number_difference("the learning rate", expected.learning_rate, actual.learning_rate),
        number_difference("the number of steps", static_cast<double>(expected.steps),
                          static_cast<double>(actual.steps)),
        number_difference("the number of committed steps", static_cast<double>(expected.committed),
                          static_cast<double>(actual.committed)),
        number_difference("the number of updates", static_cast<double>(expected.updates),
                          static_cast<double>(actual.updates))}) {
    if (!difference.empty()) return difference;
  }
  return "";
}

// ---- Elements

std::vector<double> sorted_elements(const Array& array) {
  std::vector<double> elements;
  for (std::int64_t k = 0; k < array.count(); ++k) elements.push_back(array.get(k));
  std::erase_if(elements, [](double x) { return std::isnan(x); });
  std::sort(elements.begin(), elements.end());
  return elements;
}

bool holds(const std::vector<double>& sorted, double element) {
  return std::isnan(element) || std::binary_search(sorted.begin(), sorted.end(), element);
}

// Counters of random ops belong to the training: they go on while the layer is away.
bool counts_steps(const Variable& variable) { return variable.name == kSeedVariable || variable.name == kStepVariable; }

// Each element is what was at its place before the edit, or what was learned somewhere.
std::string resized_back(const Array& old, const Array& before, const Array& now) {
  if (bit_equal(old, now) || now.sizes() != old.sizes() || now.dtype() != old.dtype()) return "";
  const std::vector<double> learned = sorted_elements(before);
  for (std::int64_t k = 0; k < now.count(); ++k) {
    const double element = now.get(k);
    if (element == old.get(k) || holds(learned, element)) continue;
    return "element " + std::to_string(k) + " is " + std::to_string(element) +
           ", neither what it was before the edit nor what was learned";
  }
  return "";
}

}  // namespace

PicturePtr take_picture_of(Session& session, train::TrainingId training) {
  const auto picture = std::make_shared<Picture>();
  const bool there = session.look_at(training, [picture](train::Trainer& trainer) {
    picture->graph = trainer.model().graph();
    picture->graph_json = to_json(trainer.model().graph());
    picture->model_json = trainer.model().to_json();
    picture->state = trainer.state();
    for (const train::SnapshotInfo& info : trainer.snapshots()) {
      picture->snapshots.emplace_back(info.id.number, info.step);
    }
    picture->version = trainer.version();
    picture->updates = trainer.updates();
    picture->settings = trainer.optimizer().settings;
    picture->rate = trainer.rate_settings();
    picture->has_batch = trainer.has_batch();
  });
  return there ? picture : nullptr;
}

PicturePtr take_picture(Session& session) { return take_picture_of(session, session.training()); }

NamedArrays take_outputs(Session& session) {
  NamedArrays outputs;
  session.look([&](train::Trainer& trainer) {
    if (!trainer.has_batch()) return;
    const Graph& step = trainer.step_graph().graph;
    NamedArrays batch;
    for (std::size_t k = 0; k < step.inputs().size(); ++k) {
      batch[step.node(step.inputs()[k]).path()] = trainer.last_batch()[k];
    }
    for (const auto& [name, value] : trainer.infer(batch)) outputs[name] = value.copy();
  });
  return outputs;
}

std::string content_difference(const Picture& expected, const Picture& actual) {
  if (expected.graph_json != actual.graph_json) {
    return "the model: " + around_difference(expected.graph_json, actual.graph_json);
  }
  std::string difference = map_difference(expected.state.variables, actual.state.variables, expected, actual);
  if (difference.empty()) {
    difference = map_difference(expected.state.optimizer, actual.state.optimizer, expected, actual);
  }
  if (difference.empty()) difference = counter_difference(expected.state, actual.state);
  if (difference.empty() && !(expected.settings == actual.settings)) difference = "the settings of the optimizer";
  if (difference.empty() && !(expected.rate == actual.rate)) difference = "the schedule of the learning rate";
  return difference;
}

std::string whole_difference(const Picture& expected, const Picture& actual) {
  std::string difference = content_difference(expected, actual);
  if (!difference.empty()) return difference;
  if (expected.model_json != actual.model_json) {
    return "the journal: " + around_difference(expected.model_json, actual.model_json);
  }
  if (expected.snapshots != actual.snapshots) return "the list of snapshots";
  if (expected.version != actual.version) return "the version of the graph";
  return "";
}

std::string lost_by_undo(const Picture& old, const Picture& before, const Picture& now) {
  for (const auto& [id, value] : now.state.variables) {
    const auto was = old.state.variables.find(id);
    const auto learned = before.state.variables.find(id);
    const bool is_kept = learned != before.state.variables.end();
    std::string difference;
    if (is_kept && learned->second.sizes() == value.sizes() && learned->second.dtype() == value.dtype()) {
      difference = array_difference(learned->second, value);
    } else if (is_kept && was != old.state.variables.end()) {
      difference = resized_back(was->second, learned->second, value);
    } else if (was != old.state.variables.end() && !counts_steps(now.graph.variable(id))) {
      difference = array_difference(was->second, value);
    }
    if (!difference.empty()) return name_in(now, id) + ": " + difference;
  }
  // A count of updates has one size whatever the parameter has, and returns with it where all of it was new.
  const auto was_resized = [&](VarId id) {
    const auto learned = before.state.variables.find(id);
    const auto is = now.state.variables.find(id);
    return learned != before.state.variables.end() && is != now.state.variables.end() &&
           learned->second.sizes() != is->second.sizes();
  };
  for (const auto& [key, value] : now.state.optimizer) {
    const auto was = old.state.optimizer.find(key);
    const auto learned = before.state.optimizer.find(key);
    const bool is_kept = learned != before.state.optimizer.end();
    std::string difference;
    if (is_kept && learned->second.sizes() == value.sizes() && !was_resized(key.parameter)) {
      difference = array_difference(learned->second, value);
    } else if (key.slot == train::kSumSlot) {
      continue;  // what was removed of a sum of micro-batches belongs to an update that has been made since
    } else if (is_kept && was != old.state.optimizer.end()) {
      difference = resized_back(was->second, learned->second, value);
    } else if (was != old.state.optimizer.end()) {
      difference = array_difference(was->second, value);
    }
    if (!difference.empty()) return name_in(now, key) + ": " + difference;
  }
  return "";
}

// Of the elements of a variable that has another shape now, as many as fit must still be there.
std::string lost_unasked(const Picture& before, const Picture& after) {
  for (const auto& [id, value] : after.state.variables) {
    const auto was = before.state.variables.find(id);
    if (was == before.state.variables.end()) continue;
    const Array& old = was->second;
    if (old.dtype() != value.dtype() || old.rank() != value.rank()) continue;
    const bool same_sizes = old.sizes() == value.sizes();
    if (same_sizes && bit_equal(old, value)) continue;
    if (same_sizes) return name_in(after, id) + ": " + array_difference(old, value);
    std::int64_t common = 1;
    for (int axis = 0; axis < old.rank(); ++axis) {
      common *= std::min(old.sizes()[static_cast<std::size_t>(axis)], value.sizes()[static_cast<std::size_t>(axis)]);
    }
    const std::vector<double> known = sorted_elements(old);
    std::int64_t kept = 0;
    for (std::int64_t k = 0; k < value.count(); ++k) kept += holds(known, value.get(k)) ? 1 : 0;
    if (kept < common) {
      return name_in(after, id) + ": " + std::to_string(kept) + " of " + std::to_string(common) +
             " elements that have a place were kept";
    }
  }
  return "";
}

}  // namespace asg::edit_check
