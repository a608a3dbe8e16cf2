#include "asg/graph/registry.h"

#include <algorithm>

namespace asg {
namespace {

[[noreturn]] void bad_card(const OpCard& card, std::string problem, std::string needed) {
  fail(ErrorCode::bad_card, "op '" + card.name + "' with " + std::move(problem), std::move(needed),
       "correct the card; docs/add-an-op.md shows a complete one");
}

void check_ports(const OpCard& card, const std::vector<Port>& ports, const char* side) {
  for (std::size_t index = 0; index < ports.size(); ++index) {
    if (ports[index].name.empty()) bad_card(card, std::string("an unnamed ") + side, "a name for every port");
    if (ports[index].kind == PortKind::variadic && index + 1 != ports.size()) {
      bad_card(card, std::string("a variadic ") + side + " before the last", "the variadic port last");
    }
  }
}

void check_card(const OpCard& card) {
  if (card.name.empty()) fail(ErrorCode::bad_card, "a card without a name", "a name such as \"Gelu\"");
  check_ports(card, card.inputs, "input");
  check_ports(card, card.outputs, "output");
  if (card.outputs.empty()) bad_card(card, "no output", "at least one output");
  const bool typed = card.infer || card.body || card.composite || card.traits.leaf;
  if (!typed) bad_card(card, "neither type rule nor body", "an `infer` function or a `body`");
  const bool runs = card.kernel || card.body || card.composite || card.traits.leaf;
  if (!runs) bad_card(card, "neither kernel nor body", "a reference `kernel` or a `body` in smaller ops");
  for (const AttrSpec& spec : card.attributes) {
    if (spec.fallback && spec.fallback->kind() != spec.kind) {
      bad_card(card, "a default of another kind for attribute '" + std::string(spec.name) + "'",
               "a default of kind " + std::string(name_of(spec.kind)));
    }
  }
}

}  // namespace

Registry& Registry::global() {
  static Registry registry;
  return registry;
}

const OpCard& Registry::add(OpCard card) {
  check_card(card);
  const std::lock_guard lock(mutex_);
  std::string name = card.name;
  auto [entry, added] = cards_.try_emplace(std::move(name), nullptr);
  if (!added) {
    fail(ErrorCode::duplicate_op, "a second op named '" + card.name + "'", "one card per name",
         "choose another name for your op");
  }
  entry->second = std::make_unique<const OpCard>(std::move(card));
  return *entry->second;
}

const OpCard* Registry::find(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  const auto entry = cards_.find(std::string(name));
  return entry == cards_.end() ? nullptr : entry->second.get();
}

const OpCard& Registry::get(std::string_view name) const {
  if (const OpCard* card = find(name)) return *card;
  std::vector<std::string> names;
  for (const OpCard* card : all()) names.push_back(card->name);
  const std::string nearest = nearest_name(name, names);
  fail(ErrorCode::unknown_op, "op '" + std::string(name) + "'", "the name of a registered op",
       nearest.empty() ? "`asg ops` lists all ops; a user's own op is added with Registry::global().add"
                       : "did you mean '" + nearest + "'?");
}

std::vector<const OpCard*> Registry::all() const {
  std::vector<const OpCard*> result;
  {
    const std::lock_guard lock(mutex_);
    result.reserve(cards_.size());
    for (const auto& entry : cards_) result.push_back(entry.second.get());
  }
  std::sort(result.begin(), result.end(), [](const OpCard* a, const OpCard* b) { return a->name < b->name; });
  return result;
}

bool register_cards(std::span<OpCard (*const)()> cards) {
  for (OpCard (*card)() : cards) Registry::global().add(card());
  return true;
}

}  // namespace asg
