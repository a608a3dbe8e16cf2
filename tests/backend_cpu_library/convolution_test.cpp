// Convolutions and their gradients against the reference kernels of the cards.
#include "backend/cpu/library/convolution.h"

#include <algorithm>
#include <mutex>

#include <gtest/gtest.h>

#include "asg/core/array.h"
#include "asg/graph/contexts.h"
#include "backend_cpu_library/card_samples.h"
#include "backend_cpu_library/library_cases.h"
#include "support/compare.h"

namespace asg::test {
namespace {

using cpu::Convolution;
using cpu::ConvolutionKind;
using cpu::ConvolutionSpec;

struct Kind {
  ConvolutionKind kind;
  const char* op;
};
const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {{ConvolutionKind::forward, "Conv"},
                                        {ConvolutionKind::by_input, "ConvInputGrad"},
                                        {ConvolutionKind::by_weight, "ConvWeightGrad"}};
  return all;
}

void* bytes_of(Array& array) {
  return array.dtype() == DType::f32 ? static_cast<void*>(array.mutable_data<float>().data())
                                     : static_cast<void*>(array.mutable_data<double>().data());
}

Array computed(const Convolution& convolution, Array left, Array right, const Sizes& sizes, int threads,
               cpu::ConvolutionDone after = {}) {
  Scratch scratch(convolution.scratch_bytes());
  ThreadPool pool(threads);
  Array result(left.dtype(), sizes);
  convolution.run(bytes_of(left), bytes_of(right), bytes_of(result), scratch.data(), pool, after);
  return result;
}

void check(ConvolutionKind kind, const Computed& sample, double tolerance) {
  const Array& right = sample.outputs[0];
  const AttrReader attributes(*sample.op, sample.attrs);
  const Sizes& first = sample.inputs[0]->sizes();
  const Sizes& second = sample.inputs[1]->sizes();
  const ops::Convolution geometry = ops::convolution_of(attributes,
                                                        kind == ConvolutionKind::forward    ? first
                                                        : kind == ConvolutionKind::by_input ? right.sizes()
                                                                                            : second,
                                                        kind == ConvolutionKind::by_weight ? right.sizes() : second);
  for (const cpu::Library library : libraries()) {
    SCOPED_TRACE(name_of(library));
    const Convolution convolution({kind, right.dtype(), geometry}, library);
    const Array one = computed(convolution, *sample.inputs[0], *sample.inputs[1], right.sizes(), 1);
    EXPECT_TRUE(near(one, right, tolerance));
    for (const int threads : {2, 3}) {
      EXPECT_TRUE(identical(computed(convolution, *sample.inputs[0], *sample.inputs[1], right.sizes(), threads), one));
    }
  }
}

TEST(Convolution, AgreesWithTheCardsOnAllTheirSamples) {
  for (const Kind& kind : kinds()) {
    for (const DType dtype : {DType::f32, DType::f64}) {
      for (Computed sample : computed_samples(kind.op, dtype)) {
        SCOPED_TRACE(std::string(kind.op) + " " + sample.name + " " + std::string(name_of(dtype)));
        if (kind.kind == ConvolutionKind::forward && sample.inputs.size() > 2) {  // the bias is an epilogue's affair
          sample.inputs.resize(2);
          sample.outputs = run_op(*sample.op, sample.attrs, sample.inputs);
        }
        check(kind.kind, sample, dtype == DType::f32 ? 1e-5 : 1e-12);
      }
    }
  }
}

// Larger ones, with more than one tile, part and chunk.
struct ConvolutionCase {
  Sizes x, w;
  Attrs attrs;
};
std::vector<ConvolutionCase> cases() {
  return {
      {{9, 3, 17, 19}, {10, 3, 3, 3}, {}},
      {{2, 32, 26, 26}, {64, 32, 3, 3}, {}},
      {{1, 16, 14, 14}, {32, 16, 3, 3}, {{"pads", Sizes{1, 1, 1, 1}}}},
      {{3, 1, 28, 28}, {32, 1, 3, 3}, {}},
      {{2, 16, 15, 13}, {24, 16, 3, 5}, {{"strides", Sizes{2, 3}}, {"pads", Sizes{1, 0, 2, 3}}}},
      {{2, 8, 20, 20}, {12, 4, 3, 3}, {{"group", 2}, {"dilations", Sizes{2, 1}}, {"pads", Sizes{2, 1, 2, 1}}}},
      {{1, 32, 12, 12}, {32, 1, 3, 3}, {{"group", 32}, {"pads", Sizes{1, 1, 1, 1}}}},
      {{2, 20, 9, 9}, {48, 20, 1, 1}, {}},
      {{2, 20, 9, 9}, {48, 20, 1, 1}, {{"strides", Sizes{2, 2}}}},
      {{4, 6, 300}, {8, 6, 7}, {{"strides", Sizes{3}}, {"pads", Sizes{2, 5}}}},
      {{2, 4, 6, 7, 8}, {5, 4, 2, 3, 3}, {{"pads", Sizes{0, 1, 1, 1, 0, 1}}, {"strides", Sizes{1, 2, 1}}}},
      {{0, 3, 8, 8}, {4, 3, 3, 3}, {}},
  };
}

Array random_array(const Sizes& sizes, std::uint32_t seed) {
  std::int64_t count = 1;
  for (const std::int64_t size : sizes) count *= size;
  return Array::of<float>(sizes, numbers<float>(count, seed));
}

// The sample for a kind: y comes from the forward reference, so that shapes fit.
Computed sample_of(const Kind& kind, const ConvolutionCase& row) {
  const Array x = random_array(row.x, 1);
  const Array w = random_array(row.w, 2);
  const OpCard& forward = *Registry::global().find("Conv");
  Computed sample{&forward, "", row.attrs, {x, w}, run_op(forward, row.attrs, {x, w})};
  if (kind.kind == ConvolutionKind::forward) return sample;
  sample.op = Registry::global().find(kind.op);
  const bool by_input = kind.kind == ConvolutionKind::by_input;
  sample.inputs = {random_array(sample.outputs[0].sizes(), 3), by_input ? w : x, Array::ints(by_input ? row.x : row.w)};
  sample.outputs = run_op(*sample.op, row.attrs, sample.inputs);
  return sample;
}

TEST(Convolution, AgreesWithTheCardsOnLargerSizes) {
  for (const Kind& kind : kinds()) {
    for (const ConvolutionCase& row : cases()) {
      SCOPED_TRACE(std::string(kind.op) + " of " + Shape::of(row.x).to_string() + " by " +
                   Shape::of(row.w).to_string());
      check(kind.kind, sample_of(kind, row), 1e-5);
    }
  }
}

TEST(Convolution, TellsOfEveryBlockOnceAndWhenItIsComplete) {
  for (const Kind& kind : kinds()) {
    for (const ConvolutionCase& row : cases()) {
      SCOPED_TRACE(std::string(kind.op) + " of " + Shape::of(row.x).to_string());
      const Computed sample = sample_of(kind, row);
      const Sizes sizes = sample.outputs[0].sizes();
      const AttrReader attributes(*sample.op, sample.attrs);
      const bool by_weight = kind.kind == ConvolutionKind::by_weight;
      std::int64_t elements = by_weight ? sizes[1] : 1;
      for (std::size_t axis = 2; axis < sizes.size(); ++axis) elements *= sizes[axis];
      for (const cpu::Library library : libraries()) {
        const Convolution convolution({kind.kind, DType::f32, ops::convolution_of(attributes, row.x, row.w)}, library);
        std::vector<int> seen(static_cast<std::size_t>(sample.outputs[0].count()), 0);
        std::mutex mutex;
        const auto count = [&](const cpu::ConvolutionBlock& block) {
          const std::lock_guard lock(mutex);
          for (std::int64_t channel = block.first_channel; channel < block.last_channel; ++channel) {
            const std::int64_t plane = (by_weight ? 0 : block.picture * sizes[1]) + channel;
            for (std::int64_t k = block.first_element; k < block.last_element; ++k) {
              ++seen[static_cast<std::size_t>(plane * elements + k)];
            }
          }
        };
        computed(convolution, *sample.inputs[0], *sample.inputs[1], sizes, 2, count);
        EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), static_cast<std::ptrdiff_t>(seen.size()));
      }
    }
  }
}

TEST(Convolution, SaysWhoseCodeRuns) {
  const ops::Convolution geometry =
      ops::convolution_of(AttrReader(*Registry::global().find("Conv"), {}), {2, 16, 8, 8}, {16, 16, 3, 3});
  const Convolution usual({ConvolutionKind::forward, DType::f32, geometry});
  EXPECT_EQ(usual.library(), cpu::default_library());
  const Convolution in_double({ConvolutionKind::forward, DType::f64, geometry});
  EXPECT_EQ(in_double.library(), cpu::Library::builtin);
}

}  // namespace
}  // namespace asg::test
