#include "asg/zoo/hugging_face.h"

#include <algorithm>
#include <initializer_list>

#include <nlohmann/json.hpp>

#include "asg/core/error.h"
#include "core/json_depth.h"

namespace asg::zoo {
namespace {

using Json = nlohmann::json;

// A description with defaults where it is silent; null is silence too.
class Description {
 public:
  explicit Description(const Json& json) : json_(json) {}

  bool says(const char* key) const { return json_.contains(key) && !json_.at(key).is_null(); }

  std::int64_t integer(const char* key, std::int64_t fallback) const {
    return says(key) ? typed(key, json_.at(key).is_number_integer(), "a whole number").get<std::int64_t>() : fallback;
  }
  double real(const char* key, double fallback) const {
    return says(key) ? typed(key, json_.at(key).is_number(), "a number").get<double>() : fallback;
  }
  bool boolean(const char* key, bool fallback) const {
    return says(key) ? typed(key, json_.at(key).is_boolean(), "true or false").get<bool>() : fallback;
  }
  std::string text(const char* key, const char* fallback) const {
    return says(key) ? typed(key, json_.at(key).is_string(), "a text").get<std::string>() : fallback;
  }
  std::size_t entries(const char* key) const { return says(key) ? json_.at(key).size() : 0; }
  // A part of it that is a description itself; an empty one where it is silent.
  Description part(const char* key) const {
    static const Json silence = Json::object();
    return Description(says(key) ? typed(key, json_.at(key).is_object(), "an object") : silence);
  }
  bool says_only(std::initializer_list<std::string_view> keys) const {
    for (const auto& item : json_.items()) {
      if (std::find(keys.begin(), keys.end(), item.key()) == keys.end()) return false;
    }
    return true;
  }

  // Refuses what our layers do not compute.
  void need(bool holds, const char* key, const std::string& needed) const {
    if (holds) return;
    fail(ErrorCode::bad_attribute, std::string(key) + " = " + (says(key) ? json_.at(key).dump() : "absent"), needed);
  }

 private:
  const Json& typed(const char* key, bool fits, const char* needed) const {
    if (!fits) fail(ErrorCode::bad_json, std::string("/") + key + " = " + json_.at(key).dump(), needed);
    return json_.at(key);
  }

