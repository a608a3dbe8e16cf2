// One program for all lengths of a bounded symbol: what the interpreter computes for each length by itself, from long
// to short and back, so that what an earlier run left beyond the length would be seen.
#include "asg/compile/bounded.h"

#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "asg/backend/cpu.h"
#include "asg/compile/explain.h"
#include "asg/graph/variable.h"
#include "asg/loss/loss.h"
#include "asg/nn/nn.h"
#include "asg/ops/ops.h"
#include "asg/train/step_graph.h"
#include "support/compare.h"

namespace asg::test {
namespace {

constexpr std::int64_t kBound = 8;

Dim n() { return Dim::symbol("n", kBound); }

Tensor reals_in(Graph& graph, Shape shape, const std::string& name = "x") {
  return graph.input(name, {DType::f32, std::move(shape)});
}
Tensor ints(Graph& graph, const std::vector<std::int64_t>& values) { return graph.constant(Array::ints(values)); }
Tensor op(std::string_view name, const std::vector<Tensor>& inputs, Attrs attrs = {}) {
  return add_op(name, inputs, std::move(attrs));
}
Tensor index_in(Graph& graph, Shape shape) { return graph.input("index", {DType::i64, std::move(shape)}); }

struct Case {
  std::string name;
  std::function<Tensor(Graph&)> build;
  std::string reason = {};  // part of why it is compiled for each length; "": it is not

