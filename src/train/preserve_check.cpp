// The outputs of a model before and after an edit that must keep them.
#include <algorithm>
#include <cmath>

#include "asg/graph/card.h"
#include "asg/train/trainer.h"

namespace asg::train {
namespace {

double tolerance_of(const Tolerance& tolerance, DType dtype) {
  switch (dtype) {
    case DType::f64:
      return tolerance.f64;
    case DType::f32:
      return tolerance.f32;
    case DType::f16:
      return tolerance.f16;
    case DType::bf16:
      return tolerance.bf16;
    default:
      return 0;
  }
}

// What was added is zero, so only the order of sums differs: errors of the ops, as large as their cards allow and each
// for itself, which add up as the square root of their number.
double preserve_tolerance(const Graph& graph, DType dtype) {
  double largest = 0;
  const std::vector<NodeId> ids = graph.node_ids();
  for (const NodeId id : ids) largest = std::max(largest, tolerance_of(graph.node(id).op->tolerance, dtype));
  return largest * std::sqrt(static_cast<double>(ids.size()));
}

bool is_same_special(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

std::string shown(double value) { return std::isnan(value) ? "nan" : std::to_string(value); }

// The first element that differs by more than the tolerance, in words; "" where there is none.
std::string difference(const std::string& name, const Array& now, const Array& before, double tolerance) {
  if (now.dtype() != before.dtype() || now.sizes() != before.sizes()) {
    return "the output '" + name + "' of type " + now.type_string() + ", which was " + before.type_string();
  }
  double largest = 1;
  for (std::int64_t at = 0; at < before.count(); ++at) {
    const double size = std::fabs(before.get(at));
    if (std::isfinite(size)) largest = std::max(largest, size);
  }
  const double allowed = tolerance * largest;
  for (std::int64_t at = 0; at < before.count(); ++at) {
    const double a = now.get(at);
    const double b = before.get(at);
    if (std::isfinite(a) && std::isfinite(b) ? std::fabs(a - b) <= allowed : is_same_special(a, b)) continue;
    return "an edit after which element " + std::to_string(at) + " of the output '" + name + "' is " + shown(a) +
           " on the last batch, and was " + shown(b);
  }
  return "";
}

std::vector<std::string> names_of_inputs(const Graph& model) {
  std::vector<std::string> names;
  for (const NodeId id : model.inputs()) names.push_back(model.node(id).path());
  return names;
}

bool feeds_all(const NamedArrays& batch, const std::vector<std::string>& inputs) {
  return std::all_of(inputs.begin(), inputs.end(), [&](const std::string& name) { return batch.contains(name); });
}

}  // namespace

std::optional<NamedArrays> Trainer::outputs_to_keep(const EditReport& report) {
  if (report.policy != ResizePolicy::preserve) return std::nullopt;
  const NamedArrays batch = last_known_batch();
  if (batch.empty() || !feeds_all(batch, names_of_inputs(model_.graph()))) return std::nullopt;
  try {
    return infer(batch);
  } catch (const UserError&) {
    return std::nullopt;  // what cannot be evaluated gives nothing to keep
  }
}

void Trainer::check_outputs_kept(Built& built, const Model& next, const NamedArrays& expected) const {
  const NamedArrays batch = last_known_batch();
  const std::vector<std::string> given = names_of_inputs(next.graph());
  if (!feeds_all(batch, given)) return;  // an input has another name now
  NamedArrays inputs;
  for (const std::string& name : given) inputs.emplace(name, batch.find(name)->second);
  const Graph graph = make_inference_graph(next.graph(), given);
  const Inference inference = make_inference_from(graph, *built.executable);
  inference.outputs.bring();
  const NamedArrays actual = inference.outputs->run(inputs).outputs;
  for (const auto& [name, before] : expected) {
    const auto now = actual.find(name);
    const std::string words = now == actual.end()
                                  ? "an edit that takes away the output '" + name + "'"
                                  : difference(name, now->second, before, preserve_tolerance(graph, before.dtype()));
    if (words.empty()) continue;
    fail(ErrorCode::preserve_impossible, words, "an edit that changes no output in eval mode",
         "use the policy overlap, which copies what fits");
  }
}

// Of the last step; before the first what steps are going to get.
NamedArrays Trainer::last_known_batch() const {
  if (!last_batch_) return known_batch();
  NamedArrays batch;
  const Graph& graph = built_.executable->graph();
  for (std::size_t k = 0; k < last_batch_->size(); ++k) {
    batch[graph.node(graph.inputs()[k]).path()] = (*last_batch_)[k];
  }
  return batch;
}

}  // namespace asg::train
