#include "asg/data/dataset.h"

#include <algorithm>

#include "asg/core/random.h"
#include "asg/data/split.h"

namespace asg::data {
namespace {

Array take_rows(const Array& from, std::span<const std::int64_t> rows) {
  Sizes sizes = from.sizes();
  const std::int64_t available = sizes.front();
  sizes.front() = static_cast<std::int64_t>(rows.size());
  Array result = Array::uninitialised(from.dtype(), sizes);
  const Array source = from.dense();
  const std::int64_t row_bytes = available == 0 ? 0 : source.bytes() / available;
  std::byte* to = result.raw();
  for (std::int64_t row : rows) {
    if (row < 0 || row >= available) {
      fail(ErrorCode::bad_index, "example " + std::to_string(row),
           "a number from 0 to " + std::to_string(available - 1));
    }
    to = std::copy_n(source.raw() + row * row_bytes, row_bytes, to);
  }
  return result;
}

}  // namespace

Dataset make_dataset(std::string name, Array features, Array labels, std::int64_t classes) {
  if (features.rank() == 0 || labels.rank() == 0 || features.sizes().front() != labels.sizes().front()) {
    fail(ErrorCode::bad_shape, "features " + features.type_string() + " and labels " + labels.type_string(),
         "as many labels as there are examples on the first axis of the features");
  }
  if (classes > 0) {
    for (std::int64_t position = 0; position < labels.count(); ++position) {
      const std::int64_t label = labels.get_i64(position);
      if (label >= 0 && label < classes) continue;
      fail(ErrorCode::bad_index, "label " + std::to_string(label) + " of example " + std::to_string(position),
           "a class from 0 to " + std::to_string(classes - 1));
    }
  }
  return {std::move(name), std::move(features), std::move(labels), classes};
}

Dataset take(const Dataset& dataset, std::span<const std::int64_t> examples) {
  return {dataset.name, take_rows(dataset.features, examples), take_rows(dataset.labels, examples), dataset.classes};
}

Dataset synthetic(std::int64_t examples, Sizes example_sizes, std::int64_t classes, std::uint64_t seed) {
  if (examples < 1 || classes < 1) {
    fail(ErrorCode::bad_dim, std::to_string(examples) + " examples of " + std::to_string(classes) + " classes",
         "at least one of each");
  }
  constexpr double kNoise = 0.3;
  const auto width = static_cast<std::uint64_t>(element_count(example_sizes));
  const RandomStream centres(seed, combine(0, "centres"));
  Sizes sizes = std::move(example_sizes);
  sizes.insert(sizes.begin(), examples);
  Array features(DType::f32, std::move(sizes));
  Array labels(DType::i64, {examples});
  auto out = features.mutable_data<float>();
  for (std::int64_t example = 0; example < examples; ++example) {
    const auto label = static_cast<std::uint64_t>(example % classes);
    const RandomStream noise(seed, combine(0, "noise"), static_cast<std::uint64_t>(example));
    labels.set_i64(example, static_cast<std::int64_t>(label));
    for (std::uint64_t feature = 0; feature < width; ++feature) {
      const double value = centres.normal(label * width + feature) + kNoise * noise.normal(feature);
      out[static_cast<std::uint64_t>(example) * width + feature] = static_cast<float>(value);
    }
  }
  return make_dataset("synthetic", std::move(features), std::move(labels), classes);
}

Batches::Batches(Dataset dataset, std::int64_t batch_size, std::uint64_t seed)
    : dataset_(std::move(dataset)), batch_size_(batch_size), seed_(seed) {
  if (batch_size < 1) fail(ErrorCode::bad_dim, "batches of " + std::to_string(batch_size), "at least 1 example");
  if (dataset_.count() == 0) fail(ErrorCode::missing_value, "a dataset without examples", "at least one example");
  batch_size_ = std::min(batch_size_, dataset_.count());
}

std::int64_t Batches::per_epoch() const { return dataset_.count() / batch_size_; }

Dataset Batches::at(std::int64_t step) const {
  if (step < 0) fail(ErrorCode::bad_index, "batch " + std::to_string(step), "a number of at least 0");
  const std::int64_t epoch = step / per_epoch();
  const std::int64_t first = step % per_epoch() * batch_size_;
  const auto order = shuffled(dataset_.count(), seed_, static_cast<std::uint64_t>(epoch));
  return take(dataset_,
              std::span(order).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(batch_size_)));
}

}  // namespace asg::data
