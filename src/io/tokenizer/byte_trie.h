#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "asg/io/tokenizer.h"
#include "flat_map.h"

namespace asg::io {

// Words by their beginnings, for the longest one with which a text begins.
class ByteTrie {
 public:
  using Node = std::uint32_t;
  static constexpr Node kRoot = 0;
  static constexpr Node kNowhere = ~Node{0};

  struct Match {
    std::size_t length = 0;  // 0: there is none
    TokenId id = 0;
  };

  void add(std::string_view word, TokenId id);

  // Where the word leads from the root; kNowhere if no word begins so.
  Node walk(std::string_view word) const;

  // The longest word that begins at `at`; from another node than the root: the longest rest of a word.
  Match longest(std::string_view text, std::size_t at, Node from = kRoot) const;

  // The first place from `at` on where a word could begin; the size of the text if there is none.
  std::size_t next_candidate(std::string_view text, std::size_t at) const;
  bool empty() const { return ids_.size() == 1; }

 private:
  static constexpr TokenId kNoWord = -1;

  Node step(Node node, char byte) const {
    return static_cast<Node>(children_.find(std::uint64_t{node} << 8 | static_cast<unsigned char>(byte)));
  }

  FlatMap children_;
  std::vector<TokenId> ids_ = {kNoWord};  // of the word that ends at a node
  std::array<bool, 256> begins_ = {};
};

}  // namespace asg::io
