#include "word_piece.h"

#include <algorithm>

namespace asg::io {

WordPieceModel::WordPieceModel(const Vocabulary& vocabulary, WordPieceSpec spec) : spec_(std::move(spec)) {
  for (TokenId id = 0; static_cast<std::size_t>(id) < vocabulary.size(); ++id) {
    if (vocabulary.holds(id)) pieces_.add(vocabulary.text(id), id);
  }
  inside_ = pieces_.walk(spec_.prefix);
}

void WordPieceModel::encode(std::string_view word, std::vector<TokenId>& out) const {
  const auto is_begin = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80; };
  const std::size_t before = out.size();
  bool known = static_cast<std::size_t>(std::count_if(word.begin(), word.end(), is_begin)) <= spec_.most_characters;
  for (std::size_t at = 0; known && at < word.size();) {
    const ByteTrie::Match piece = pieces_.longest(word, at, at == 0 ? ByteTrie::kRoot : inside_);
    known = piece.length > 0;
    out.push_back(piece.id);
    at += piece.length;
  }
  if (known) return;
  out.resize(before);
  out.push_back(spec_.unknown);
}

}  // namespace asg::io
