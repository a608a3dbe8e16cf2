#include "json_reader.h"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

#include <nlohmann/json.hpp>

#include "asg/core/error.h"
#include "asg/core/limits.h"
#include "printing.h"

namespace asg {
namespace {

using ScalarKind = JsonScalar::Kind;

constexpr std::size_t kShown = 60;  // bytes of a user's text in a message

std::string described(const JsonScalar& scalar) {
  switch (scalar.kind) {
    case ScalarKind::null:
      return "null";
    case ScalarKind::boolean:
      return scalar.boolean ? "true" : "false";
    case ScalarKind::integer:
      return "the integer " + std::to_string(scalar.integer);
    case ScalarKind::huge:
      return "the integer " + scalar.text->substr(0, kShown);
    case ScalarKind::real:
      return "the real number " + number_text(scalar.real);
    case ScalarKind::text:
      break;
  }
  return "the text " + as_quoted(*scalar.text, kShown);
}

// "[json.exception.parse_error.101] parse error at line 1, column 3: …" without its first words and without bytes
// that may be no text.
std::string syntax_message(std::string_view what) {
  const std::size_t end = what.find("] ");
  if (end != std::string_view::npos) what.remove_prefix(end + 2);
  constexpr std::size_t kLongest = 240;
  std::string text(what.substr(0, kLongest));
  for (char& letter : text) {
    if (static_cast<unsigned char>(letter) < 0x20 || static_cast<unsigned char>(letter) > 0x7E) letter = '?';
  }
  return text;
}

// Hands the parser's events on. The names are those that the parser asks for.
struct Events {
  JsonReader& reader;

  bool null() { return give({}); }
  bool boolean(bool value) { return give({.kind = ScalarKind::boolean, .boolean = value}); }
  bool number_integer(std::int64_t value) { return give({.kind = ScalarKind::integer, .integer = value}); }
  bool number_unsigned(std::uint64_t value) {
    if (value <= static_cast<std::uint64_t>(INT64_MAX)) return number_integer(static_cast<std::int64_t>(value));
    std::string digits = std::to_string(value);
    return give({.kind = ScalarKind::huge, .text = &digits});
  }
  bool number_float(double value, const std::string& written) {
    // The parser also takes integers of too many digits for reals.
    if (written.find_first_not_of("-0123456789") != std::string::npos) {
      return give({.kind = ScalarKind::real, .real = value});
    }
    std::string digits = written;
    return give({.kind = ScalarKind::huge, .text = &digits});
  }
  bool string(std::string& value) { return give({.kind = ScalarKind::text, .text = &value}); }
  bool binary(nlohmann::json::binary_t&) { fail_internal("JSON text has no binary values"); }
  bool start_object(std::size_t) { return reader.open(true), true; }
  bool key(std::string& name) { return reader.key(name), true; }
  bool end_object() { return reader.close(), true; }
  bool start_array(std::size_t) { return reader.open(false), true; }
  bool end_array() { return reader.close(), true; }
  [[noreturn]] bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& error) {
    throw syntax_error(position, error.what());
  }

 private:
  bool give(const JsonScalar& scalar) { return reader.scalar(scalar), true; }
};

}  // namespace

JsonReader::JsonReader(JsonState root, const JsonLimits& limits) : root_(root), limits_(limits) {
  frames_.emplace_back().state = JsonState::document;
  depth_ = 1;
}

// ---- Events

void JsonReader::scalar(const JsonScalar& scalar) {
  begin_element();
  switch (top().state) {
    case JsonState::file:
    case JsonState::graph:
      return graph_scalar(scalar);
    case JsonState::ops:
      return op_version(scalar);
    case JsonState::files:
      return file_name(scalar);
    case JsonState::inputs:
      return graph().inputs.push_back(NodeId{number_of(scalar, 1)});
    case JsonState::variable:
      return variable_scalar(scalar);
    case JsonState::initializer:
      return initializer_scalar(scalar);
    case JsonState::node:
      return node_scalar(scalar);
    case JsonState::node_inputs:
      return node_input(scalar);
    case JsonState::value:
    case JsonState::where:
      return pair_element(scalar);
    case JsonState::attrs:
      return attr_scalar(scalar);
    case JsonState::tagged:
      return tagged_scalar(scalar);
    case JsonState::list:
      return list_scalar(scalar);
    case JsonState::tagged_real:
      real_ = odd_real(scalar);
      return;
    case JsonState::tensor:
      return tensor_scalar(scalar);
    case JsonState::bindings:
      return node().bindings.push_back({top().key, VarId{number_of(scalar, 1)}});
    case JsonState::origin:
      return origin_scalar(scalar);
    case JsonState::known:
      return known_length(scalar);
    case JsonState::types:
      return graph().extra.types->push_back(type_of(scalar));
    case JsonState::output:
      return output_scalar(scalar);
    case JsonState::update:
      return update_scalar(scalar);
    default:
      return refuse(scalar);
  }
}

