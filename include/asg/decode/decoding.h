#pragma once

#include <cstdint>

#include "asg/decode/language_model.h"

namespace asg::decode {

struct DecodingSpec {
  std::int64_t length = 1;       // new tokens in a run
  std::int64_t capacity = 1024;  // tokens of the longest text, those to come included
  bool logits = true;            // false: only the caches are filled, and what only logits need is not computed
};

// Of DecodingSpec::capacity; more is surely a mistake.
inline constexpr std::int64_t kMostCapacity = std::int64_t{1} << 24;

// Names of the inputs: i64[1, length], and the place of the first of these tokens in the text, i64[].
inline constexpr const char* kDecodedTokens = "tokens";
inline constexpr const char* kDecodedPosition = "position";
inline constexpr const char* kDecodedLogits = "logits";

// A model that goes on with a text: what attention computed of the tokens before lies in caches, so a run costs as much
// as its new tokens do.
//   expects:    a model whose positions meet in causal attention only (the op Attention, out of whatever layer), and
//               are counted by layers that take an offset (nn.LearnedPosition, nn.RotaryPosition …)
//   guarantees: runs that are given a text from its beginning, piece by piece, give the logits that the model gives for
//               all of it at once, but for the order of sums. Variables of the model keep their ids; caches follow,
//               the same for the same model and capacity, whatever the length.
//   how:        keys and values are written into variables of the kind `cache`, [capacity, 1, heads, width], at the
//               given position (ScatterND, which the CPU does in place), and queries look at all rows up to their own.
//               A text may be taken back by giving a lower position; tokens that are only there to fill the length are
//               overwritten by those that come after, and nobody looks at them before.
// Throws not_implemented where positions meet elsewhere, bad_attribute where length or capacity do not fit the model,
// limit_exceeded for more than kMostCapacity tokens.
Graph decoding_graph(const LanguageModel& model, const DecodingSpec& spec);

}  // namespace asg::decode
