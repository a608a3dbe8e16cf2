#include <algorithm>
#include <unordered_set>

#include "core/json_depth.h"
#include "json.h"

namespace asg::io {
namespace {

// "[json.exception.parse_error.101] parse error at line 1, column 3: …" without its first words and without bytes that
// may be no text.
std::string syntax_message(std::string_view what) {
  constexpr std::size_t kLongest = 240;
  const std::size_t end = what.find("] ");
  if (end != std::string_view::npos) what.remove_prefix(end + 2);
  std::string text(what.substr(0, kLongest));
  for (char& letter : text) {
    if (static_cast<unsigned char>(letter) < 0x20 || static_cast<unsigned char>(letter) > 0x7E) letter = '?';
  }
  return text;
}

std::size_t count_keys(const Json& value) {
  std::size_t count = value.is_object() ? value.size() : 0;
  if (value.is_structured()) {
    for (const Json& element : value) {
      if (element.is_structured()) count += count_keys(element);  // as deep as the limit at most
    }
  }
  return count;
}

// The parser keeps the last of several equal keys and says nothing. That there were some is seen by their number; this
// slower pass then finds the name.
class RepeatedKey : public JsonWatch {
 public:
  bool start_object(std::size_t) override {
    open_.emplace_back();
    return true;
  }
  bool end_object() override {
    open_.pop_back();
    return true;
  }
  bool key(string_t& name) override {
    if (open_.back().insert(name).second) return true;
    found = name;
    return false;
  }

  std::string found;

 private:
  std::vector<std::unordered_set<std::string>> open_;
};

// Counts keys, and refuses what tokenizers never are: deep.
class KeyCount : public JsonWatch {
 public:
  explicit KeyCount(int most) : most_(most) {}

  bool start_object(std::size_t) override { return open(); }
  bool start_array(std::size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t&) override {
    ++keys;
    return true;
  }

  std::size_t keys = 0;

 private:
  bool open() {
    if (++depth_ <= most_) return true;
    fail(ErrorCode::limit_exceeded, "values nested more than " + std::to_string(most_) + " deep",
         "at most this depth, which tokenizers stay far below");
  }
  bool close() {
    --depth_;
    return true;
  }

  int most_;
  int depth_ = 0;
};

}  // namespace

Json parse_json(std::string_view text, const TokenizerLimits& limits) {
  if (text.size() > limits.max_bytes) {
    fail_limit(Limit::json_bytes, "a file of " + std::to_string(text.size()) + " bytes",
               static_cast<std::int64_t>(limits.max_bytes));
  }
  KeyCount count(limits.max_depth);
  count.read(text);
  try {
    Json value = Json::parse(text.data(), text.data() + text.size());
    if (count_keys(value) != count.keys) {
      RepeatedKey repeated;
      repeated.read(text);
      fail(ErrorCode::bad_json, "the key " + shown(std::string_view(repeated.found)) + " twice in one object",
           "each key once");
    }
    return value;
  } catch (const Json::exception& error) {
    fail(ErrorCode::bad_json, syntax_message(error.what()), "valid JSON", "the file may be cut off");
  }
}

void refuse_json(const std::string& pointer, std::string given, std::string needed, std::string mend) {
  throw UserError({ErrorCode::bad_json, std::move(given), std::move(needed), std::move(mend), "", pointer});
}

void refuse_unknown_part(const std::string& pointer, const std::string& what) {
  throw UserError({ErrorCode::not_implemented, what + ", which is not supported",
                   "a part that docs/tokenisers.md lists",
                   "another tokeniser, or a change of the file that keeps the meaning", "", pointer});
}

std::string shown(const Json& value) {
  if (value.is_string()) return shown(std::string_view(value.get_ref<const std::string&>()));
  if (value.is_array()) return "a list";
  if (value.is_object()) return "an object";
  return value.dump();
}

Fields::Fields(const Json& object, std::string pointer) : object_(object), pointer_(std::move(pointer)) {
  if (!object_.is_object()) refuse_json(pointer_, shown(object_), "an object");
}

const Json* Fields::may(const char* name) {
  names_.emplace_back(name);
  const auto found = object_.find(name);
  return found == object_.end() || found->is_null() ? nullptr : &*found;
}

const Json& Fields::need(const char* name) {
  if (const Json* value = may(name)) return *value;
  refuse_json(pointer_, std::string("no field '") + name + "'", "this field");
}

std::string Fields::text(const char* name) {
  const Json& value = need(name);
  if (!value.is_string()) refuse_json(pointer(name), shown(value), "a text");
  return value.get<std::string>();
}

std::string Fields::text_or(const char* name, std::string fallback) {
  return may(name) != nullptr ? text(name) : std::move(fallback);
}

bool Fields::flag_or(const char* name, bool fallback) {
  const Json* value = may(name);
  if (value == nullptr) return fallback;
  if (!value->is_boolean()) refuse_json(pointer(name), shown(*value), "true or false");
  return value->get<bool>();
}

std::int64_t Fields::number(const char* name, std::int64_t least, std::int64_t most) {
  const Json& value = need(name);
  const bool fits = value.is_number_integer() &&
                    (!value.is_number_unsigned() || value.get<std::uint64_t>() <= static_cast<std::uint64_t>(most)) &&
                    value.get<std::int64_t>() >= least && value.get<std::int64_t>() <= most;
  if (!fits) {
    refuse_json(pointer(name), shown(value),
                "an integer from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return value.get<std::int64_t>();
}

std::int64_t Fields::number_or(const char* name, std::int64_t fallback, std::int64_t least, std::int64_t most) {
  return may(name) != nullptr ? number(name, least, most) : fallback;
}

const Json& Fields::list(const char* name) {
  const Json& value = need(name);
  if (!value.is_array()) refuse_json(pointer(name), shown(value), "a list");
  return value;
}

const Json& Fields::object(const char* name) {
  const Json& value = need(name);
  if (!value.is_object()) refuse_json(pointer(name), shown(value), "an object");
  return value;
}

void Fields::finish() const {
  for (const auto& [key, value] : object_.items()) {
    if (std::find(names_.begin(), names_.end(), key) == names_.end()) {
      refuse_unknown_part(pointer_, "the field " + shown(std::string_view(key)));
    }
  }
}

}  // namespace asg::io
