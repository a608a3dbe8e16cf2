#include "asg/train/taps.h"

#include <cmath>
#include <limits>

#include "asg/graph/card.h"
#include "train/tap_gradients.h"

namespace asg::train {
namespace {

constexpr std::size_t kOutputs = 8;  // of each watched value

Tensor sum_of(const Tensor& x) { return add_op("ReduceSum", {x}, {{"keepdims", false}}); }

Tensor choose(const Tensor& condition, const Tensor& then, const Tensor& otherwise) {
  return add_op("Where", {condition, then, otherwise});
}

// Numbers in which sums can be made.
Tensor as_numbers(const Tensor& x) {
  if (x.dtype() == DType::f32 || x.dtype() == DType::f64) return x;
  return add_op("Cast", {x}, {{"to", is_float(x.dtype()) ? DType::f32 : DType::f64}});
}

// One element of each of kMostSampled equal parts, some more than once where there are fewer elements. So its size is
// known whatever that of the batch is. Within their parts the places differ: always the first would be always the same
// channel where the parts are rows.
Tensor sample_of(Graph& graph, const Tensor& flat, const Tensor& count) {
  constexpr std::int64_t kFine = 4096;  // steps of a place within its part
  constexpr double kGoldenRatio = 0.6180339887498949;
  std::vector<std::int64_t> even, spread;
  for (std::int64_t k = 0; k < kMostSampled; ++k) {
    const double turns = static_cast<double>(k) * kGoldenRatio;
    even.push_back(k * kFine);
    spread.push_back(k * kFine + static_cast<std::int64_t>((turns - std::floor(turns)) * kFine));
  }
  const Tensor is_large = add_op("Greater", {count, graph.constant(Array::scalar_i64(kMostSampled))});
  const Tensor places = choose(is_large, graph.constant(Array::ints(spread)), graph.constant(Array::ints(even)));
  return add_op("Gather", {flat, places * count / graph.constant(Array::scalar_i64(kMostSampled * kFine))});
}

// The sample without repetitions: those of the `count` elements that it holds.
Array distinct_sample(const Array& sample, std::int64_t count) {
  if (count >= kMostSampled) return sample;
  Array result(DType::f64, {count});
  std::int64_t next = 0;
  for (std::int64_t k = 0; k < kMostSampled; ++k) {
    if (k * count / kMostSampled == next) result.set(next++, sample.get(k));
  }
  return result;
}

// The statistics as ops of the graph, so that they end up in the kernel that computes the value.
void add_statistics(Graph& graph, const Tensor& given, const std::string& name, std::int64_t preview) {
  const Tensor x = as_numbers(given);
  const auto number = [&](double value) { return graph.scalar(x.dtype(), value); };
  const Tensor is_finite = add_op("Equal", {x - x, number(0)});  // infinities and NaN give NaN
  const auto flag = [&](std::int64_t value) { return graph.constant(Array::scalar_i64(value)); };
  const Tensor finite = sum_of(choose(is_finite, flag(1), flag(0)));
  const Tensor divisor = add_op("Max", {add_op("Cast", {finite}, {{"to", x.dtype()}}), number(1)});
  const Tensor mean = sum_of(choose(is_finite, x, number(0))) / divisor;
  const Tensor distance = x - mean;
  const Tensor square = sum_of(choose(is_finite, distance * distance, number(0))) / divisor;
  const double infinity = std::numeric_limits<double>::infinity();
  const auto extreme = [&](const char* op, double nothing) {
    return add_op(op, {choose(is_finite, x, number(nothing))}, {{"keepdims", false}});
  };
  const Tensor flat = add_op("Reshape", {given, graph.constant(Array::ints({-1}))});
  const Tensor first =
      add_op("Slice", {flat, graph.constant(Array::ints({0})), graph.constant(Array::ints({preview}))});
  const Tensor count = add_op("Size", {x});
  graph.set_output(name + "/count", count);
  graph.set_output(name + "/finite", finite);
  graph.set_output(name + "/mean", mean);
  graph.set_output(name + "/deviation", add_op("Sqrt", {square}));
  graph.set_output(name + "/least", extreme("ReduceMin", infinity));
  graph.set_output(name + "/greatest", extreme("ReduceMax", -infinity));
  graph.set_output(name + "/sample", sample_of(graph, as_numbers(flat), count));
  graph.set_output(name + "/preview", first);
}

}  // namespace

Taps::Taps(const StepGraph& step, Backend& backend, Executable& training, std::span<const Value> watched,
           TapOptions options) {
  Graph graph = step.graph;
  graph.set_outputs({});
  graph.set_updates({});
  std::vector<Value> tapped(watched.begin(), watched.end());
  gradient_taps_.resize(watched.size());
  if (options.gradients) {
    const std::vector<Value> gradients = add_tap_gradients(graph, step.loss, watched);
    for (std::size_t k = 0; k < gradients.size(); ++k) {
      if (!gradients[k]) continue;
      gradient_taps_[k] = tapped.size();
      tapped.push_back(gradients[k]);
    }
  }
  {
    const Graph::ScopeGuard scope(graph, "taps");
    for (std::size_t k = 0; k < tapped.size(); ++k) {
      add_statistics(graph, graph.tensor(tapped[k]), "tap_" + std::to_string(k), options.preview);
    }
  }
  twin_.emplace(backend.compile(graph, {.mode = Mode::train}), training);
  taps_ = tapped.size();
  readings_.resize(watched.size());
  outputs_.resize(taps_ * kOutputs);
}

TapStatistics Taps::take(std::size_t tap) const {
  const Array* outputs = &outputs_[tap * kOutputs];
  TapStatistics result;
  result.count = outputs[0].get_i64(0);
  result.not_finite = result.count - outputs[1].get_i64(0);
  result.mean = outputs[2].get(0);
  result.deviation = outputs[3].get(0);
  result.least = outputs[4].get(0);
  result.greatest = outputs[5].get(0);
  result.histogram = histogram_of(distinct_sample(outputs[6], result.count), kHistogramBins);
  result.preview = outputs[7];
  return result;
}

const std::vector<TapReading>& Taps::read(std::span<const Array> batch) {
  twin_->bring();
  for (std::size_t tap = 0; tap < taps_; ++tap) outputs_[(tap + 1) * kOutputs - 1] = Array();  // was handed out
  (*twin_)->run_into(batch, outputs_);
  for (std::size_t k = 0; k < readings_.size(); ++k) {
    static_cast<TapStatistics&>(readings_[k]) = take(k);
    if (gradient_taps_[k]) readings_[k].gradient = take(*gradient_taps_[k]);
  }
  return readings_;
}

}  // namespace asg::train
