#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "asg/core/array.h"
#include "asg/core/random.h"

namespace asg::data {

// One named array of every example: "features" u8[28, 28], "labels" i64[] of 10 classes.
struct Field {
  std::string name = {};
  DType dtype = DType::f32;
  Sizes sizes = {};                           // of one example; none: a number
  std::int64_t classes = 0;                   // above 0: the numbers are classes from 0 to classes − 1
  std::vector<std::string> class_names = {};  // empty, or one for each class

  std::string to_string() const;                   // "labels i64[] of 10 classes"
  Sizes batch_sizes(std::int64_t examples) const;  // [examples, …]
  friend bool operator==(const Field& a, const Field& b) = default;
};

// Where random transforms take their numbers from: a pure function of the seed, the epoch and what they are for, so
// that neither the number of workers nor a pause changes them.
struct Chance {
  std::uint64_t seed = 0;
  std::uint64_t epoch = 0;
  StreamKey key = 0;

  Chance of(std::uint64_t part) const { return {seed, epoch, combine(key, part)}; }
  RandomStream stream() const { return {seed, key, epoch}; }
};

// Memory that is used again: an array of it gives its memory back when the last handle to it goes, in whatever thread.
// A handle itself: copies share the memory. Thread-safe.
class Buffers {
 public:
  Buffers();
  Array take(DType dtype, Sizes sizes) const;  // content unknown
  std::int64_t allocated() const;              // how often new memory had to be made

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// How examples are read.
struct Reading {
  Chance chance = {};
  Buffers buffers = {};
};

// Where examples come from: what a data set of one's own implements. Immutable: it is read by several threads at once,
// and the same example of the same chance is the same bits.
class Source {
 public:
  virtual ~Source() = default;
  virtual std::int64_t count() const = 0;
  virtual std::span<const Field> fields() const = 0;
  // Writes one field of the given examples, each of 0 … count − 1, into a dense array [examples, …] of the field's
  // type.
  virtual void read(std::size_t field, std::span<const std::int64_t> examples, const Reading& reading,
                    Array& into) const = 0;
};

}  // namespace asg::data
