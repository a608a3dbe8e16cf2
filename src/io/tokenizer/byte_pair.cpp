#include "byte_pair.h"

#include <algorithm>
#include <limits>

#include "asg/core/error.h"
#include "utf8.h"

namespace asg::io {
namespace {

constexpr std::uint64_t kNoMerge = FlatMap::kNone;
constexpr std::size_t kFew = 40;  // symbols up to which looking at all pairs is faster than a heap

// Bytes that are printable characters of Latin-1 stand for themselves, the others for the characters from U+0100 on.
bool is_printable(unsigned byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || (byte >= 0xAE && byte <= 0xFF);
}

struct ByteAlphabet {
  std::array<char32_t, 256> character_of = {};
  std::array<int, 0x200> byte_of = {};
};

ByteAlphabet make_alphabet() {
  ByteAlphabet alphabet;
  alphabet.byte_of.fill(-1);
  char32_t next = 0x100;
  for (unsigned byte = 0; byte < 256; ++byte) {
    alphabet.character_of[byte] = is_printable(byte) ? byte : next++;
    alphabet.byte_of[alphabet.character_of[byte]] = static_cast<int>(byte);
  }
  return alphabet;
}

const ByteAlphabet& alphabet() {
  static const ByteAlphabet instance = make_alphabet();
  return instance;
}

std::string fallback_token(unsigned byte) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  return {'<', '0', 'x', kDigits[byte >> 4], kDigits[byte & 15], '>'};
}

[[noreturn]] void refuse(std::string_view character) {
  fail(ErrorCode::computation_error, "a text with " + shown(character) + ", which the vocabulary lacks",
       "characters that are tokens, or a token for unknown ones", "make the vocabulary from a text that holds it");
}

}  // namespace

std::optional<std::string> bytes_of_token(std::string_view token) {
  std::string bytes;
  for (std::size_t at = 0; at < token.size();) {
    const Decoded next = decode_at(token, at);
    if (next.code >= alphabet().byte_of.size() || alphabet().byte_of[next.code] < 0) return std::nullopt;
    bytes += static_cast<char>(alphabet().byte_of[next.code]);
    at += next.bytes;
  }
  return bytes;
}

std::string token_of_bytes(std::string_view bytes) {
  std::string token;
  for (const char byte : bytes) append_utf8(token, alphabet().character_of[static_cast<unsigned char>(byte)]);
  return token;
}

BytePairModel::BytePairModel(const Vocabulary& vocabulary, BytePairSpec spec)
    : vocabulary_(&vocabulary),
      spec_(std::move(spec)),
      has_merges_(!spec_.merges.empty()),
      merges_(spec_.merges.size()) {
  for (std::size_t rank = 0; rank < spec_.merges.size(); ++rank) {
    const auto& [left, right] = spec_.merges[rank];
    const bool is_new =
        merges_.insert(std::uint64_t{static_cast<std::uint32_t>(left)} << 32 | static_cast<std::uint32_t>(right),
                       std::uint64_t{rank} << 32 | static_cast<std::uint32_t>(spec_.merged[rank]));
    if (!is_new) {
      fail(ErrorCode::bad_json,
           "the merge of " + shown(vocabulary.text(left)) + " and " + shown(vocabulary.text(right)) + " twice",
           "each merge once");
    }
  }
  spec_.merges = {};  // the table holds them now
  spec_.merged = {};
  for (unsigned byte = 0; byte < 256; ++byte) {
    const char letter = static_cast<char>(byte);
    const std::string token = spec_.byte_level ? token_of_bytes({&letter, 1}) : fallback_token(byte);
    byte_tokens_[byte] = vocabulary.find(token).value_or(-1);
  }
  if (!spec_.ignore_merges || !spec_.byte_level) return;
  for (TokenId id = 0; static_cast<std::size_t>(id) < vocabulary.size(); ++id) {
    if (!vocabulary.holds(id)) continue;
    if (auto bytes = bytes_of_token(vocabulary.text(id))) words_of_bytes_.emplace(std::move(*bytes), id);
  }
}

void BytePairModel::add_unknown(std::string_view character, bool& is_after_unknown, std::vector<TokenId>& ids) const {
  if (!spec_.unknown) refuse(character);
  if (!is_after_unknown || !spec_.fuse_unknown) ids.push_back(*spec_.unknown);
  is_after_unknown = true;
}

bool BytePairModel::add_bytes_of(std::string_view character, std::vector<TokenId>& ids) const {
  const auto token = [this](char byte) { return byte_tokens_[static_cast<unsigned char>(byte)]; };
  const bool all = std::all_of(character.begin(), character.end(), [&](char byte) { return token(byte) >= 0; });
  if (!all) return false;
  for (const char byte : character) ids.push_back(token(byte));
  return true;
}

void BytePairModel::begin_with_bytes(std::string_view word, std::vector<TokenId>& ids) const {
  bool is_after_unknown = false;
  for (const char& byte : word) {
    const TokenId id = byte_tokens_[static_cast<unsigned char>(byte)];
    if (id >= 0) {
      ids.push_back(id);
      is_after_unknown = false;
    } else {
      add_unknown({&byte, 1}, is_after_unknown, ids);
    }
  }
}

