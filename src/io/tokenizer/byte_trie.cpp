#include "byte_trie.h"

namespace asg::io {

void ByteTrie::add(std::string_view word, TokenId id) {
  if (word.empty()) return;
  begins_[static_cast<unsigned char>(word.front())] = true;
  Node node = kRoot;
  for (const char byte : word) {
    Node next = step(node, byte);
    if (next == kNowhere) {
      next = static_cast<Node>(ids_.size());
      ids_.push_back(kNoWord);
      children_.insert(std::uint64_t{node} << 8 | static_cast<unsigned char>(byte), next);
    }
    node = next;
  }
  ids_[node] = id;
}

ByteTrie::Node ByteTrie::walk(std::string_view word) const {
  Node node = kRoot;
  for (const char byte : word) {
    if (node == kNowhere) break;
    node = step(node, byte);
  }
  return node;
}

ByteTrie::Match ByteTrie::longest(std::string_view text, std::size_t at, Node from) const {
  Match best;
  Node node = from;
  for (std::size_t end = at; end < text.size() && node != kNowhere;) {
    node = step(node, text[end++]);
    if (node != kNowhere && ids_[node] != kNoWord) best = {end - at, ids_[node]};
  }
  return best;
}

std::size_t ByteTrie::next_candidate(std::string_view text, std::size_t at) const {
  while (at < text.size() && !begins_[static_cast<unsigned char>(text[at])]) ++at;
  return at;
}

}  // namespace asg::io
