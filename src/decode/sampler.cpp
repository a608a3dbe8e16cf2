#include "asg/decode/sampler.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "asg/core/error.h"
#include "asg/core/random.h"

namespace asg::decode {
namespace {

void check_sampling(const Sampling& how) {
  if (!(how.temperature >= 0) || !std::isfinite(how.temperature)) {
    fail(ErrorCode::bad_attribute, "a temperature of " + std::to_string(how.temperature),
         "0 (always the likeliest token) or more", "1 draws by the probabilities of the model");
  }
  if (how.top_k < 0) {
    fail(ErrorCode::bad_attribute, "a top_k of " + std::to_string(how.top_k), "1 or more; 0 means all tokens");
  }
  if (!(how.top_p > 0) || how.top_p > 1) {
    fail(ErrorCode::bad_attribute, "a top_p of " + std::to_string(how.top_p), "more than 0 and at most 1");
  }
}

bool is_likelier(const Sampler::Candidate& a, const Sampler::Candidate& b) {
  return a.probability != b.probability ? a.probability > b.probability : a.token < b.token;
}

// The likeliest candidates whose probabilities, in order, reach `share` of all.
std::size_t count_for_share(std::span<const Sampler::Candidate> sorted, double share) {
  double all = 0;
  for (const Sampler::Candidate& each : sorted) all += each.probability;
  double sum = 0;
  for (std::size_t count = 0; count < sorted.size(); ++count) {
    sum += sorted[count].probability;
    if (sum >= share * all) return count + 1;
  }
  return sorted.size();
}

}  // namespace

Sampler::Sampler(const Sampling& how) : how_(how) { check_sampling(how); }

std::span<const Sampler::Candidate> Sampler::candidates(std::span<const double> logits) {
  if (logits.empty()) fail(ErrorCode::bad_shape, "no logits", "one for each token of the vocabulary");
  candidates_.resize(logits.size());
  for (std::size_t k = 0; k < logits.size(); ++k) {
    if (std::isnan(logits[k])) {
      fail(ErrorCode::computation_error, "a logit that is not a number, of token " + std::to_string(k),
           "numbers to choose a token by", "the weights, or the text, made the model overflow");
    }
    candidates_[k] = {static_cast<std::int64_t>(k), logits[k]};
  }
  const auto best = *std::min_element(candidates_.begin(), candidates_.end(), is_likelier);
  if (std::isinf(best.probability) && best.probability < 0) {
    fail(ErrorCode::computation_error, "logits that are all minus infinity", "at least one token that may follow");
  }
  // One that is infinite beats all that are not.
  if (how_.temperature == 0 || how_.top_k == 1 || std::isinf(best.probability)) {
    candidates_.assign(1, {best.token, 1});
    return candidates_;
  }
  if (how_.top_k > 0 && how_.top_k < static_cast<std::int64_t>(candidates_.size())) {
    std::partial_sort(candidates_.begin(), candidates_.begin() + how_.top_k, candidates_.end(), is_likelier);
    candidates_.resize(static_cast<std::size_t>(how_.top_k));
  } else {
    std::sort(candidates_.begin(), candidates_.end(), is_likelier);
  }
  for (Candidate& each : candidates_) {
    each.probability = std::exp((each.probability - best.probability) / how_.temperature);
  }
  if (how_.top_p < 1) candidates_.resize(count_for_share(candidates_, how_.top_p));
  double all = 0;
  for (const Candidate& each : candidates_) all += each.probability;
  for (Candidate& each : candidates_) each.probability /= all;
  return candidates_;
}

std::int64_t Sampler::draw(std::span<const double> logits) {
  const auto from = candidates(logits);
  const double drawn = RandomStream(how_.seed, combine(StreamKey{0}, "generate")).uniform(draws_++);
  double sum = 0;
  for (const Candidate& each : from) {
    sum += each.probability;
    if (drawn < sum) return each.token;
  }
  return from.back().token;
}

}  // namespace asg::decode
