// What a person sees who gives `asg train` something that it cannot use. docs/training.md lists these tests.
#include <filesystem>

#include <gtest/gtest.h>

#include "asg/asg.h"
#include "asg/core/platform.h"
#include "program.h"

namespace asg {
namespace {

class BadInput : public ProgramTest {
 protected:
  // Three numbers in, three classes out, and a logarithm on the way.
  std::string classifier_file(const std::string& activation) const {
    Graph graph("bad_input");
    const Dim batch = Dim::symbol("batch");
    const Tensor features = graph.input("features", {DType::f32, {batch, 2}});
    const Tensor labels = graph.input("labels", {DType::i64, {batch}});
    Tensor x = nn::linear(features, 4, {.name = "hidden"});
    x = add_op(activation, {x}).named("middle");
    const Tensor logits = nn::linear(x, 3, {.name = "head"});
    graph.set_output("logits", logits);
    graph.set_output("loss", loss::cross_entropy(logits, labels));
    return write("model.json", to_json(graph));
  }

  // A table of four classes; without the last of them the classifier above fits it.
  std::string table_file(int classes) const {
    std::string text = "a,b,kind\n";
    for (int k = 0; k < 40; ++k) {
      text += std::to_string(k % 7) + "," + std::to_string(k % 5) + ",c" + std::to_string(k % classes) + "\n";
    }
    return write("table.csv", text);
  }

  std::string recipe_file(const std::string& more = "") const {
    return write("recipe.toml", "[model]\nfile = '" + file("model.json") + "'\n[data]\ncsv = '" + file("table.csv") +
                                    "'\ntarget = 'kind'\nbatch_size = 8\n[course]\nsteps = 4\n" + more);
  }

  void expect_refused(const std::string& arguments, const std::string& words) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 1) << arguments << "\n" << outcome.text;
    EXPECT_NE(outcome.text.find(words), std::string::npos) << arguments << "\n" << outcome.text;
  }
};

TEST_F(BadInput, IsToldInWords) {
  classifier_file("Tanh");
  table_file(3);
  const std::string train = "train " + recipe_file() + " ";
  ASSERT_EQ(run(train).code, 0) << run(train).text;
  write("noise.csv", "\x89PNG\r\n1,2\n3\n");
  write("empty.csv", "a,b,kind\n");
  write("cut.json", R"({"model": {"type": "BPE")");
  write("cut.toml", "[data\nname = 'digits'");
  const auto csv = [&](const char* name) { return train + "--set data.csv=" + file(name); };
  expect_refused("train " + file("nowhere.toml"), "No such file");
  expect_refused("train " + file("cut.toml"), "line 1");
  expect_refused(csv("nowhere.csv"), "No such file");
  expect_refused(csv("noise.csv"), "noise.csv");
  expect_refused(csv("empty.csv"), "a table without rows");
  expect_refused(train + "--set data.target=knd", "did you mean 'kind'?");
  expect_refused(train + "--set data.batch_size=1000", "batches of 1000 of 3");
  expect_refused(train + "--set data.batch_size=many", "a whole number of at least 1");
  expect_refused(train + "--set course.stepz=1", "did you mean 'steps'?");
  expect_refused(train + "--set course.metrics=[\\\"f2\\\"]", "did you mean");
  expect_refused(
      "train --set data.name= --set data.text=" + file("recipe.toml") + " --set data.tokens=" + file("cut.json"),
      "cut.json");
}

// y = External + x, the form of a part of a gradient.
constexpr const char* kExternal =
    R"({"format":"asg-graph","version":1,"ops":{"Input":1,"External":1,"Add":1},"inputs":[1],
"nodes":[{"id":1,"op":"Input","name":"x","attrs":{"type":{"type":"f32[1]"}}},
{"id":2,"op":"External","attrs":{"graph":2,"node":1,"type":{"type":"f32[1]"}}},{"id":3,"op":"Add","in":[1,2]}],
"outputs":[{"name":"y","value":3}]})";

