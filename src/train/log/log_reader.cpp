#include "asg/train/log_reader.h"

#include <algorithm>

#include "asg/core/error.h"
#include "asg/core/platform.h"
#include "train/log/record_text.h"

namespace asg::train {
namespace {

std::vector<LogRecord> records_from_json(std::string_view text) {
  std::vector<LogRecord> records;
  std::size_t line = 1;
  for (std::size_t first = 0, end = 0; (end = text.find('\n', first)) != std::string_view::npos;
       first = end + 1, ++line) {
    const std::string_view content = text.substr(first, end - first);
    if (is_blank(content)) continue;
    try {
      records.push_back(record_from_json(content));
    } catch (const UserError& error) {
      throw error.with_where("line " + std::to_string(line));
    }
  }
  return records;
}

}  // namespace

std::vector<LogRecord> read_log(const std::string& path) {
  const std::string text = platform::read_file(path);
  try {
    return path.ends_with(".csv") ? records_from_csv(text) : records_from_json(text);
  } catch (const UserError& error) {
    ErrorDetail detail = error.detail();
    detail.where = path + (detail.where.empty() ? "" : ", " + detail.where);
    throw UserError(detail);
  }
}

std::map<std::string, Curve> curves_of(const std::vector<LogRecord>& records) {
  std::map<std::string, std::map<std::int64_t, std::pair<double, double>>> points;
  for (const LogRecord& record : records) {
    if (const auto* value = std::get_if<double>(&record.value)) points[record.tag][record.step] = {record.time, *value};
  }
  std::map<std::string, Curve> curves;
  for (const auto& [tag, steps] : points) {
    Curve& curve = curves[tag];
    for (const auto& [step, point] : steps) {
      curve.steps.push_back(step);
      curve.times.push_back(point.first);
      curve.values.push_back(point.second);
    }
  }
  return curves;
}

}  // namespace asg::train
