#pragma once

#include <span>
#include <string_view>

namespace asg::lab {

// A thing in English as something belongs to it, and in Russian as it is called and as something belongs to it.
struct Noun {
  std::string_view en;
  std::string_view ru;
  std::string_view ru_of;
};

// Tables, searched from the top; "" fits everything. In a noun "{n}" is the number at the end of the label, "{label}"
// the label itself.

// What a layer is by where it stands.
struct LayerRule {
  std::string_view op;
  std::string_view label;
  std::string_view parent;  // op of the layer around it
  Noun noun;
  bool weight_is_it = false;  // its weight is called as the layer is: "query projection"
};
std::span<const LayerRule> layer_rules();

// What a slot is in a layer.
struct SlotRule {
  std::string_view op;
  std::string_view slot;  // the end of the slot's name
  Noun noun;              // of which the layer's noun follows
};
std::span<const SlotRule> slot_rules();

// Layers and scopes around, as the end of a role: "of block 3". Those that say nothing more have no words.
struct PlaceRule {
  std::string_view op;     // "scope": of no layer
  std::string_view label;  // may end in '#': then a number follows
  std::string_view en;
  std::string_view ru;
};
std::span<const PlaceRule> place_rules();

// Parameters that no layer holds, by a part of their names.
struct LooseRule {
  std::string_view part;
  Noun noun;
};
std::span<const LooseRule> loose_rules();

}  // namespace asg::lab
