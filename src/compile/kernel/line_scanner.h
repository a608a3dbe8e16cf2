#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace asg {

// Reads one line of a kernel's text from left to right. What does not fit throws UserError bad_command with the line.
class LineScanner {
 public:
  LineScanner(std::string_view line, std::size_t number);

  // Words are letters, digits, dots, signs and underscores in a row; %, [ ], commas, bars, colons and the like are
  // pieces of one character.
  bool skip(std::string_view piece);  // whether it came next; then it is passed
  void expect(std::string_view piece);
  std::string word(std::string_view needed);
  std::int64_t integer(std::string_view needed);
  std::uint64_t whole(std::string_view needed);  // from 0 to 2^64 - 1
  double number();
  int numbered(std::string_view prefix, std::string_view needed);  // "%3" or "arg3"
  void end();

  [[noreturn]] void refuse(std::string_view needed) const;       // says where in the line
  [[noreturn]] void refuse_line(std::string_view needed) const;  // the line as a whole

 private:
  void skip_blanks();
  std::string_view peek() const;
  std::string place() const;

  std::string_view line_;
  std::string_view rest_;
  std::size_t number_;
};

}  // namespace asg
