#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asg/graph/attributes.h"
#include "asg/graph/card.h"

namespace asg::optim {

// Which numbers are allowed. An end that is open leaves its own number out. NaN and infinities are never allowed.
struct Range {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool least_open = false;
  bool most_open = false;

  bool holds(double number) const;
  std::string to_string() const;  // "a number in [0, 1)", "a number above 0"
};

inline constexpr Range kNotNegative = {.least = 0};
inline constexpr Range kPositive = {.least = 0, .least_open = true};
inline constexpr Range kShare = {.least = 0, .most = 1};                        // of a whole
inline constexpr Range kBelowOne = {.least = 0, .most = 1, .most_open = true};  // how much of the past is kept
inline constexpr Range kCount = {.least = 1};

// What can be set of an optimiser or a schedule.
struct Setting {
  std::string_view name;
  AttrKind kind = AttrKind::real;     // real, integer, boolean or integers
  std::optional<Attr> fallback = {};  // the default; without one it must be given
  Range range = {};                   // of each number
  Words words = {};
};

// Refuses settings that are not known, of another kind, out of range or missing. `owner` is for the message:
// "optimiser 'adam'". Throws unknown_attribute, bad_attribute, missing_attribute. `partial`: what is missing is taken
// from elsewhere.
void check_settings(std::string_view owner, std::span<const Setting> known, const Attrs& given, bool partial = false);

// Settings of one kind as they are in force: those given, else the defaults. It keeps references.
class Settings {
 public:
  // What `over` names counts before what `given` names.
  Settings(std::span<const Setting> known, const Attrs& given, const Attrs* over = nullptr)
      : known_(known), given_(given), over_(over) {}

  double real(std::string_view name) const { return find(name).as_real(); }
  bool flag(std::string_view name) const { return find(name).as_boolean(); }
  std::int64_t integer(std::string_view name) const { return find(name).as_integer(); }
  const std::vector<std::int64_t>& integers(std::string_view name) const { return find(name).as_integers(); }

 private:
  const Attr& find(std::string_view name) const;

  std::span<const Setting> known_;
  const Attrs& given_;
  const Attrs* over_;
};

}  // namespace asg::optim
