#include "derived.h"

#include <algorithm>
#include <cstring>

#include "asg/core/error.h"

namespace asg::data {
namespace {

class Mapped : public Source {
 public:
  Mapped(std::shared_ptr<const Source> inner, Transform transform, std::vector<std::size_t> mapped)
      : inner_(std::move(inner)), transform_(std::move(transform)), mapped_(std::move(mapped)) {
    fields_.assign(inner_->fields().begin(), inner_->fields().end());
    for (const std::size_t index : mapped_) fields_[index] = transform_.type(fields_[index]);
  }

  std::int64_t count() const override { return inner_->count(); }
  std::span<const Field> fields() const override { return fields_; }

  void read(std::size_t field, std::span<const std::int64_t> examples, const Reading& reading,
            Array& into) const override {
    // Transforms above each other draw other numbers.
    const Reading below{reading.chance.of(0), reading.buffers};
    if (std::find(mapped_.begin(), mapped_.end(), field) == mapped_.end()) {
      inner_->read(field, examples, below, into);
      return;
    }
    const Field& given = inner_->fields()[field];
    Array rows = reading.buffers.take(given.dtype, given.batch_sizes(static_cast<std::int64_t>(examples.size())));
    inner_->read(field, examples, below, rows);
    const Reading own{reading.chance.of(1), reading.buffers};
    transform_.apply(rows, {examples, own}, into);
  }

 private:
  std::shared_ptr<const Source> inner_;
  Transform transform_;
  std::vector<std::size_t> mapped_;
  std::vector<Field> fields_;
};

class Subset : public Source {
 public:
  Subset(std::shared_ptr<const Source> inner, std::vector<std::int64_t> examples)
      : inner_(std::move(inner)), examples_(std::move(examples)) {}

  std::int64_t count() const override { return static_cast<std::int64_t>(examples_.size()); }
  std::span<const Field> fields() const override { return inner_->fields(); }

  void read(std::size_t field, std::span<const std::int64_t> examples, const Reading& reading,
            Array& into) const override {
    std::vector<std::int64_t> inside;
    inside.reserve(examples.size());
    for (const std::int64_t example : examples) inside.push_back(examples_[static_cast<std::size_t>(example)]);
    inner_->read(field, inside, reading, into);
  }

 private:
  std::shared_ptr<const Source> inner_;
  std::vector<std::int64_t> examples_;
};

class Renamed : public Source {
 public:
  Renamed(std::shared_ptr<const Source> inner, std::size_t field, std::string name) : inner_(std::move(inner)) {
    fields_.assign(inner_->fields().begin(), inner_->fields().end());
    fields_[field].name = std::move(name);
  }

  std::int64_t count() const override { return inner_->count(); }
  std::span<const Field> fields() const override { return fields_; }
  void read(std::size_t field, std::span<const std::int64_t> examples, const Reading& reading,
            Array& into) const override {
    inner_->read(field, examples, reading, into);
  }

 private:
  std::shared_ptr<const Source> inner_;
  std::vector<Field> fields_;
};

class Concatenated : public Source {
 public:
  explicit Concatenated(std::vector<std::shared_ptr<const Source>> parts) : parts_(std::move(parts)) {
    for (const auto& part : parts_) ends_.push_back((ends_.empty() ? 0 : ends_.back()) + part->count());
  }

  std::int64_t count() const override { return ends_.back(); }
  std::span<const Field> fields() const override { return parts_.front()->fields(); }

  // Each part is read once, for all of its examples, and the rows are put where they belong.
  void read(std::size_t field, std::span<const std::int64_t> examples, const Reading& reading,
            Array& into) const override {
    const Field& type = fields()[field];
    const std::int64_t row_bytes = element_count(type.sizes) * bytes_of(type.dtype);
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      const std::int64_t first = part == 0 ? 0 : ends_[part - 1];
      std::vector<std::int64_t> inside;
      std::vector<std::int64_t> places;
      for (std::size_t row = 0; row < examples.size(); ++row) {
        if (examples[row] < first || examples[row] >= ends_[part]) continue;
        inside.push_back(examples[row] - first);
        places.push_back(static_cast<std::int64_t>(row));
      }
      if (inside.empty() || row_bytes == 0) continue;
      const Reading own{reading.chance.of(part), reading.buffers};
      Array rows = reading.buffers.take(type.dtype, type.batch_sizes(static_cast<std::int64_t>(inside.size())));
      parts_[part]->read(field, inside, own, rows);
      for (std::size_t k = 0; k < places.size(); ++k) {
        std::memcpy(into.raw() + places[k] * row_bytes, rows.raw() + static_cast<std::int64_t>(k) * row_bytes,
                    static_cast<std::size_t>(row_bytes));
      }
    }
  }

 private:
  std::vector<std::shared_ptr<const Source>> parts_;
  std::vector<std::int64_t> ends_;  // of the examples of each part
};

}  // namespace

std::shared_ptr<const Source> make_mapped(std::shared_ptr<const Source> inner, Transform transform,
                                          std::vector<std::size_t> fields) {
  if (fields.size() == 1) {
    if (auto looked_up = make_looked_up(inner, transform, fields.front())) return looked_up;
  }
  return std::make_shared<Mapped>(std::move(inner), std::move(transform), std::move(fields));
}

std::shared_ptr<const Source> make_subset(std::shared_ptr<const Source> inner, std::vector<std::int64_t> examples) {
  return std::make_shared<Subset>(std::move(inner), std::move(examples));
}

std::shared_ptr<const Source> make_renamed(std::shared_ptr<const Source> inner, std::size_t field, std::string name) {
  return std::make_shared<Renamed>(std::move(inner), field, std::move(name));
}

std::shared_ptr<const Source> make_concatenated(std::vector<std::shared_ptr<const Source>> parts) {
  return std::make_shared<Concatenated>(std::move(parts));
}

}  // namespace asg::data
