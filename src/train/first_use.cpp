#include <algorithm>

#include "asg/compile/specialise.h"
#include "asg/graph/part.h"
#include "asg/train/trainer.h"
#include "train/evaluation_checks.h"
#include "train/told_in_model.h"
#include "train/value_check.h"

// What a new version of a model must be able to do before it is accepted: the next step and the evaluations to come.
namespace asg::train {
namespace {

using InputTypes = std::map<std::string, TensorType, std::less<>>;

InputTypes types_of(const NamedArrays& batch) {
  InputTypes types;
  for (const auto& [name, array] : batch) types[name] = {array.dtype(), Shape::of(array.sizes())};
  return types;
}

std::string names_in(const NamedArrays& batch) {
  std::string names;
  for (const auto& [name, array] : batch) names += (names.empty() ? "'" : ", '") + name + "'";
  return names;
}

// Sizes of the inputs of a graph; nothing where one has none.
std::optional<SizesByName> sizes_for(const Graph& graph, const InputTypes& types) {
  SizesByName sizes;
  for (const NodeId id : graph.inputs()) {
    const auto found = types.find(graph.node(id).path());
    if (found == types.end()) return std::nullopt;
    sizes[found->first] = found->second.shape.sizes();
  }
  return sizes;
}

void check_dtypes(const Graph& model, const InputTypes& types) {
  for (const NodeId id : model.inputs()) {
    const auto given = types.find(model.node(id).path());
    if (given == types.end() || given->second.dtype == model.type({id, 0}).dtype) continue;
    throw UserError({.code = ErrorCode::type_mismatch,
                     .given = "the input '" + given->first + "' of type " + model.type({id, 0}).to_string(),
                     .needed = "the type that the data have, " + given->second.to_string(),
                     .mend = "give the input the type of the data, and add a Cast after it",
                     .node = given->first,
                     .where = ""});
  }
}

// An input that nothing feeds, and one of the data that the model had and has no more.
void check_fed(const Model& next, const NamedArrays& batch) {
  const Graph& model = next.graph();
  for (const NodeId id : model.inputs()) {
    const std::string path = model.node(id).path();
    if (batch.contains(path)) continue;
    throw UserError({.code = ErrorCode::edit_refused,
                     .given = "the input '" + path + "', which the data of the training do not feed",
                     .needed = "inputs named as what the data give: " + names_in(batch),
                     .mend = "use one of these inputs, or a constant or parameter in place of the new one",
                     .node = path,
                     .where = ""});
  }
  for (const NodeId id : next.first().inputs()) {
    const std::string path = next.first().node(id).path();
    if (!batch.contains(path) || model.find_node(path)) continue;
    throw UserError({.code = ErrorCode::edit_refused,
                     .given = "a model without its input '" + path + "', which the data of the training feed",
                     .needed = "an input of that name",
                     .mend = "leave the input in place under its name; its users can be joined to another value",
                     .node = path,
                     .where = ""});
  }
}

// The lengths of symbols with one of them a little longer; nothing where a bound forbids it.
std::optional<SymbolLengthsByName> lengthened(const Graph& graph, SymbolLengthsByName lengths,
                                              const std::string& symbol) {
  ++lengths[symbol];
  for (const NodeId id : graph.inputs()) {
    for (const Dim& dim : graph.type({id, 0}).shape.dims()) {
      const auto most = dim.is_symbol() && dim.symbols().front() == symbol ? dim.upper_bound() : std::nullopt;
      if (most && lengths[symbol] > *most) return std::nullopt;
    }
  }
  return lengths;
}

std::optional<UserError> problem_at(const Graph& graph, const SymbolLengthsByName& lengths) {
  try {
    specialise(graph, lengths);
  } catch (const UserError& error) {
    return error;
  }
  return std::nullopt;
}

// A symbol such as `batch` must stay free: a model that has come to need one length of it, where another was as good
// before, has matched it with a number.
void check_other_lengths(const Graph& before, const Graph& after, const SymbolLengthsByName& lengths) {
  for (const auto& [symbol, length] : lengths) {
    const auto others = lengthened(after, lengths, symbol);
    const std::optional<UserError> problem = others ? problem_at(after, *others) : std::nullopt;
    if (!problem || problem_at(before, *others)) continue;
    ErrorDetail detail = problem->detail();
    detail.given = "a model that works with " + symbol + " = " + std::to_string(length) + " alone; with " +
                   std::to_string(others->at(symbol)) + ": " + detail.given;
    detail.mend = "keep the axis '" + symbol + "' free: write -1 for its length, and reduce or pick along other axes";
    throw UserError(std::move(detail));
  }
}

// The greatest label of all data sets may not be in the batch: it takes the place of the first one.
NamedArrays with_last_classes(NamedArrays batch, const Feed& feed, const Trainer& trainer) {
  for (const data::Dataset& dataset : feed.evaluated) {
    for (const data::Field& field : dataset.fields()) {
      if (field.classes == 0) continue;
      const auto found = batch.find(trainer.input_of(field.name));
      if (found == batch.end() || !is_integer(found->second.dtype()) || found->second.count() == 0) continue;
      Array labels = found->second.copy();
      if (labels.get_i64(0) < field.classes - 1) labels.set_i64(0, field.classes - 1);
      found->second = std::move(labels);
    }
  }
  return batch;
}

// Whether the types say all lengths, once those of the inputs are known.
bool has_known_lengths(const Graph& graph) {
  const std::vector<NodeId> ids = graph.node_ids();
  return std::all_of(ids.begin(), ids.end(), [&](NodeId id) {
    const std::vector<OutputInfo>& outputs = graph.node(id).outputs;
    return std::all_of(outputs.begin(), outputs.end(),
                       [](const OutputInfo& output) { return output.type.shape.is_known(); });
  });
}

}  // namespace

NamedArrays Trainer::known_batch() const {
  NamedArrays batch = feed_.batch ? feed_.batch() : NamedArrays{};
  if (!batch.empty() || !last_batch_) return batch;
  const Graph& graph = built_.executable->graph();
  for (std::size_t k = 0; k < last_batch_->size(); ++k) {
    batch[graph.node(graph.inputs()[k]).path()] = (*last_batch_)[k];
  }
  return batch;
}

Trainer::Inferences Trainer::prepare_first_use(Built& built, const Model& next) const {
  const NamedArrays fed = feed_.batch ? feed_.batch() : NamedArrays{};
  if (!fed.empty()) check_fed(next, fed);
  prepare_step(built, next);
  return prepare_evaluations(built, next);
}

// Numbers that the model as it is cannot work on either are no reason to refuse a change of it.
void Trainer::check_fed_values(const Graph& next, const NamedArrays& batch) const {
  const NamedArrays classes = with_last_classes(batch, feed_, *this);
  const auto check = [&](const Graph& graph) {
    check_values(graph, batch);
    check_values(graph, classes, false);
  };
  try {
    check(next);
  } catch (const UserError&) {
    try {
      const Graph now = make_inference(model_.graph()).graph;
      const std::optional<SizesByName> sizes = sizes_for(now, types_of(batch));
      if (sizes) check(specialise(now, symbol_lengths(now, *sizes)).graph);
    } catch (const UserError&) {
      return;
    }
    throw;
  }
}

void Trainer::prepare_step(Built& built, const Model& next) const {
  const NamedArrays batch = known_batch();
  const InputTypes types = types_of(batch);
  const std::optional<SizesByName> sizes = sizes_for(next.graph(), types);
  if (!sizes) return;
  check_dtypes(next.graph(), types);
  const Graph inference = make_inference(next.graph()).graph;
  try {
    const SymbolLengthsByName lengths = symbol_lengths(inference, *sizes);
    const Graph concrete = specialise(inference, lengths).graph;
    check_other_lengths(make_inference(model_.graph()).graph, inference, lengths);
    check_fed_values(concrete, batch);
  } catch (const UserError& error) {
    throw told_in_model(error, next.graph(), inference);
  }
  try {
    built.executable->prepare(*sizes);
    if (built.accumulation != nullptr) built.accumulation->prepare();
  } catch (const UserError& error) {
    throw told_in_model(error, next.graph(), built.executable->graph());
  }
}

namespace {

// The inputs of a model that a data set feeds, in the order of the model.
std::vector<std::string> inputs_fed_by(const data::Dataset& dataset, const Graph& model, const Trainer& trainer) {
  std::vector<std::string> result;
  for (const NodeId id : model.inputs()) {
    const std::string path = model.node(id).path();
    const auto fields = dataset.fields();
    const auto feeds = [&](const data::Field& field) { return trainer.input_of(field.name) == path; };
    if (std::any_of(fields.begin(), fields.end(), feeds)) result.push_back(path);
  }
  return result;
}

}  // namespace

// What could not be evaluated before is no reason to refuse a change.
bool Trainer::can_evaluate(const data::Dataset& dataset) const {
  try {
    const Graph& model = model_.graph();
    const Graph graph = make_inference_graph(model, inputs_fed_by(dataset, model, *this));
    check_evaluation(dataset, feed_, *this, model, graph);
    for (const SizesByName& sizes : evaluation_sizes(dataset, feed_.evaluation.batch_size, *this, graph)) {
      specialise(graph, symbol_lengths(graph, sizes));
    }
    return true;
  } catch (const UserError&) {
    return false;
  }
}

// Of the sizes in which a data set is evaluated the largest is compiled; of the others the types must fit.
Trainer::Inferences Trainer::prepare_evaluations(Built& built, const Model& next) const {
  Inferences result;
  const Graph& model = next.graph();
  for (const data::Dataset& dataset : feed_.evaluated) {
    if (dataset.count() == 0) continue;
    const std::vector<std::string> given = inputs_fed_by(dataset, model, *this);
    const Graph graph = make_inference_graph(model, given);
    try {
      check_evaluation(dataset, feed_, *this, model, graph);
      const std::vector<SizesByName> sizes = evaluation_sizes(dataset, feed_.evaluation.batch_size, *this, graph);
      for (const SizesByName& each : sizes) specialise(graph, symbol_lengths(graph, each));
      auto known = result.find(given);
      if (known == result.end()) known = result.emplace(given, make_inference_from(graph, *built.executable)).first;
      known->second.outputs->prepare(sizes.front());
    } catch (const UserError& error) {
      if (!can_evaluate(dataset)) continue;
      throw told_in_model(error, model, graph).with_where("the evaluation of '" + dataset.name() + "'");
    }
  }
  return result;
}

UserError Trainer::error_of_step(std::span<const Array> batch, const UserError& error) const {
  NamedArrays inputs;
  const Graph& step = built_.executable->graph();
  for (std::size_t k = 0; k < batch.size(); ++k) inputs[step.node(step.inputs()[k]).path()] = batch[k];
  return error_of_run(step, inputs, error);
}

// A kernel knows neither the node of the model nor where in the batch a number comes from.
UserError Trainer::error_of_run(const Graph& ran, const NamedArrays& batch, const UserError& error) const {
  const Graph inference = make_inference(model_.graph()).graph;
  try {
    const std::optional<SizesByName> sizes = sizes_for(inference, types_of(batch));
    if (sizes) check_values(specialise(inference, symbol_lengths(inference, *sizes)).graph, batch);
  } catch (const UserError& found) {
    if (found.code() == ErrorCode::computation_error) return told_in_model(found, model_.graph(), inference);
  }
  return told_in_model(error, model_.graph(), ran);
}

void Trainer::try_step(Built& built, const Model& next) const {
  const NamedArrays batch = known_batch();
  const Graph& graph = built.step.graph;
  const std::optional<SizesByName> sizes = sizes_for(graph, types_of(batch));
  if (!sizes || has_known_lengths(specialise(graph, symbol_lengths(graph, *sizes)).graph)) return;
  Graph trial = graph;
  trial.set_updates({});
  const Companion run(backend_->compile(trial, {.mode = Mode::train, .bf16 = options_.bf16}), *built.executable);
  run.bring();
  NamedArrays inputs;
  for (const auto& [name, size] : *sizes) inputs[name] = batch.find(name)->second;
  try {
    run->run(inputs);
  } catch (const UserError& error) {
    throw told_in_model(error, next.graph(), run->graph());
  }
}

}  // namespace asg::train
