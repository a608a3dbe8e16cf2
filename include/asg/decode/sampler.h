#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace asg::decode {

// How a token is chosen from its logits: the ones that `top_k` and then `top_p` leave, by softmax(logits /
// temperature).
struct Sampling {
  double temperature = 1;  // 0: always the likeliest
  std::int64_t top_k = 0;  // only so many of the likeliest; 0: all
  double top_p = 1;        // only as many of the likeliest as are needed for this much probability, at least one
  std::uint64_t seed = 1;
};

// Draws tokens. Of equally likely ones the lower counts as likelier. Draw number n is a function of the seed, n and the
// logits alone.
class Sampler {
 public:
  // Throws bad_attribute for a temperature below 0 or not finite, a top_k below 0, a top_p outside (0, 1].
  explicit Sampler(const Sampling& how = {});

  // Throws computation_error for logits that are NaN or all −∞, bad_shape where there are none.
  std::int64_t draw(std::span<const double> logits);

  // What `draw` chooses from: tokens, the likeliest first, and their probabilities.
  struct Candidate {
    std::int64_t token = 0;
    double probability = 0;
  };
  std::span<const Candidate> candidates(std::span<const double> logits);

 private:
  Sampling how_;
  std::uint64_t draws_ = 0;
  std::vector<Candidate> candidates_;
};

}  // namespace asg::decode
