// Learning of byte pairs: the most frequent pair of neighbouring tokens becomes a token, again and again.
#include <algorithm>
#include <queue>
#include <unordered_map>

#include "json.h"
#include "utf8.h"

namespace asg::io {
namespace {

using Pair = std::uint64_t;  // left token in the upper half, right token in the lower

Pair pair_of(TokenId left, TokenId right) {
  return std::uint64_t{static_cast<std::uint32_t>(left)} << 32 | static_cast<std::uint32_t>(right);
}
TokenId left_of(Pair pair) { return static_cast<TokenId>(pair >> 32); }
TokenId right_of(Pair pair) { return static_cast<TokenId>(pair & 0xFFFFFFFFU); }

struct Word {
  std::vector<TokenId> tokens;
  std::int64_t count = 0;
};

// Different words, the alphabetically first at the front: an order that does not depend on hashes.
std::vector<Word> words_of(std::string_view text) {
  std::unordered_map<std::string_view, std::int64_t> counts;
  const auto count = [&counts](std::string_view word) { ++counts[word]; };
  const SplitStep step = {.kind = SplitKind::gpt2};
  split(std::span(&step, 1), text, count);
  std::vector<std::pair<std::string_view, std::int64_t>> sorted(counts.begin(), counts.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<Word> words;
  words.reserve(sorted.size());
  for (const auto& [word, number] : sorted) {
    Word& next = words.emplace_back();
    next.count = number;
    for (const char byte : word) next.tokens.push_back(static_cast<unsigned char>(byte));
  }
  return words;
}

// Keeps how often each pair stands in all words, and in which of them it may stand.
class PairCounts {
 public:
  explicit PairCounts(std::vector<Word> words) : words_(std::move(words)) {
    for (std::size_t k = 0; k < words_.size(); ++k) {
      const std::vector<TokenId>& tokens = words_[k].tokens;
      for (std::size_t at = 0; at + 1 < tokens.size(); ++at)
        change(pair_of(tokens[at], tokens[at + 1]), k, words_[k].count);
    }
    for (const auto& [pair, seen] : seen_) queue_.push({seen.count, pair});
  }

  // The most frequent pair, of several the one with the smallest ids; nothing where all are rarer than `least`.
  std::optional<Pair> most_frequent(std::int64_t least) {
    while (!queue_.empty()) {
      const Entry top = queue_.top();
      const std::int64_t now = seen_.at(top.pair).count;
      if (now == top.count) return now < least ? std::nullopt : std::optional(top.pair);
      queue_.pop();  // its count has changed since
      if (now > 0) queue_.push({now, top.pair});
    }
    return std::nullopt;
  }

  void merge(Pair pair, TokenId merged) {
    std::vector<std::size_t> places = std::move(seen_.at(pair).words);
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    std::vector<Pair> grown;
    for (const std::size_t word : places) merge_in(word, pair, merged, grown);
    std::sort(grown.begin(), grown.end());
    grown.erase(std::unique(grown.begin(), grown.end()), grown.end());
    for (const Pair changed : grown) queue_.push({seen_.at(changed).count, changed});
  }

 private:
  struct Seen {
    std::int64_t count = 0;
    std::vector<std::size_t> words = {};
  };
  struct Entry {
    std::int64_t count = 0;
    Pair pair = 0;
    friend bool operator<(const Entry& a, const Entry& b) {
      return a.count != b.count ? a.count < b.count : a.pair > b.pair;
    }
  };

  void change(Pair pair, std::size_t word, std::int64_t by) {
    Seen& seen = seen_[pair];
    seen.count += by;
    if (by > 0 && (seen.words.empty() || seen.words.back() != word)) seen.words.push_back(word);
  }

  void merge_in(std::size_t place, Pair pair, TokenId merged, std::vector<Pair>& grown) {
    Word& word = words_[place];
    std::vector<TokenId>& tokens = word.tokens;
    std::size_t kept = 0;
    for (std::size_t at = 0; at < tokens.size(); ++kept) {
      const bool here = at + 1 < tokens.size() && pair_of(tokens[at], tokens[at + 1]) == pair;
      if (!here) {
        tokens[kept] = tokens[at++];
        continue;
      }
      change(pair, place, -word.count);
      if (kept > 0) {
        change(pair_of(tokens[kept - 1], left_of(pair)), place, -word.count);
        change(pair_of(tokens[kept - 1], merged), place, word.count);
        grown.push_back(pair_of(tokens[kept - 1], merged));
      }
      if (at + 2 < tokens.size()) {
        change(pair_of(right_of(pair), tokens[at + 2]), place, -word.count);
        change(pair_of(merged, tokens[at + 2]), place, word.count);
        grown.push_back(pair_of(merged, tokens[at + 2]));
      }
      tokens[kept] = merged;
      at += 2;
    }
    tokens.resize(kept);
  }

  std::vector<Word> words_;
  std::unordered_map<Pair, Seen> seen_;
  std::priority_queue<Entry> queue_;
};

void check(const BytePairTraining& training) {
  constexpr std::int64_t kBytes = 256;
  constexpr std::int64_t kMost = 1 << 24;
  const auto least = kBytes + static_cast<std::int64_t>(training.special.size());
  if (training.vocabulary_size < least || training.vocabulary_size > kMost) {
    fail(ErrorCode::bad_attribute, "a vocabulary of " + std::to_string(training.vocabulary_size) + " tokens",
         "from " + std::to_string(least) + ", for the bytes and the special tokens, to " + std::to_string(kMost));
  }
  std::vector<std::string> names = training.special;
  std::sort(names.begin(), names.end());
  for (std::size_t k = 0; k < names.size(); ++k) {
    const bool again = k > 0 && names[k] == names[k - 1];
    if (names[k].size() > 1 && is_utf8(names[k]) && !again) continue;
    fail(ErrorCode::bad_attribute, "the special token " + shown(std::string_view(names[k])) + (again ? " twice" : ""),
         "different names of at least two characters");
  }
}

}  // namespace

Tokenizer train_byte_pair(std::string_view text, const BytePairTraining& training) {
  check(training);
  const std::int64_t room = training.vocabulary_size - static_cast<std::int64_t>(training.special.size());
  std::vector<std::string> bytes;  // of the tokens
  for (int byte = 0; byte < 256; ++byte) bytes.emplace_back(1, static_cast<char>(byte));
  std::unordered_map<std::string, TokenId> ids;
  for (std::size_t byte = 0; byte < bytes.size(); ++byte) ids.emplace(bytes[byte], static_cast<TokenId>(byte));
  Json merges = Json::array();
  PairCounts counts(words_of(text));
  while (static_cast<std::int64_t>(bytes.size()) < room) {
    const auto pair = counts.most_frequent(std::max<std::int64_t>(training.least_count, 1));
    if (!pair) break;
    const std::string& left = bytes[static_cast<std::size_t>(left_of(*pair))];
    const std::string& right = bytes[static_cast<std::size_t>(right_of(*pair))];
    merges.push_back(token_of_bytes(left) + " " + token_of_bytes(right));
    // Two pairs may give the same bytes: a·bc and ab·c.
    const auto [merged, is_new] = ids.emplace(left + right, static_cast<TokenId>(bytes.size()));
    if (is_new) bytes.push_back(merged->first);
    counts.merge(*pair, merged->second);
    if (is_new && training.progress) training.progress(static_cast<std::int64_t>(bytes.size()), room);
  }
  Json vocabulary = Json::object();
  for (std::size_t id = 0; id < bytes.size(); ++id) vocabulary[token_of_bytes(bytes[id])] = id;
  for (const std::string& name : training.special) {
    const std::size_t id = vocabulary.size();
    vocabulary.emplace(name, id);
  }
  return byte_level_tokenizer(std::move(vocabulary), std::move(merges), training.special);
}

}  // namespace asg::io
