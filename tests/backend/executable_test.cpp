// Executables that hold state, submissions, and what a run says when something is missing.
#include <thread>

#include <gtest/gtest.h>

#include "backend/test_backends.h"

namespace asg::test {
namespace {

Array floats(Sizes sizes, std::vector<float> values) { return Array::of<float>(std::move(sizes), values); }

template <class F>
std::string text_of(F run) {
  try {
    run();
  } catch (const UserError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

// w ← w - rate · x
struct Descent {
  Graph graph;
  VarId w;

  Descent() {
    w = graph.add_variable({.id = {}, .name = "w", .type = {DType::f32, {2}}, .init = {}});
    const Tensor x = graph.input("x", {DType::f32, {2}}, {"descent.cpp", 7});
    const Tensor old = graph.read(w, {"descent.cpp", 8});
    graph.add_update(w, old - x * 0.5);
    graph.set_output("before", graph.read(w));
  }
};

TEST(Executable, HoldsItsVariables) {
  for (const bool engine : {false, true}) {
    const std::unique_ptr<Backend> backend =
        engine ? std::unique_ptr<Backend>(std::make_unique<ExecuteOnly>()) : std::make_unique<Interpreter>();
    const Descent descent;
    const auto step = backend->compile(descent.graph);
    step->write(descent.w, floats({2}, {1, 2}));
    for (int turn = 0; turn < 3; ++turn) {
      const StepResult result = step->run({{"x", floats({2}, {2, 4})}});
      EXPECT_TRUE(bit_equal(result.outputs.at("before"), floats({2}, {1.0F - float(turn), 2.0F - 2.0F * float(turn)})));
      EXPECT_EQ(result.outputs.size(), 1U);
    }
    EXPECT_TRUE(bit_equal(step->read(descent.w), floats({2}, {-2, -4})));
  }
}

TEST(Executable, KeepsItsVariablesFromOthersHands) {
  const Descent descent;
  Interpreter backend;
  const auto step = backend.compile(descent.graph);
  Array mine = floats({2}, {1, 2});
  step->write(descent.w, mine);
  mine.set(0, 9);
  step->read(descent.w).set(1, 9);
  EXPECT_TRUE(bit_equal(step->read(descent.w), floats({2}, {1, 2})));
}

TEST(Executable, SaysWhatIsMissing) {
  const Descent descent;
  Interpreter backend;
  const auto step = backend.compile(descent.graph);
  EXPECT_EQ(text_of([&] { step->run({{"x", floats({2}, {1, 2})}}); }),
            "missing_value: no value for parameter 'w' (in Variable#2, built at descent.cpp:8)\n"
            "  needed: a value of type f32[2]\n"
            "  to mend: write the variable first; initial_value gives its first value");
  step->write(descent.w, floats({2}, {1, 2}));
  EXPECT_EQ(text_of([&] { step->run({{"X", floats({2}, {1, 2})}}); }),
            "missing_value: no value for input 'x'; given are: X, w (in x, built at descent.cpp:7)\n"
            "  needed: a value of type f32[2]\n"
            "  to mend: did you mean 'x' by 'X'?");
  EXPECT_EQ(text_of([&] { step->run({{"x", floats({3}, {1, 2, 3})}}); }),
            "bad_shape: interp f32[3] for input 'x' of type f32[2] (in x, built at descent.cpp:7)\n"
            "  needed: a length of 2 on axis 0\n"
            "  to mend: give a value of that shape, or change the graph");
  EXPECT_EQ(text_of([&] { step->write(descent.w, Array(DType::i32, {2})); }),
            "type_mismatch: interp i32[2] for variable 'w'\n"
            "  needed: f32[2]\n"
            "  to mend: convert it with cast, or change the graph");
}

TEST(Executable, RefusesAnInputNamedLikeAVariable) {
  Graph graph;
  const Tensor w = graph.parameter("w", {DType::f32, {}}, Initializer::zeros());
  graph.set_output("y", graph.input("w", {DType::f32, {}}) + w);
  Interpreter backend;
  EXPECT_NE(text_of([&] { backend.compile(graph); }).find("an input and a variable that are both named 'w'"),
            std::string::npos);
  EXPECT_NE(text_of([&] { backend.execute(graph, {}); }).find("duplicate_name"), std::string::npos);
}

TEST(Executable, ABoundedSymbolHasAtMostItsBound) {
  Graph graph;
  graph.set_output("y", -graph.input("x", {DType::f32, {Dim::symbol("seq", 3)}}));
  Interpreter backend;
  const auto step = backend.compile(graph);
  EXPECT_EQ(step->run({{"x", floats({3}, {1, 2, 3})}}).outputs.at("y").get(2), -3);
  EXPECT_NE(text_of([&] { step->run({{"x", floats({4}, {1, 2, 3, 4})}}); }).find("a length of at most 3"),
            std::string::npos);
}

TEST(Submit, ErrorsComeOutOfTheFuture) {
  const Descent descent;
  Interpreter backend;
  auto future = backend.submit(descent.graph, {});
  EXPECT_THROW(future.get(), UserError);
  auto donated = backend.submit(descent.graph, {}, {.donated = {"x"}});
  EXPECT_NE(text_of([&] { donated.get(); }).find("which is to be donated"), std::string::npos);
}

TEST(Submit, WaitsForEventsOfOtherThreads) {
  const Descent descent;
  Interpreter backend;
  Event ready;
  const Event done;
  std::thread other([ready]() mutable { ready.signal(); });
  const NamedArrays inputs = {{"x", floats({2}, {2, 4})}, {"w", floats({2}, {1, 2})}};
  auto future = backend.submit(descent.graph, backend.upload_all(inputs), {.after = {ready}, .then = {done}});
  EXPECT_TRUE(bit_equal(backend.download(future.get().at("update:w")), floats({2}, {0, 0})));
  EXPECT_TRUE(done.happened());
  other.join();
}

TEST(DeviceArray, PrintsWhatItIs) {
  Interpreter backend;
  EXPECT_EQ(backend.upload(Array(DType::bf16, {2, 3})).to_string(), "interp bf16[2, 3]");
  EXPECT_EQ(DeviceArray().to_string(), "no array");
  EXPECT_NE(text_of([] { DeviceArray().dtype(); }).find("missing_value"), std::string::npos);
}

TEST(DeviceArray, FromAnotherDeviceIsRefused) {
  struct Elsewhere : DeviceBuffer {
    std::string device() const override { return "elsewhere:0"; }
    DType dtype() const override { return DType::f32; }
    const Sizes& sizes() const override { return lengths; }
    Sizes lengths = {1};
  };
  Interpreter backend;
  const DeviceArray x(std::make_shared<const Elsewhere>());
  EXPECT_NE(text_of([&] { backend.neg(x); }).find("no_such_device: a value on device 'elsewhere:0'"),
            std::string::npos);
  EXPECT_NE(text_of([&] { backend.wrap({.device = "elsewhere:0"}); }).find("no_such_device"), std::string::npos);
}

}  // namespace
}  // namespace asg::test
