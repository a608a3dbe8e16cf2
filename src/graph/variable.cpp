#include "asg/graph/variable.h"

#include <array>

#include "printing.h"
#include "same_bits.h"

namespace asg {
namespace {

constexpr std::array<std::string_view, 6> kVarKinds = {"parameter", "buffer", "optimizer",
                                                       "random",    "cache",  "counter"};
static_assert(kVarKinds.size() == static_cast<std::size_t>(VarKind::counter) + 1);

using DrawKind = Initializer::Kind;

constexpr std::array<std::string_view, 13> kInitializerKinds = {
    "zeros",          "ones",          "constant",        "uniform",        "normal",     "truncated_normal",
    "xavier_uniform", "xavier_normal", "kaiming_uniform", "kaiming_normal", "orthogonal", "identity",
    "given"};
static_assert(kInitializerKinds.size() == static_cast<std::size_t>(DrawKind::given) + 1);

template <class Enum, std::size_t count>
std::optional<Enum> parse(const std::array<std::string_view, count>& names, std::string_view name) {
  for (std::size_t k = 0; k < count; ++k) {
    if (names[k] == name) return static_cast<Enum>(k);
  }
  return std::nullopt;
}

std::string gain_text(double gain, double usual) {
  return gain == 0 || gain == usual ? "" : '(' + number_text(gain) + ')';
}

bool same_array(const ArrayPtr& a, const ArrayPtr& b) {
  if (a == b) return true;
  return a != nullptr && b != nullptr && bit_equal(*a, *b);
}

}  // namespace

std::string_view name_of(VarKind kind) { return kVarKinds[static_cast<std::size_t>(kind)]; }
std::optional<VarKind> parse_var_kind(std::string_view name) { return parse<VarKind>(kVarKinds, name); }

std::string_view name_of(Initializer::Kind kind) { return kInitializerKinds[static_cast<std::size_t>(kind)]; }
std::optional<Initializer::Kind> parse_initializer_kind(std::string_view name) {
  return parse<DrawKind>(kInitializerKinds, name);
}

Initializer Initializer::given(Array value) {
  return {DrawKind::given, 0, 0, std::make_shared<const Array>(std::move(value))};
}

std::string Initializer::to_string() const {
  const std::string name(name_of(kind));
  switch (kind) {
    case DrawKind::constant:
      return name + '(' + number_text(a) + ')';
    case DrawKind::uniform:
    case DrawKind::normal:
    case DrawKind::truncated_normal:
      return name + '(' + number_text(a) + ", " + number_text(b) + ')';
    case DrawKind::xavier_uniform:
    case DrawKind::xavier_normal:
    case DrawKind::orthogonal:
      return name + gain_text(a, 1);
    case DrawKind::kaiming_uniform:
    case DrawKind::kaiming_normal:
      if (b == 0) return name + gain_text(a, 0);
      return name + '(' + (a == 0 ? "" : number_text(a) + ", ") + "fan out)";
    case DrawKind::given:
      return name + '(' + (value == nullptr ? "nothing" : value->type_string()) + ')';
    case DrawKind::zeros:
    case DrawKind::ones:
    case DrawKind::identity:
      break;
  }
  return name;
}

bool operator==(const Initializer& a, const Initializer& b) {
  return a.kind == b.kind && same_bits(a.a, b.a) && same_bits(a.b, b.b) && same_array(a.value, b.value);
}

}  // namespace asg
