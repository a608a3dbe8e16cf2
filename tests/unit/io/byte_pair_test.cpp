// Byte-pair encoding against its definition: merge the leftmost of the most wanted pairs until there is none.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "asg/core/platform.h"
#include "asg/core/random.h"
#include "asg/io/tokenizer.h"
#include "io/tokenizer/split.h"
#include "support/amount.h"

namespace asg::io {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

// Merges in the order in which they are wanted.
struct Merges {
  std::map<std::pair<std::string, std::string>, std::size_t> ranks;

  void add(const std::string& first, const std::string& second) {
    ranks.emplace(std::pair(first, second), ranks.size());
  }

  std::optional<std::size_t> rank_of(const std::string& first, const std::string& second) const {
    const auto found = ranks.find({first, second});
    return found == ranks.end() ? std::nullopt : std::optional(found->second);
  }

  Words applied_to(Words symbols) const {
    for (;;) {
      std::optional<std::size_t> best;
      std::size_t place = 0;
      for (std::size_t k = 0; k + 1 < symbols.size(); ++k) {
        const auto rank = rank_of(symbols[k], symbols[k + 1]);
        if (!rank || (best && *best <= *rank)) continue;
        best = rank;
        place = k;
      }
      if (!best) return symbols;
      symbols[place] += symbols[place + 1];
      symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(place) + 1);
    }
  }
};

// Random merges of a few letters: many of them compete for the same symbols, and some make the same token.
class DrawnVocabulary {
 public:
  explicit DrawnVocabulary(std::uint64_t seed) : random_(seed, 1) {
    for (std::uint64_t letter = 0; letter < 2 + draw(4); ++letter) {
      letters_.emplace_back(1, static_cast<char>('a' + letter));
    }
    Words tokens = letters_;
    const std::uint64_t count = 3 + draw(40);
    while (merges_.ranks.size() < count) {
      const std::string first = tokens[draw(tokens.size())];
      const std::string second = tokens[draw(tokens.size())];
      if (first.size() + second.size() > 12) continue;
      const std::string joined = first + second;
      if (std::find(tokens.begin(), tokens.end(), joined) == tokens.end()) tokens.push_back(joined);
      if (!merges_.rank_of(first, second)) lines_ += first + " " + second + "\n";
      merges_.add(first, second);
    }
    for (std::size_t id = 0; id < tokens.size(); ++id) ids_[tokens[id]] = id;
  }

  const Merges& merges() const { return merges_; }
  Tokenizer tokenizer() const { return gpt2_tokenizer(ids_.dump(), "#version: 0.2\n" + lines_); }

  Words word(std::uint64_t length) {
    Words symbols;
    for (std::uint64_t k = 0; k < length; ++k) symbols.push_back(letters_[draw(letters_.size())]);
    return symbols;
  }

  std::uint64_t draw(std::uint64_t below) { return random_.below(next_++, below); }

 private:
  RandomStream random_;
  std::uint64_t next_ = 0;
  Words letters_;
  Merges merges_;
  std::string lines_;
  Json ids_ = Json::object();
};

std::string joined(const Words& symbols) {
  std::string text;
  for (const std::string& symbol : symbols) text += symbol;
  return text;
}

Words tokens_of(const Tokenizer& tokenizer, std::string_view text) {
  Words tokens;
  for (const TokenId id : tokenizer.encode(text)) tokens.emplace_back(tokenizer.token(id).value());
  return tokens;
}

TEST(BytePair, WordsOfRandomVocabulariesAreMergedGreedily) {
  constexpr std::uint64_t kVocabularies = test::amount(200, 20);
  for (std::uint64_t seed = 1; seed <= kVocabularies; ++seed) {
    DrawnVocabulary vocabulary(seed);
    const Tokenizer tokenizer = vocabulary.tokenizer();
    // Short words and long ones are merged in two ways.
    for (const std::uint64_t longest : {4, 30, 60, 300}) {
      const Words word = vocabulary.word(1 + vocabulary.draw(longest));
      ASSERT_EQ(tokens_of(tokenizer, joined(word)), vocabulary.merges().applied_to(word)) << "seed " << seed;
    }
  }
}

// A vocabulary that was learnt from a text, on that text: pieces, bytes and merges together, as with GPT-2's own files.
TEST(BytePair, ATextIsCutThenMergedGreedily) {
  const std::string text = platform::read_file(ASG_SOURCE_DIR "/tests/unit/io/tokenisers/nasty.txt");
  const Tokenizer tokenizer = train_byte_pair(text, {.vocabulary_size = 500, .special = {}});
  Merges merges;
  const Json file = Json::parse(tokenizer.to_json());
  for (const Json& merge : file.at("model").at("merges")) {
    const std::string pair = merge.is_string() ? merge.get<std::string>() : "";
    const std::size_t blank = pair.find(' ');
    ASSERT_NE(blank, std::string::npos) << merge;
    merges.add(pair.substr(0, blank), pair.substr(blank + 1));
  }
  ASSERT_EQ(merges.ranks.size(), 500U - 256U);
  Words expected;
  const auto merge_piece = [&](std::string_view piece) {
    Words symbols;
    for (const char byte : piece) symbols.push_back(tokens_of(tokenizer, {&byte, 1}).front());
    const Words merged = merges.applied_to(std::move(symbols));
    expected.insert(expected.end(), merged.begin(), merged.end());
  };
  const SplitStep step = {.kind = SplitKind::gpt2};
  split(std::span(&step, 1), text, merge_piece);
  EXPECT_EQ(tokens_of(tokenizer, text), expected);
  EXPECT_EQ(tokenizer.decode(tokenizer.encode(text)), text);
}

}  // namespace
}  // namespace asg::io
