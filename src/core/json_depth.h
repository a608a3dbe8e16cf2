#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <nlohmann/json.hpp>

#include "asg/core/error.h"
#include "asg/core/limits.h"

// Reading JSON text into a tree. Whatever is done with the tree afterwards (written, copied, compared) calls itself for
// each level, so a text from outside is only read up to a depth.
namespace asg {

// An object that keeps the order of its names is searched through for each that is added.
inline constexpr std::size_t kMostOrderedNames = 1000;

inline void check_ordered_names(std::size_t names) {
  if (names <= kMostOrderedNames) return;
  fail(ErrorCode::limit_exceeded, "a table or object of more than " + std::to_string(kMostOrderedNames) + " names",
       "fewer names");
}

// Throws limit_exceeded. What is no JSON gives a discarded value, or with `throws` the exception of the parser.
template <class Json>
Json parse_nested(std::string_view text, std::int64_t most, bool throws = false) {
  constexpr bool kOrdered = std::is_same_v<Json, nlohmann::ordered_json>;
  std::vector<std::size_t> names;  // of each object that is open
  const auto check = [&](int depth, typename Json::parse_event_t event, Json&) {
    if (depth > most) fail_limit(Limit::depth, "values nested more than " + std::to_string(most) + " deep", most);
    if constexpr (kOrdered) {
      if (event == Json::parse_event_t::object_start) names.push_back(0);
      if (event == Json::parse_event_t::object_end) names.pop_back();
      if (event == Json::parse_event_t::key) check_ordered_names(++names.back());
    }
    return true;
  };
  return Json::parse(text.data(), text.data() + text.size(), check, throws);
}

// The same within the limits of the process, for settings, descriptions and small files.
template <class Json>
Json parse_within_limits(std::string_view text) {
  if (text.size() > static_cast<std::uint64_t>(limit_of(Limit::json_bytes))) {
    fail_limit(Limit::json_bytes, "a text of " + std::to_string(text.size()) + " bytes");
  }
  return parse_nested<Json>(text, limit_of(Limit::depth));
}

}  // namespace asg
