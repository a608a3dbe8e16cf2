#include "decode.h"

#include <algorithm>
#include <array>
#include <optional>

#include "byte_pair.h"
#include "normalise.h"

namespace asg::io {
namespace {

std::optional<char> fallback_byte(std::string_view token) {
  const auto digit = [](char letter) {
    if (letter >= '0' && letter <= '9') return letter - '0';
    if (letter >= 'A' && letter <= 'F') return letter - 'A' + 10;
    if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
    return -1;
  };
  if (token.size() != 6 || !token.starts_with("<0x") || token.back() != '>') return std::nullopt;
  const int high = digit(token[3]);
  const int low = digit(token[4]);
  if (high < 0 || low < 0) return std::nullopt;
  return static_cast<char>(high * 16 + low);
}

std::string decoded_text(const DecoderSpec& spec, const std::string& token) {
  if (spec.byte_level) return bytes_of_token(token).value_or(token);
  std::string text = token;
  for (const auto& [from, to] : spec.replace) {
    text = normalise(std::array{NormaliseStep{.kind = NormaliseStep::Kind::replace, .from = from, .to = to}}, text);
  }
  if (spec.byte_fallback) {
    if (const auto byte = fallback_byte(text)) return {*byte};
  }
  return text;
}

// What BERT's decoder makes of a token with the blank before it.
std::string cleaned_up(std::string text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kChanges = {{{" .", "."},
                                                                                       {" ?", "?"},
                                                                                       {" !", "!"},
                                                                                       {" ,", ","},
                                                                                       {" ' ", "'"},
                                                                                       {" n't", "n't"},
                                                                                       {" 'm", "'m"},
                                                                                       {" 's", "'s"},
                                                                                       {" 've", "'ve"},
                                                                                       {" 're", "'re"}}};
  for (const auto& [from, to] : kChanges) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
      text.replace(at, from.size(), to);
    }
  }
  return text;
}

}  // namespace

Decoder::Decoder(const Vocabulary& vocabulary, DecoderSpec spec, std::span<const TokenId> added)
    : spec_(std::move(spec)) {
  std::vector<bool> is_added(vocabulary.size(), false);
  for (const TokenId id : added) is_added[static_cast<std::size_t>(id)] = true;
  begins_.reserve(vocabulary.size() + 1);
  for (TokenId id = 0; static_cast<std::size_t>(id) < vocabulary.size(); ++id) {
    begins_.push_back(texts_.size());
    if (!vocabulary.holds(id)) continue;
    const std::string& token = vocabulary.text(id);
    texts_ += is_added[static_cast<std::size_t>(id)] ? token : decoded_text(spec_, token);
  }
  begins_.push_back(texts_.size());
}

void Decoder::append_word_piece(std::string& out, std::string_view token, bool first) const {
  std::string text;
  if (!first && token.starts_with(spec_.prefix)) {
    text = token.substr(spec_.prefix.size());
  } else {
    if (!first) text = " ";
    text += token;
  }
  out += spec_.clean_up ? cleaned_up(std::move(text)) : text;
}

std::string Decoder::decode(std::span<const TokenId> ids) const {
  std::string out;
  bool first = true;
  for (const TokenId id : ids) {
    if (spec_.join == DecoderSpec::Join::word_pieces) {
      append_word_piece(out, text_of(id), first);
    } else {
      if (spec_.join == DecoderSpec::Join::blanks && !first) out += ' ';
      out += text_of(id);
    }
    first = false;
  }
  std::size_t begin = 0;
  while (begin < spec_.strip_begin && begin < out.size() && out[begin] == spec_.strip) ++begin;
  std::size_t dropped = 0;
  while (dropped < spec_.strip_end && out.size() > begin + dropped && out[out.size() - 1 - dropped] == spec_.strip)
    ++dropped;
  return begin + dropped == 0 ? out : out.substr(begin, out.size() - begin - dropped);
}

}  // namespace asg::io
