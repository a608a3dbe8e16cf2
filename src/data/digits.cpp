#include "asg/data/digits.h"

#include <span>

#include "asg/data/idx.h"

extern "C" {
extern const unsigned char asg_digits_images_begin[];
extern const unsigned char asg_digits_images_end[];
extern const unsigned char asg_digits_labels_begin[];
extern const unsigned char asg_digits_labels_end[];
}

namespace asg::data {
namespace {

Array embedded(const unsigned char* begin, const unsigned char* end) {
  return read_idx(std::as_bytes(std::span(begin, end)));
}

}  // namespace

Dataset digits() {
  constexpr float kBrightest = 16;
  constexpr std::int64_t kClasses = 10;
  Array features = embedded(asg_digits_images_begin, asg_digits_images_end).cast(DType::f32);
  for (float& pixel : features.mutable_data<float>()) pixel /= kBrightest;
  Array labels = embedded(asg_digits_labels_begin, asg_digits_labels_end).cast(DType::i64);
  return make_dataset("digits", std::move(features), std::move(labels), kClasses);
}

}  // namespace asg::data
