// Which models may go on with a text token by token: those whose positions are known to stay apart.
#include <cmath>

#include <gtest/gtest.h>

#include "asg/backend/cpu.h"
#include "asg/decode/decoding.h"
#include "unit/decode/small_models.h"

namespace asg::decode {
namespace {

using Middle = std::function<Tensor(const Tensor& x)>;  // [1, length, 8] → [1, length, features]

struct MiddleRow {
  const char* name;
  Middle middle;
};

Tensor numbers(const Tensor& x, std::vector<std::int64_t> values) {
  return x.graph().constant(Array::ints(std::move(values)));
}

Tensor turned(const Tensor& x) { return add_op("Transpose", {x}, {{"perm", std::vector<std::int64_t>{0, 2, 1}}}); }

Tensor part_of(const Tensor& x, std::int64_t start, std::int64_t end, std::int64_t axis, std::int64_t step = 1) {
  return add_op("Slice", {x, numbers(x, {start}), numbers(x, {end}), numbers(x, {axis}), numbers(x, {step})});
}

// The size of one axis, as numbers that tell it.
Tensor size_of(const Tensor& x, std::int64_t axis) {
  return add_op("Shape", {x}, {{"start", axis}, {"end", axis + 1}});
}

Tensor in_heads(const Tensor& x) {
  return add_op("Transpose", {add_op("Reshape", {x, numbers(x, {0, 0, 2, 4})})},
                {{"perm", std::vector<std::int64_t>{0, 2, 1, 3}}});
}

Tensor out_of_heads(const Tensor& x) {
  const Tensor rows = add_op("Transpose", {x}, {{"perm", std::vector<std::int64_t>{0, 2, 1, 3}}});
  return add_op("Reshape", {rows, numbers(x, {0, 0, 8})});
}

Tensor attended(const Tensor& x, const Tensor& mask) {
  const Tensor heads = in_heads(x);
  const Tensor twice = heads + heads;  // another value than the queries: keys know the length of the cache
  return out_of_heads(add_op("Attention", {heads, twice, twice, mask}, {{"is_causal", true}}));
}

constexpr std::int64_t kFarBefore = -1000;

std::vector<MiddleRow> that_mix() {
  return {
      {"Softmax", [](const Tensor& x) { return add_op("Softmax", {x}, {{"axis", 1}}); }},
      {"LogSoftmax", [](const Tensor& x) { return add_op("LogSoftmax", {x}, {{"axis", -2}}); }},
      {"LpNormalization",
       [](const Tensor& x) { return turned(add_op("LpNormalization", {turned(x)}, {{"axis", -1}})); }},
      {"MeanVarianceNormalization",
       [](const Tensor& x) {
         return turned(add_op("MeanVarianceNormalization", {turned(x)}, {{"axes", std::vector<std::int64_t>{2}}}));
       }},
      {"Slice",  // the tokens moved on by one place
       [](const Tensor& x) { return add_op("Concat", {part_of(x, 0, 1, 1), part_of(x, 0, -1, 1)}, {{"axis", 1}}); }},
      {"Slice", [](const Tensor& x) { return part_of(x, -1, kFarBefore, 1, -1); }},
      {"CumSum", [](const Tensor& x) { return add_op("CumSum", {x, x.graph().constant(Array::scalar_i64(1))}); }},
      {"Sort", [](const Tensor& x) { return add_op_outputs("Sort", {x}, {{"axis", 1}}).front(); }},
      {"Reshape",  // not a transpose: numbers of different positions come to lie side by side
       [](const Tensor& x) {
         const Tensor shape = add_op("Concat", {numbers(x, {1, 8}), size_of(x, 1)}, {{"axis", 0}});
         return turned(add_op("Reshape", {x, shape}));
       }},
      {"Add",  // each position with each other one
       [](const Tensor& x) {
         const Tensor sums = add_op("ReduceSum", {x, numbers(x, {2})});
         return x + reduce_mean(sums + turned(sums), {2});
       }},
      {"MatMul",  // one value and another: the length is summed over
       [](const Tensor& x) { return mat_mul(x, mat_mul(turned(x), x)); }},
      {"Einsum", [](const Tensor& x) { return add_op("Einsum", {x, x}, {{"equation", "bld,bmd->bld"}}); }},
      {"Mul", [](const Tensor& x) { return x * add_op("Cast", {size_of(x, 1)}, {{"to", DType::f32}}); }},
      {"Range",
       [](const Tensor& x) {
         const Tensor zero = x.graph().constant(Array::scalar_i64(0));
         const Tensor one = x.graph().constant(Array::scalar_i64(1));
         const Tensor length = add_op("Squeeze", {size_of(x, 1)});
         const Tensor places = add_op("Cast", {add_op("Range", {zero, length, one})}, {{"to", DType::f32}});
         return x + add_op("Unsqueeze", {places, numbers(x, {1})});
       }},
      {"Conv",
       [](const Tensor& x) {
         const Tensor kernel = x.graph().constant(Array::of<float>({8, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1}));
         return turned(add_op("Conv", {turned(x), kernel}, {{"group", 8}}));
       }},
      {"nn.RotaryPosition",  // the heads are where it counts
       [](const Tensor& x) {
         const Tensor heads = add_op("Reshape", {x, numbers(x, {0, 0, 2, 4})});
         return add_op("Reshape", {nn::rotary_position(heads), numbers(x, {0, 0, 8})});
       }},
      {"a mask that depends",
       [](const Tensor& x) {
         const Tensor sums = add_op("ReduceSum", {x, numbers(x, {2})}, {{"keepdims", false}});
         const Tensor allowed = add_op("Greater", {sums, x.graph().scalar(DType::f32, 0)});
         return attended(x, add_op("Unsqueeze", {allowed, numbers(x, {1, 2})}));
       }},
  };
}

std::vector<MiddleRow> that_keep_apart() {
  return {
      {"softmax of features", [](const Tensor& x) { return add_op("Softmax", {x}); }},
      {"normalised features",
       [](const Tensor& x) {
         return add_op("MeanVarianceNormalization", {add_op("LpNormalization", {x})},
                       {{"axes", std::vector<std::int64_t>{2}}});
       }},
      {"swapped halves",
       [](const Tensor& x) { return add_op("Concat", {part_of(x, 4, 8, 2), part_of(x, 0, 4, -1)}, {{"axis", 2}}); }},
      {"features backwards", [](const Tensor& x) { return part_of(x, -1, kFarBefore, 2, -1); }},
      {"all of the text", [](const Tensor& x) { return part_of(x, 0, std::int64_t{1} << 40, 1); }},
      {"mean of features", [](const Tensor& x) { return x - reduce_mean(x, {2}); }},
      {"sums of features",
       [](const Tensor& x) { return add_op("CumSum", {x, x.graph().constant(Array::scalar_i64(-1))}); }},
      {"as a matrix",
       [](const Tensor& x) {
         const Tensor rows = add_op("Reshape", {x, numbers(x, {-1, 8})});
         return add_op("Reshape", {tanh(rows), add_op("Shape", {x})});
       }},
      {"gates", [](const Tensor& x) { return add_op("Glu", {add_op("Concat", {x, x}, {{"axis", -1}})}); }},
      {"products at each position",
       [](const Tensor& x) {
         const Tensor columns = add_op("Unsqueeze", {x, numbers(x, {3})});
         const Tensor rows = add_op("Unsqueeze", {x, numbers(x, {2})});
         return add_op("Squeeze", {mat_mul(mat_mul(columns, rows), columns), numbers(x, {3})});
       }},
      {"size of a head", [](const Tensor& x) { return x / add_op("Cast", {size_of(x, 2)}, {{"to", DType::f32}}); }},
      {"a constant, made as long",
       [](const Tensor& x) {
         return x + add_op("Expand", {x.graph().scalar(DType::f32, 0.25), add_op("Shape", {x})});
       }},
      {"a mask for all positions",
       [](const Tensor& x) { return attended(x, x.graph().constant(Array::of<float>({2, 1, 1}, {0, -1}))); }},
      {"positions in two codes",
       [](const Tensor& x) {
         return nn::transformer_block(nn::sinusoidal_position(x), 2, 12, {.causal = true, .positions = "alibi"});
       }},
  };
}

TEST(Mixing, IsRefusedWithTheNode) {
  CpuBackend cpu(1);
  for (const MiddleRow& row : that_mix()) {
    try {
      Generator(model_with(row.middle), cpu);
      ADD_FAILURE() << "not refused: " << row.name;
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), ErrorCode::not_implemented) << error.what();
      EXPECT_NE(error.detail().given.find(row.name), std::string::npos) << row.name << ": " << error.what();
      EXPECT_FALSE(error.detail().node.empty()) << error.what();
    }
  }
}

