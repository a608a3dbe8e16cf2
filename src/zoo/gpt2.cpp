#include "asg/zoo/gpt2.h"

#include <cmath>

#include "asg/core/error.h"
#include "asg/nn/nn.h"
#include "zoo/parts.h"
#include "zoo/settings.h"

namespace asg::zoo {

Settings settings_of(Gpt2Config& config) {
  Settings settings;
  add_tokens(settings, config.tokens);
  settings.push_back(
      whole("positions", config.positions, 1, kMostFeatures, {"the longest text", "самый длинный текст"}));
  settings.push_back(layers_setting(config.layers));
  settings.push_back(features_setting(config.features));
  settings.push_back(heads_setting(config.heads));
  settings.push_back(whole("hidden", config.hidden, 0, kMostFeatures,
                           {"features inside the feed-forward part; 0: four times as many",
                            "признаков внутри полносвязной части; 0 — вчетверо больше"}));
  settings.push_back(choice("approximate", config.approximate, {"tanh", "none"},
                            {"the form of Gelu: tanh as in the released weights, none is exact",
                             "форма Gelu: tanh — как в опубликованных весах, none — точная"}));
  settings.push_back(epsilon_setting(config.epsilon));
  settings.push_back(dropout_setting(config.dropout));
  settings.push_back(tied_setting(config.tied));
  settings.push_back(
      flag("bias", config.bias,
           {"whether attention and feed-forward add biases", "прибавляют ли смещения внимание и полносвязная часть"}));
  settings.push_back(loss_setting(config.loss));
  return settings;
}

namespace {

void check_length(const Gpt2Config& config) {
  if (config.tokens.length <= config.positions) return;
  fail(ErrorCode::bad_attribute,
       "texts of " + std::to_string(config.tokens.length) + " tokens for " + std::to_string(config.positions) +
           " positions of 'gpt2'",
       "at most as many tokens as positions", "raise `positions`, or lower `length`");
}

// Normal numbers of deviation 0.02. Each block adds twice to the sum that passes through all of them, so those
// projections begin smaller the more blocks there are.
void initialise_as_gpt2(Graph& graph, std::int64_t layers) {
  constexpr double kDeviation = 0.02;
  const double added = kDeviation / std::sqrt(2.0 * static_cast<double>(layers));
  initialise(graph, [added](const Variable& variable) -> std::optional<Initializer> {
    if (variable.type.shape.rank() != 2) return std::nullopt;
    const bool adds = variable.name.ends_with("output_projection.weight") || variable.name.ends_with("contract.weight");
    return Initializer::normal(0, adds ? added : kDeviation);
  });
}

struct Size {
  const char* name;
  std::int64_t layers;
  std::int64_t features;
  std::int64_t heads;
  Words words;
};

constexpr Size kBase = {"gpt2",
                        12,
                        768,
                        12,
                        {"GPT-2 of 124 million parameters, the smallest that was released.",
                         "GPT-2 на 124 миллиона параметров, наименьшая из опубликованных."}};
constexpr Size kMedium = {
    "gpt2_medium", 24, 1024, 16, {"GPT-2 of 355 million parameters.", "GPT-2 на 355 миллионов параметров."}};
constexpr Size kLarge = {
    "gpt2_large", 36, 1280, 20, {"GPT-2 of 774 million parameters.", "GPT-2 на 774 миллиона параметров."}};
constexpr Size kXl = {
    "gpt2_xl", 48, 1600, 25, {"GPT-2 of 1.5 billion parameters.", "GPT-2 на полтора миллиарда параметров."}};

Gpt2Config sized(Gpt2Config config, const Size& size) {
  config.layers = size.layers;
  config.features = size.features;
  config.heads = size.heads;
  return config;
}

Graph built(Gpt2Config config, const Size& size) {
  Graph graph = gpt2(sized(std::move(config), size));
  graph.set_name(size.name);
  return graph;
}

Attrs one_text(std::int64_t length) { return {{"batch", 1}, {"length", length}}; }

}  // namespace

Graph gpt2(const Gpt2Config& given) {
  Gpt2Config config = given;
  check_settings(settings_of(config), "gpt2");
  check_heads(config.features, config.heads, "gpt2");
  check_length(config);
  const std::int64_t hidden = config.hidden == 0 ? 4 * config.features : config.hidden;
  Graph graph("gpt2");
  Tensor x =
      nn::embedding(token_input(graph, config.tokens), config.tokens.vocabulary, config.features, {.name = "token"});
  x = nn::learned_position(x, config.positions, {.name = "position"});
  if (config.dropout > 0) x = nn::dropout(x, {.ratio = config.dropout, .name = "dropout"});
  for (std::int64_t layer = 0; layer < config.layers; ++layer) {
    x = nn::transformer_block(x, config.heads, hidden,
                              {.approximate = config.approximate,
                               .epsilon = config.epsilon,
                               .causal = true,
                               .bias = config.bias,
                               .dropout = config.dropout,
                               .name = "block_" + std::to_string(layer)});
  }
  x = nn::layer_norm(x, {.epsilon = config.epsilon, .name = "norm"});
  predict_tokens(graph, x, config.tokens, "token.weight", config.tied, config.loss);
  initialise_as_gpt2(graph, config.layers);
  return graph;
}

Graph gpt2_medium(Gpt2Config config) { return built(std::move(config), kMedium); }
Graph gpt2_large(Gpt2Config config) { return built(std::move(config), kLarge); }
Graph gpt2_xl(Gpt2Config config) { return built(std::move(config), kXl); }

std::vector<Model> gpt2_models() {
  std::vector<Model> models;
  for (const Size& size : {kBase, kMedium, kLarge, kXl}) {
    const Gpt2Config config = sized({}, size);
    models.push_back(entry<Gpt2Config>(size.name, "gpt2", config, gpt2, one_text(config.positions), size.words));
  }
  const Gpt2Config letters = {
      .tokens = {.vocabulary = 65}, .positions = 256, .layers = 6, .features = 384, .heads = 6, .dropout = 0.2};
  models.push_back(entry<Gpt2Config>("gpt2_char", "gpt2", letters, gpt2, one_text(letters.positions),
                                     {"A GPT-2 for single letters: learns to write like one book in minutes on a GPU.",
                                      "GPT-2 для отдельных букв: за минуты на GPU учится писать, как одна книга."}));
  const Gpt2Config few_letters = {
      .tokens = {.vocabulary = 65}, .positions = 64, .layers = 4, .features = 128, .heads = 4};
  models.push_back(entry<Gpt2Config>("gpt2_char_small", "gpt2", few_letters, gpt2, one_text(few_letters.positions),
                                     {"The same, small enough for a processor.", "То же, но по силам процессору."}));
  return models;
}

}  // namespace asg::zoo
