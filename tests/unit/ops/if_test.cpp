// A branch is typed by what is passed to it, so one branch serves callers with other symbols.
#include <gtest/gtest.h>

#include "asg/autograd/gradients.h"
#include "asg/graph/graph.h"
#include "asg/ops/ops.h"

namespace asg {
namespace {

GraphPtr branch_of(const char* op, const char* type) {
  Graph graph("branch");
  const Tensor x = graph.input("x", TensorType::parse(type));
  graph.set_output("y", add_op(op, {x}));
  return std::make_shared<const Graph>(std::move(graph));
}

struct BranchCase {
  const char* name;
  const char* then_type;
  const char* else_type;
};

constexpr BranchCase kBranches[] = {
    {"same_symbols", "f32[batch, 3]", "f32[batch, 3]"},
    {"other_symbols", "f32[n, 3]", "f32[m, k]"},
    {"numbers", "f32[5, 3]", "f32[1, 1]"},
};

TEST(If, BranchesTakeTheTypesOfTheirCaptures) {
  for (const BranchCase& row : kBranches) {
    SCOPED_TRACE(row.name);
    Graph graph;
    const Tensor x = graph.input("x", TensorType::parse("f32[batch, 3]"));
    const Tensor condition = graph.input("condition", TensorType::parse("bool[]"));
    const Tensor y =
        add_op("If", {condition, x},
               {{"then_branch", branch_of("Exp", row.then_type)}, {"else_branch", branch_of("Sin", row.else_type)}});
    EXPECT_EQ(y.type().to_string(), "f32[batch, 3]");
    const std::vector<Tensor> outputs = {add_op("ReduceSum", {y}, {{"keepdims", false}})};
    const std::vector<Tensor> seeds = {graph.scalar(DType::f32, 1)};
    const std::vector<Tensor> targets = {x};
    EXPECT_EQ(add_vjp(outputs, seeds, targets).gradients.front().type().to_string(), "f32[batch, 3]");
  }
}

TEST(If, VariablesInsideABranchAreRefused) {
  Graph inside("branch");
  inside.set_output("y", inside.parameter("w", TensorType::parse("f32[2]"), Initializer::zeros()));
  const auto branch = std::make_shared<const Graph>(std::move(inside));
  Graph graph;
  const Tensor condition = graph.input("condition", TensorType::parse("bool[]"));
  try {
    add_op("If", {condition}, {{"then_branch", branch}, {"else_branch", branch}});
    ADD_FAILURE() << "was accepted";
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ErrorCode::capture_mismatch) << error.what();
  }
}

}  // namespace
}  // namespace asg
