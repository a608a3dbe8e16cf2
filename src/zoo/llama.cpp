#include "asg/zoo/llama.h"

#include "asg/core/error.h"
#include "asg/nn/nn.h"
#include "zoo/parts.h"
#include "zoo/settings.h"

namespace asg::zoo {

Settings settings_of(LlamaConfig& config) {
  Settings settings;
  add_tokens(settings, config.tokens);
  settings.push_back(layers_setting(config.layers));
  settings.push_back(features_setting(config.features));
  settings.push_back(heads_setting(config.heads));
  settings.push_back(whole("key_value_heads", config.key_value_heads, 0, kMostFeatures,
                           {"heads of keys and values, each shared by a group of heads; 0: as many as heads",
                            "головы ключей и значений, каждая общая для группы голов; 0 — столько же, сколько голов"}));
  settings.push_back(whole("hidden", config.hidden, 1, kMostFeatures,
                           {"features inside the feed-forward part", "признаков внутри полносвязной части"}));
  settings.push_back(real("rotary_base", config.rotary_base, 1, 1e9,
                          {"about how many times slower the last features turn with the position than the first",
                           "во сколько примерно раз последние признаки вращаются с позицией медленнее первых"}));
  settings.push_back(epsilon_setting(config.epsilon));
  settings.push_back(dropout_setting(config.dropout));
  settings.push_back(tied_setting(config.tied));
  settings.push_back(loss_setting(config.loss));
  return settings;
}

namespace {

void check_groups(const LlamaConfig& config) {
  check_heads(config.features, config.heads, "llama");
  if (config.key_value_heads != 0 && config.heads % config.key_value_heads != 0) {
    fail(ErrorCode::bad_attribute,
         std::to_string(config.key_value_heads) + " key_value_heads for " + std::to_string(config.heads) +
             " heads of 'llama'",
         "a number that divides the heads");
  }
  if (config.features / config.heads % 2 != 0) {
    fail(ErrorCode::bad_attribute, std::to_string(config.features / config.heads) + " features in each head of 'llama'",
         "an even number: rotary positions take them in pairs");
  }
}

}  // namespace

Graph llama(const LlamaConfig& given) {
  LlamaConfig config = given;
  check_settings(settings_of(config), "llama");
  check_groups(config);
  // One way to say that every head has its own keys and values.
  const std::int64_t shared = config.key_value_heads == config.heads ? 0 : config.key_value_heads;
  Graph graph("llama");
  Tensor x =
      nn::embedding(token_input(graph, config.tokens), config.tokens.vocabulary, config.features, {.name = "token"});
  if (config.dropout > 0) x = nn::dropout(x, {.ratio = config.dropout, .name = "dropout"});
  for (std::int64_t layer = 0; layer < config.layers; ++layer) {
    x = nn::transformer_block(x, config.heads, config.hidden,
                              {.activation = "Silu",
                               .gated = true,
                               .norm = "RMSNorm",
                               .epsilon = config.epsilon,
                               .causal = true,
                               .positions = "rotary",
                               .rotary_base = config.rotary_base,
                               .key_value_heads = shared,
                               .bias = false,
                               .dropout = config.dropout,
                               .name = "block_" + std::to_string(layer)});
  }
  x = nn::rms_norm(x, {.epsilon = config.epsilon, .name = "norm"});
  predict_tokens(graph, x, config.tokens, "token.weight", config.tied, config.loss);
  initialise(graph, [](const Variable& variable) -> std::optional<Initializer> {
    if (variable.type.shape.rank() != 2) return std::nullopt;
    return Initializer::normal(0, 0.02);
  });
  return graph;
}

std::vector<Model> llama_models() {
  struct Row {
    const char* name;
    LlamaConfig config;
    std::int64_t length;  // of the texts that it was made for
    Words words;
  };
  const std::vector<Row> rows = {
      {"llama_tiny",
       {.tokens = {.vocabulary = 512}, .layers = 5, .features = 64, .heads = 8, .key_value_heads = 4, .hidden = 172},
       512,
       {"A LLaMA of 260 thousand parameters that tells little stories; its heads share keys in pairs.",
        "LLaMA на 260 тысяч параметров, рассказывает маленькие истории; головы попарно делят ключи."}},
      {"llama_small",
       {},
       256,
       {"A LLaMA of 15 million parameters that tells little stories.",
        "LLaMA на 15 миллионов параметров, рассказывает маленькие истории."}},
      {"smollm_135m",
       {.tokens = {.vocabulary = 49152},
        .layers = 30,
        .features = 576,
        .heads = 9,
        .key_value_heads = 3,
        .hidden = 1536},
       2048,
       {"SmolLM of 135 million parameters: a LLaMA with three heads of keys and values.",
        "SmolLM на 135 миллионов параметров: LLaMA с тремя головами ключей и значений."}},
      {"tinyllama_1b",
       {.layers = 22, .features = 2048, .heads = 32, .key_value_heads = 4, .hidden = 5632, .tied = false},
       2048,
       {"TinyLlama of 1.1 billion parameters: LLaMA 2 made small, with four heads of keys and values.",
        "TinyLlama на 1,1 миллиарда параметров: уменьшенная LLaMA 2 с четырьмя головами ключей и значений."}}};
  std::vector<Model> models;
  for (const Row& row : rows) {
    models.push_back(
        entry<LlamaConfig>(row.name, "llama", row.config, llama, {{"batch", 1}, {"length", row.length}}, row.words));
  }
  return models;
}

}  // namespace asg::zoo
