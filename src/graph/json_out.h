#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace asg {

// Writes JSON as it is told, without holding it: pieces of about 64 kB go to the sink. Commas are set by itself;
// that objects and arrays are closed in turn is the caller's affair.
class JsonOut {
 public:
  using Sink = std::function<void(std::string_view piece)>;
  explicit JsonOut(Sink sink);

  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }
  void key(std::string_view name);
  void line();  // the next item begins a new line

  void null() { raw("null"); }
  void boolean(bool value) { raw(value ? "true" : "false"); }
  void integer(std::int64_t value);
  void real(double value);  // finite; always with a point or an exponent, so that it reads back as a real
  // Throws bad_json when it is not UTF-8, since then it could not be read again.
  void text(std::string_view value);
  void base64(std::span<const std::byte> bytes);

  void member(std::string_view name, std::string_view value) { key(name), text(value); }
  void member(std::string_view name, const char* value) { key(name), text(value); }
  void member(std::string_view name, std::int64_t value) { key(name), integer(value); }

  void flush();  // to be called at the end

 private:
  void open(char bracket);
  void close(char bracket);
  void raw(std::string_view literal);
  void separate();
  void quote(std::string_view value);
  void flush_if_full();

  Sink sink_;
  std::string buffer_;
  bool comma_ = false;  // an item stands before
  bool line_ = false;
};

// As a string: calls `write` with a JsonOut that gathers.
std::string json_text(const std::function<void(JsonOut&)>& write);

}  // namespace asg
