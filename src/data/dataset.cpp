#include "asg/data/dataset.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "asg/core/error.h"
#include "asg/core/thread_pool.h"
#include "derived.h"

namespace asg::data {
namespace {

class Nothing : public Source {
 public:
  std::int64_t count() const override { return 0; }
  std::span<const Field> fields() const override { return {}; }
  void read(std::size_t, std::span<const std::int64_t>, const Reading&, Array&) const override {}
};

void check_fields(std::span<const Field> fields) {
  std::set<std::string_view> names;
  for (const Field& field : fields) {
    if (field.name.empty() || !names.insert(field.name).second) {
      fail(ErrorCode::bad_name, "two fields '" + field.name + "'", "a name for each field");
    }
    if (!field.class_names.empty() && static_cast<std::int64_t>(field.class_names.size()) != field.classes) {
      fail(ErrorCode::bad_attribute,
           std::to_string(field.class_names.size()) + " names for the " + std::to_string(field.classes) +
               " classes of '" + field.name + "'",
           "a name for each class, or none");
    }
  }
}

void check_examples(std::span<const std::int64_t> examples, std::int64_t count, const std::string& name) {
  for (const std::int64_t example : examples) {
    if (example >= 0 && example < count) continue;
    fail(ErrorCode::bad_index, "example " + std::to_string(example) + " of '" + name + "'",
         count == 0 ? "a data set with examples" : "a number from 0 to " + std::to_string(count - 1));
  }
}

}  // namespace

Dataset::Dataset() : source_(std::make_shared<Nothing>()) {}

Dataset::Dataset(std::string name, std::shared_ptr<const Source> source)
    : name_(std::move(name)), source_(std::move(source)), count_(source_->count()) {
  check_fields(source_->fields());
}

bool Dataset::has(std::string_view field) const {
  return std::any_of(fields().begin(), fields().end(), [&](const Field& each) { return each.name == field; });
}

std::size_t Dataset::index_of(std::string_view field) const {
  std::vector<std::string> names;
  for (const Field& each : fields()) {
    if (each.name == field) return names.size();
    names.push_back(each.name);
  }
  std::string known;
  for (const std::string& each : names) known += (known.empty() ? "" : ", ") + each;
  const std::string near = nearest_name(field, names);
  fail(ErrorCode::missing_value, "no field '" + std::string(field) + "' in '" + name_ + "'",
       known.empty() ? "a data set with fields" : "one of: " + known,
       near.empty() ? "" : "did you mean '" + near + "'?");
}

const Field& Dataset::field(std::string_view name) const { return fields()[index_of(name)]; }

std::int64_t Dataset::classes() const { return has(kLabels) ? field(kLabels).classes : 0; }

NamedArrays Dataset::read(std::span<const std::int64_t> examples, const Reading& reading, ThreadPool* pool) const {
  constexpr std::int64_t kParts = 8;  // of a batch that threads make together
  const auto count = static_cast<std::int64_t>(examples.size());
  std::vector<Array> arrays;
  for (const Field& field : fields()) arrays.push_back(reading.buffers.take(field.dtype, field.batch_sizes(count)));
  if (pool == nullptr || pool->threads() == 1) {
    for (std::size_t index = 0; index < arrays.size(); ++index) source_->read(index, examples, reading, arrays[index]);
  } else {
    pool->for_ranges(count, std::max<std::int64_t>(count / kParts, 1), [&](std::int64_t first, std::int64_t last) {
      const auto some = examples.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first));
      for (std::size_t index = 0; index < arrays.size(); ++index) {
        Array part = arrays[index].sliced(0, first, last - first, 1);
        source_->read(index, some, reading, part);
      }
    });
  }
  NamedArrays result;
  for (std::size_t index = 0; index < arrays.size(); ++index) {
    result.emplace(fields()[index].name, std::move(arrays[index]));
  }
  return result;
}

NamedArrays Dataset::take(std::span<const std::int64_t> examples, const Reading& reading, ThreadPool* pool) const {
  check_examples(examples, count_, name_);
  return read(examples, reading, pool);
}

NamedArrays Dataset::take(std::int64_t first, std::int64_t last, const Reading& reading) const {
  if (first < 0 || last < first || last > count_) {
    fail(ErrorCode::bad_index, "examples from " + std::to_string(first) + " to " + std::to_string(last),
         "a range inside 0 to " + std::to_string(count_));
  }
  std::vector<std::int64_t> examples(static_cast<std::size_t>(last - first));
  std::iota(examples.begin(), examples.end(), first);
  return read(examples, reading, nullptr);
}

Array Dataset::column(std::string_view name) const {
  const std::size_t index = index_of(name);
  std::vector<std::int64_t> examples(static_cast<std::size_t>(count_));
  std::iota(examples.begin(), examples.end(), std::int64_t{0});
  const Field& field = fields()[index];
  Array into = Array::uninitialised(field.dtype, field.batch_sizes(count_));
  source_->read(index, examples, {}, into);
  return into;
}

Dataset Dataset::mapped(Transform transform, std::vector<std::string> fields) const {
  std::vector<std::size_t> indices;
  indices.reserve(fields.size());
  for (const std::string& each : fields) indices.push_back(index_of(each));
  return {name_, make_mapped(source_, std::move(transform), std::move(indices))};
}

Dataset Dataset::subset(std::vector<std::int64_t> examples) const {
  check_examples(examples, count_, name_);
  return {name_, make_subset(source_, std::move(examples))};
}

Dataset Dataset::renamed(std::string_view from, std::string to) const {
  return {name_, make_renamed(source_, index_of(from), std::move(to))};
}

Dataset Dataset::in_memory() const {
  std::vector<Array> arrays;
  for (const Field& field : fields()) arrays.push_back(column(field.name));
  return make_dataset(name_, {fields().begin(), fields().end()}, std::move(arrays));
}

Dataset concatenated(std::string name, std::vector<Dataset> parts) {
  if (parts.empty()) fail(ErrorCode::missing_value, "no data sets to put together", "at least one");
  std::vector<std::shared_ptr<const Source>> sources;
  for (const Dataset& part : parts) {
    const auto& first = parts.front().fields();
    if (!std::equal(first.begin(), first.end(), part.fields().begin(), part.fields().end())) {
      fail(ErrorCode::bad_shape, "'" + parts.front().name() + "' and '" + part.name() + "' with different fields",
           "the same fields, dtypes, sizes and classes in all parts", "map or rename the fields of one of them");
    }
    sources.push_back(part.source());
  }
  return {std::move(name), make_concatenated(std::move(sources))};
}

}  // namespace asg::data
