#include "zoo/parts.h"

#include "asg/core/error.h"
#include "asg/loss/loss.h"
#include "asg/nn/nn.h"

namespace asg::zoo {
namespace {

Dim length_of(std::int64_t length, const char* symbol) { return length == 0 ? Dim::symbol(symbol) : Dim(length); }

}  // namespace

Tensor image_input(Graph& graph, const Images& images) {
  const Dim batch = length_of(images.batch, "batch");
  if (images.channel_axis) {
    return graph.input("features", {DType::f32, {batch, images.channels, images.height, images.width}});
  }
  if (images.channels != 1) {
    fail(ErrorCode::bad_attribute, std::to_string(images.channels) + " channels without an axis for them",
         "pictures of one channel, or an axis", "set `channels` to 1, or `channel_axis` to true");
  }
  const Tensor grey = graph.input("features", {DType::f32, {batch, images.height, images.width}});
  return unsqueeze(grey, {1}).named("channel_axis");
}

void classify(Graph& graph, const Tensor& logits, bool with_loss) {
  graph.set_output("logits", logits);
  if (!with_loss) return;
  const Tensor labels = graph.input("labels", {DType::i64, {logits.shape()[0]}});
  graph.set_output("loss", loss::cross_entropy(logits, labels, {}, {.name = "loss"}));
}

Tensor token_input(Graph& graph, const Tokens& tokens) {
  return graph.input("tokens", {DType::i64, {length_of(tokens.batch, "batch"), length_of(tokens.length, "length")}});
}

void predict_tokens(Graph& graph, const Tensor& x, const Tokens& tokens, std::string_view table, bool tied,
                    bool with_loss) {
  nn::LinearOptions options{.bias = false, .transposed = true, .name = "head"};
  if (tied) options.bindings = {{"weight", graph.find_variable(table)}};
  const Tensor logits = nn::linear(x, tokens.vocabulary, options);
  graph.set_output("logits", logits);
  if (!with_loss) return;
  const Tensor targets = graph.input("targets", {DType::i64, {logits.shape()[0], logits.shape()[1]}});
  graph.set_output("loss", loss::cross_entropy(logits, targets, {}, {.name = "loss"}));
}

void check_heads(std::int64_t features, std::int64_t heads, std::string_view model) {
  if (features % heads == 0) return;
  fail(ErrorCode::bad_attribute,
       std::to_string(heads) + " heads for " + std::to_string(features) + " features of '" + std::string(model) + "'",
       "a number of heads that divides the features");
}

void initialise(Graph& graph, const std::function<std::optional<Initializer>(const Variable&)>& chosen) {
  for (const VarId id : graph.variable_ids()) {
    Variable variable = graph.variable(id);
    if (variable.kind != VarKind::parameter) continue;
    const std::optional<Initializer> init = chosen(variable);
    if (!init) continue;
    variable.init = *init;
    graph.put(std::move(variable));
  }
}

}  // namespace asg::zoo
