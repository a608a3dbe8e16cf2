#include "asg/decode/language_model.h"

#include <algorithm>
#include <vector>

#include "asg/core/error.h"
#include "asg/graph/contexts.h"
#include "asg/graph/part.h"
#include "asg/graph/walk.h"
#include "decode/opened.h"

namespace asg::decode {
namespace {

Output logits_of(const Graph& model) {
  if (const Output* named = model.find_output("logits")) return *named;
  std::vector<Output> found;
  for (const Output& output : model.outputs()) {
    const TensorType& type = model.type(output.value);
    if (type.shape.rank() == 3 && is_float(type.dtype)) found.push_back(output);
  }
  if (found.size() == 1) return found.front();
  fail(ErrorCode::missing_output, "model '" + model.name() + "', which has no output 'logits'",
       "logits of rank 3, [batch, length, vocabulary], for each token of a text",
       "name the output 'logits'; `asg zoo` lists models of language");
}

void check_input(const Graph& graph) {
  const auto inputs = graph.inputs();
  if (inputs.size() == 1) {
    const TensorType& type = graph.type({inputs.front(), 0});
    if (type.dtype == DType::i64 && type.shape.rank() == 2) return;
    fail(ErrorCode::bad_shape, "the input '" + graph.node(inputs.front()).path() + "' of type " + type.to_string(),
         "the tokens of texts, i64[batch, length]", "only models of language generate text");
  }
  std::string names;
  for (const NodeId id : inputs) names += (names.empty() ? "'" : ", '") + graph.node(id).path() + "'";
  fail(ErrorCode::wrong_input_count,
       "logits that depend on " + (names.empty() ? std::string("no input") : "the inputs " + names),
       "one input: the tokens of a text");
}

std::int64_t vocabulary_of(const Graph& graph, const Output& logits) {
  const TensorType& type = graph.type(logits.value);
  const bool fits = type.shape.rank() == 3 && is_float(type.dtype) && type.shape[2].is_known();
  if (fits) return type.shape[2].value();
  fail(ErrorCode::bad_shape, "the output '" + logits.name + "' of type " + type.to_string(),
       "floats [batch, length, vocabulary], with a vocabulary that is known");
}

std::int64_t context_of(const Graph& plain) {
  std::int64_t context = 0;
  for (const NodeId id : plain.node_ids()) {
    const Node& node = plain.node(id);
    if (node.op->name != kLearnedPosition) continue;
    const std::int64_t count = AttrReader(*node.op, node.attrs).integer("count");
    context = context == 0 ? count : std::min(context, count);
  }
  return context;
}

}  // namespace

std::int64_t LanguageModel::weight_bytes() const {
  const Graph plain = opened(graph);
  const UseMap users(plain);
  std::int64_t bytes = 0;
  for (const VarId id : plain.variable_ids()) {
    const Variable& variable = plain.variable(id);
    const NodeId reader = plain.reader_of(id);
    if (variable.kind != VarKind::parameter || !reader) continue;
    const auto uses = users.uses(reader);
    const bool is_looked_up = std::all_of(uses.begin(), uses.end(), [&](const Use& use) {
      return use.input == 0 && plain.node(use.user).op->name == "Gather";
    });
    if (is_looked_up) continue;
    bytes += element_count(variable.type.shape.sizes()) * bytes_of(variable.type.dtype);
  }
  return bytes;
}

LanguageModel language_model_of(const Graph& model) {
  const Output logits = logits_of(model);
  LanguageModel result{.graph = part_for(model, {logits}), .logits = logits.name};
  check_input(result.graph);
  result.vocabulary = vocabulary_of(result.graph, logits);
  result.context = context_of(opened(result.graph));
  return result;
}

}  // namespace asg::decode
