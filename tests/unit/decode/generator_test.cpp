// What a generator computes with its caches is what the model computes for the whole text.
#include <cmath>
#include <tuple>

#include <gtest/gtest.h>

#include "asg/backend/cpu.h"
#include "asg/compile/explain.h"
#include "asg/decode/decoding.h"
#include "unit/decode/small_models.h"

namespace asg::decode {
namespace {

void expect_row(std::span<const double> got, const Array& all, std::int64_t row, double tolerance) {
  const auto width = static_cast<std::int64_t>(got.size());
  double largest = 0;
  for (std::int64_t k = 0; k < all.count(); ++k) largest = std::max(largest, std::abs(all.get(k)));
  for (std::int64_t k = 0; k < width; ++k) {
    ASSERT_NEAR(got[static_cast<std::size_t>(k)], all.get(row * width + k), tolerance * largest)
        << "token " << k << " at position " << row;
  }
}

constexpr double kTolerance = 5e-6;

void check_all_positions(const Graph& model, Backend& backend, std::int64_t length) {
  Generator generator(model, backend, {.capacity = kContext, .chunk = 5});
  give_values(model, generator);
  const auto tokens = some_tokens(length, generator.model().vocabulary);
  const Array all = logits_at_once(model, backend, tokens);
  for (std::int64_t k = 0; k < length; ++k) {
    expect_row(generator.append(std::span(tokens).subspan(static_cast<std::size_t>(k), 1)), all, k, kTolerance);
  }
}

// The prompt in one piece, of every length: chunks that are full, partly full, and moved back from the end.
void check_all_prompts(const Graph& model, Backend& backend, std::int64_t length) {
  Generator generator(model, backend, {.capacity = kContext, .chunk = 7});
  give_values(model, generator);
  const auto tokens = some_tokens(length, generator.model().vocabulary);
  const Array all = logits_at_once(model, backend, tokens);
  for (std::size_t count = 1; count <= tokens.size(); ++count) {
    generator.shorten(0);
    expect_row(generator.append(std::span(tokens).first(count)), all, static_cast<std::int64_t>(count) - 1, kTolerance);
  }
}

TEST(Generator, GivesTheLogitsOfTheModelAtEveryPosition) {
  CpuBackend cpu(2);
  check_all_positions(small_gpt2(), cpu, kContext);
  check_all_positions(small_llama(), cpu, kContext);
  Interpreter interpreter;
  check_all_positions(small_gpt2(), interpreter, 5);
  check_all_positions(small_llama(), interpreter, 5);
}

TEST(Generator, TakesPromptsOfEveryLength) {
  CpuBackend cpu(2);
  check_all_prompts(small_gpt2(), cpu, kContext);
  check_all_prompts(small_llama(), cpu, kContext);
}

TEST(Generator, KnowsAllWaysToTellPositions) {
  CpuBackend cpu(1);
  for (const char* positions : {"none", "rotary", "alibi"}) {
    const Graph model = model_with([&](const Tensor& x) {
      return nn::transformer_block(x, 2, 12, {.causal = true, .positions = positions, .name = "block"});
    });
    check_all_positions(model, cpu, 9);
  }
  check_all_positions(model_with([](const Tensor& x) {
                        return nn::transformer_encoder(nn::sinusoidal_position(x), 2, 12,
                                                       {.layers = 2, .causal = true});
                      }),
                      cpu, 9);
  // No attention at all.
  check_all_positions(model_with([](const Tensor& x) { return tanh(x); }), cpu, 3);
}

// A model of fixed sizes, as it may have been trained.
TEST(Generator, TakesModelsOfFixedSizes) {
  zoo::Gpt2Config config{.positions = kContext, .layers = 1, .features = 8, .heads = 2};
  config.tokens = {.vocabulary = 11, .batch = 4, .length = kContext};
  const Graph fixed = zoo::gpt2(config);
  CpuBackend cpu(1);
  Generator generator(fixed, cpu);
  EXPECT_EQ(generator.capacity(), kContext);
  give_values(fixed, generator);
  config.tokens = {.vocabulary = 11};
  const auto tokens = some_tokens(6, 11);
  expect_row(generator.append(tokens), logits_at_once(zoo::gpt2(config), cpu, tokens), 5, kTolerance);
}

std::vector<std::int64_t> text_on(int threads, std::uint64_t seed) {
  const Graph model = small_gpt2();
  CpuBackend cpu(threads);
  Generator generator(model, cpu);
  give_values(model, generator);
  const std::vector<std::int64_t> prompt = {1, 2, 3, 4, 5, 6, 7};
  return go_on(generator, prompt, {.tokens = 12, .sampling = {.temperature = 1.5, .seed = seed}});
}

TEST(Generator, WritesTheSameOnAnyNumberOfThreads) {
  const auto text = text_on(1, 3);
  EXPECT_EQ(text.size(), 12U);
  EXPECT_EQ(text_on(2, 3), text);
  EXPECT_EQ(text_on(1, 3), text);
  EXPECT_NE(text_on(1, 4), text);
}

// Counts what is compiled.
class CountingBackend : public CpuBackend {
 public:
  using CpuBackend::CpuBackend;
  std::unique_ptr<Executable> compile(const Graph& graph, const CompileOptions& options) override {
    ++compiled;
    return CpuBackend::compile(graph, options);
  }
  int compiled = 0;
};

// Executables compile for new input sizes too; here every dim is a number, so there can be one set of sizes only.
void expect_no_symbols(const Graph& graph) {
  for (const NodeId id : graph.node_ids()) {
    for (const OutputInfo& output : graph.node(id).outputs) EXPECT_TRUE(output.type.shape.is_known());
  }
}

TEST(Generator, CompilesNothingAfterTheFirstToken) {
  const Graph model = small_llama();
  CountingBackend cpu(1);
  Generator generator(model, cpu, {.capacity = kContext, .chunk = 4});
  generator.initialise(1);
  generator.append(some_tokens(9, 31));
  EXPECT_EQ(cpu.compiled, 2);
  expect_no_symbols(generator.graph());
  go_on(generator, some_tokens(1, 31), {.tokens = 5});
  generator.append(some_tokens(7, 31));
  generator.shorten(2);
  generator.append(some_tokens(3, 31));
  EXPECT_EQ(cpu.compiled, 2);
}

// Caches change where they lie: no step of the program copies one.
TEST(Generator, WritesCachesInPlace) {
  CpuBackend cpu(1);
  const Graph step = decoding_graph(language_model_of(small_gpt2()), {.capacity = kContext});
  const auto executable = cpu.compile(step, {.mode = Mode::eval});
  const auto explained = executable->explain({});
  std::int64_t scatters = 0;
  for (const Step& each : explained->program.steps) {
    EXPECT_NE(each.kind, Step::Kind::copy);
    if (each.node == nullptr || each.node->op->name != "ScatterND") continue;
    ++scatters;
    const View& before = each.inputs.front();
    const View& after = each.outputs.front();
    EXPECT_EQ(std::tie(before.buffer, before.offset, before.strides),
              std::tie(after.buffer, after.offset, after.strides));
  }
  EXPECT_EQ(scatters, 4);
}

TEST(Generator, CountsTheWeightsThatATokenReads) {
  const LanguageModel model = language_model_of(zoo::gpt2({.tokens = {.vocabulary = 50257}}));
  // All parameters but the 1024 rows of the positions.
  EXPECT_EQ(model.weight_bytes(), 4 * (124'439'808 - 1024 * 768));
  EXPECT_EQ(model.context, 1024);
  EXPECT_EQ(model.vocabulary, 50257);
  // An embedding of its own is only looked up.
  EXPECT_EQ(language_model_of(zoo::gpt2({.tokens = {.vocabulary = 50257}, .tied = false})).weight_bytes(),
            model.weight_bytes());
}

TEST(Generator, EndsAtAStopTokenOrWhereTheTextIsFull) {
  const Graph model = small_gpt2();
  CpuBackend cpu(1);
  Generator generator(model, cpu, {.capacity = 8});
  give_values(model, generator);
  const std::vector<std::int64_t> prompt = {1, 2, 3};
  const Sampling greedy{.temperature = 0};
  std::vector<std::int64_t> told;
  const auto all = go_on(generator, prompt, {.tokens = 100, .sampling = greedy}, [&](std::int64_t token) {
    told.push_back(token);
    return true;
  });
  EXPECT_EQ(prompt.size() + all.size(), 8U);
  EXPECT_EQ(told, all);
  generator.shorten(0);
  EXPECT_TRUE(go_on(generator, some_tokens(8, 29), {.sampling = greedy}).empty());
  generator.shorten(0);
  EXPECT_EQ(go_on(generator, prompt, {.tokens = 2, .sampling = greedy}).size(), 2U);
  generator.shorten(0);
  EXPECT_TRUE(go_on(generator, prompt, {.stop = {all[0]}, .sampling = greedy}).empty());
  generator.shorten(0);
  EXPECT_EQ(go_on(generator, prompt, {.sampling = greedy}, [](std::int64_t) { return false; }).size(), 1U);
}

template <class Call>
void expect_refused(ErrorCode code, const std::string& contains, const Call& call) {
  try {
    call();
    ADD_FAILURE() << "not refused: " << contains;
  } catch (const UserError& error) {
    EXPECT_EQ(error.detail().code, code) << error.what();
    EXPECT_NE(std::string(error.what()).find(contains), std::string::npos) << error.what();
  }
}

TEST(Generator, RefusesWhatDoesNotFit) {
  const Graph model = small_gpt2();
  CpuBackend cpu(1);
  Generator generator(model, cpu, {.chunk = 4});
  generator.initialise(1);
  expect_refused(ErrorCode::limit_exceeded, "a text of 25 tokens", [&] { generator.append(some_tokens(25, 29)); });
  expect_refused(ErrorCode::bad_index, "the token 29", [&] { generator.append(std::vector<std::int64_t>{29}); });
  expect_refused(ErrorCode::bad_index, "the token -1", [&] { generator.append(std::vector<std::int64_t>{-1}); });
  expect_refused(ErrorCode::missing_value, "no tokens", [&] { generator.append({}); });
  expect_refused(ErrorCode::bad_index, "a length of 1", [&] { generator.shorten(1); });
  EXPECT_TRUE(generator.text().empty());
  generator.append(some_tokens(kContext, 29));
  expect_refused(ErrorCode::limit_exceeded, "the context of the model",
                 [&] { generator.append(std::vector<std::int64_t>{1}); });
  expect_refused(ErrorCode::bad_attribute, "the positions that the model knows",
                 [&] { Generator(model, cpu, {.capacity = 25}); });
  expect_refused(ErrorCode::limit_exceeded, "texts of 100000000000 tokens",
                 [&] { Generator(small_llama(), cpu, {.capacity = 100'000'000'000}); });
  // A million tokens of two million numbers each.
  const Graph wide = zoo::build("llama_tiny", {{"features", 1 << 20}, {"heads", 8}, {"layers", 2}});
  expect_refused(ErrorCode::limit_exceeded, "a shorter context", [&] { Generator(wide, cpu, {.capacity = 1 << 20}); });
}

TEST(Generator, RefusesModelsThatCannotGoOn) {
  CpuBackend cpu(1);
  const auto refused = [&](const std::string& contains, const std::function<Tensor(const Tensor&)>& middle) {
    expect_refused(ErrorCode::not_implemented, contains, [&] { Generator(model_with(middle), cpu); });
  };
  refused("tokens to come", [](const Tensor& x) { return nn::transformer_block(x, 2, 12); });
  refused("'MatMul'", [](const Tensor& x) { return mat_mul(mat_mul(x, transpose(x, {.perm = {0, 2, 1}})), x); });
  refused("one thing of all positions", [](const Tensor& x) { return x + reduce_mean(x, {1}); });
  refused("'GRU'", [](const Tensor& x) { return nn::gru(x, 8).y; });
  expect_refused(ErrorCode::missing_output, "no output 'logits'", [&] {
    Graph graph("none");
    graph.set_output("y", tanh(graph.input("x", {DType::f32, {2}})));
    Generator(graph, cpu);
  });
  expect_refused(ErrorCode::bad_shape, "the tokens of texts", [&] {
    Graph graph("none");
    graph.set_output("logits", tanh(graph.input("x", {DType::f32, {2, 3, 4}})));
    Generator(graph, cpu);
  });
}

// After the window has slid the model sees what a text would give that begins there.
TEST(Generator, SlidesItsWindow) {
  CpuBackend cpu(1);
  const Graph model = small_gpt2();
  Generator sliding(model, cpu, {.capacity = 8});
  Generator anew(model, cpu, {.capacity = 8});
  give_values(model, sliding);
  give_values(model, anew);
  const Sampling greedy = {.temperature = 0};
  const auto prompt = some_tokens(5, 29);
  const auto text = go_on(sliding, prompt, {.tokens = 20, .slide = true, .sampling = greedy});
  ASSERT_EQ(text.size(), 20U);
  std::vector<std::int64_t> all(prompt.begin(), prompt.end());
  all.insert(all.end(), text.begin(), text.end());
  // Eight tokens are full; then the newer four of them and what follows are a text.
  const std::vector<std::int64_t> window(all.begin() + 4, all.begin() + 9);
  EXPECT_EQ(go_on(anew, window, {.tokens = 3, .sampling = greedy}),
            std::vector<std::int64_t>(all.begin() + 9, all.begin() + 12));
  anew.shorten(0);
  EXPECT_EQ(go_on(anew, prompt, {.tokens = 20, .sampling = greedy}).size(), 3U) << "without it the text ends";
}

}  // namespace
}  // namespace asg::decode