TEST_F(BadInput, AModelThatNeedsAnotherGraph) {
  const std::string model = write("model.json", kExternal);
  for (const char* device : {"cpu", "interp"}) {
    expect_refused("run " + model + " --input random --device " + device, "unknown_graph: a value of graph 2");
  }
}

TEST_F(BadInput, AnIndexOfWeightsThatNamesItself) {
  write("config.json", R"({"model_type":"gpt2","vocab_size":8,"n_positions":8,"n_layer":1,"n_embd":4,"n_head":1})");
  write("model.safetensors.index.json", R"({"weight_map":{"a":"model.safetensors.index.json"}})");
  expect_refused("generate -m " + file("") + " -p 1", "the name of a safetensors file in the folder of the index");
  expect_refused("generate -m gpt2 -p 1 --weights " + file("model.safetensors.index.json"),
                 "the name of a safetensors file in the folder of the index");
}

TEST_F(BadInput, BeyondALimitThatAnOptionRaises) {
  const std::string model = classifier_file("Tanh");
  const std::string run_model = "run " + model + " --input features=random --input labels=random:3";
  const std::string words = "raise the limit with --max-file-bytes";
  EXPECT_EQ(run(run_model).code, 0);
  expect_refused(run_model + " --max-file-bytes 100", words);
  expect_refused("--max-file-bytes=100 " + run_model, "model.json\", a file of more than 100 bytes");
  EXPECT_EQ(run(run_model + " --max-file-bytes 1M").code, 0);
  expect_refused(run_model + " --max-nodes 3", "more than 3 nodes");
  EXPECT_EQ(run(run_model + " --max-nodes 0").code, 2);
  EXPECT_NE(run("--help").text.find("--max-trips"), std::string::npos);
  expect_refused("run /dev/zero", "a device that gives more than");
  expect_refused("run " + file(""), "a file, not a folder");
}

TEST_F(BadInput, ThreadsBeyondReason) {
  const Outcome outcome = run("run " + classifier_file("Tanh") + " --input random:3 --threads 20000");
  EXPECT_EQ(outcome.code, 0) << outcome.text;
  EXPECT_NE(outcome.text.find("20000 threads are too many for this machine"), std::string::npos) << outcome.text;
}

TEST_F(BadInput, AClassThatTheModelDoesNotHave) {
  classifier_file("Tanh");
  table_file(4);
  expect_refused("train " + recipe_file(), "labels of 4 classes");
}

TEST_F(BadInput, AnUnknownMessageOfAScript) {
  classifier_file("Tanh");
  table_file(3);
  const Outcome outcome = run("train " + recipe_file() + " --script " + write("script.jsonl", "{\"do\": \"fly\"}\n"));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.text.find("bad_command"), std::string::npos) << outcome.text;
}

// The logarithm of what is below 0, which each batch has.
TEST_F(BadInput, ALossThatIsNotFinite) {
  classifier_file("Log");
  table_file(3);
  const Outcome warned = run("train " + recipe_file("validate = false\n"));
  EXPECT_EQ(warned.code, 0) << warned.text;
  EXPECT_NE(warned.text.find("step 1 was not finite and changed nothing: 'middle' (Log) makes"), std::string::npos)
      << warned.text;
  EXPECT_NE(warned.text.find("Done after 4 steps"), std::string::npos) << warned.text;
  const Outcome stopped = run("train " + recipe_file("validate = false\nwhen_not_finite = 'pause'\n"));
  EXPECT_EQ(stopped.code, 1) << stopped.text;
  EXPECT_NE(stopped.text.find("'middle' (Log)"), std::string::npos) << stopped.text;
  EXPECT_NE(stopped.text.find("Stopped after 1 steps, since the last one was not finite"), std::string::npos)
      << stopped.text;
}

}  // namespace
}  // namespace asg
