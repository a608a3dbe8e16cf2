#include "asg/core/error.h"
#include "asg/data/csv.h"

namespace asg::data {

CsvReader::CsvReader(std::string_view text, char separator) : rest_(text), separator_(separator) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (rest_.starts_with(kMark)) rest_.remove_prefix(kMark.size());
}

void CsvReader::end_line() {
  if (rest_.starts_with('\r')) rest_.remove_prefix(1);
  if (rest_.starts_with('\n')) rest_.remove_prefix(1);
  ++line_;
}

bool CsvReader::next(std::vector<std::string>& cells) {
  cells.clear();
  quoted_.clear();
  while (rest_.starts_with('\n') || rest_.starts_with("\r\n")) end_line();
  if (rest_.empty()) return false;
  row_line_ = line_;
  for (;;) {
    quoted_.push_back(rest_.starts_with('"'));
    read_cell(cells.emplace_back());
    if (!rest_.starts_with(separator_)) break;
    rest_.remove_prefix(1);
  }
  if (!rest_.empty()) end_line();
  return true;
}

// Up to the separator or the end of the line, which stay.
void CsvReader::read_cell(std::string& cell) {
  if (rest_.starts_with('"')) {
    read_quoted(cell);
    return;
  }
  std::size_t end = 0;
  while (end < rest_.size() && rest_[end] != separator_ && rest_[end] != '\n') ++end;
  const bool has_return = end > 0 && rest_[end - 1] == '\r' && (end == rest_.size() || rest_[end] == '\n');
  cell = rest_.substr(0, has_return ? end - 1 : end);
  rest_.remove_prefix(has_return ? end - 1 : end);
  if (has_return && rest_ == "\r") rest_ = {};
}

void CsvReader::read_quoted(std::string& cell) {
  const std::int64_t first_line = line_;
  rest_.remove_prefix(1);
  for (;;) {
    const std::size_t quote = rest_.find('"');
    if (quote == std::string_view::npos) {
      fail(ErrorCode::io_error, "a quote on line " + std::to_string(first_line) + " that does not close",
           "a closing quote before the separator or the end of the line");
    }
    const std::string_view part = rest_.substr(0, quote);
    for (const char each : part) line_ += each == '\n' ? 1 : 0;
    cell += part;
    rest_.remove_prefix(quote + 1);
    if (!rest_.starts_with('"')) break;
    cell += '"';
    rest_.remove_prefix(1);
  }
  const bool ends = rest_.empty() || rest_.starts_with(separator_) || rest_.starts_with('\n') ||
                    rest_.starts_with("\r\n") || rest_ == "\r";
  if (!ends) {
    fail(ErrorCode::io_error, "text behind the closing quote on line " + std::to_string(line_),
         "a separator or the end of the line there", "double the quotes inside of a cell");
  }
  if (rest_ == "\r") rest_ = {};
}

}  // namespace asg::data
