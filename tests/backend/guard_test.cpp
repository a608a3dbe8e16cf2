// Default methods call each other; what nobody implements is an error, never a stack overflow.
#include <gtest/gtest.h>

#include "asg/backend/backend_registry.h"
#include "asg/backend/single_op.h"
#include "asg/backend/walk.h"
#include "backend/test_backends.h"

namespace asg::test {
namespace {

template <class F>
UserError error_of(F run) {
  try {
    run();
  } catch (const UserError& error) {
    return error;
  }
  return UserError({ErrorCode::bad_command, "nothing was thrown", "", "", "", ""});
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

Graph twice() {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {2}});
  graph.set_output("y", (x + x).named("sum") * 2);
  return graph;
}

const NamedArrays kInputs = {{"x", Array::of<float>({2}, {1, 2})}};

TEST(Guard, OpsThatNobodyImplementsAreNamed) {
  AddOnly backend;
  const DeviceArray x = backend.upload(kInputs.at("x"));
  EXPECT_TRUE(bit_equal(backend.download(backend.add(x, x)), Array::of<float>({2}, {2, 4})));
  const UserError error = error_of([&] { backend.neg(x); });
  EXPECT_EQ(error.code(), ErrorCode::not_implemented);
  EXPECT_TRUE(contains(error.detail().given, "op 'Neg' on backend 'add-only'")) << error.what();
  EXPECT_TRUE(contains(error.detail().mend, "run_primitive or execute")) << error.what();
}

TEST(Guard, AWalkNamesTheNodeThatNobodyImplements) {
  AddOnly backend;
  const UserError error = error_of([&] { backend.execute(twice(), backend.upload_all(kInputs)); });
  EXPECT_EQ(error.code(), ErrorCode::not_implemented);
  EXPECT_TRUE(contains(error.detail().node, "Mul")) << error.what();
}

TEST(Guard, OpsBeyondThePrimitivesAreNamedToo) {
  AddOnly backend;
  const DeviceArrays inputs = {backend.upload(kInputs.at("x"))};
  const UserError error = error_of([&] { run_single(backend, "Tanh", inputs); });
  EXPECT_EQ(error.code(), ErrorCode::not_implemented);
  EXPECT_TRUE(contains(error.detail().mend, "override run_op")) << error.what();
}

TEST(Guard, ASingleOpRunsOnABackendWithKernels) {
  AddOnly backend;
  const DeviceArray x = backend.upload(kInputs.at("x"));
  const DeviceArrays inputs = {x, x};
  EXPECT_TRUE(bit_equal(backend.download(run_single_output(backend, "Add", inputs)), Array::of<float>({2}, {2, 4})));
}

// An engine that hands every graph back to the per-op side, as it is or as a copy.
class RoundAndRound : public Backend {
 public:
  explicit RoundAndRound(bool copies) : copies_(copies) {}
  std::string name() const override { return "round-and-round"; }
  NamedDeviceArrays execute(const Graph& graph, const NamedDeviceArrays& inputs) override {
    if (!copies_) return walk_graph(*this, graph, inputs);
    const Graph copy = graph;
    return walk_graph(*this, copy, inputs);
  }

 private:
  bool copies_;
};

TEST(Guard, EnginesThatGoRoundInCirclesAreStopped) {
  for (bool copies : {false, true}) {
    RoundAndRound backend(copies);
    EXPECT_EQ(error_of([&] { backend.execute(twice(), backend.upload_all(kInputs)); }).code(),
              ErrorCode::not_implemented);
  }
}

TEST(Guard, IsGoneAfterAnError) {
  AddOnly backend;
  const DeviceArray x = backend.upload(kInputs.at("x"));
  for (int attempt = 0; attempt < 200; ++attempt) {
    EXPECT_EQ(error_of([&] { backend.neg(x); }).code(), ErrorCode::not_implemented);
  }
  EXPECT_NO_THROW(backend.add(x, x));
}

TEST(Registry, RefusesABackendThatOverridesNeitherSide) {
  BackendRegistry registry;
  const UserError error = error_of([&] { registry.add({"nothing", ""}, [] { return std::make_unique<Nothing>(); }); });
  EXPECT_EQ(error.code(), ErrorCode::no_side_overridden);
  EXPECT_TRUE(contains(error.detail().mend, "override execute")) << error.what();
}

TEST(Registry, TakesOneMethodForASide) {
  BackendRegistry registry;
  registry.add({"add-only", "adds"}, [] { return std::make_unique<AddOnly>(); });
  registry.add({"engine", "whole graphs"}, [] { return std::make_unique<ExecuteOnly>(); });
  EXPECT_EQ(registry.make("add-only")->name(), "add-only");
  std::vector<std::string> names;
  for (const BackendInfo& info : registry.list()) names.push_back(info.name);
  EXPECT_EQ(names, (std::vector<std::string>{"add-only", "cpu", "engine", "interp"}));
}

TEST(Registry, SaysWhatThereIs) {
  const UserError error = error_of([] { BackendRegistry::global().make("interpreter"); });
  EXPECT_EQ(error.code(), ErrorCode::no_such_device);
  EXPECT_TRUE(contains(error.detail().needed, "interp")) << error.what();
}

TEST(Registry, RefusesANameTwice) {
  BackendRegistry registry;
  EXPECT_EQ(error_of([&] { registry.add({"interp", ""}, [] { return std::make_unique<Interpreter>(); }); }).code(),
            ErrorCode::duplicate_name);
  EXPECT_EQ(error_of([&] { registry.add({"", ""}, [] { return std::make_unique<Interpreter>(); }); }).code(),
            ErrorCode::bad_name);
}

}  // namespace
}  // namespace asg::test