TEST(Mixing, WhatKeepsPositionsApartGivesTheSameLogits) {
  CpuBackend cpu(1);
  constexpr std::int64_t kLength = 7;
  for (const MiddleRow& row : that_keep_apart()) {
    SCOPED_TRACE(row.name);
    const Graph model = model_with(row.middle);
    Generator generator(model, cpu, {.capacity = kContext, .chunk = 3});
    give_values(model, generator);
    const auto tokens = some_tokens(kLength, generator.model().vocabulary);
    const Array all = logits_at_once(model, cpu, tokens);
    for (std::int64_t k = 0; k < kLength; ++k) {
      const auto logits = generator.append(std::span(tokens).subspan(static_cast<std::size_t>(k), 1));
      for (std::size_t place = 0; place < logits.size(); ++place) {
        const double wanted = all.get(k * static_cast<std::int64_t>(logits.size()) + static_cast<std::int64_t>(place));
        ASSERT_NEAR(logits[place], wanted, 1e-5 * (1 + std::abs(wanted))) << "at position " << k;
      }
    }
  }
}

// A bias by distance whose columns were not counted off the keys would have one column for all of them.
TEST(Mixing, MasksHaveAColumnForEachKey) {
  CpuBackend cpu(1);
  const Graph model = model_with([](const Tensor& x) {
    const Tensor length = size_of(x, 1);
    const Tensor shape = add_op("Concat", {numbers(x, {1, 2}), length, length}, {{"axis", 0}});
    return attended(x, nn::alibi_bias(add_op("Expand", {x.graph().scalar(DType::f32, 0), shape})));
  });
  try {
    Generator generator(model, cpu);
    ADD_FAILURE() << "not refused";
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ErrorCode::not_implemented) << error.what();
    EXPECT_NE(std::string(error.what()).find("does not come from its keys"), std::string::npos) << error.what();
  }
}

TEST(Mixing, IsNotFoundInModelsOfTheZoo) {
  const std::vector<std::pair<const char*, Attrs>> rows = {
      {"gpt2", {{"layers", 1}, {"features", 8}, {"heads", 2}, {"vocabulary", 9}}},
      {"gpt2_char_small", {{"layers", 1}}},
      {"llama_tiny", {{"layers", 1}}},
      {"smollm_135m", {{"layers", 1}, {"features", 18}, {"hidden", 8}, {"vocabulary", 9}}},
      {"tinyllama_1b", {{"layers", 1}, {"features", 64}, {"hidden", 8}, {"vocabulary", 9}}}};
  for (const auto& [name, settings] : rows) {
    EXPECT_NO_THROW(decoding_graph(language_model_of(zoo::build(name, settings)), {.capacity = 16})) << name;
  }
}

}  // namespace
}  // namespace asg::decode
