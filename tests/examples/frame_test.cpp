// The frame of the examples finds what it promises to find.
#include <gtest/gtest.h>

#include "asg/backend/backend_registry.h"
#include "asg/loss/loss.h"
#include "asg/nn/nn.h"
#include "support/example.h"

namespace {

using namespace asg;

// What an example prints at its end, after what it returns.
std::string finished(const examples::Example& example) {
  testing::internal::CaptureStdout();
  const int result = example.finish();
  return std::to_string(result) + "\n" + testing::internal::GetCapturedStdout();
}

examples::Example trained(bool is_short, double learning_rate) {
  Graph graph("line");
  const Tensor x = graph.input("features", {DType::f32, {2, 1}});
  const Tensor target = graph.input("labels", {DType::f32, {2, 1}});
  graph.set_output("loss", loss::mean_squared_error(nn::linear(x, 1, {.name = "line"}), target));
  train::Trainer trainer(graph, BackendRegistry::global().make("interp"),
                         {.optimizer = optim::Optimizer::sgd(learning_rate)});
  examples::Example example({.is_short = is_short});
  for (std::int64_t step = 1; step <= 5; ++step) {
    const double loss = trainer
                            .step({{"features", Array::of<float>({2, 1}, {1, 2})},  //
                                   {"labels", Array::of<float>({2, 1}, {3, 5})}})
                            .loss;
    example.note_loss(step, loss);
  }
  example.check_parameters(trainer);
  return example;
}

TEST(ExampleFrame, AcceptsATrainingThatLearns) {
  const std::string text = finished(trained(/*is_short=*/true, 0.05));
  EXPECT_TRUE(text.starts_with("0\n")) << text;
  EXPECT_NE(text.find(" in 5 steps"), std::string::npos) << text;
}

TEST(ExampleFrame, NamesParametersThatDidNotMoveAndALossThatDidNotFall) {
  const std::string text = finished(trained(/*is_short=*/true, 0));
  EXPECT_TRUE(text.starts_with("1\n")) << text;
  EXPECT_NE(text.find("FAILED: parameter 'line.weight' did not move\n"), std::string::npos) << text;
  EXPECT_NE(text.find("FAILED: parameter 'line.bias' did not move\n"), std::string::npos) << text;
  EXPECT_NE(text.find("FAILED: the loss did not fall\n"), std::string::npos) << text;
}

TEST(ExampleFrame, HoldsTheLongRunAloneToItsGoals) {
  for (const bool is_short : {true, false}) {
    examples::Example example = trained(is_short, 0.05);
    example.reached({.what = "accuracy", .value = 0.5, .at_least = 0.9});
    example.reached({.what = "error", .value = 0.5, .at_most = 0.1});
    const std::string text = finished(example);
    EXPECT_EQ(text.starts_with("0\n"), is_short) << text;
    EXPECT_EQ(text.find("FAILED: accuracy is below its floor") == std::string::npos, is_short) << text;
    EXPECT_EQ(text.find("FAILED: error is above its limit") == std::string::npos, is_short) << text;
  }
}

TEST(ExampleFrame, RefusesARunThatWasNotATraining) {
  const examples::Example example({.is_short = true});
  const std::string text = finished(example);
  EXPECT_NE(text.find("FAILED: there was no training"), std::string::npos) << text;
  EXPECT_NE(text.find("FAILED: nobody looked whether the parameters moved"), std::string::npos) << text;
}

TEST(ExampleFrame, HelpsWithAnUnknownWord) {
  std::string program = "example";
  std::string word = "--shrot";
  char* words[] = {program.data(), word.data()};
  testing::internal::CaptureStdout();
  EXPECT_EQ(examples::run(2, words, "An example.", [](examples::Example&) {}), 2);
  EXPECT_NE(testing::internal::GetCapturedStdout().find("--short"), std::string::npos);
}

}  // namespace
