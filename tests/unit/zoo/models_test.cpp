// What each model of the zoo is: its parameters as published, its names, what may be set, and that it learns.
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "asg/asg.h"
#include "asg/core/platform.h"

namespace asg::zoo {
namespace {

std::int64_t parameters_of(const Graph& graph) {
  std::int64_t sum = 0;
  for (const VarId id : graph.variable_ids()) {
    if (graph.variable(id).kind == VarKind::parameter) sum += graph.variable(id).type.shape.element_count().value();
  }
  return sum;
}

struct Published {
  const char* model;
  Attrs settings;
  std::int64_t parameters;
};

// torchvision's documentation, the model cards of Hugging Face, and the papers.
TEST(Zoo, HasAsManyParametersAsPublished) {
  const std::vector<Published> rows = {
      {"lenet", {}, 61'706},
      {"resnet18", {}, 11'689'512},
      {"resnet34", {}, 21'797'672},
      {"resnet50", {}, 25'557'032},
      {"resnet50", {{"blocks", std::vector<std::int64_t>{3, 4, 23, 3}}}, 44'549'160},  // ResNet-101
      {"mobilenet_v2", {}, 3'504'872},
      {"vit_tiny", {}, 5'717'416},
      {"vit_small", {}, 22'050'664},
      {"vit_base", {}, 86'567'656},
      {"vit_base", {{"patch", 32}}, 88'224'232},
      {"vit_base", {{"features", 1024}, {"layers", 24}, {"heads", 16}}, 304'326'632},  // ViT-L/16
      {"gpt2", {}, 124'439'808},
      {"gpt2_medium", {}, 354'823'168},
      {"gpt2_large", {}, 774'030'080},
      {"gpt2_xl", {}, 1'557'611'200},
      {"llama_tiny", {}, 260'032},
      {"llama_small", {}, 15'191'712},
      {"smollm_135m", {}, 134'515'008},
      {"tinyllama_1b", {}, 1'100'048'384},
      // LLaMA 2 7B
      {"tinyllama_1b", {{"layers", 32}, {"features", 4096}, {"key_value_heads", 0}, {"hidden", 11008}}, 6'738'415'616}};
  for (const Published& row : rows) {
    EXPECT_EQ(parameters_of(build(row.model, row.settings)), row.parameters) << row.model;
  }
  EXPECT_EQ(figures_of(find("resnet18")).parameters, 11'689'512);
}

// The example's text is as long as the model has positions by itself; with fewer it must be shorter.
TEST(Zoo, CostsAreToldForTextsThatFit) {
  const std::int64_t whole = figures_of(find("gpt2")).parameters;
  EXPECT_EQ(figures_of(find("gpt2"), {{"positions", 64}}).parameters, whole - (1024 - 64) * 768);
  EXPECT_EQ(figures_of(find("gpt2"), {{"positions", 2048}}).flops, figures_of(find("gpt2")).flops);
  EXPECT_LT(figures_of(find("gpt2"), {{"positions", 64}}).flops, figures_of(find("gpt2")).flops);
  EXPECT_THROW(figures_of(find("gpt2"), {{"positions", 64}, {"length", 65}}), UserError);
  EXPECT_THROW(figures_of(find("gpt2"), {{"positions", 0}}), UserError);
}

// Multiplications and additions of the papers and of torchvision's tables, twice; norms and activations add a little.
TEST(Zoo, CostsAboutWhatIsPublished) {
  const std::vector<std::pair<const char*, double>> rows = {{"resnet18", 1.814e9},
                                                            {"resnet34", 3.664e9},
                                                            {"resnet50", 4.089e9},
                                                            {"mobilenet_v2", 0.301e9},
                                                            {"vit_base", 17.56e9}};
  for (const auto& [name, multiplications] : rows) {
    const double flops = figures_of(find(name)).flops;
    EXPECT_GT(flops, 2 * multiplications) << name;
    EXPECT_LT(flops, 2.2 * multiplications) << name;
  }
}

TEST(Zoo, GivesTheSameModelByNameAndByType) {
  EXPECT_EQ(build("lenet", {{"classes", 3}}), lenet({.classes = 3}));
  EXPECT_EQ(build("resnet18", {{"classes", 10}, {"small_images", true}}),
            resnet18({.classes = 10, .small_images = true}));
  EXPECT_EQ(build("resnet34"), resnet34());
  EXPECT_EQ(build("resnet50", {{"height", 64}, {"width", 96}}), resnet50({.images = {.height = 64, .width = 96}}));
  EXPECT_EQ(build("mobilenet_v2", {{"width_multiplier", 0.5}}), mobilenet_v2({.width_multiplier = 0.5}));
  EXPECT_EQ(build("vit_small", {{"loss", false}}), vit_small({.loss = false}));
  EXPECT_EQ(build("gpt2_medium", {{"layers", 24}}), gpt2_medium());
  EXPECT_EQ(build("gpt2", {{"batch", 2}, {"length", 8}}), gpt2({.tokens = {.batch = 2, .length = 8}}));
}

TEST(Zoo, NamesWhatPeopleSee) {
  const Graph resnet = resnet50();
  EXPECT_EQ(resnet.node(resnet.find_node("layer_2/block_0")).op->name, "nn.BottleneckBlock");
  EXPECT_TRUE(resnet.find_variable("layer_4/block_2.conv_3.weight"));
  EXPECT_TRUE(resnet.find_variable("stem/norm.running_mean"));
  EXPECT_LT(resnet.node_count(), 32U);  // sixteen blocks, the stem, the head and the loss
  const Graph vit = vit_tiny();
  EXPECT_EQ(vit.node(vit.find_node("embed")).op->name, "Block");
  const Graph gpt = build("gpt2");
  EXPECT_EQ(gpt.node(gpt.find_node("block_11")).op->name, "nn.TransformerBlock");
  const Node& head = gpt.node(gpt.find_node("head"));
  EXPECT_EQ(head.bindings.front().variable, gpt.find_variable("token.weight"));
}

// Every model is one that can be saved, read again, and trained on any number of examples.
TEST(Zoo, WritesModelsThatAreReadAgain) {
  for (const Model& model : models()) {
    SCOPED_TRACE(model.name);
    const Graph graph = model.build({});
    EXPECT_EQ(graph.name(), model.name);
    EXPECT_NE(graph.find_output("logits"), nullptr);
    EXPECT_NE(graph.find_output("loss"), nullptr);
    EXPECT_TRUE(graph.type({graph.inputs().front(), 0}).shape[0].is_symbol());
    EXPECT_TRUE(warnings_of(graph).empty());
    EXPECT_EQ(read_json(to_json(graph)), graph);
    const Graph bare = model.build({{"loss", false}});
    EXPECT_EQ(bare.inputs().size(), 1U);
    EXPECT_EQ(bare.outputs().size(), 1U);
    EXPECT_FALSE(model.words.en.empty() || model.words.ru.empty());
    for (const AttrSpec& spec : model.settings)
      EXPECT_FALSE(spec.words.en.empty() || spec.words.ru.empty()) << spec.name;
  }
}

struct Tiny {
  const char* model;
  Attrs settings;
};

std::vector<Tiny> tiny_models() {
  const Attrs letters = {{"vocabulary", 7}, {"layers", 2}, {"features", 8}, {"heads", 2}};
  Attrs gpt2 = letters;
  gpt2.set("positions", 6);
  gpt2.set("dropout", 0.1);
  Attrs llama = letters;
  llama.set("hidden", 12);
  llama.set("key_value_heads", 1);
  const std::vector<std::int64_t> once = {1, 1, 1, 1};
  return {
      {"lenet", {{"height", 20}, {"width", 24}, {"channel_axis", false}}},
      {"resnet18", {{"height", 16}, {"width", 16}, {"base_channels", 4}, {"blocks", once}, {"small_images", true}}},
      {"resnet50", {{"height", 32}, {"width", 32}, {"base_channels", 4}, {"blocks", once}}},
      {"mobilenet_v2",
       {{"height", 32}, {"width", 32}, {"width_multiplier", 0.1}, {"blocks", std::vector<std::int64_t>(7, 1)}}},
      {"vit_tiny",
       {{"height", 8}, {"width", 12}, {"patch", 4}, {"features", 8}, {"heads", 2}, {"layers", 2}, {"dropout", 0.1}}},
      {"gpt2", gpt2},
      {"llama_small", llama}};
}

NamedArrays batch_for(const Graph& graph, std::int64_t batch, std::int64_t length) {
  NamedArrays inputs;
  std::uint64_t stream = 0;
  for (const NodeId id : graph.inputs()) {
    const TensorType& type = graph.type({id, 0});
    Sizes sizes;
    for (const Dim& dim : type.shape) sizes.push_back(dim.is_known() ? dim.value() : sizes.empty() ? batch : length);
    Array array(type.dtype, sizes);
    const RandomStream random(11, ++stream, 0);
    for (std::int64_t place = 0; place < array.count(); ++place) {
      const auto at = static_cast<std::uint64_t>(place);
      type.dtype == DType::f32 ? array.set(place, random.normal(at))
                               : array.set_i64(place, static_cast<std::int64_t>(random.below(at, 7)));
    }
    inputs[graph.node(id).path()] = std::move(array);
  }
  return inputs;
}

// A bias of keys shifts all scores of a query alike, which softmax does not see: its gradient is zero by definition.
bool has_no_effect(const std::string& name) { return name.ends_with("key_projection.bias"); }

TEST(Zoo, SendsGradientsToEveryParameter) {
  for (const Tiny& tiny : tiny_models()) {
    SCOPED_TRACE(tiny.model);
    const Graph graph = build(tiny.model, tiny.settings);
    train::Trainer trainer(graph, BackendRegistry::global().make("cpu"), {.optimizer = optim::Optimizer::sgd(0.5)});
    EXPECT_TRUE(trainer.step_graph().warnings.empty());
    const train::TrainingState before = trainer.state();
    const NamedArrays batch = batch_for(graph, 6, 5);
    double loss = 0;
    for (int step = 0; step < 3; ++step) {
      const train::StepReport report = trainer.step(batch);
      loss = report.loss;
      EXPECT_TRUE(report.committed);
    }
    EXPECT_TRUE(std::isfinite(loss));
    const train::TrainingState after = trainer.state();
    for (const VarId id : trainer.step_graph().parameters) {
      const std::string& name = graph.variable(id).name;
      if (has_no_effect(name)) continue;
      EXPECT_FALSE(bit_equal(before.variables.at(id), after.variables.at(id))) << name;
    }
  }
}

// One graph for any number of examples and any length: a batch gives what its examples give alone.
TEST(Zoo, TakesAnyBatchAndLength) {
  for (const Tiny& tiny : tiny_models()) {
    SCOPED_TRACE(tiny.model);
    Attrs settings = tiny.settings;
    settings.set("loss", false);
    const Graph graph = build(tiny.model, settings);
    const auto backend = BackendRegistry::global().make("cpu");
    const auto executable = backend->compile(graph, {.mode = Mode::eval});
    for (const VarId id : graph.variable_ids()) executable->write(id, initial_value(graph.variable(id), 1));
    for (const std::int64_t length : {1, 4}) {
      const NamedArrays three = batch_for(graph, 3, length);
      const Array logits = executable->run(three).outputs.at("logits");
      NamedArrays one;
      for (const auto& [name, array] : three) one[name] = array.sliced(0, 2, 1, 1).copy();
      const Array alone = executable->run(one).outputs.at("logits");
      const std::int64_t skipped = logits.count() - alone.count();
      for (std::int64_t place = 0; place < alone.count(); ++place) {
        EXPECT_NEAR(alone.get(place), logits.get(skipped + place), 1e-5) << place;
      }
    }
  }
}

struct Refused {
  const char* model;
  Attrs settings;
  ErrorCode code;
  const char* contains;
};

TEST(Zoo, RefusesSettingsWithWords) {
  const std::vector<Refused> rows = {
      {"resnet19", {}, ErrorCode::bad_command, "resnet18"},
      {"resnet18", {{"clases", 10}}, ErrorCode::unknown_attribute, "did you mean 'classes'?"},
      {"resnet18", {{"classes", 0}}, ErrorCode::bad_attribute, "from 1 to"},
      {"resnet18", {{"classes", "ten"}}, ErrorCode::bad_attribute, "integer"},
      {"resnet18", {{"blocks", std::vector<std::int64_t>{}}}, ErrorCode::bad_attribute, "0 numbers"},
      {"resnet18", {{"blocks", std::vector<std::int64_t>(9, 1)}}, ErrorCode::bad_attribute, "9 stages"},
      {"resnet18", {{"channel_axis", false}}, ErrorCode::bad_attribute, "an axis"},
      {"lenet", {{"activation", "Tan"}}, ErrorCode::bad_attribute, "did you mean 'Tanh'?"},
      {"lenet", {{"height", 4}}, ErrorCode::bad_shape, ""},
      {"mobilenet_v2", {{"strides", std::vector<std::int64_t>{1, 2}}}, ErrorCode::bad_attribute, "2 strides"},
      {"mobilenet_v2", {{"width_multiplier", 1e9}}, ErrorCode::bad_attribute, "width_multiplier"},
      {"vit_tiny", {{"height", 225}}, ErrorCode::bad_attribute, "225×224"},
      {"vit_tiny", {{"heads", 5}}, ErrorCode::bad_attribute, "divides the features"},
      {"gpt2", {{"length", 1025}}, ErrorCode::bad_attribute, "positions"},
      {"gpt2", {{"dropout", 1.0}}, ErrorCode::bad_attribute, "from 0"},
      {"gpt2", {{"layers", std::int64_t{1} << 60}}, ErrorCode::bad_attribute, "layers"},
      {"llama_small", {{"key_value_heads", 4}}, ErrorCode::bad_attribute, "divides the heads"},
      {"llama_small", {{"heads", 96}}, ErrorCode::bad_attribute, "an even number"}};
  for (const Refused& row : rows) {
    try {
      build(row.model, row.settings);
      ADD_FAILURE() << row.model << " was built, without: " << row.contains;
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), row.code) << error.what();
      EXPECT_NE(std::string(error.what()).find(row.contains), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW(resnet18({.classes = -1}), UserError);
}

TEST(Zoo, ReadsSettingsFromText) {
  const Model& resnet = find("resnet18");
  EXPECT_EQ(parse_setting(*resnet.find_setting("classes"), "10"), Attr(10));
  EXPECT_EQ(parse_setting(*resnet.find_setting("blocks"), "3,4,6"), Attr(std::vector<std::int64_t>{3, 4, 6}));
  EXPECT_EQ(parse_setting(*resnet.find_setting("bottleneck"), "true"), Attr(true));
  EXPECT_EQ(parse_setting(*find("gpt2").find_setting("dropout"), "0.25"), Attr(0.25));
  EXPECT_EQ(parse_setting(*find("gpt2").find_setting("approximate"), "none"), Attr("none"));
  for (const char* text : {"", "ten", "1.5", "10 ", "99999999999999999999"}) {
    EXPECT_THROW(parse_setting(*resnet.find_setting("classes"), text), UserError) << text;
  }
  for (const char* text : {"", "1,", "1,x"}) {
    EXPECT_THROW(parse_setting(*resnet.find_setting("blocks"), text), UserError) << text;
  }
  EXPECT_THROW(parse_setting(*resnet.find_setting("loss"), "yes"), UserError);
  EXPECT_THROW(parse_setting(*find("gpt2").find_setting("dropout"), "nan"), UserError);
}

}  // namespace
}  // namespace asg::zoo
