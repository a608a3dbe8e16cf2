// The differential test of the compiler with fixed seeds: random graphs on the backend `cpu` against the interpreter.
// `asg check compiler` looks at as many graphs as wanted, and `make fuzz` at others each time.
#include <algorithm>
#include <cstdio>

#include <gtest/gtest.h>

#include "asg/check/compiler_check.h"
#include "asg/graph/tensor.h"
#include "asg/graph/validate.h"
#include "support/amount.h"

namespace asg {
namespace {

constexpr std::uint64_t kSeed = 2026;
constexpr std::uint64_t kGraphs = test::amount(300, 15);
constexpr std::uint64_t kSwitchedGraphs = test::amount(40, 2);
constexpr double kMostDropped = 0.05;

CompilerReport check_graphs(std::uint64_t first, std::uint64_t count, const WaysOf& ways) {
  CompilerReport report;
  for (std::uint64_t number = first; number < first + count; ++number) {
    report.add(check_compiler(kSeed, number, ways));
  }
  for (const CompilerFailure& failure : report.failures) {
    ADD_FAILURE() << "graph " << failure.number << ", " << failure.program << ", " << failure.way.name << ": "
                  << failure.detail;
  }
  if (!report.failures.empty()) std::printf("%s", reduced_as_test(kSeed, report.failures.front()).c_str());
  EXPECT_LE(static_cast<double>(report.dropped), kMostDropped * static_cast<double>(report.programs));
  return report;
}

TEST(CompilerCheck, GraphsAgreeWithAllPassesAndWithADrawnCombination) {
  const CompilerReport report = check_graphs(0, kGraphs, usual_ways(kSeed));
  EXPECT_EQ(report.graphs.at("all passes"), kGraphs);
  EXPECT_EQ(report.graphs.at("drawn"), kGraphs);
  // Forward, the gradient of a scalar and a product for each output, each in both ways.
  EXPECT_GT(report.programs, 6 * kGraphs);
}

TEST(CompilerCheck, GraphsAgreeWithoutEachPassAndOption) {
  const std::vector<std::string> switches = compiler_switches();
  const CompilerReport report = check_graphs(kGraphs, kSwitchedGraphs, switched_ways(switches));
  for (const std::string& name : switches) EXPECT_EQ(report.graphs.at("without " + name), kSwitchedGraphs) << name;
}

// Every pass can be switched off alone, and oneDNN.
// An empty view is a call, which takes dense operands.
TEST(CompilerCheck, AnEmptyExpandReadsASliceThatIsDense) {
  GraphCase made;
  Graph& graph = made.graph;
  const Tensor x = graph.input("x", {DType::f32, {2, 2}});
  made.values["x"] = Array::of<double>({2, 2}, {-1, 0, 2, 3}).cast(DType::f32);
  const auto integers = [&](const std::vector<std::int64_t>& numbers) {
    return graph.constant(Array::of<std::int64_t>({static_cast<std::int64_t>(numbers.size())}, numbers));
  };
  const Tensor column = add_op("Slice", {x, integers({1}), integers({-2}), integers({1}), integers({-1})});
  graph.set_output("y", add_op("Expand", {column, integers({2, 2, 0})}));
  const CaseCheck check = check_program(made, {.name = "all passes", .off = {}, .onednn = true, .threads = 2});
  EXPECT_EQ(check.verdict, Verdict::passed) << check.detail;
}

// A sum with 1 on the way would round these results away, in part or whole.
TEST(CompilerCheck, SmallResultsKeepTheirDigits) {
  for (const auto& [op, number] : {std::pair{"Softplus", -8.0},
                                   {"Softplus", -20.0},
                                   {"Softplus", -40.0},
                                   {"Elu", -3e-6},
                                   {"Selu", -3e-6},
                                   {"Celu", -3e-6},
                                   {"Sinh", 3e-6},
                                   {"Sinh", -3e-6},
                                   {"Asinh", 3e-6},
                                   {"Asinh", -3e-6},
                                   {"Atanh", 3e-6},
                                   {"Atanh", -3e-6}}) {
    for (const DType dtype : {DType::f16, DType::bf16, DType::f32, DType::f64}) {
      GraphCase made;
      const Tensor x = made.graph.input("x", {dtype, {1}});
      made.values["x"] = Array::of<double>({1}, {number}).cast(dtype);
      made.graph.set_output("y", add_op(op, {x}));
      const CaseCheck check = check_program(made, {.name = "all passes", .off = {}, .onednn = true, .threads = 1});
      EXPECT_EQ(check.verdict, Verdict::passed) << op << ", " << name_of(dtype) << ": " << check.detail;
    }
  }
}

// Rounding makes something of the mean of equal numbers that is not quite one of them; the norm divides it by very
// little.
TEST(CompilerCheck, ANormOfEqualNumbersIsRightWithinTheErrorOfTheirMean) {
  GraphCase made;
  Graph& graph = made.graph;
  const Tensor x = graph.input("x", {DType::f32, {1}});
  made.values["x"] = Array::of<double>({1}, {-0.6344488263130188}).cast(DType::f32);
  const Tensor equal = add_op("Gather", {x, graph.constant(Array::of<std::int64_t>({3, 1}, {0, 0, 0}))});
  const Tensor scale = graph.constant(Array::of<double>({3, 1}, {0.8, -0.4, -0.9}).cast(DType::f32));
  graph.set_output(
      "y", add_op_outputs("LayerNormalization", {equal, scale}, {{"axis", std::int64_t{0}}, {"epsilon", 0.001}})[0]);
  const CaseCheck check = check_program(made, {.name = "all passes", .off = {}, .onednn = true, .threads = 2});
  EXPECT_NE(check.verdict, Verdict::failed) << check.detail;
}

TEST(CompilerCheck, KnowsEverySwitch) {
  const std::vector<std::string> switches = compiler_switches();
  for (const char* name : {"fold_constants", "simplify", "merge_common", "remove_dead", "fuse", "recompute",
                           "epilogues", "schedule", "in_place", "onednn"}) {
    EXPECT_EQ(std::count(switches.begin(), switches.end(), name), 1) << name;
  }
  try {
    way_without("fusing");
    ADD_FAILURE() << "a switch that there is not";
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_command);
    EXPECT_NE(std::string(error.what()).find("fold_constants, simplify"), std::string::npos) << error.what();
  }
}

TEST(CompilerCheck, MakesTheSameGraphForTheSameSeedAndNumber) {
  const GraphCase once = make_compiler_case(kSeed, 5);
  EXPECT_TRUE(problems_of(once.graph).empty());
  EXPECT_TRUE(once.graph == make_compiler_case(kSeed, 5).graph);
  EXPECT_FALSE(once.graph == make_compiler_case(kSeed, 6).graph);
}

// What the passes work on occurs in the graphs; a generator that no longer makes it would find nothing.
TEST(CompilerCheck, GraphsAreRich) {
  constexpr std::uint64_t kLooked = 400;
  int updated = 0;
  int gated = 0;
  int copied = 0;   // a variable takes the old value of another one
  int doubled = 0;  // two variables take the same value
  int empty = 0;
  int large = 0;
  std::vector<DType> dtypes;
  for (std::uint64_t number = 0; number < kLooked; ++number) {
    const GraphCase made = make_compiler_case(kSeed, number);
    const auto updates = made.graph.updates();
    updated += updates.empty() ? 0 : 1;
    gated += made.graph.find_output(kAllFinite) != nullptr ? 1 : 0;
    copied += std::any_of(updates.begin(), updates.end(),
                          [&](const Update& each) { return made.graph.node(each.value.node).op->name == "Variable"; });
    doubled += std::any_of(updates.begin(), updates.end(), [&](const Update& each) {
      return std::count_if(updates.begin(), updates.end(),
                           [&](const Update& other) { return other.value == each.value; }) > 1;
    });
    bool is_empty = false;
    bool is_large = false;
    for (const NodeId id : made.graph.node_ids()) {
      for (const OutputInfo& output : made.graph.node(id).outputs) {
        dtypes.push_back(output.type.dtype);
        const std::int64_t count = element_count(output.type.shape.sizes());
        is_empty = is_empty || count == 0;
        is_large = is_large || count > 4096;
      }
    }
    empty += is_empty;
    large += is_large;
  }
  EXPECT_GT(updated, 50);
  EXPECT_GT(gated, 10);
  EXPECT_GT(copied, 5);
  EXPECT_GT(doubled, 5);
  EXPECT_GT(empty, 5);
  EXPECT_GT(large, 10);
  for (const DType dtype :
       {DType::f64, DType::f32, DType::bf16, DType::f16, DType::i64, DType::i32, DType::u8, DType::boolean}) {
    EXPECT_GT(std::count(dtypes.begin(), dtypes.end(), dtype), 20) << name_of(dtype);
  }
}

}  // namespace
}  // namespace asg
