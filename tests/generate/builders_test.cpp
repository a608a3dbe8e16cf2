// What the generated builders do with their arguments.
#include <gtest/gtest.h>

#include "asg/core/error.h"
#include "asg/graph/registry.h"
#include "asg/graph/text.h"
#include "asg/nn/nn.h"

namespace asg::test {
namespace {

class Builders : public testing::Test {
 protected:
  const Node& node_of(const Tensor& tensor) const { return graph_.node(tensor.node()); }

  Graph graph_;
  Tensor x_ = graph_.input("x", {DType::f32, {Dim::symbol("batch"), Dim(6)}});
};

TEST_F(Builders, TakeIntegersInPlaceOrAsATensor) {
  EXPECT_EQ(reshape(x_, {-1, 2, 3}).type().to_string(), "f32[batch, 2, 3]");
  EXPECT_EQ(reshape(x_, std::vector<std::int64_t>{-1, 3}).type().to_string(), "f32[2*batch, 3]");
  EXPECT_EQ(reshape(x_, shape(x_)).type().to_string(), "f32[batch, 6]");
}

TEST_F(Builders, LeaveOutOptionalInputs) {
  EXPECT_EQ(reduce_sum(x_).type().to_string(), "f32[1, 1]");
  EXPECT_EQ(reduce_sum(x_, {1}, {.keepdims = false}).type().to_string(), "f32[batch]");
  EXPECT_EQ(reduce_sum(x_, Tensor()).type().to_string(), "f32[1, 1]");
  EXPECT_EQ(node_of(reduce_sum(x_)).inputs.size(), 1u);
}

TEST_F(Builders, KeepOnlyWhatDiffersFromTheDefault) {
  EXPECT_TRUE(node_of(softmax(x_)).attrs.empty());
  EXPECT_EQ(node_of(softmax(x_, {.axis = 0})).attrs, (Attrs{{"axis", 0}}));
}

TEST_F(Builders, ReturnAllOutputs) {
  const std::vector<Tensor> parts = split(x_, {2, 4}, {.axis = 1});
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[1].type().to_string(), "f32[batch, 4]");
  const Tensor seed = graph_.constant(Array::scalar(DType::u64, 1));
  const DropoutOutputs dropped = dropout(x_, seed, seed, {.ratio = 0.25});
  EXPECT_EQ(dropped.mask.dtype(), DType::boolean);
  EXPECT_EQ(dropped.mask.node(), dropped.y.node());
}

TEST_F(Builders, NameLayersAndShareTheirVariables) {
  const Tensor first = nn::linear(x_, 6, {.name = "first"});
  const VarId weight = graph_.find_variable("first.weight");
  ASSERT_TRUE(weight);
  const Tensor second = nn::linear(first, 6, {.name = "second", .bindings = {{"weight", weight}}});
  EXPECT_EQ(node_of(second).path(), "second");
  EXPECT_FALSE(graph_.find_variable("second.weight"));
  EXPECT_TRUE(graph_.find_variable("second.bias"));
}

TEST_F(Builders, RememberTheLineThatCalledThem) {
  const int line = __LINE__ + 1;
  const Tensor y = relu(x_);
  EXPECT_EQ(node_of(y).where.line, line);
  try {
    mat_mul(x_, x_);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_NE(error.detail().where.find("builders_test.cpp:"), std::string::npos) << error.what();
  }
}

TEST_F(Builders, ChangeNothingWhenTheyAreRefused) {
  const Graph before = graph_;
  EXPECT_THROW(reshape(x_, {-1, -1}), UserError);
  EXPECT_THROW(nn::linear(x_, 0), UserError);
  EXPECT_THROW(slice(x_, {0}, {1}, {7}), UserError);
  EXPECT_EQ(graph_, before) << to_text(graph_);
}

TEST(Registration, IsDoneOnce) {
  const std::size_t count = Registry::global().all().size();
  EXPECT_TRUE(register_ops());
  EXPECT_TRUE(register_layers());
  EXPECT_EQ(Registry::global().all().size(), count);
  EXPECT_GT(count, 50u);
}

}  // namespace
}  // namespace asg::test
