#include "formula_tree.h"

namespace asg::formula {
namespace {

void set_place(Part& part, Place place) {
  part.place = place;
  if (part.kind == Kind::scripts) part.parts[0].place = place;
}

// The first | of a row opens, the next one closes, and so on; one that is left alone separates: p(x | y).
void settle_bars(std::vector<Part>& row) {
  Part* opened = nullptr;
  for (Part& part : row) {
    if (part.place != Place::bar) continue;
    set_place(part, opened == nullptr ? Place::open : Place::close);
    opened = opened == nullptr ? &part : nullptr;
  }
  if (opened != nullptr) set_place(*opened, Place::relation);
}

// An operator without a left operand is a sign, or an ordinary symbol as in f(·).
void settle_signs(std::vector<Part>& row) {
  bool has_operand = false;
  for (Part& part : row) {
    if (part.kind == Kind::space) continue;
    if (part.place == Place::binary && !has_operand) {
      const Part& base = part.kind == Kind::scripts ? part.parts[0] : part;
      set_place(part, is_additive(base) ? Place::sign : Place::ordinary);
    }
    const Place place = right_place(part);
    has_operand = place == Place::ordinary || place == Place::close || place == Place::words;
  }
}

}  // namespace

bool is_additive(const Part& part) {
  return part.text == "+" || part.text == "−" || part.text == "±" || part.text == "∓";
}

Place left_place(const Part& part) {
  if (part.kind == Kind::scripts) return left_place(part.parts[0]);
  return part.kind == Kind::fenced && !part.text.empty() ? Place::open : part.place;
}

Place right_place(const Part& part) {
  if (part.kind == Kind::scripts) return right_place(part.parts[0]);
  return part.kind == Kind::fenced && !part.close.empty() ? Place::close : part.place;
}

void settle_places(std::vector<Part>& row) {
  settle_bars(row);
  settle_signs(row);
}

}  // namespace asg::formula
