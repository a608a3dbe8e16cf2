#include <algorithm>
#include <cstring>

#include "asg/core/error.h"
#include "asg/core/random.h"
#include "asg/data/dataset.h"

namespace asg::data {
namespace {

class InMemory : public Source {
 public:
  InMemory(std::vector<Field> fields, std::vector<Array> arrays)
      : fields_(std::move(fields)), arrays_(std::move(arrays)) {}

  std::int64_t count() const override { return arrays_.empty() ? 0 : arrays_.front().sizes().front(); }
  std::span<const Field> fields() const override { return fields_; }

  void read(std::size_t field, std::span<const std::int64_t> examples, const Reading& /*reading*/,
            Array& into) const override {
    const Array& from = arrays_[field];
    if (from.bytes() == 0) return;
    const std::int64_t row_bytes = from.bytes() / from.sizes().front();
    std::byte* to = into.raw();
    for (const std::int64_t example : examples) {
      std::memcpy(to, from.raw() + example * row_bytes, static_cast<std::size_t>(row_bytes));
      to += row_bytes;
    }
  }

 private:
  std::vector<Field> fields_;
  std::vector<Array> arrays_;  // dense
};

void check_classes(const Field& field, const Array& array) {
  if (field.classes <= 0) return;
  for (std::int64_t position = 0; position < array.count(); ++position) {
    const std::int64_t label = array.get_i64(position);
    if (label >= 0 && label < field.classes) continue;
    fail(ErrorCode::bad_index, "label " + std::to_string(label) + " of example " + std::to_string(position),
         "a class from 0 to " + std::to_string(field.classes - 1));
  }
}

}  // namespace

Dataset make_dataset(std::string name, std::vector<Field> fields, std::vector<Array> arrays) {
  if (fields.size() != arrays.size()) {
    fail(ErrorCode::wrong_input_count,
         std::to_string(arrays.size()) + " arrays for " + std::to_string(fields.size()) + " fields", "one for each");
  }
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    const Array& first = arrays.front();
    if (arrays[k].rank() == 0 || first.rank() == 0 || arrays[k].sizes().front() != first.sizes().front()) {
      fail(ErrorCode::bad_shape,
           fields.front().name + " " + first.type_string() + " and " + fields[k].name + " " + arrays[k].type_string(),
           "as many " + fields[k].name + " as there are examples on the first axis of the " + fields.front().name);
    }
    fields[k].dtype = arrays[k].dtype();
    fields[k].sizes.assign(arrays[k].sizes().begin() + 1, arrays[k].sizes().end());
    arrays[k] = arrays[k].dense();
    check_classes(fields[k], arrays[k]);
  }
  return {std::move(name), std::make_shared<InMemory>(std::move(fields), std::move(arrays))};
}

Dataset make_dataset(std::string name, Array features, Array labels, std::int64_t classes) {
  std::vector<Field> fields = {{.name = std::string(kFeatures)},
                               {.name = std::string(kLabels), .classes = std::max<std::int64_t>(classes, 0)}};
  return make_dataset(std::move(name), std::move(fields), {std::move(features), std::move(labels)});
}

Dataset make_dataset(std::string name, const NamedArrays& arrays) {
  std::vector<Field> fields;
  std::vector<Array> values;
  for (const auto& [field, array] : arrays) {
    fields.push_back({.name = field});
    values.push_back(array);
  }
  return make_dataset(std::move(name), std::move(fields), std::move(values));
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

}  // namespace asg::data