  friend void PrintTo(const Case& each, std::ostream* out) { *out << each.name; }
};

std::vector<Case> cases() {
  return {
      {"elementwise", [](Graph& g) { return exp(reals_in(g, {n(), 3})) + reals_in(g, {3}, "y"); }},
      {"sum", [](Graph& g) { return op("ReduceSum", {reals_in(g, {3, n()}), ints(g, {1})}); }},
      {"mean_of_all", [](Graph& g) { return op("ReduceMean", {reals_in(g, {n(), 3})}, {{"keepdims", false}}); }},
      {"greatest", [](Graph& g) { return op("ReduceMax", {-exp(reals_in(g, {n(), 3})), ints(g, {0})}); }},
      {"least", [](Graph& g) { return op("ReduceMin", {exp(reals_in(g, {n(), 3})), ints(g, {0})}); }},
      {"product", [](Graph& g) { return op("ReduceProd", {reals_in(g, {2, n()}) + 1.5, ints(g, {-1})}); }},
      {"where_greatest", [](Graph& g) { return op("ArgMax", {-exp(reals_in(g, {3, n()}))}, {{"axis", 1}}); }},
      {"softmax", [](Graph& g) { return op("Softmax", {reals_in(g, {2, n()})}, {{"axis", 1}}); }},
      {"softmax_elsewhere", [](Graph& g) { return op("Softmax", {reals_in(g, {n(), 4})}, {{"axis", 1}}); }},
      {"deviation", [](Graph& g) { return op("ReduceVariance", {reals_in(g, {n(), 4}), ints(g, {0})}); }},
      {"cumulative", [](Graph& g) { return op("CumSum", {reals_in(g, {n(), 3}), g.constant(Array::scalar_i64(0))}); }},
      {"cumulative_from_the_end",
       [](Graph& g) {
         return op("CumSum", {reals_in(g, {n(), 3}), g.constant(Array::scalar_i64(0))}, {{"reverse", true}});
       }},
      {"rows_of_a_product", [](Graph& g) { return op("MatMul", {reals_in(g, {n(), 3}), reals_in(g, {3, 5}, "y")}); }},
      {"inner_product",
       [](Graph& g) {
         const Tensor x = reals_in(g, {3, n()});
         return op("MatMul", {op("Log", {x * x}), op("Transpose", {x})});
       }},
      {"merged_axes",
       [](Graph& g) {
         const Tensor rows = op("Reshape", {reals_in(g, {2, n(), 6}), ints(g, {-1, 6})});
         return op("MatMul", {op("Transpose", {rows}), rows});
       }},
      {"merged_axes_as_output",
       [](Graph& g) { return exp(op("Reshape", {reals_in(g, {2, n(), 6}), ints(g, {-1, 3})})); }},
      {"cut_axis", [](Graph& g) { return op("Reshape", {reals_in(g, {2, n()}), ints(g, {-1, 2})}); },
       "cuts a bounded axis"},
      {"there_and_back",
       [](Graph& g) {
         const Tensor x = reals_in(g, {2, n(), 6});
         const Tensor heads =
             op("Transpose", {op("Reshape", {x, ints(g, {2, -1, 3, 2})})}, {{"perm", Sizes{0, 2, 1, 3}}});
         return op("ReduceSum", {heads, ints(g, {2})});
       }},
      {"behind",
       [](Graph& g) { return op("Concat", {reals_in(g, {1, 3}, "y"), reals_in(g, {n(), 3})}, {{"axis", 0}}); }},
      {"before",
       [](Graph& g) { return op("Concat", {reals_in(g, {n(), 3}), reals_in(g, {2, 3}, "y")}, {{"axis", 0}}); }},
      {"three_parts",
       [](Graph& g) {
         const Tensor x = reals_in(g, {2, n()});
         return op("Concat", {x, reals_in(g, {2, 3}, "y"), -exp(x), x}, {{"axis", 1}});
       }},
      {"without_the_first", [](Graph& g) { return op("Slice", {reals_in(g, {n(), 2}), ints(g, {1}), ints(g, {99})}); }},
      {"without_the_last",
       [](Graph& g) {
         return op("Slice", {op("Pad", {reals_in(g, {n(), 2}), ints(g, {1, 0, 1, 0})}), ints(g, {0}), ints(g, {-1})});
       }},
      {"the_last",
       [](Graph& g) {
         return op("Gather", {reals_in(g, {n(), 2}), g.constant(Array::scalar_i64(-1))}, {{"axis", 0}});
       }},
      {"cut_from_the_end", [](Graph& g) { return op("Slice", {reals_in(g, {n(), 2}), ints(g, {-1}), ints(g, {99})}); },
       "at a place that moves"},
      {"padded",
       [](Graph& g) {
         const Tensor padded = op("Pad", {reals_in(g, {n(), 2}), ints(g, {1, 0, 2, 0}), g.scalar(DType::f32, 3)});
         return op("ReduceSum", {padded, ints(g, {0})});
       }},
      {"picked", [](Graph& g) { return op("Gather", {reals_in(g, {5, 2}, "y"), index_in(g, {n()})}, {{"axis", 0}}); }},
      {"picked_by_element",
       [](Graph& g) { return op("GatherElements", {reals_in(g, {n(), 5}), index_in(g, {n(), 2})}, {{"axis", 1}}); }},
      {"scattered",
       [](Graph& g) {
         return op("ScatterElements", {reals_in(g, {5}, "y"), index_in(g, {n()}), reals_in(g, {n()})},
                   {{"axis", 0}, {"reduction", "add"}});
       }},
      {"positions",
       [](Graph& g) {
         const Tensor x = reals_in(g, {n(), 3});
         const Tensor length = op("Gather", {op("Shape", {x}), g.constant(Array::scalar_i64(0))});
         const Tensor places =
             op("Range", {g.constant(Array::scalar_i64(0)), length, g.constant(Array::scalar_i64(1))});
         const Tensor later = op("Range", {length, length + length, g.constant(Array::scalar_i64(1))});
         return op("Cast", {places + later * length}, {{"to", DType::f32}});
       }},
      {"its_own_length",
       [](Graph& g) {
         const Tensor shape = op("Shape", {reals_in(g, {n(), 3})});
         return op("Concat", {shape, shape}, {{"axis", 0}});
       }},
      {"repeated",
       [](Graph& g) {
         const Tensor wide = op("Expand", {reals_in(g, {3}, "y"), op("Shape", {reals_in(g, {n(), 3})})});
         return op("ReduceSum", {wide, ints(g, {0})});
       }},
      {"attention",
       [](Graph& g) {
         const Tensor k = reals_in(g, {2, 2, n(), 4}, "k");
         return op("Attention", {reals_in(g, {2, 2, 3, 4}), k, op("Log", {k * k})});
       }},
      {"attention_with_a_mask",
       [](Graph& g) {
         const Tensor k = reals_in(g, {2, 2, n(), 4}, "k");
         return op("Attention", {reals_in(g, {2, 2, 3, 4}), k, k, reals_in(g, {3, n()}, "mask")});
       }},
      {"attention_to_itself",
       [](Graph& g) {
         const Tensor x = reals_in(g, {1, 2, n(), 4});
         return op("Attention", {x, x, x}, {{"is_causal", true}});
       }},
      {"examples_of_a_convolution",
       [](Graph& g) { return op("Conv", {reals_in(g, {n(), 2, 5, 5}), reals_in(g, {3, 2, 3, 3}, "w")}); }},
      {"width_of_a_convolution",
       [](Graph& g) { return op("Conv", {reals_in(g, {1, 2, n()}), reals_in(g, {3, 2, 1}, "w")}); },
       "moves a window along a bounded axis"},
      {"pool", [](Graph& g) { return op("MaxPool", {reals_in(g, {n(), 2, 4, 4})}, {{"kernel_shape", Sizes{2, 2}}}); }},
      {"sorted_elsewhere", [](Graph& g) { return op("TopK", {reals_in(g, {n(), 5}), ints(g, {2})}); }},
      {"sorted", [](Graph& g) { return op("TopK", {reals_in(g, {2, n()}), ints(g, {1})}); },
       "along an axis that is bounded"},
  };
}

Array filled(const TensorType& type, std::int64_t length, int salt) {
  Sizes sizes;
  for (const Dim& dim : type.shape) {
    sizes.push_back(dim.substitute([&](std::string_view) { return Dim(length); }).value());
  }
  Array values(type.dtype, sizes);
  for (std::int64_t k = 0; k < values.count(); ++k) {
    const std::int64_t number = (k * 7919 + salt * 31 + length * 101) % 1009;
    if (type.dtype == DType::i64) {
      values.set_i64(k, number % 5 == 4 ? -1 : number % 4);
    } else {
      values.set(k, static_cast<double>(number) / 505 - 1);
    }
  }
  return values;
}

NamedArrays inputs_of(const Graph& graph, std::int64_t length) {
  NamedArrays inputs;
  int salt = 0;
  for (const NodeId id : graph.inputs()) inputs[graph.node(id).path()] = filled(graph.type({id, 0}), length, salt++);
  return inputs;
}

// Counts what is compiled, by the name of the pass that comes first.
struct Compiled {
  int held = 0;
  int for_a_length = 0;

