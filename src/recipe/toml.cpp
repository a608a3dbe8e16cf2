#include "asg/recipe/toml.h"

#include <algorithm>
#include <sstream>
#include <vector>

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include "asg/core/limits.h"
#include "core/json_depth.h"
#include "recipe/table.h"

namespace asg::recipe {
namespace {

// How deep values lie in each other, counted before the text is parsed: the parser bounds brackets in brackets, but not
// the parts of dotted keys, and a table in so many tables cannot even be destroyed. Counts "a.b.c", [a.b.c] and
// {a.b = {c = 1}} alike. It looks at brackets, dots, strings and comments only, so what is no TOML may be refused here
// for its depth rather than for its form.
//
// It also refuses what is not ASCII outside of strings and comments, where TOML has none of it: for some of these
// characters the behaviour of the parser is undefined.
class DepthScan {
 public:
  explicit DepthScan(std::string_view text) : text_(text) {
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    if (text_.starts_with(kMark)) text_.remove_prefix(kMark.size());
  }

  void run() {
    while (at_ < text_.size()) {
      const char each = text_[at_];
      if (each == '"' || each == '\'') {
        skip_string(each);
        continue;
      }
      ++at_;
      if (static_cast<unsigned char>(each) >= 0x80) {
        fail(ErrorCode::bad_attribute,
             "a text that is no TOML: a character beyond ASCII outside of quotes in line " + std::to_string(line_),
             "TOML", "names and texts with such characters stand in quotes");
      }
      if (each == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (each == '[' || each == '{') {
        outer_.push_back(dots_);
        depth_ += dots_ + 1;
        dots_ = 0;
      } else if ((each == ']' || each == '}') && !outer_.empty()) {
        depth_ -= outer_.back() + 1;
        outer_.pop_back();
        dots_ = 0;
      } else if (each == '.') {
        ++dots_;
      } else if (each == ',' || each == '\n') {
        line_ += each == '\n' ? 1 : 0;
        dots_ = 0;
      }
      check();
    }
  }

 private:
  void check() const {
    const std::int64_t most = limit_of(Limit::depth);
    if (depth_ + dots_ <= most) return;
    fail_limit(Limit::depth,
               "values nested more than " + std::to_string(most) + " deep in line " + std::to_string(line_), most);
  }

  // Of one line or, in three quotes, of several.
  void skip_string(char quote) {
    const std::string three(3, quote);
    const bool is_long = text_.substr(at_, 3) == three;
    const std::string end = is_long ? three : std::string(1, quote);
    for (at_ += end.size(); at_ < text_.size(); ++at_) {
      const char each = text_[at_];
      if (text_.substr(at_, end.size()) == end) {
        at_ += end.size();
        for (int more = 0; is_long && more < 2 && at_ < text_.size() && text_[at_] == quote; ++more) ++at_;  // in it
        return;
      }
      if (each == '\n') {
        if (!is_long) return;
        ++line_;
      }
      if (each == '\\' && quote == '"') ++at_;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::int64_t line_ = 1;
  std::int64_t depth_ = 0;           // of the brackets that are open, with the dots before them
  std::int64_t dots_ = 0;            // since the last bracket, comma or end of a line
  std::vector<std::int64_t> outer_;  // the dots before each open bracket
};

Json json_of(const toml::node& node) {
  if (const auto* table = node.as_table()) {
    check_ordered_names(table->size());
    Json json = Json::object();
    for (const auto& [key, value] : *table) json[std::string(key.str())] = json_of(value);
    return json;
  }
  if (const auto* array = node.as_array()) {
    Json json = Json::array();
    for (const toml::node& each : *array) json.push_back(json_of(each));
    return json;
  }
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* integer = node.as_integer()) return integer->get();
  if (const auto* number = node.as_floating_point()) return number->get();
  if (const auto* flag = node.as_boolean()) return flag->get();
  const toml::source_position place = node.source().begin;
  fail(ErrorCode::bad_attribute,
       "a date or time in line " + std::to_string(place.line) + ", column " + std::to_string(place.column),
       "texts, numbers, true, false, lists and tables");
}

}  // namespace

Json json_of_toml(std::string_view text) {
  if (text.size() > static_cast<std::uint64_t>(limit_of(Limit::json_bytes))) {
    fail_limit(Limit::json_bytes, "a text of " + std::to_string(text.size()) + " bytes");
  }
  DepthScan(text).run();
  try {
    const toml::table table = toml::parse(text);
    return json_of(table);
  } catch (const toml::parse_error& error) {
    const toml::source_position place = error.source().begin;
    fail(ErrorCode::bad_attribute,
         "a text that is no TOML: " + std::string(error.description()) + " in line " + std::to_string(place.line) +
             ", column " + std::to_string(place.column),
         "TOML", "texts stand in quotes, and a table begins with its name in brackets");
  }
}

std::string toml_text(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  constexpr unsigned char kDelete = 0x7f;
  std::string quoted = "\"";
  for (const char each : text) {
    const auto code = static_cast<unsigned char>(each);
    if (each == '"' || each == '\\') {
      quoted.append({'\\', each});
    } else if (code < ' ' || code == kDelete) {
      quoted.append("\\u00").append({kDigits[code / 16], kDigits[code % 16]});
    } else {
      quoted += each;
    }
  }
  quoted += '"';
  try {
    json_of_toml("text = " + quoted);
  } catch (const UserError&) {
    fail(ErrorCode::bad_attribute, "the text '" + std::string(text) + "' with bytes that are no UTF-8",
         "a text in UTF-8", "rename the file or folder");
  }
  return quoted;
}

}  // namespace asg::recipe