void JsonReader::key(std::string& name) {
  Frame& frame = top();
  const JsonForm& form = form_of(frame.state);
  frame.inside = false;  // a key that is refused is a mistake of the object
  bool twice = false;
  if (form.kind == JsonForm::Kind::map) {
    twice = frame.state == JsonState::attrs && attrs().find(name) != nullptr;
    frame.key = name;
  } else {
    const auto found =
        std::find_if(form.places.begin(), form.places.end(), [&](const JsonPlace& each) { return each.key == name; });
    if (found == form.places.end()) unknown_key(name);
    frame.place = static_cast<std::uint8_t>(found - form.places.begin());
    const std::uint32_t bit = 1u << frame.place;
    twice = (frame.seen & bit) != 0;
    frame.seen |= bit;
  }
  if (twice) fail(ErrorCode::bad_json, "the key " + as_quoted(name, kShown) + " twice", "each key once in an object");
  frame.inside = true;
}

void JsonReader::begin_element() {
  ++top().count;
  top().inside = true;
}

void JsonReader::open(bool object) {
  begin_element();
  if (depth_ > static_cast<std::size_t>(std::max<std::int64_t>(limits_.max_depth, 0))) {
    fail_limit(Limit::depth, "values nested more than " + std::to_string(limits_.max_depth) + " deep",
               limits_.max_depth);
  }
  JsonState child = object ? place().object : place().array;
  if (top().state == JsonState::document && object) child = root_;
  if (child == JsonState::none) refuse(object ? "an object" : "an array");
  enter(child);
}

void JsonReader::close() {
  --depth_;
  const Frame& closed = frames_[depth_];
  check_complete(closed);
  leave(closed);
}

// ---- The stack

const JsonPlace& JsonReader::place() const {
  const Frame& frame = frames_[depth_ - 1];
  const JsonForm& form = form_of(frame.state);
  return form.places[form.kind == JsonForm::Kind::record ? frame.place : 0];
}

void JsonReader::enter(JsonState state) {
  if (depth_ == frames_.size()) frames_.emplace_back();
  Frame& frame = frames_[depth_++];
  frame.state = state;
  frame.inside = false;
  frame.place = 0;
  frame.seen = 0;
  frame.count = 0;
  switch (state) {
    case JsonState::file:
    case JsonState::graph:
      graphs_.push_back(std::make_unique<PartialGraph>(*this));
      return;
    case JsonState::variable:
      variable_ = {};
      return;
    case JsonState::node:
      return begin_node();
    case JsonState::node_inputs:
      values_.clear();
      return;
    case JsonState::list:
      list_ = {};
      return;
    case JsonState::origin:
      node().origin = nullptr;
      return;
    case JsonState::known:
      graph().extra.known = std::make_shared<std::vector<Dim>>();
      return;
    case JsonState::types:
      graph().extra.types.emplace();
      return;
    case JsonState::output:
      output_ = {};
      return;
    case JsonState::update:
      update_ = {};
      return;
    default:
      return;
  }
}

void JsonReader::leave(const Frame& closed) {
  switch (closed.state) {
    case JsonState::file:
    case JsonState::graph:
      return end_graph();
    case JsonState::variable:
      return end_variable();
    case JsonState::node:
      return end_node();
    case JsonState::node_inputs:
      node().inputs.assign(values_.begin(), values_.end());
      return;
    case JsonState::value:
    case JsonState::where:
      return end_pair(closed);
    case JsonState::tagged:
      return end_tagged(closed);
    case JsonState::list:
      return end_list();
    case JsonState::tagged_real:
      return end_tagged_real();
    case JsonState::tensor:
      return end_tensor();
    case JsonState::output:
      return graph().outputs.push_back(std::move(output_));
    case JsonState::update:
      return graph().updates.push_back(update_);
    default:
      return;
  }
}

