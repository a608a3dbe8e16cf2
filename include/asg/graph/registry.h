#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "asg/graph/card.h"

namespace asg {

// All ops by name. Built-in cards are added by the libraries that hold them (see asg/ops/ops.h); a user's own op is
// added with `add`. Cards are never removed, so nodes point to them. Thread-safe.
class Registry {
 public:
  static Registry& global();

  // Checks the card (names, ports, inference or body present …) and adds it. Throws duplicate_op, bad_card.
  const OpCard& add(OpCard card);
  const OpCard* find(std::string_view name) const;
  const OpCard& get(std::string_view name) const;  // throws unknown_op with the nearest name
  std::vector<const OpCard*> all() const;          // by name

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::unique_ptr<const OpCard>> cards_;
};

// Adds the cards of a library, as CMake lists them, to the global registry. Returns true, so that a static variable can
// hold that it was done.
bool register_cards(std::span<OpCard (*const)()> cards);

}  // namespace asg