  const Json& json_;
};

HuggingFaceModel gpt2_of(const Description& is) {
  const std::string activation = is.text("activation_function", "gelu_new");
  const bool tanh = activation == "gelu_new" || activation == "gelu_pytorch_tanh";
  is.need(tanh || activation == "gelu", "activation_function", "gelu_new or gelu");
  is.need(is.boolean("scale_attn_weights", true), "scale_attn_weights", "true");
  is.need(!is.boolean("scale_attn_by_inverse_layer_idx", false), "scale_attn_by_inverse_layer_idx", "false");
  const std::int64_t positions = is.integer("n_positions", 1024);
  return {"gpt2",
          {{"vocabulary", is.integer("vocab_size", 50257)},
           {"positions", positions},
           {"layers", is.integer("n_layer", 12)},
           {"features", is.integer("n_embd", 768)},
           {"heads", is.integer("n_head", 12)},
           {"hidden", is.integer("n_inner", 0)},
           {"approximate", tanh ? "tanh" : "none"},
           {"epsilon", is.real("layer_norm_epsilon", 1e-5)},
           {"dropout", is.real("attn_pdrop", 0.1)},
           {"tied", is.boolean("tie_word_embeddings", true)}},
          positions};
}

constexpr std::int64_t kUsualPositions = 2048;  // of LLaMA, where nothing is said

// How positions turn, under the name of older files (rope_scaling) or of newer ones (rope_parameters, which also holds
// what stood beside it). Returns the base, or `fallback` where it is not told.
double rotary_base_of(const Description& is, const char* key, double fallback) {
  const Description rotary = is.part(key);
  const std::string type = rotary.text("rope_type", rotary.text("type", "").c_str());
  const bool is_plain =
      type == "default" || (type.empty() && rotary.says_only({"rope_theta", "partial_rotary_factor"}));
  is.need(is_plain, key, "no scaling of the positions: rope_type = \"default\"");
  rotary.need(rotary.real("partial_rotary_factor", 1) == 1, "partial_rotary_factor", "1: all features of a head turn");
  return rotary.real("rope_theta", fallback);
}

// What LLaMA and its kin may ask for and our layers do not compute.
void check_positions(const Description& is, std::int64_t positions) {
  is.need(is.real("partial_rotary_factor", 1) == 1, "partial_rotary_factor", "1: all features of a head turn");
  const bool slides = is.boolean("use_sliding_window", true) && is.integer("sliding_window", positions) < positions;
  is.need(!slides, "sliding_window", "none, or at least max_position_embeddings: attention looks at the whole text");
}

HuggingFaceModel llama_of(const Description& is) {
  const std::int64_t features = is.integer("hidden_size", 4096);
  const std::int64_t heads = is.integer("num_attention_heads", 32);
  is.need(heads > 0, "num_attention_heads", "at least 1");
  is.need(is.text("hidden_act", "silu") == "silu", "hidden_act", "silu");
  const std::int64_t positions = is.integer("max_position_embeddings", kUsualPositions);
  is.need(positions > 0, "max_position_embeddings", "at least 1");
  check_positions(is, positions);
  const double base = rotary_base_of(is, "rope_scaling", is.real("rope_theta", 10000));
  is.need(!is.boolean("attention_bias", false), "attention_bias", "false");
  is.need(!is.boolean("mlp_bias", false), "mlp_bias", "false");
  is.need(is.integer("head_dim", features / heads) == features / heads, "head_dim",
          std::to_string(features / heads) + ", the features of a head");
  return {"llama_small",
          {{"vocabulary", is.integer("vocab_size", 32000)},
           {"layers", is.integer("num_hidden_layers", 32)},
           {"features", features},
           {"heads", heads},
           {"key_value_heads", is.integer("num_key_value_heads", heads)},
           {"hidden", is.integer("intermediate_size", 11008)},
           {"rotary_base", rotary_base_of(is, "rope_parameters", base)},
           {"epsilon", is.real("rms_norm_eps", 1e-6)},
           {"dropout", is.real("attention_dropout", 0)},
           {"tied", is.boolean("tie_word_embeddings", false)}},
          positions};
}

HuggingFaceModel vit_of(const Description& is) {
  constexpr std::int64_t kUsualLabels = 2;
  is.need(is.text("hidden_act", "gelu") == "gelu", "hidden_act", "gelu");
  is.need(is.boolean("qkv_bias", true), "qkv_bias", "true");
  const auto labels = static_cast<std::int64_t>(is.entries("id2label"));
  const std::int64_t size = is.integer("image_size", 224);
  return {"vit_base",
          {{"channels", is.integer("num_channels", 3)},
           {"height", size},
           {"width", size},
           {"classes", labels > 0 ? labels : is.integer("num_labels", kUsualLabels)},
           {"patch", is.integer("patch_size", 16)},
           {"layers", is.integer("num_hidden_layers", 12)},
           {"features", is.integer("hidden_size", 768)},
           {"heads", is.integer("num_attention_heads", 12)},
           {"hidden", is.integer("intermediate_size", 3072)},
           {"epsilon", is.real("layer_norm_eps", 1e-12)},
           {"dropout", is.real("hidden_dropout_prob", 0)}},
          0};
}

}  // namespace

HuggingFaceModel read_hugging_face_config(std::string_view text) {
  const Json json = parse_within_limits<Json>(text);
  if (!json.is_object()) {
    fail(ErrorCode::bad_json, "a text of " + std::to_string(text.size()) + " characters",
         "the config.json of a Hugging Face model: an object");
  }
  const Description is(json);
  const std::string type = is.text("model_type", "");
  if (type == "gpt2") return gpt2_of(is);
  if (type == "llama") return llama_of(is);
  if (type == "vit") return vit_of(is);
  fail(ErrorCode::bad_attribute, "the model type '" + type + "'", "one of gpt2, llama, vit");
}

}  // namespace asg::zoo