  PassOptions options() {
    PassOptions options{.verify = true};
    options.after = [this](std::string_view pass, const Graph&) {
      held += pass == kHoldBounds ? 1 : 0;
      for_a_length += pass == "specialise" ? 1 : 0;
    };
    return options;
  }
};

class Bounded : public testing::TestWithParam<Case> {};

TEST_P(Bounded, IsWhatTheInterpreterComputesForEachLength) {
  Graph graph;
  graph.set_output("y", GetParam().build(graph));
  Interpreter interpreter;
  CpuBackend cpu(2);
  Compiled compiled;
  const auto expected = interpreter.compile(graph, {});
  const auto executable = cpu.compile(graph, {.passes = compiled.options()});
  std::vector<std::int64_t> lengths = {kBound, 3, 1, 2, 6, kBound};
  if (GetParam().name == "cut_axis") lengths = {kBound, 4, 2};
  for (const std::int64_t length : lengths) {
    const NamedArrays inputs = inputs_of(graph, length);
    EXPECT_TRUE(near(executable->run(inputs).outputs.at("y"), expected->run(inputs).outputs.at("y"), 2e-5)) << length;
  }
  const bool holds = GetParam().reason.empty();
  EXPECT_EQ(compiled.held, holds ? 1 : 0);
  EXPECT_EQ(compiled.for_a_length > 0, !holds);
}

TEST_P(Bounded, TellsWhyNot) {
  Graph graph;
  graph.set_output("y", GetParam().build(graph));
  CpuBackend cpu(1);
  const auto executable = cpu.compile(graph, {});
  SizesByName sizes;
  for (const auto& [name, array] : inputs_of(graph, 4)) sizes[name] = array.sizes();
  std::string told;
  const auto explanation = executable->explain(sizes);
  for (const PassReport& report : explanation->passes) told += report.to_text();
  EXPECT_NE(told.find(GetParam().reason.empty() ? "one program for all lengths of n" : GetParam().reason),
            std::string::npos)
      << told;
}

// Queries and keys of lengths of their own: a causal query beyond the keys would see what lies beyond them.
TEST(BoundedAttention, CausalQueriesSeeNoKeysBeyondTheirLength) {
  Graph graph;
  const Dim m = Dim::symbol("m", kBound);
  const Tensor q = graph.input("q", {DType::f32, {1, 2, n(), 4}});
  const Tensor k = graph.input("k", {DType::f32, {1, 2, m, 4}});
  graph.set_output("y", op("Attention", {q, k, k}, {{"is_causal", true}}));
  Interpreter interpreter;
  CpuBackend cpu(2);
  const auto expected = interpreter.compile(graph, {});
  const auto executable = cpu.compile(graph, {});
  for (const auto& [queries, keys] :
       std::vector<std::pair<std::int64_t, std::int64_t>>{{8, 8}, {8, 3}, {5, 1}, {2, 7}}) {
    const NamedArrays inputs = {{"q", filled({DType::f32, {1, 2, queries, 4}}, queries, 1)},
                                {"k", filled({DType::f32, {1, 2, keys, 4}}, keys, 2)}};
    EXPECT_TRUE(near(executable->run(inputs).outputs.at("y"), expected->run(inputs).outputs.at("y"), 2e-5))
        << queries << " queries, " << keys << " keys";
  }
}

// What an earlier, longer batch left beyond the length is not multiplied by zeros, for 0 · ∞ is no number.
TEST(BoundedConvolution, GradientOfTheWeightIgnoresWhatALongerBatchLeft) {
  Graph graph;
  const Tensor grad = exp(graph.input("grad", {DType::f32, {n(), 3, 3, 3}}));
  const Tensor x = exp(graph.input("x", {DType::f32, {n(), 2, 5, 5}}));
  graph.set_output("y", op("ConvWeightGrad", {grad, x, ints(graph, {3, 2, 3, 3})}));
  Interpreter interpreter;
  const auto expected = interpreter.compile(graph, {});
  for (const char* poisoned : {"grad", "x"}) {
    CpuBackend cpu(2);
    Compiled compiled;
    const auto executable = cpu.compile(graph, {.passes = compiled.options()});
    NamedArrays inputs = inputs_of(graph, kBound);
    Array& array = inputs.at(poisoned);
    array.set(array.count() - 1, std::numeric_limits<double>::infinity());
    executable->run(inputs);
    inputs = inputs_of(graph, 3);
    EXPECT_TRUE(near(executable->run(inputs).outputs.at("y"), expected->run(inputs).outputs.at("y"), 2e-5)) << poisoned;
    EXPECT_EQ(compiled.held, 1);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Bounded, testing::ValuesIn(cases()), [](const auto& each) { return each.param.name; });

// ---- Whole trainings

Graph pictures() {
  Graph graph("pictures");
  const Tensor x = graph.input("x", {DType::f32, {n(), 2, 9, 9}});
  const Tensor labels = graph.input("labels", {DType::i64, {n()}});
  Tensor y = relu(nn::batch_norm(nn::conv2d(x, 5, {3, 3}, {.name = "first"}), {.name = "norm"}));
  y = nn::dropout(flatten(max_pool(y, {2, 2}, {.strides = {2, 2}}).y), {.ratio = 0.2, .name = "dropout"});
  graph.set_output("loss", loss::cross_entropy(nn::linear(y, 3, {.name = "last"}), labels));
  return graph;
}

Graph language() {
  Graph graph("language");
  const Dim batch = Dim::symbol("batch");
  const Tensor tokens = graph.input("tokens", {DType::i64, {batch, n()}});
  const Tensor labels = graph.input("labels", {DType::i64, {batch, n()}});
  Tensor x = nn::embedding(tokens, 11, 24, {.name = "token"});
  x = nn::learned_position(x, kBound, {.name = "position"});
  for (const char* name : {"block_0", "block_1"}) x = nn::transformer_block(x, 3, 48, {.causal = true, .name = name});
  x = nn::transformer_block(x, 3, 48, {.name = "looks_everywhere"});
  const Tensor logits = nn::linear(nn::layer_norm(x, {.name = "norm"}), 11, {.name = "head"});
  graph.set_output("logits", logits);
  graph.set_output("loss", loss::cross_entropy(logits, labels));
  return graph;
}

void compare_trainings(const Graph& model, const std::function<NamedArrays(std::int64_t)>& batch) {
  const train::StepGraph step = train::make_step(model, "loss", optim::Optimizer::sgd(0.1));
  Interpreter interpreter;
  CpuBackend cpu(2);
  Compiled compiled;
  const auto expected = interpreter.compile(step.graph, {});
  const auto executable = cpu.compile(step.graph, {.passes = compiled.options()});
  for (const VarId id : step.graph.variable_ids()) {
    const Array value = initial_value(step.graph.variable(id), 5);
    expected->write(id, value);
    executable->write(id, value);
  }
  for (const std::int64_t length : {kBound, std::int64_t{3}, std::int64_t{5}, kBound, std::int64_t{2}}) {
    const StepResult want = expected->run(batch(length));
    const StepResult have = executable->run(batch(length));
    EXPECT_EQ(have.committed, want.committed);
    for (const auto& [name, value] : want.outputs)
      EXPECT_TRUE(near(have.outputs.at(name), value, 2e-4)) << name << length;
  }
  for (const VarId id : step.graph.variable_ids()) {
    EXPECT_TRUE(near(executable->read(id), expected->read(id), 3e-4)) << step.graph.variable(id).name;
  }
  EXPECT_EQ(compiled.held, 1);
  EXPECT_EQ(compiled.for_a_length, 0);
}

TEST(BoundedTrainings, ABatchMayBeShort) {
  compare_trainings(pictures(), [](std::int64_t length) {
    const NamedArrays all = inputs_of(pictures(), length);
    NamedArrays batch = all;
    Array& labels = batch.at("labels");
    for (std::int64_t k = 0; k < labels.count(); ++k) labels.set_i64(k, k % 3);
    return batch;
  });
}

TEST(BoundedTrainings, ATextMayBeShort) {
  compare_trainings(language(), [](std::int64_t length) {
    NamedArrays batch;
    for (const char* name : {"tokens", "labels"}) {
      Array ids(DType::i64, {3, length});
      for (std::int64_t k = 0; k < ids.count(); ++k) ids.set_i64(k, (k * 31 + length) % 11);
      batch[name] = ids;
    }
    return batch;
  });
}

TEST(BoundedTrainings, CanBeSwitchedOff) {
  Graph graph;
  graph.set_output("y", exp(reals_in(graph, {n()})));
  CpuBackend cpu(1);
  Compiled compiled;
  PassOptions options = compiled.options();
  options.off = {std::string(kHoldBounds)};
  const auto executable = cpu.compile(graph, {.passes = options});
  for (const std::int64_t length : {3, 4}) executable->run(inputs_of(graph, length));
  EXPECT_EQ(compiled.held, 0);
  EXPECT_EQ(compiled.for_a_length, 2);
}

TEST(BoundedTrainings, RefuseMoreThanTheBound) {
  Graph graph;
  graph.set_output("y", exp(reals_in(graph, {n()})));
  CpuBackend cpu(1);
  const auto executable = cpu.compile(graph, {});
  executable->run(inputs_of(graph, 3));
  EXPECT_THROW(executable->run(inputs_of(graph, kBound + 1)), UserError);
}

}  // namespace
}  // namespace asg::test
