// What the CPU engine says of itself, and that asking changes nothing.
#include "asg/compile/explain.h"

#include <gtest/gtest.h>

#include "asg/asg.h"
#include "asg/backend/cpu.h"
#include "asg/compile/profile.h"

namespace asg {
namespace {

Graph classifier() {
  Graph graph("classifier");
  const Tensor x = graph.input("features", {DType::f32, {Dim::symbol("batch"), 8}});
  const Tensor labels = graph.input("labels", {DType::i64, {Dim::symbol("batch")}});
  const Tensor hidden = relu(nn::linear(x, 16, {.name = "hidden"}));
  const Tensor logits = nn::linear(hidden, 4, {.name = "head"});
  graph.set_output("logits", logits);
  graph.set_output("loss", loss::cross_entropy(logits, labels, {}, {.name = "loss"}));
  return graph;
}

NamedArrays batch_of(std::int64_t count) {
  Array features(DType::f32, {count, 8});
  Array labels(DType::i64, {count});
  for (std::int64_t k = 0; k < features.count(); ++k) features.set(k, static_cast<double>(k % 7) - 3);
  for (std::int64_t k = 0; k < count; ++k) labels.set_i64(k, k % 4);
  return {{"features", features}, {"labels", labels}};
}

std::vector<std::string> names_of(const std::vector<PassReport>& passes) {
  std::vector<std::string> names;
  for (const PassReport& pass : passes) names.push_back(pass.name);
  return names;
}

TEST(Explained, ACompiledGraphTellsEveryStage) {
  CpuBackend backend(1);
  std::vector<std::string> shown;
  CompileOptions options{.mode = Mode::eval};
  options.passes.after = [&](std::string_view pass, const Graph&) { shown.emplace_back(pass); };
  options.passes.off = {"merge_common"};
  const auto executable = backend.compile(classifier(), options);
  const auto told = executable->explain({{"features", {3, 8}}, {"labels", {3}}});
  ASSERT_NE(told, nullptr);
  EXPECT_EQ(names_of(told->passes),
            (std::vector<std::string>{"lower", "specialise", "fold_constants", "simplify", "merge_common",
                                      "remove_dead", "fuse", "recompute", "epilogues", "schedule", "in_place"}));
  EXPECT_EQ(shown, (std::vector<std::string>{"lower", "specialise", "fold_constants", "simplify", "remove_dead"}));
  EXPECT_EQ(told->passes[1].notes, std::vector<std::string>{"batch = 3"});
  EXPECT_FALSE(told->passes[4].ran);
  EXPECT_FALSE(told->passes[0].notes.empty());
  EXPECT_EQ(told->stages.size(), 3U);
  EXPECT_GT(told->compile_seconds(), 0);
  EXPECT_EQ(told->ways.size(), told->program.steps.size());
  EXPECT_EQ(told->variable_bytes(), (8 * 16 + 16 + 16 * 4 + 4) * 4);
  EXPECT_GE(told->plan.arena_bytes, told->plan.live_bytes);
}

TEST(Explained, SizesThatDoNotFitAreRefused) {
  CpuBackend backend(1);
  const auto executable = backend.compile(classifier(), {.mode = Mode::eval});
  EXPECT_THROW(executable->explain({{"features", {3, 9}}, {"labels", {3}}}), UserError);
  EXPECT_THROW(executable->explain({{"features", {3, 8}}}), UserError);
}

TEST(Explained, TheInterpreterHasNothingToSay) {
  Interpreter backend;
  const auto executable = backend.compile(classifier(), {.mode = Mode::eval});
  EXPECT_EQ(executable->explain({{"features", {3, 8}}, {"labels", {3}}}), nullptr);
  executable->set_profiling(true);
  EXPECT_EQ(executable->profile(), nullptr);
}

TEST(Profiled, CountsTheRunsThatWereAskedFor) {
  CpuBackend backend(2);
  const auto executable = backend.compile(train::make_inference(classifier()).graph, {.mode = Mode::eval});
  for (const VarId id : executable->graph().variable_ids()) {
    executable->write(id, initial_value(executable->graph().variable(id), 1));
  }
  executable->run(batch_of(5));
  EXPECT_EQ(executable->profile(), nullptr);
  executable->set_profiling(true);
  for (int run = 0; run < 3; ++run) executable->run(batch_of(5));
  auto profile = executable->profile();
  ASSERT_NE(profile, nullptr);
  EXPECT_EQ(profile->runs, 3);
  EXPECT_EQ(profile->steps.size(), profile->explanation.program.steps.size());
  for (const StepTiming& timing : profile->steps) EXPECT_EQ(timing.runs, 3);
  EXPECT_EQ(profile->step_events.size(), 3 * profile->steps.size());
  executable->run(batch_of(6));  // other sizes, another program
  EXPECT_EQ(executable->profile()->runs, 1);
  executable->set_profiling(false);
  executable->run(batch_of(5));
  EXPECT_EQ(executable->profile()->runs, 3);
  executable->set_profiling(true);  // begins anew
  executable->run(batch_of(5));
  EXPECT_EQ(executable->profile()->runs, 1);
}

TEST(Profiled, TrainingGivesTheSameBits) {
  const auto trained = [](bool profiled) {
    train::Trainer trainer(classifier(), std::make_shared<CpuBackend>(2), {.profile = profiled});
    for (int step = 0; step < 5; ++step) trainer.step(batch_of(6));
    const auto profile = trainer.profile();
    EXPECT_EQ(profile != nullptr, profiled);
    if (profile != nullptr) {
      EXPECT_EQ(profile->runs, 4) << "all but the first";
    }
    return trainer.state();
  };
  const train::TrainingState plain = trained(false);
  const train::TrainingState timed = trained(true);
  ASSERT_EQ(plain.variables.size(), timed.variables.size());
  for (const auto& [id, value] : plain.variables) EXPECT_TRUE(bit_equal(value, timed.variables.at(id)));
}

TEST(Profiled, LayersOfATrainingStepAreThoseOfTheModel) {
  train::Trainer trainer(classifier(), std::make_shared<CpuBackend>(1), {.profile = true});
  for (int step = 0; step < 2; ++step) trainer.step(batch_of(6));
  std::map<std::string, TimeShare> layers;
  for (TimeShare& share : time_by_layer(*trainer.profile())) layers[share.name] = std::move(share);
  for (const char* name : {"hidden", "head", "loss", "optimizer"}) EXPECT_TRUE(layers.contains(name)) << name;
  EXPECT_GT(layers["hidden"].forward, 0);
  EXPECT_GT(layers["hidden"].gradient, 0);
  EXPECT_GT(layers["optimizer"].update, 0);
  EXPECT_GT(layers["head"].flops, 2.0 * 6 * 16 * 4);
}

}  // namespace
}  // namespace asg