void BytePairModel::begin_with_characters(std::string_view word, std::vector<TokenId>& ids) const {
  bool is_after_unknown = false;
  for (std::size_t at = 0; at < word.size();) {
    const std::string_view character = word.substr(at, decode_at(word, at).bytes);
    at += character.size();
    if (const auto id = vocabulary_->find(character)) {
      ids.push_back(*id);
      is_after_unknown = false;
    } else if (spec_.byte_fallback && add_bytes_of(character, ids)) {
      is_after_unknown = false;
    } else {
      add_unknown(character, is_after_unknown, ids);
    }
  }
}

void BytePairModel::encode(std::string_view word, MergeScratch& scratch, std::vector<TokenId>& out) const {
  if (word.size() >= std::numeric_limits<std::uint32_t>::max()) {
    fail(ErrorCode::limit_exceeded, "a word of " + std::to_string(word.size()) + " bytes", "words below 4 GiB",
         "cut the text");
  }
  if (spec_.ignore_merges) {
    if (!spec_.byte_level) {
      if (const auto id = vocabulary_->find(word)) return out.push_back(*id);
    } else if (const auto found = words_of_bytes_.find(std::string(word)); found != words_of_bytes_.end()) {
      return out.push_back(found->second);
    }
  }
  scratch.ids.clear();
  spec_.byte_level ? begin_with_bytes(word, scratch.ids) : begin_with_characters(word, scratch.ids);
  if (has_merges() && scratch.ids.size() > 1) {
    scratch.ids.size() <= kFew ? merge_few(scratch) : merge_many(scratch);
  }
  out.insert(out.end(), scratch.ids.begin(), scratch.ids.end());
}

// The leftmost of the most wanted pairs is merged; then two new pairs are looked up.
void BytePairModel::merge_few(MergeScratch& scratch) const {
  std::vector<TokenId>& ids = scratch.ids;
  std::vector<std::uint64_t>& merges = scratch.merges;
  merges.clear();
  for (std::size_t k = 0; k + 1 < ids.size(); ++k) merges.push_back(merge_of(ids[k], ids[k + 1]));
  while (!merges.empty()) {
    const auto best = std::min_element(merges.begin(), merges.end());
    if (*best == kNoMerge) break;
    const auto at = static_cast<std::size_t>(best - merges.begin());
    ids[at] = static_cast<TokenId>(*best & 0xFFFFFFFFU);
    ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    merges.erase(best);
    if (at > 0) merges[at - 1] = merge_of(ids[at - 1], ids[at]);
    if (at + 1 < ids.size()) merges[at] = merge_of(ids[at], ids[at + 1]);
  }
}

// The same with a heap of (rank, place) and a linked list of symbols: n log n for a word of n symbols. An entry of the
// heap is stale once the pair at its place has another rank; different pairs never have the same.
void BytePairModel::merge_many(MergeScratch& scratch) const {
  constexpr std::uint32_t kEnd = std::numeric_limits<std::uint32_t>::max();
  constexpr TokenId kGone = -1;
  std::vector<MergeScratch::Symbol>& symbols = scratch.symbols;
  std::vector<std::uint64_t>& heap = scratch.merges;
  const auto count = static_cast<std::uint32_t>(scratch.ids.size());
  symbols.clear();
  heap.clear();
  for (std::uint32_t k = 0; k < count; ++k) {
    symbols.push_back({scratch.ids[k], k == 0 ? kEnd : k - 1, k + 1 == count ? kEnd : k + 1});
  }
  const auto pair_at = [&](std::uint32_t place) {
    const MergeScratch::Symbol& symbol = symbols[place];
    return symbol.id == kGone || symbol.after == kEnd ? kNoMerge : merge_of(symbol.id, symbols[symbol.after].id);
  };
  const auto entry_of = [](std::uint64_t merge, std::uint32_t place) { return (merge >> 32 << 32) | place; };
  for (std::uint32_t k = 0; k + 1 < count; ++k) {
    if (const std::uint64_t merge = pair_at(k); merge != kNoMerge) heap.push_back(entry_of(merge, k));
  }
  std::make_heap(heap.begin(), heap.end(), std::greater<>());
  const auto consider = [&](std::uint32_t place) {
    if (const std::uint64_t merge = pair_at(place); merge != kNoMerge) {
      heap.push_back(entry_of(merge, place));
      std::push_heap(heap.begin(), heap.end(), std::greater<>());
    }
  };
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end(), std::greater<>());
    const std::uint64_t entry = heap.back();
    heap.pop_back();
    const auto place = static_cast<std::uint32_t>(entry & 0xFFFFFFFFU);
    const std::uint64_t merge = pair_at(place);
    if (merge == kNoMerge || merge >> 32 != entry >> 32) continue;
    MergeScratch::Symbol& symbol = symbols[place];
    MergeScratch::Symbol& next = symbols[symbol.after];
    symbol.id = static_cast<TokenId>(merge & 0xFFFFFFFFU);
    symbol.after = next.after;
    next.id = kGone;
    if (symbol.after != kEnd) symbols[symbol.after].before = place;
    consider(place);
    if (symbol.before != kEnd) consider(symbol.before);
  }
  scratch.ids.clear();
  for (std::uint32_t place = 0; place != kEnd; place = symbols[place].after) scratch.ids.push_back(symbols[place].id);
}

}  // namespace asg::io
