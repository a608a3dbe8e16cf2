#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "asg/core/error.h"
#include "train/log/record_text.h"

namespace asg::train {
namespace {

std::string field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char each : text) quoted.append(each == '"' ? 2 : 1, each);
  return quoted + '"';
}

// The fewest digits that read back as the same value.
std::string csv_number(double value) {
  if (std::isnan(value)) return "nan";
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof(text), value);
  return error == std::errc() ? std::string(text, end) : "nan";
}

// Reads fields from `rest`; none where the line does not end.
std::optional<std::vector<std::string>> next_line(std::string_view& rest) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t at = 0; at < rest.size(); ++at) {
    const char each = rest[at];
    if (quoted && each == '"' && at + 1 < rest.size() && rest[at + 1] == '"') {
      fields.back() += '"';
      ++at;
    } else if (each == '"') {
      quoted = !quoted;
    } else if (!quoted && each == ',') {
      fields.emplace_back();
    } else if (!quoted && each == '\n') {
      rest.remove_prefix(at + 1);
      return fields;
    } else if (quoted || each != '\r') {
      fields.back() += each;
    }
  }
  return std::nullopt;
}

[[noreturn]] void refuse(std::size_t line, const std::string& given, const std::string& needed) {
  fail(ErrorCode::bad_json, given + " on line " + std::to_string(line), needed, "give a log that csv_logger wrote");
}

double real(const std::string& text, std::size_t line) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') refuse(line, "'" + text.substr(0, 40) + "'", "a number");
  return value;
}

std::int64_t integer(const std::string& text, std::size_t line) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    refuse(line, "the step '" + text.substr(0, 40) + "'", "an integer");
  return value;
}

}  // namespace

std::optional<std::string> csv_line(const LogRecord& record) {
  char time[32];
  std::snprintf(time, sizeof(time), "%.3f", record.time);
  const std::string start = std::to_string(record.step) + "," + time + "," + field(record.tag) + ",";
  if (const auto* value = std::get_if<double>(&record.value)) return start + csv_number(*value) + ",";
  if (const auto* text = std::get_if<std::string>(&record.value)) return start + "," + field(*text);
  return std::nullopt;
}

std::vector<LogRecord> records_from_csv(std::string_view text) {
  std::vector<LogRecord> records;
  std::size_t line = 0;
  bool below_header = false;
  while (const auto fields = next_line(text)) {
    constexpr std::size_t kColumns = 5;
    ++line;
    if (fields->size() == 1 && is_blank(fields->front())) continue;
    if (fields->size() != kColumns) {
      refuse(line, std::to_string(fields->size()) + " fields", "the five of " + std::string(kCsvHeader));
    }
    if (!std::exchange(below_header, true)) {
      if (fields->front() != "step") refuse(line, "no header", std::string(kCsvHeader));
      continue;
    }
    LogRecord record{integer((*fields)[0], line), real((*fields)[1], line), (*fields)[2], {}};
    if ((*fields)[3].empty()) {
      record.value = (*fields)[4];
    } else {
      record.value = real((*fields)[3], line);
    }
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace asg::train
