#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "asg/asg.h"
#include "asg/decode/generator.h"

// Models of language that run in no time, and their logits without any cache.
namespace asg::decode {

inline constexpr std::int64_t kContext = 24;

inline Graph small_gpt2() {
  zoo::Gpt2Config config{.positions = kContext, .layers = 2, .features = 16, .heads = 4, .dropout = 0.1};
  config.tokens.vocabulary = 29;
  return zoo::gpt2(config);
}

inline Graph small_llama() {
  zoo::LlamaConfig config{.layers = 2, .features = 32, .heads = 8, .key_value_heads = 2, .hidden = 40, .tied = false};
  config.tokens.vocabulary = 31;
  return zoo::llama(config);
}

// Eight features of each token, something in the middle, and a head.
inline Graph model_with(const std::function<Tensor(const Tensor&)>& middle) {
  Graph graph("made");
  const Tensor tokens = graph.input("ids", {DType::i64, {Dim::symbol("batch"), Dim::symbol("length")}});
  const Tensor x = nn::embedding(tokens, 13, 8, {.name = "token"});
  graph.set_output("scores", nn::linear(middle(x), 13, {.name = "head"}));
  return graph;
}

inline std::vector<std::int64_t> some_tokens(std::int64_t count, std::int64_t vocabulary) {
  std::vector<std::int64_t> tokens;
  for (std::int64_t k = 0; k < count; ++k) tokens.push_back((k * k * 7 + 3 * k + 5) % vocabulary);
  return tokens;
}

// A value for every parameter, larger than they begin, so that attention is not nearly even.
inline Array value_for(const Variable& variable) {
  Array value = initial_value(variable, 7);
  if (!is_float(value.dtype())) return value;
  const RandomStream noise(11, variable.id.number);
  for (std::int64_t k = 0; k < value.count(); ++k) {
    value.set(k, value.get(k) + 0.3 * noise.normal(static_cast<std::uint64_t>(k)));
  }
  return value;
}

inline void give_values(const Graph& graph, Generator& generator) {
  for (const VarId id : graph.variable_ids()) generator.write(id, value_for(graph.variable(id)));
}

// f64[length, vocabulary], from the model as it is.
inline Array logits_at_once(const Graph& graph, Backend& backend, const std::vector<std::int64_t>& tokens) {
  const LanguageModel model = language_model_of(graph);
  const auto executable = backend.compile(model.graph, {.mode = Mode::eval});
  for (const VarId id : executable->graph().variable_ids()) {
    executable->write(id, value_for(executable->graph().variable(id)));
  }
  const auto length = static_cast<std::int64_t>(tokens.size());
  const std::string input = model.graph.node(model.graph.inputs().front()).path();
  const StepResult result = executable->run({{input, Array::of<std::int64_t>({1, length}, tokens)}});
  return result.outputs.at(model.logits).cast(DType::f64).dense();
}

}  // namespace asg::decode
