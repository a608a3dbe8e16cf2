// Recurrent ops over sequences of several lengths.
#include <gtest/gtest.h>

#include "asg/core/random.h"
#include "asg/graph/registry.h"
#include "support/compare.h"
#include "support/run_op.h"

namespace asg::test {
namespace {

constexpr std::int64_t kLength = 5, kBatch = 3, kFeatures = 2, kHidden = 4;

Array drawn(Sizes sizes, std::uint64_t seed) {
  Array values(DType::f64, std::move(sizes));
  const RandomStream stream(seed, 21);
  for (std::int64_t k = 0; k < values.count(); ++k) values.set(k, stream.normal(static_cast<std::uint64_t>(k)));
  return values;
}

struct RecurrentRow {
  const char* op;
  std::int64_t gates;
  bool has_cell;
};

// X, W, R, B, lengths, initial h, initial c.
Inputs inputs_of(const RecurrentRow& row, const Array& x, std::int64_t directions, const std::vector<Array>& states) {
  Inputs inputs = {x, drawn({directions, row.gates * kHidden, kFeatures}, 2),
                   drawn({directions, row.gates * kHidden, kHidden}, 3),
                   drawn({directions, 2 * row.gates * kHidden}, 4), std::nullopt};
  for (const Array& state : states) inputs.emplace_back(state);
  return inputs;
}

// A sequence of a batch ends as it would alone: its outputs, its last h and, of an LSTM, its last c.
TEST(Recurrent, SequencesEndWithTheStatesOfTheirOwnLengths) {
  const std::vector<std::int64_t> lengths = {2, kLength, 1};
  for (const RecurrentRow& row : {RecurrentRow{"RNN", 1, false}, {"GRU", 3, false}, {"LSTM", 4, true}}) {
    for (const char* direction : {"forward", "reverse", "bidirectional"}) {
      SCOPED_TRACE(std::string(row.op) + " " + direction);
      const OpCard& op = *Registry::global().find(row.op);
      const std::int64_t directions = std::string_view(direction) == "bidirectional" ? 2 : 1;
      const Array x = drawn({kLength, kBatch, kFeatures}, 1);
      std::vector<Array> states = {drawn({directions, kBatch, kHidden}, 5)};
      if (row.has_cell) states.push_back(drawn({directions, kBatch, kHidden}, 6));
      const Attrs attrs = {{"direction", direction}, {"hidden_size", kHidden}};
      Inputs together = inputs_of(row, x, directions, states);
      together[4] = Array::ints(lengths);
      const std::vector<Array> all = run_op(op, attrs, together);
      ASSERT_EQ(all.size(), row.has_cell ? 3U : 2U);
      for (std::int64_t example = 0; example < kBatch; ++example) {
        SCOPED_TRACE("example " + std::to_string(example));
        const std::int64_t length = lengths[static_cast<std::size_t>(example)];
        std::vector<Array> own;
        for (const Array& state : states) own.push_back(state.sliced(1, example, 1, 1));
        const std::vector<Array> alone =
            run_op(op, attrs, inputs_of(row, x.sliced(0, 0, length, 1).sliced(1, example, 1, 1), directions, own));
        const Array y = all[0].sliced(2, example, 1, 1);
        EXPECT_TRUE(near(y.sliced(0, 0, length, 1), alone[0], 1e-12)) << "Y";
        if (length < kLength) {
          const Array beyond = y.sliced(0, length, kLength - length, 1);
          EXPECT_TRUE(near(beyond, Array(DType::f64, beyond.sizes()), 0)) << "Y beyond the length";
        }
        for (std::size_t state = 1; state < all.size(); ++state) {
          EXPECT_TRUE(near(all[state].sliced(1, example, 1, 1), alone[state], 1e-12)) << (state == 1 ? "Y_h" : "Y_c");
        }
      }
    }
  }
}

}  // namespace
}  // namespace asg::test
