// `asg explain`, `asg run` and profiles, as a user meets them.
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "asg/asg.h"
#include "asg/core/platform.h"
#include "asg/io/npy.h"
#include "program.h"

namespace asg {
namespace {

using Json = nlohmann::json;

class Explain : public ProgramTest {
 protected:
  // y = Relu(x · weight + bias) with a loss.
  std::string model_file() const {
    Graph graph("tiny");
    const Tensor x = graph.input("features", {DType::f32, {Dim::symbol("batch"), 8, 8}});
    const Tensor labels = graph.input("labels", {DType::i64, {Dim::symbol("batch")}});
    const Tensor flat = reshape(x, {-1, 64});
    const Tensor logits = nn::linear(relu(nn::linear(flat, 16, {.name = "hidden"})), 10, {.name = "head"});
    graph.set_output("logits", logits);
    graph.set_output("loss", loss::cross_entropy(logits, labels, {}, {.name = "loss"}));
    return write("tiny.json", to_json(graph));
  }
};

void expect_contains(const std::string& text, const std::vector<const char*>& parts) {
  for (const char* part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST_F(Explain, TellsPassesStepsAndMemory) {
  const Outcome plain = run("explain " + model_file() + " --size batch=4");
  EXPECT_EQ(plain.code, 0) << plain.text;
  expect_contains(plain.text,
                  {"inference of tiny with batch = 4\n", "lower", "× nn.Linear became its body", "specialise",
                   "simplify", "steps by kind", "product", "left unfused", "arena", "lower bound"});
  EXPECT_EQ(run("explain " + model_file() + " --threads 1").code, 0);
  const Outcome assumed = run("explain " + model_file());
  expect_contains(assumed.text, {"batch = 1 (give another with --size)"});
}

TEST_F(Explain, TellsTheTrainingStep) {
  const std::string svg = file("plan.svg");
  const std::string json = file("plan.json");
  const Outcome told = run("explain " + model_file() + " --size batch=4 --train --kernels --pass-graphs --svg " + svg +
                           " --json " + json);
  EXPECT_EQ(told.code, 0) << told.text;
  expect_contains(told.text, {"training step of tiny", "graph after lower", "graph after remove_dead", "kernel [",
                              "when all is finite", "optimizer"});
  EXPECT_TRUE(platform::read_file(svg).starts_with("<svg "));
  const Json all = Json::parse(platform::read_file(json));
  EXPECT_EQ(all.at("sizes"), Json({{"batch", 4}}));
  EXPECT_EQ(all.at("passes").at(0).at("name"), "lower");
  EXPECT_GE(all.at("memory").at("arena_bytes"), all.at("memory").at("live_bytes"));
  EXPECT_EQ(all.at("memory").at("alive_by_step").size(), all.at("steps").size());
  EXPECT_FALSE(all.at("steps").at(0).at("nodes").empty());
}

TEST_F(Explain, RunsAModelAndWritesItsOutputs) {
  Array features(DType::f32, {3, 8, 8});
  for (std::int64_t k = 0; k < features.count(); ++k) features.set(k, 0.01 * static_cast<double>(k));
  std::ofstream(file("x.npy"), std::ios::binary) << io::to_npy(features);
  const Outcome told = run("run " + model_file() + " --input features=" + file("x.npy") +
                           " --input labels=random:10 --runs 3 --threads 1 --output " + file("out"));
  EXPECT_EQ(told.code, 0) << told.text;
  expect_contains(told.text, {"tiny with batch = 3", "median of 3", "logits", "f32[3, 10]", "mean"});
  // The same numbers as the interpreter gives.
  Graph model = read_json(platform::read_file(file("tiny.json")));
  const Array logits = io::read_npy_file(file("out/logits.npy"));
  ASSERT_EQ(logits.type_string(), "f32[3, 10]");
  Interpreter interpreter;
  const auto executable = interpreter.compile(train::make_inference(model).graph, {.mode = Mode::eval});
  for (const VarId id : executable->graph().variable_ids()) {
    executable->write(id, initial_value(executable->graph().variable(id), 1));
  }
  const NamedArrays expected = executable->run({{"features", features}, {"labels", Array(DType::i64, {3})}}).outputs;
  for (std::int64_t k = 0; k < logits.count(); ++k) EXPECT_NEAR(logits.get(k), expected.at("logits").get(k), 1e-5);
}

void check_trace(const std::string& path, std::size_t runs) {
  const Json trace = Json::parse(platform::read_file(path));
  std::size_t run_slices = 0;
  std::size_t counters = 0;
  for (const Json& event : trace.at("traceEvents")) {
    if (event.at("ph") == "C") ++counters;
    if (event.at("ph") != "X") continue;
    EXPECT_GE(event.at("dur"), 0);
    if (event.at("cat") == "run") ++run_slices;
  }
  EXPECT_EQ(run_slices, runs);
  EXPECT_GT(counters, runs);
}

TEST_F(Explain, ProfilesARun) {
  const Outcome tables = run("run " + model_file() + " --input random --size batch=4 --runs 2 --profile");
  EXPECT_EQ(tables.code, 0) << tables.text;
  expect_contains(tables.text, {"2 runs", "by kind of step", "by step", "by node", "by layer", "hidden", "GFLOP/s"});
  const Outcome traced =
      run("run " + model_file() + " --input random --size batch=4 --runs 2 --profile " + file("trace.json"));
  EXPECT_EQ(traced.code, 0) << traced.text;
  check_trace(file("trace.json"), 2);
}

TEST_F(Explain, ProfilesATraining) {
  const std::string script = write("script.jsonl", R"({"do": "run", "steps": 4})");
  const Outcome told = run("train --data synthetic --batch-size 8 --model " + model_file() + " --script " + script +
                           " --profile " + file("train.json"));
  EXPECT_EQ(told.code, 0) << told.text;
  expect_contains(told.text, {"\"event\":\"stopped\"", "3 runs", "by layer", "gradient", "optimizer"});
  check_trace(file("train.json"), 3);
}

struct BadExplain {
  std::string arguments;
  int code;
  const char* contains;
};

TEST_F(Explain, RefusesBadCallsWithWords) {
  const std::string model = model_file();
  const std::string script = write("nothing.jsonl", R"({"do": "run", "steps": 1})");
  const std::vector<BadExplain> rows = {
      {"explain " + model + " --size bach=3", 1, "did you mean 'batch'"},
      {"explain " + model + " --size batch", 1, "--size batch=8"},
      {"explain " + model + " --size batch=-1", 1, "at least 0"},
      {"explain " + model + " --train --loss los", 1, "its outputs are: logits, loss"},
      {"explain " + model + " --loss loss", 2, "--train"},
      {"explain " + model + " --off simplfy", 1, "did you mean 'simplify'"},
      {"explain " + model + " --device interp", 1, "asg inspect"},
      {"run " + model, 1, "no value for input 'features'"},
      {"run " + model + " --input feature=random", 1, "did you mean 'features'"},
      {"run " + model + " --input random:0", 1, "random:N"},
      {"run " + model + " --input random --input features=/nowhere.npy", 1, "io_error"},
      {"run " + model + " --input random --input features=" + model, 1, "begin like .npy"},
      {"run " + model + " --input random --device interp --profile", 1, "without --profile"},
      {"run " + model + " --runs 0", 2, "runs"},
      {"train --profile --script " + script, 1, "run more steps"}};
  for (const BadExplain& row : rows) {
    const Outcome outcome = run(row.arguments);
    EXPECT_EQ(outcome.code, row.code) << row.arguments << "\n" << outcome.text;
    EXPECT_NE(outcome.text.find(row.contains), std::string::npos) << row.arguments << "\n" << outcome.text;
  }
}

}  // namespace
}  // namespace asg
