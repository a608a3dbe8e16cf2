#pragma once

#include <cstdint>

// What the models of the zoo take. Inputs are named as the Trainer expects them: pictures are "features" and their
// classes "labels"; text is "tokens", and what follows each of them "targets".
namespace asg::zoo {

// Pictures, f32[batch, channels, height, width].
struct Images {
  std::int64_t channels = 3;
  std::int64_t height = 224;
  std::int64_t width = 224;
  std::int64_t batch = 0;    // 0: any
  bool channel_axis = true;  // false: grey pictures that come as [batch, height, width]
};

// Text, i64[batch, length].
struct Tokens {
  std::int64_t vocabulary = 50257;
  std::int64_t batch = 0;   // 0: any
  std::int64_t length = 0;  // 0: any
};

}  // namespace asg::zoo
