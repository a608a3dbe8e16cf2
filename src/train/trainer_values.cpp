#include <algorithm>
#include <cmath>

#include "asg/train/trainer.h"
#include "graph/edit_places.h"
#include "train/tap_gradients.h"
#include "train/value_paths.h"

// What a trainer tells of values, and lets be set.
namespace asg::train {
namespace {

// Whether a type has this number, or for floats one near it.
bool holds(DType dtype, double value) {
  if (is_float(dtype)) return !std::isfinite(value) || std::isfinite(Array::scalar(dtype, value).get(0));
  if (dtype == DType::boolean) return value == 0 || value == 1;
  const int bits = bits_of(dtype) - (is_signed_int(dtype) ? 1 : 0);
  const double end = std::ldexp(1.0, bits);
  return std::trunc(value) == value && value >= (is_signed_int(dtype) ? -end : 0) && value < end;
}

// What may be meant: inside a layer where the path leads into one, else the nearest of the names.
std::string hint_for(const Graph& model, std::string_view path, std::span<const std::string> names) {
  std::string hint;
  try {
    levels_of(model, place_in(model, {NodeRef(std::string(path))}));
  } catch (const UserError& error) {
    hint = error.detail().mend;
  }
  const bool leads_inside = find_by_path(model, path.substr(0, path.find('/'))) && !hint.empty();
  const std::string near = leads_inside ? "" : nearest_name(path, names);
  return near.empty() ? hint : "did you mean '" + near + "'?";
}

}  // namespace

std::span<const Array> Trainer::last_batch() const {
  if (!last_batch_) {
    fail(ErrorCode::missing_value, "a look at values before any step", "a batch to compute on", "run a step first");
  }
  return *last_batch_;
}

std::optional<NotFinite> Trainer::find_not_finite() const {
  return train::find_not_finite(built_.step, *built_.executable, last_batch());
}

ModelPlace Trainer::place_of(const NotFinite& found) const {
  return place_in_model(model_.graph(), built_.step.graph, found.node);
}

Derived Trainer::derived() const { return {model_.graph(), built_.step.graph, built_.step.remap, Mode::train}; }

Taps Trainer::watch(const std::vector<Value>& values, TapOptions options) {
  std::vector<Value> watched;
  for (const Value value : values) {
    watched.push_back(built_.step.remap(value));
    if (watched.back() && built_.step.graph.has(watched.back().node)) continue;
    fail(ErrorCode::unknown_node, "value " + to_string(value) + " to be watched",
         "a value that a step of training computes", "watch an output of a node of the model that the loss depends on");
  }
  return {built_.step, *backend_, *built_.executable, watched, options};
}

Taps Trainer::watch_paths(std::span<const std::string> paths, TapOptions options) {
  std::vector<Value> watched;
  for (const std::string& path : paths) {
    watched.push_back(find_value(derived(), path));
    if (!watched.back()) fail_unknown_path(path);
  }
  return {built_.step, *backend_, *built_.executable, watched, options};
}

void Trainer::set_value(std::string_view name, std::span<const double> values) {
  const Graph& graph = built_.step.graph;
  const VarId id = graph.find_variable(name);
  if (!id) fail_unknown_path(name);
  const TensorType& type = graph.variable(id).type;
  Array array(type.dtype, type.shape.sizes());
  if (values.size() != 1 && static_cast<std::int64_t>(values.size()) != array.count()) {
    fail(ErrorCode::bad_shape,
         std::to_string(values.size()) + " numbers for '" + std::string(name) + "' of type " + type.to_string(),
         "one number, or " + std::to_string(array.count()));
  }
  for (std::int64_t k = 0; k < array.count(); ++k) {
    const double value = values[values.size() == 1 ? 0 : static_cast<std::size_t>(k)];
    if (!holds(type.dtype, value)) {
      fail(ErrorCode::bad_attribute,
           Attr(value).to_string() + " for '" + std::string(name) + "' of type " + type.to_string(),
           "a number that " + std::string(name_of(type.dtype)) + " holds");
    }
    array.set(k, value);
  }
  if (id == built_.step.updates.learning_rate) return set_base_rate(array.get(0));
  TrainingState other;
  if (model_.graph().has(id)) {
    other.variables.emplace(id, built_.executable->lend(id));
  } else {
    for (const auto& [key, variable] : built_.step.updates.state) {
      if (variable == id) other.optimizer.emplace(key, built_.executable->lend(id));
    }
  }
  Change change = change_from_here(JournalEntry::How::set_value, std::move(other));
  built_.executable->write(id, array);
  values_changed();
  note(std::move(change), {.text = words_of_value(name, values)});
}

void Trainer::fail_unknown_path(std::string_view path) const {
  std::vector<std::string> names;
  for (NodeId id : model_.graph().node_ids()) names.push_back(model_.graph().node(id).path());
  for (VarId id : built_.step.graph.variable_ids()) names.push_back(built_.step.graph.variable(id).name);
  fail(ErrorCode::unknown_scope, "'" + std::string(path) + "'", "the name of a variable or the path of a node",
       hint_for(model_.graph(), path, names));
}

Array Trainer::read(std::string_view path) {
  if (const VarId id = built_.step.graph.find_variable(path)) return built_.executable->read(id);
  return read_value(path);
}

// A value inside is no output of the compiled model, so a graph with that one output is run.
Array Trainer::read_value(std::string_view path) {
  if (const Companion* known = last_batch_ ? known_glance(path, false, Mode::eval) : nullptr) return run(*known);
  const Expansion expansion = make_inference(model_.graph());
  const Value value = find_value({model_.graph(), expansion.graph, expansion.remap, Mode::eval}, path);
  if (!value) fail_unknown_path(path);
  if (!last_batch_) {
    fail(ErrorCode::missing_value, "the value '" + std::string(path) + "' before any step", "a batch to compute it on",
         "run a step first");
  }
  return run(keep_glance({std::string(path), false, Mode::eval, glance_at(expansion.graph, value, Mode::eval)}));
}

const Companion* Trainer::known_glance(std::string_view path, bool gradient, Mode mode) const {
  const auto found = std::find_if(glances_.begin(), glances_.end(), [&](const Glance& each) {
    return each.path == path && each.gradient == gradient && each.mode == mode;
  });
  return found == glances_.end() ? nullptr : &found->value;
}

const Companion& Trainer::keep_glance(Glance glance) {
  constexpr std::size_t kMostKept = 8;
  if (glances_.size() == kMostKept) glances_.pop_front();
  glances_.push_back(std::move(glance));
  return glances_.back().value;
}

std::optional<Array> Trainer::look(std::string_view path, bool gradient) {
  last_batch();  // there is one
  if (const Companion* known = known_glance(path, gradient, Mode::train)) return run(*known);
  Value value = find_value(derived(), path);
  if (!value) fail_unknown_path(path);
  Graph graph = built_.step.graph;
  graph.set_updates({});
  if (gradient) value = add_tap_gradients(graph, built_.step.loss, std::span<const Value>(&value, 1)).front();
  if (!value) return std::nullopt;
  return run(keep_glance({std::string(path), gradient, Mode::train, glance_at(std::move(graph), value, Mode::train)}));
}

Companion Trainer::glance_at(Graph graph, Value value, Mode mode) const {
  graph.set_outputs({{"value", value}});
  return {backend_->compile(graph, {.mode = mode}), *built_.executable};
}

Array Trainer::run(const Companion& glance) {
  glance.bring();
  Array result;
  glance->run_into(*last_batch_, {&result, 1});
  return result;
}

bool Trainer::has_value(std::string_view path) const { return static_cast<bool>(find_value(derived(), path)); }

std::shared_ptr<const Explanation> Trainer::explain() const {
  if (!last_batch_) return nullptr;
  SizesByName sizes;
  for (std::size_t k = 0; k < last_batch_->size(); ++k) {
    sizes[built_.step.graph.node(built_.step.graph.inputs()[k]).name] = (*last_batch_)[k].sizes();
  }
  return built_.executable->explain(sizes);
}

}  // namespace asg::train