void JsonReader::check_complete(const Frame& closed) const {
  const JsonForm& form = form_of(closed.state);
  if (form.kind != JsonForm::Kind::record) return;
  for (std::size_t index = 0; index < form.places.size(); ++index) {
    const JsonPlace& place = form.places[index];
    if (!place.required || (closed.seen >> index & 1u) != 0) continue;
    fail(ErrorCode::bad_json, std::string(form.name) + " without \"" + std::string(place.key) + "\"",
         std::string(place.needed));
  }
}

std::string JsonReader::pointer() const {
  std::string text;
  for (std::size_t level = 1; level < depth_; ++level) {
    const Frame& frame = frames_[level];
    if (!frame.inside) break;
    text += '/';
    switch (form_of(frame.state).kind) {
      case JsonForm::Kind::record:
        text += form_of(frame.state).places[frame.place].key;
        break;
      case JsonForm::Kind::array:
        text += std::to_string(frame.count - 1);
        break;
      case JsonForm::Kind::map:
        for (const char letter : frame.key) {
          text += letter == '~' ? std::string_view("~0") : letter == '/' ? "~1" : std::string_view(&letter, 1);
        }
    }
  }
  return text;
}

// ---- What the handlers share

void JsonReader::refuse(const std::string& given) const {
  fail(ErrorCode::bad_json, given, std::string(place().needed));
}

void JsonReader::refuse(const JsonScalar& scalar) const { refuse(described(scalar)); }

void JsonReader::unknown_key(const std::string& name) const {
  const JsonForm& form = form_of(frames_[depth_ - 1].state);
  std::vector<std::string> names;
  std::string listed;
  for (const JsonPlace& place : form.places) {
    names.emplace_back(place.key);
    listed += (listed.empty() ? "" : ", ") + names.back();
  }
  const std::string nearest = nearest_name(name, names);
  fail(ErrorCode::bad_json, "the key " + as_quoted(name, kShown) + " in " + std::string(form.name), "one of " + listed,
       nearest.empty() ? "" : "did you mean \"" + nearest + "\"?");
}

std::uint32_t JsonReader::number_of(const JsonScalar& scalar, std::uint32_t least) const {
  if (scalar.kind != ScalarKind::integer || scalar.integer < least || scalar.integer > UINT32_MAX) refuse(scalar);
  return static_cast<std::uint32_t>(scalar.integer);
}

std::string& JsonReader::text_of(const JsonScalar& scalar) const {
  if (scalar.kind != ScalarKind::text) refuse(scalar);
  return *scalar.text;
}

bool JsonReader::boolean_of(const JsonScalar& scalar) const {
  if (scalar.kind != ScalarKind::boolean) refuse(scalar);
  return scalar.boolean;
}

TensorType JsonReader::type_of(const JsonScalar& scalar) const { return TensorType::parse(text_of(scalar)); }

// ---- Reading

UserError syntax_error(std::size_t position, std::string_view what) {
  return UserError({.code = ErrorCode::bad_json,
                    .given = "a text that is not JSON: " + syntax_message(what),
                    .needed = "valid JSON",
                    .mend = "the file may be cut off or may have been changed by hand",
                    .node = "",
                    .where = "byte " + std::to_string(position)});
}

void parse_json(std::string_view text, const JsonLimits& limits, JsonReader& reader) {
  if (text.size() > limits.max_bytes) {
    fail_limit(Limit::file_bytes, "a text of " + std::to_string(text.size()) + " bytes",
               static_cast<std::int64_t>(limits.max_bytes));
  }
  Events events{reader};
  try {
    nlohmann::json::sax_parse(text.data(), text.data() + text.size(), &events);
  } catch (const UserError& error) {
    const std::string pointer = reader.pointer();
    throw error.with_where(pointer.empty() ? "the whole text" : pointer);
  } catch (const std::bad_alloc&) {
    fail(ErrorCode::out_of_memory, "a text of " + std::to_string(text.size()) + " bytes", "more memory than there is",
         "read it on a machine with more memory");
  }
}

Graph read_json(std::string_view text, const JsonLimits& limits) {
  JsonReader reader(JsonState::file, limits);
  parse_json(text, limits, reader);
  return reader.take_graph();
}

}  // namespace asg
