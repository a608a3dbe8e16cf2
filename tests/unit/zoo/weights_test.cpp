// Names and layouts of others' weights, and small forward passes whose results PyTorch gave
// (tools/peers/zoo/golden.py).
#include "asg/zoo/weights.h"

#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "asg/asg.h"
#include "asg/core/platform.h"
#include "asg/decode/generator.h"
#include "asg/zoo/hugging_face.h"

namespace asg::zoo {
namespace {

using Json = nlohmann::json;

// ---- The numbers that golden.py draws: a function of a name and a position.

std::uint32_t scrambled(std::uint32_t bits) {
  bits = (bits ^ (bits >> 16)) * 0x7feb352dU;
  bits = (bits ^ (bits >> 15)) * 0x846ca68bU;
  return bits ^ (bits >> 16);
}

std::uint32_t seed_of(std::string_view name) {
  std::uint32_t hash = 2166136261U;
  for (const char letter : name) hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619U;
  return hash;
}

Array uniform(std::string_view name, Sizes sizes, double low, double high) {
  Array result(DType::f32, std::move(sizes));
  std::uint32_t place = seed_of(name);
  for (float& value : result.mutable_data<float>()) {
    const double share = static_cast<double>(scrambled(place++) >> 8) / (1 << 24);
    value = static_cast<float>(low + (high - low) * share);
  }
  return result;
}

Array whole(std::string_view name, Sizes sizes, std::uint32_t below) {
  Array result(DType::i64, std::move(sizes));
  std::uint32_t place = seed_of(name);
  for (std::int64_t& value : result.mutable_data<std::int64_t>()) value = scrambled(place++) % below;
  return result;
}

// ---- Forward passes.

Attrs settings_of(const Json& json) {
  Attrs settings = {{"loss", false}};
  for (const auto& [name, value] : json.items()) {
    if (value.is_boolean()) {
      settings.set(name, value.get<bool>());
    } else if (value.is_array()) {
      settings.set(name, value.get<std::vector<std::int64_t>>());
    } else if (value.is_number_integer()) {
      settings.set(name, value.get<std::int64_t>());
    } else {
      settings.set(name, value.get<double>());
    }
  }
  return settings;
}

io::Safetensors file_of(const io::Tensors& tensors) {
  std::string bytes;
  io::write_safetensors(tensors, {}, [&](std::string_view piece) { bytes += piece; });
  return io::Safetensors::from_bytes(std::move(bytes));
}

io::Tensors tensors_of(const Json& record) {
  io::Tensors tensors;
  for (const Json& entry : record.at("tensors")) {
    const std::string name = entry.at("name");
    tensors[name] = uniform(name, entry.at("shape").get<Sizes>(), entry.at("low"), entry.at("high"));
  }
  return tensors;
}

std::map<VarId, Array> values_of(const Graph& model, const Json& record) {
  const io::Safetensors file = file_of(tensors_of(record));
  if (record.at("format") == "own") return io::load_weights(model, file).values;
  const auto format = parse_weight_format(record.at("format").get<std::string>());
  const WeightMap* map = find_weight_map(find(record.at("model").get<std::string>()).family, *format);
  return load_weights(model, *map, file).values;
}

Array input_of(const Graph& model, const Json& record) {
  const TensorType& type = model.type({model.inputs().front(), 0});
  if (type.dtype == DType::i64) {
    return whole("tokens", {2, 7}, record.at("settings").at("vocabulary").get<std::uint32_t>());
  }
  Sizes sizes = {2};
  for (int axis = 1; axis < type.shape.rank(); ++axis) sizes.push_back(type.shape[axis].value());
  return uniform("features", sizes, -1, 1);
}

class ForwardPass : public testing::TestWithParam<const char*> {};

TEST_P(ForwardPass, GivesWhatPyTorchGives) {
  const std::string file = std::string(ASG_SOURCE_DIR) + "/tests/fixtures/zoo/" + GetParam() + ".json";
  const Json record = Json::parse(platform::read_file(file));
  const Graph model = build(record.at("model").get<std::string>(), settings_of(record.at("settings")));
  const auto backend = BackendRegistry::global().make("cpu");
  const auto executable = backend->compile(model, {.mode = Mode::eval});
  const std::map<VarId, Array> values = values_of(model, record);
  for (const VarId id : model.variable_ids()) {
    const auto value = values.find(id);
    executable->write(id, value != values.end() ? value->second : initial_value(model.variable(id), 1));
  }
  const std::string input = model.node(model.inputs().front()).path();
  Array logits = executable->run({{input, input_of(model, record)}}).outputs.at("logits");
  if (record.contains("last")) {
    const std::int64_t last = record.at("last");
    logits = logits.sliced(1, logits.sizes()[1] - last, last, 1).copy();
  }
  ASSERT_EQ(logits.sizes(), record.at("sizes").get<Sizes>());
  const auto expected = record.at("logits").get<std::vector<double>>();
  double largest = 0;
  for (const double each : expected) largest = std::max(largest, std::abs(each));
  for (std::int64_t place = 0; place < logits.count(); ++place) {
    EXPECT_NEAR(logits.get(place), expected[static_cast<std::size_t>(place)], 1e-4 * largest) << place;
  }
}

INSTANTIATE_TEST_SUITE_P(All, ForwardPass,
                         testing::Values("lenet", "resnet_basic", "resnet_bottleneck", "mobilenet_v2", "vit", "gpt2",
                                         "llama_small"),
                         [](const auto& test) { return std::string(test.param); });

// The same numbers come out of a text that is given piece by piece.
class Continuation : public testing::TestWithParam<const char*> {};

TEST_P(Continuation, GivesWhatPyTorchGives) {
  const std::string file = std::string(ASG_SOURCE_DIR) + "/tests/fixtures/zoo/" + GetParam() + ".json";
  const Json record = Json::parse(platform::read_file(file));
  const Graph model = build(record.at("model").get<std::string>(), settings_of(record.at("settings")));
  const auto backend = BackendRegistry::global().make("cpu");
  decode::Generator generator(model, *backend, {.capacity = 9, .chunk = 4});
  generator.initialise(1, values_of(model, record));
  const Array texts = input_of(model, record);
  const auto expected = record.at("logits").get<std::vector<double>>();
  const std::int64_t length = texts.sizes()[1];
  std::size_t place = 0;
  for (std::int64_t text = 0; text < texts.sizes()[0]; ++text) {
    generator.shorten(0);
    const auto tokens = texts.data<std::int64_t>().subspan(static_cast<std::size_t>(text * length));
    for (const auto piece : {tokens.first(static_cast<std::size_t>(length - 1)),
                             tokens.subspan(static_cast<std::size_t>(length - 1), 1)}) {
      for (const double logit : generator.append(piece)) {
        EXPECT_NEAR(logit, expected[place], 1e-4) << place;
        ++place;
      }
    }
  }
  EXPECT_EQ(place, expected.size());
}

INSTANTIATE_TEST_SUITE_P(All, Continuation, testing::Values("gpt2", "llama_small"),
                         [](const auto& test) { return std::string(test.param); });

// ---- Names.

struct Named {
  const char* family;
  WeightFormat format;
  const char* ours;
  const char* theirs;
};

TEST(Weights, KnowsTheNamesOfOthers) {
  using enum WeightFormat;
  const std::vector<Named> rows = {
      {"resnet", torchvision, "stem/conv.weight", "conv1.weight"},
      {"resnet", torchvision, "layer_3/block_12.norm_2.running_variance", "layer3.12.bn2.running_var"},
      {"resnet", torchvision, "layer_2/block_0.shortcut_norm.scale", "layer2.0.downsample.1.weight"},
      {"mobilenet_v2", torchvision, "block_1.depthwise_conv.weight", "features.1.conv.0.0.weight"},
      {"mobilenet_v2", torchvision, "block_1.project_norm.bias", "features.1.conv.2.bias"},
      {"mobilenet_v2", torchvision, "block_17.project_conv.weight", "features.17.conv.2.weight"},
      {"mobilenet_v2", torchvision, "last/norm.running_mean", "features.18.1.running_mean"},
      {"vit", torchvision, "block_3.feed_forward.expand.weight", "encoder.layers.encoder_layer_3.mlp.0.weight"},
      {"vit", hugging_face, "block_3.attention.query_projection.bias",
       "encoder.layer.3.attention.attention.query.bias"},
      {"gpt2", hugging_face, "block_10.feed_forward.contract.weight", "h.10.mlp.c_proj.weight"},
      {"llama", hugging_face, "block_0.feed_forward.gate.weight", "model.layers.0.mlp.gate_proj.weight"},
      {"llama", hugging_face, "head.weight", "lm_head.weight"}};
  const std::map<std::string, Graph> graphs = {{"resnet", resnet18()},
                                               {"mobilenet_v2", mobilenet_v2()},
                                               {"vit", vit_tiny()},
                                               {"gpt2", build("gpt2")},
                                               {"llama", build("llama_tiny")}};
  for (const Named& row : rows) {
    const WeightMap* map = find_weight_map(row.family, row.format);
    ASSERT_NE(map, nullptr);
    const auto place = place_of(*map, graphs.at(row.family), row.ours);
    ASSERT_TRUE(place) << row.ours;
    EXPECT_EQ(place->tensors.front(), row.theirs);
  }
  EXPECT_FALSE(place_of(*find_weight_map("resnet", torchvision), graphs.at("resnet"), "layer_1/block_x.conv_1.weight"));
  EXPECT_EQ(find_weight_map("resnet", hugging_face), nullptr);
}

Array counted(Sizes sizes) {
  Array array(DType::f32, std::move(sizes));
  for (std::int64_t place = 0; place < array.count(); ++place) array.set(place, static_cast<double>(place));
  return array;
}

// What is written in another's layout and read back is the same, for every family and format.
TEST(Weights, SurviveTheWayThereAndBack) {
  const std::vector<std::pair<const char*, Attrs>> rows = {
      {"resnet18", {{"base_channels", 2}}},
      {"resnet50", {{"base_channels", 2}}},
      {"mobilenet_v2", {{"width_multiplier", 0.1}}},
      {"vit_tiny", {{"features", 6}, {"layers", 2}}},
      {"gpt2", {{"features", 6}, {"heads", 2}, {"layers", 11}, {"vocabulary", 5}, {"tied", false}}},
      {"llama_tiny", {{"features", 8}, {"heads", 4}, {"key_value_heads", 2}, {"vocabulary", 5}, {"tied", false}}}};
  for (const auto& [name, settings] : rows) {
    const Graph model = build(name, settings);
    for (const WeightMap& map : weight_maps()) {
      if (map.family != find(name).family) continue;
      SCOPED_TRACE(map.source);
      std::map<VarId, Array> values;
      for (const VarId id : model.variable_ids()) values[id] = counted(model.variable(id).type.shape.sizes());
      const io::Tensors tensors = export_weights(model, map, [&](VarId id) { return values.at(id); });
      const io::LoadedWeights back = load_weights(model, map, file_of(tensors));
      EXPECT_TRUE(back.report.complete()) << back.report.to_text();
      for (const auto& [id, value] : back.values) EXPECT_TRUE(bit_equal(value, values.at(id)));
    }
  }
}

TEST(Weights, AreSplitAndTurned) {
  const WeightPlace second = {.tensors = {"c_attn.weight"}, .axis = 1, .part = 1, .parts = 3};
  EXPECT_TRUE(bit_equal(take_part(second, counted({2, 6})).copy(), Array::of<float>({2, 2}, {2, 3, 8, 9})));
  const WeightPlace turned = {.tensors = {"in_proj_weight"}, .axis = 0, .part = 1, .parts = 3, .transposed = true};
  EXPECT_TRUE(bit_equal(take_part(turned, counted({3, 2})).copy(), Array::of<float>({2, 1}, {2, 3})));
  EXPECT_THROW(take_part(second, counted({2, 5})), UserError);
  EXPECT_THROW(take_part(second, counted({})), UserError);
  EXPECT_THROW(take_part(turned, counted({3})), UserError);
  EXPECT_THROW(take_part({.tensors = {"x"}, .leading_axis = true}, counted({2, 3})), UserError);
}

// Another head, a missing tensor, one too many, another prefix, halves: told, and the rest is loaded.
TEST(Weights, TellWhatDoesNotFit) {
  const Graph model =
      build("gpt2", {{"features", 6}, {"heads", 2}, {"layers", 1}, {"vocabulary", 5}, {"positions", 4}});
  const WeightMap& map = *find_weight_map("gpt2", WeightFormat::hugging_face);
  io::Tensors tensors;
  for (const auto& [name, array] :
       export_weights(model, map, [&](VarId id) { return counted(model.variable(id).type.shape.sizes()); })) {
    tensors["transformer." + name] = array.cast(DType::f16);
  }
  tensors["transformer.h.0.attn.bias"] = counted({1, 1, 4, 4});  // a mask
  tensors["lm_head.weight"] = tensors["transformer.wte.weight"];
  EXPECT_TRUE(load_weights(model, map, file_of(tensors)).report.complete());
  tensors["extra"] = counted({1});
  tensors["transformer.wpe.weight"] = counted({9, 6});
  tensors["transformer.h.0.attn.c_attn.bias"] = counted({17});
  tensors.erase("transformer.ln_f.bias");
  const io::Safetensors file = file_of(tensors);
  EXPECT_THROW(load_weights(model, map, file), UserError);
  const io::LoadedWeights weights = load_weights(model, map, file, false);
  const io::LoadReport& report = weights.report;
  EXPECT_EQ(report.missing, std::vector<std::string>{"norm.bias"});
  EXPECT_EQ(report.unexpected, std::vector<std::string>{"extra"});
  ASSERT_EQ(report.mismatched.size(), 4U);  // the parts of one bias, and the positions
  EXPECT_EQ(report.mismatched.back().variable, "position.weight");
  EXPECT_EQ(report.mismatched.back().in_file, "f32[9, 6]");
  EXPECT_EQ(report.loaded.size(), weights.values.size());
  EXPECT_EQ(weights.values.begin()->second.dtype(), DType::f32);
}

// ---- config.json of Hugging Face.

std::int64_t parameters_of(std::string_view config) {
  const HuggingFaceModel model = read_hugging_face_config(config);
  return figures_of(find(model.name), model.settings).parameters;
}

TEST(HuggingFace, DescribesModels) {
  EXPECT_EQ(parameters_of(R"({"model_type": "gpt2", "n_layer": 24, "n_embd": 1024, "n_head": 16, "n_inner": null})"),
            354'823'168);
  EXPECT_EQ(parameters_of(R"({"model_type": "llama", "hidden_size": 2048, "intermediate_size": 5632,
                              "num_hidden_layers": 22, "num_key_value_heads": 4, "rope_scaling": null,
                              "rms_norm_eps": 1e-05, "rope_theta": 10000.0, "tie_word_embeddings": false})"),
            1'100'048'384);
  EXPECT_EQ(parameters_of(R"({"model_type": "vit", "num_labels": 1000, "layer_norm_eps": 1e-12})"), 86'567'656);
  const HuggingFaceModel vit =
      read_hugging_face_config(R"({"model_type": "vit", "id2label": {"0": "a", "1": "b", "2": "c"}})");
  EXPECT_EQ(vit.settings.find("classes")->as_integer(), 3);
}

// Positions of LLaMA under the names of older and newer files.
TEST(HuggingFace, ReadsHowPositionsTurn) {
  const std::vector<std::pair<std::string, double>> rows = {
      {"", 10000},
      {R"("rope_theta": 500.0)", 500},
      {R"("rope_theta": 500, "rope_scaling": {"rope_type": "default"})", 500},
      {R"("rope_theta": 500, "rope_scaling": {"type": "default", "factor": 1.0})", 500},
      {R"("rope_scaling": null, "rope_parameters": {"rope_theta": 250000.0, "rope_type": "default"})", 250000},
      {R"("rope_theta": 500, "rope_parameters": {"rope_theta": 700})", 700},
      {R"("rope_theta": 500, "rope_parameters": {"partial_rotary_factor": 1.0})", 500},
      {R"("partial_rotary_factor": 1, "sliding_window": null)", 10000},
      {R"("sliding_window": 4, "use_sliding_window": false)", 10000},
      {R"("sliding_window": 4096, "max_position_embeddings": 4096)", 10000}};
  for (const auto& [more, base] : rows) {
    const HuggingFaceModel model =
        read_hugging_face_config(R"({"model_type": "llama")" + (more.empty() ? "" : ", " + more) + "}");
    EXPECT_EQ(model.settings.find("rotary_base")->as_real(), base) << more;
  }
}

TEST(HuggingFace, TellsTheLongestText) {
  EXPECT_EQ(read_hugging_face_config(R"({"model_type": "llama", "max_position_embeddings": 64})").context, 64);
  EXPECT_EQ(read_hugging_face_config(R"({"model_type": "llama"})").context, 2048);
  EXPECT_EQ(read_hugging_face_config(R"({"model_type": "gpt2", "n_positions": 512})").context, 512);
  EXPECT_EQ(read_hugging_face_config(R"({"model_type": "vit"})").context, 0);
}

TEST(HuggingFace, RefusesWhatItCannotBuild) {
  const std::vector<std::tuple<const char*, ErrorCode, const char*>> rows = {
      {"", ErrorCode::bad_json, "config.json"},
      {"[1, 2]", ErrorCode::bad_json, "an object"},
      {R"({"n_layer": 3})", ErrorCode::bad_attribute, "gpt2, llama, vit"},
      {R"({"model_type": "bert"})", ErrorCode::bad_attribute, "'bert'"},
      {R"({"model_type": "gpt2", "n_layer": "many"})", ErrorCode::bad_json, "/n_layer"},
      {R"({"model_type": "gpt2", "activation_function": "relu"})", ErrorCode::bad_attribute, "gelu_new"},
      {R"({"model_type": "llama", "rope_scaling": {"factor": 8}})", ErrorCode::bad_attribute, "rope_scaling"},
      {R"({"model_type": "llama", "rope_scaling": {"type": "linear", "factor": 2}})", ErrorCode::bad_attribute,
       "rope_scaling"},
      {R"({"model_type": "llama", "rope_scaling": {"rope_type": "llama3"}})", ErrorCode::bad_attribute, "default"},
      {R"({"model_type": "llama", "rope_scaling": 8})", ErrorCode::bad_json, "/rope_scaling"},
      {R"({"model_type": "llama", "rope_parameters": {"rope_theta": 5e5, "rope_type": "yarn"}})",
       ErrorCode::bad_attribute, "rope_parameters"},
      {R"({"model_type": "llama", "rope_parameters": {"full_attention": {"rope_theta": 5e5}}})",
       ErrorCode::bad_attribute, "rope_parameters"},
      {R"({"model_type": "llama", "rope_parameters": {"partial_rotary_factor": 0.5}})", ErrorCode::bad_attribute,
       "partial_rotary_factor"},
      {R"({"model_type": "llama", "partial_rotary_factor": 0.5})", ErrorCode::bad_attribute, "partial_rotary_factor"},
      {R"({"model_type": "llama", "sliding_window": 4})", ErrorCode::bad_attribute, "sliding_window"},
      {R"({"model_type": "llama", "max_position_embeddings": 0})", ErrorCode::bad_attribute, "at least 1"},
      {R"({"model_type": "llama", "num_attention_heads": 0})", ErrorCode::bad_attribute, "at least 1"},
      {R"({"model_type": "llama", "attention_bias": true})", ErrorCode::bad_attribute, "attention_bias"},
      {R"({"model_type": "llama", "head_dim": 256})", ErrorCode::bad_attribute, "128"},
      {R"({"model_type": "vit", "qkv_bias": false})", ErrorCode::bad_attribute, "qkv_bias"}};
  for (const auto& [text, code, contains] : rows) {
    try {
      read_hugging_face_config(text);
      ADD_FAILURE() << text;
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), code) << error.what();
      EXPECT_NE(std::string(error.what()).find(contains), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace asg::zoo
