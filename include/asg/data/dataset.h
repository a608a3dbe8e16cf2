#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asg/core/named_arrays.h"
#include "asg/data/source.h"
#include "asg/data/transform.h"

namespace asg {
class ThreadPool;
}

namespace asg::data {

// The fields by which supervised data sets call what a model is given and what it should say.
inline constexpr std::string_view kFeatures = "features";
inline constexpr std::string_view kLabels = "labels";

// A number of examples with named fields. A handle: copies share the source, which is never changed; so do all data
// sets that are made from one (mapped, subset, renamed), and examples are made only when they are read.
class Dataset {
 public:
  Dataset();  // no fields, no examples
  // Throws bad_name on two fields of one name, bad_attribute on class names that do not fit the classes.
  Dataset(std::string name, std::shared_ptr<const Source> source);

  const std::string& name() const { return name_; }
  std::int64_t count() const { return count_; }
  std::span<const Field> fields() const { return source_->fields(); }
  bool has(std::string_view field) const;
  const Field& field(std::string_view name) const;  // throws missing_value
  std::int64_t classes() const;                     // of the labels; 0 where they are no classes or there are none
  const std::shared_ptr<const Source>& source() const { return source_; }

  // Examples in the given order, as arrays [examples, …] by field; read by all threads of a pool where one is given.
  // Throws bad_index, and what reading throws.
  NamedArrays take(std::span<const std::int64_t> examples, const Reading& reading = {},
                   ThreadPool* pool = nullptr) const;
  NamedArrays take(std::int64_t first, std::int64_t last, const Reading& reading = {}) const;  // [first, last)
  NamedArrays all() const { return take(0, count()); }
  Array column(std::string_view field) const;  // all examples of one field

  // The transform is applied whenever examples are read; to several fields with the same random numbers, so that a
  // picture and its mask are turned alike. Throws what the transform throws on a field that does not fit it.
  Dataset mapped(Transform transform, std::vector<std::string> fields = {std::string(kFeatures)}) const;
  Dataset subset(std::vector<std::int64_t> examples) const;  // in the given order; throws bad_index
  Dataset renamed(std::string_view from, std::string to) const;
  Dataset in_memory() const;  // all examples read once and kept: for slow sources and transforms without chance

 private:
  NamedArrays read(std::span<const std::int64_t> examples, const Reading& reading, ThreadPool* pool) const;
  std::size_t index_of(std::string_view field) const;

  std::string name_;
  std::shared_ptr<const Source> source_;
  std::int64_t count_ = 0;
};

// Examples that lie in arrays: element n of the first axis of each is example n. Shares the arrays: they must not be
// changed any more. Throws bad_shape where they differ in number, bad_index where a label is none of the classes
// (0: labels are no classes).
Dataset make_dataset(std::string name, Array features, Array labels, std::int64_t classes);
// The same with any fields: of each its name and classes are used, type and sizes come from the array.
Dataset make_dataset(std::string name, std::vector<Field> fields, std::vector<Array> arrays);
Dataset make_dataset(std::string name, const NamedArrays& arrays);  // without classes

// The examples of all parts, one part after the other. Throws bad_shape where their fields differ, missing_value
// without a part.
Dataset concatenated(std::string name, std::vector<Dataset> parts);

// Points around `classes` centres, drawn by a seed: a task that takes no file and is learnt at once.
Dataset synthetic(std::int64_t examples, Sizes example_sizes, std::int64_t classes, std::uint64_t seed);

}  // namespace asg::data
