#include "edit_check/random_attribute.h"

#include <string>
#include <vector>

namespace asg::edit_check {
namespace {

std::int64_t near_integer(Dice& dice, std::int64_t present) {
  switch (dice.pick(8)) {
    case 0:
      return present + 1;
    case 1:
      return present - 1;
    case 2:
      return present * 2;
    case 3:
      return present / 2;
    case 4:
      return dice.from_to(-3, 3);
    case 5:
      return dice.one_in(6) ? dice.any_of(std::vector<std::int64_t>{-1000000000000, 99, 1000, 0}) : present + 2;
    default:
      return dice.from_to(1, 16);
  }
}

double near_real(Dice& dice, double present) {
  static const std::vector<double> kUsual = {0, 0.1, 0.25, 0.5, 1, 2, -1, 1e-3, 1e-12};
  return dice.one_in(3) ? present * dice.between(0.5, 2) : dice.any_of(kUsual);
}

std::string near_text(Dice& dice, const std::string& present) {
  static const std::vector<std::string> kUsual = {"Relu",      "Gelu",       "Silu",         "Tanh", "Sigmoid",
                                                  "LayerNorm", "nn.RMSNorm", "nn.LayerNorm", "same", "none"};
  return dice.one_in(6) ? present : dice.any_of(kUsual);
}

}  // namespace

std::optional<Attr> random_attribute(Dice& dice, const AttrSpec& spec, const Attr* present) {
  if (!spec.choices.empty() && !dice.one_in(8)) return dice.any_of(spec.choices);
  if (present == nullptr && spec.fallback) present = &*spec.fallback;
  switch (spec.kind) {
    case AttrKind::integer:
      return Attr(near_integer(dice, present == nullptr ? 4 : present->as_integer()));
    case AttrKind::real:
      return Attr(near_real(dice, present == nullptr ? 0.5 : present->as_real()));
    case AttrKind::boolean:
      return Attr(present == nullptr ? dice.one_in(2) : !present->as_boolean());
    case AttrKind::text:
      return Attr(near_text(dice, present == nullptr ? "" : present->as_text()));
    case AttrKind::integers: {
      std::vector<std::int64_t> list = present == nullptr ? std::vector<std::int64_t>{1, 1} : present->as_integers();
      if (dice.one_in(8)) list.push_back(1);
      if (!list.empty()) {
        std::int64_t& element = list[dice.below(list.size())];
        element = near_integer(dice, element);
      }
      return Attr(list);
    }
    case AttrKind::dtype:
      return Attr(dice.any_of(std::vector<DType>{DType::f32, DType::f64, DType::i64, DType::bf16}));
    case AttrKind::reals:
    case AttrKind::texts:
    case AttrKind::type:
    case AttrKind::tensor:
    case AttrKind::graph:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace asg::edit_check
