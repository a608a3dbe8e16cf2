#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "asg/train/log_reader.h"

// Lines of logs as text, and back.
namespace asg::train {

// An editor or a joining of files may leave such lines; they say nothing.
inline bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

// Without the line's end. `png` is the picture of a record that holds one.
std::string json_line(const LogRecord& record, std::string_view png = "");
// Throws bad_json where a line is no record of ours.
LogRecord record_from_json(std::string_view line);

inline constexpr std::string_view kCsvHeader = "step,time,tag,value,text";
// None where the record has no place in such a file.
std::optional<std::string> csv_line(const LogRecord& record);
// The records of a whole file. Throws bad_json with the line; an unfinished last line is left out, and so
// are blank ones.
std::vector<LogRecord> records_from_csv(std::string_view text);

}  // namespace asg::train
