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
// each level, so a text from outside is only read up to a depth. That is looked up in a pass of its own: the parser can
// call back while it builds the tree, but then takes time that is quadratic in the objects of a list.
namespace asg {

// An object that keeps the order of its names is searched through for each that is added.
inline constexpr std::size_t kMostOrderedNames = 1000;

inline void check_ordered_names(std::size_t names) {
  if (names <= kMostOrderedNames) return;
  fail(ErrorCode::limit_exceeded, "a table or object of more than " + std::to_string(kMostOrderedNames) + " names",
       "fewer names");
}

// What the parser tells of a text, without a tree. What is no JSON ends it.
class JsonWatch : public nlohmann::json_sax<nlohmann::json> {
 public:
  void read(std::string_view text) { nlohmann::json::sax_parse(text.data(), text.data() + text.size(), this); }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }
};

// Throws limit_exceeded where values lie deeper in each other than `most`, or where a bound on the names of each object
// is given and exceeded.
class NestingCheck : public JsonWatch {
 public:
  explicit NestingCheck(std::int64_t most, bool few_names = false) : most_(most), few_names_(few_names) {}

  bool start_object(std::size_t) override { return open(); }
  bool start_array(std::size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t&) override {
    if (few_names_) check_ordered_names(++names_.back());
    return true;
  }

 private:
  bool open() {
    names_.push_back(0);
    if (static_cast<std::int64_t>(names_.size()) > most_) {
      fail_limit(Limit::depth, "values nested more than " + std::to_string(most_) + " deep", most_);
    }
    return true;
  }
  bool close() {
    names_.pop_back();
    return true;
  }

  std::int64_t most_;
  bool few_names_;
  std::vector<std::size_t> names_;  // of each value that is open
};

// Throws limit_exceeded. What is no JSON gives a discarded value, or with `throws` the exception of the parser.
template <class Json>
Json parse_nested(std::string_view text, std::int64_t most, bool throws = false) {
  NestingCheck(most, std::is_same_v<Json, nlohmann::ordered_json>).read(text);
  return Json::parse(text.data(), text.data() + text.size(), nullptr, throws);
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
