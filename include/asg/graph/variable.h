#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "asg/core/array.h"
#include "asg/core/random.h"
#include "asg/core/type.h"
#include "asg/graph/attributes.h"
#include "asg/graph/ids.h"

namespace asg {

enum class VarKind : std::uint8_t { parameter, buffer, optimizer, random, cache, counter };
std::string_view name_of(VarKind kind);
std::optional<VarKind> parse_var_kind(std::string_view name);

// How a variable gets its first value. Plain data, so that it can be saved, shown and edited.
struct Initializer {
  enum class Kind : std::uint8_t {
    zeros,
    ones,
    constant,  // constant: a
    uniform,
    normal,
    truncated_normal,  // uniform: [a, b); normal: mean a, deviation b; truncated at two deviations
    xavier_uniform,
    xavier_normal,
    kaiming_uniform,
    kaiming_normal,  // gain a (0 reads as the usual gain); b: which fan, 0 in, 1 out
    orthogonal,
    identity,
    given  // the array `value`
  };
  Kind kind = Kind::zeros;
  double a = 0;
  double b = 0;
  ArrayPtr value;

  static Initializer zeros() { return {}; }
  static Initializer ones() { return {Kind::ones, 0, 0, {}}; }
  static Initializer constant(double value) { return {Kind::constant, value, 0, {}}; }
  static Initializer uniform(double low, double high) { return {Kind::uniform, low, high, {}}; }
  static Initializer normal(double mean, double deviation) { return {Kind::normal, mean, deviation, {}}; }
  static Initializer truncated_normal(double mean, double deviation) {
    return {Kind::truncated_normal, mean, deviation, {}};
  }
  static Initializer xavier_uniform(double gain = 1) { return {Kind::xavier_uniform, gain, 0, {}}; }
  static Initializer xavier_normal(double gain = 1) { return {Kind::xavier_normal, gain, 0, {}}; }
  // By the fan in the size of activations stays the same from layer to layer, by the fan out that of gradients.
  enum class Fan : std::uint8_t { in, out };
  static Initializer kaiming_uniform(double gain = 0, Fan fan = Fan::in) {
    return {Kind::kaiming_uniform, gain, fan == Fan::in ? 0.0 : 1.0, {}};
  }
  static Initializer kaiming_normal(double gain = 0, Fan fan = Fan::in) {
    return {Kind::kaiming_normal, gain, fan == Fan::in ? 0.0 : 1.0, {}};
  }
  static Initializer orthogonal(double gain = 1) { return {Kind::orthogonal, gain, 0, {}}; }
  static Initializer identity() { return {Kind::identity, 0, 0, {}}; }
  static Initializer given(Array value);

  std::string to_string() const;  // "kaiming_uniform", "kaiming_normal(1, fan out)", "constant(0.5)"
  friend bool operator==(const Initializer& a, const Initializer& b);
};
std::string_view name_of(Initializer::Kind kind);
std::optional<Initializer::Kind> parse_initializer_kind(std::string_view name);

// State of a graph: a parameter, running statistics, a counter … Lives in the graph's table, so that two
// layers can share one, and keeps its id through renames, regrouping and edits elsewhere.
struct Variable {
  VarId id;
  std::string name;  // unique in its graph: "encoder/block_3.attention.query.weight"
  TensorType type;
  Initializer init;
  VarKind kind = VarKind::parameter;
  bool trainable = true;  // false: frozen; only parameters are ever trained

  friend bool operator==(const Variable& a, const Variable& b) = default;
};

// The first value of a variable: a pure function of (seed, id, initialiser, type). Throws bad_dim when the
// shape is not known.
Array initial_value(const Variable& variable, std::uint64_t seed);

// Names of the two variables that all random ops of a graph share.
inline constexpr std::string_view kSeedVariable = "random.seed";  // u64 scalar, kind random
inline constexpr std::string_view kStepVariable = "random.step";  // u64 scalar, kind counter

}  // namespace asg
