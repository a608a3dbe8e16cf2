#include "asg/metrics/confusion.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "asg/core/error.h"

namespace asg::metrics {
namespace {

constexpr const char* kCorner = "actual\\predicted";

std::string percent(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return "-";
  char text[32];
  std::snprintf(text, sizeof(text), "%.1f %%", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
  return text;
}

// Columns of a terminal: characters, not bytes.
std::size_t columns_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char each) { return (each & 0xC0) != 0x80; }));
}

// Right-aligned but for the first column.
std::string aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows) {
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], columns_of(row[k]));
  }
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      const std::string padding(widths[k] - columns_of(row[k]), ' ');
      if (k == 0) {
        text.append(row[k]).append(padding);
      } else {
        text.append("  ").append(padding).append(row[k]);
      }
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char each : text) quoted.append(each == '"' ? 2 : 1, each);
  return quoted + '"';
}

// The fields of one line, which starts at `at`; leaves `at` after it.
std::vector<std::string> csv_line(const std::string& text, std::size_t& at) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (; at < text.size(); ++at) {
    const char each = text[at];
    if (quoted && each == '"' && at + 1 < text.size() && text[at + 1] == '"') {
      fields.back() += '"';
      ++at;
    } else if (each == '"') {
      quoted = !quoted;
    } else if (!quoted && each == ',') {
      fields.emplace_back();
    } else if (!quoted && each == '\n') {
      ++at;
      break;
    } else if (quoted || each != '\r') {
      fields.back() += each;
    }
  }
  return fields;
}

[[noreturn]] void refuse_line(std::size_t line, const std::string& given, const std::string& needed) {
  fail(ErrorCode::io_error, given + " on line " + std::to_string(line) + " of a confusion matrix", needed,
       "write the file with ConfusionMatrix::csv");
}

std::int64_t cell_of(const std::string& field, std::size_t line) {
  constexpr std::size_t kMostDigits = 15;
  if (field.empty() || field.size() > kMostDigits || field.find_first_not_of("0123456789") != std::string::npos) {
    refuse_line(line, "the cell '" + field.substr(0, 40) + "'", "a count of at most 15 digits");
  }
  return std::stoll(field);
}

void check_classes(std::int64_t classes) {
  if (classes > ConfusionMatrix::kMostClasses) {
    fail(ErrorCode::limit_exceeded, "a confusion matrix of " + std::to_string(classes) + " classes",
         "at most " + std::to_string(ConfusionMatrix::kMostClasses),
         "precision, recall and F1 need no matrix and take more");
  }
  if (classes < 0) fail(ErrorCode::bad_index, std::to_string(classes) + " classes", "0 or more");
}

}  // namespace

ConfusionMatrix::ConfusionMatrix(std::int64_t classes) : classes_(classes) {
  check_classes(classes);
  cells_.resize(static_cast<std::size_t>(classes * classes));
}

std::int64_t ConfusionMatrix::total() const { return std::accumulate(cells_.begin(), cells_.end(), std::int64_t{0}); }

std::int64_t ConfusionMatrix::at(std::int64_t actual, std::int64_t predicted) const {
  if (actual < 0 || predicted < 0 || actual >= classes_ || predicted >= classes_) {
    fail(ErrorCode::bad_index, "the cell (" + std::to_string(actual) + ", " + std::to_string(predicted) + ")",
         "classes from 0 to " + std::to_string(classes_ - 1));
  }
  return cells_[static_cast<std::size_t>(actual * classes_ + predicted)];
}

void ConfusionMatrix::grow(std::int64_t classes) {
  if (classes <= classes_) return;
  ConfusionMatrix larger(classes);
  larger.merge(*this);
  *this = std::move(larger);
}

void ConfusionMatrix::add(std::int64_t actual, std::int64_t predicted, std::int64_t times) {
  at(actual, predicted);  // checks
  cells_[static_cast<std::size_t>(actual * classes_ + predicted)] += times;
}

void ConfusionMatrix::merge(const ConfusionMatrix& other) {
  grow(other.classes_);
  for (std::int64_t actual = 0; actual < other.classes_; ++actual) {
    for (std::int64_t predicted = 0; predicted < other.classes_; ++predicted) {
      cells_[static_cast<std::size_t>(actual * classes_ + predicted)] += other.at(actual, predicted);
    }
  }
}

double ConfusionMatrix::accuracy() const {
  std::int64_t hits = 0;
  for (std::int64_t each = 0; each < classes_; ++each) hits += at(each, each);
  const std::int64_t all = total();
  return all == 0 ? std::nan("") : static_cast<double>(hits) / static_cast<double>(all);
}

std::vector<std::string> ConfusionMatrix::names_or_numbers(std::span<const std::string> names) const {
  if (!names.empty() && static_cast<std::int64_t>(names.size()) != classes_) {
    fail(ErrorCode::wrong_input_count,
         std::to_string(names.size()) + " names for " + std::to_string(classes_) + " classes",
         "a name for each, or none");
  }
  std::vector<std::string> result(names.begin(), names.end());
  for (auto k = static_cast<std::int64_t>(result.size()); k < classes_; ++k) result.push_back(std::to_string(k));
  return result;
}

std::string ConfusionMatrix::table(std::span<const std::string> names) const {
  const std::vector<std::string> titles = names_or_numbers(names);
  std::vector<std::vector<std::string>> rows = {{kCorner}};
  rows[0].insert(rows[0].end(), titles.begin(), titles.end());
  rows[0].emplace_back("recall");
  std::vector<std::int64_t> taken(static_cast<std::size_t>(classes_));
  for (std::int64_t actual = 0; actual < classes_; ++actual) {
    std::vector<std::string> row = {titles[static_cast<std::size_t>(actual)]};
    std::int64_t examples = 0;
    for (std::int64_t predicted = 0; predicted < classes_; ++predicted) {
      const std::int64_t cell = at(actual, predicted);
      row.push_back(std::to_string(cell));
      examples += cell;
      taken[static_cast<std::size_t>(predicted)] += cell;
    }
    row.push_back(percent(at(actual, actual), examples));
    rows.push_back(std::move(row));
  }
  rows.push_back({"precision"});
  for (std::int64_t each = 0; each < classes_; ++each) {
    rows.back().push_back(percent(at(each, each), taken[static_cast<std::size_t>(each)]));
  }
  return aligned(rows);
}

std::string ConfusionMatrix::csv(std::span<const std::string> names) const {
  const std::vector<std::string> titles = names_or_numbers(names);
  std::string text = kCorner;
  for (const std::string& title : titles) text.append(",").append(csv_field(title));
  text += '\n';
  for (std::int64_t actual = 0; actual < classes_; ++actual) {
    text += csv_field(titles[static_cast<std::size_t>(actual)]);
    for (std::int64_t predicted = 0; predicted < classes_; ++predicted) {
      text.append(",").append(std::to_string(at(actual, predicted)));
    }
    text += '\n';
  }
  return text;
}

NamedConfusion confusion_from_csv(const std::string& text) {
  std::size_t at = 0;
  std::vector<std::string> titles = csv_line(text, at);
  if (titles.front() != kCorner) {
    refuse_line(1, "'" + titles.front().substr(0, 40) + "'",
                std::string("'") + kCorner + "' and the names of the classes");
  }
  titles.erase(titles.begin());
  NamedConfusion result{ConfusionMatrix(static_cast<std::int64_t>(titles.size())), titles};
  for (std::size_t row = 0; row < titles.size(); ++row) {
    const std::vector<std::string> fields = csv_line(text, at);
    if (fields.size() != titles.size() + 1) {
      refuse_line(row + 2, std::to_string(fields.size()) + " fields", std::to_string(titles.size() + 1));
    }
    if (fields.front() != titles[row]) {
      refuse_line(row + 2, "the row '" + fields.front().substr(0, 40) + "'",
                  "'" + titles[row].substr(0, 40) + "': rows in the order of the columns");
    }
    for (std::size_t column = 0; column < titles.size(); ++column) {
      result.matrix.add(static_cast<std::int64_t>(row), static_cast<std::int64_t>(column),
                        cell_of(fields[column + 1], row + 2));
    }
  }
  if (text.find_first_not_of("\r\n", at) != std::string::npos) {
    refuse_line(titles.size() + 2, "a row more", std::to_string(titles.size()) + " rows, one for each column");
  }
  return result;
}

}  // namespace asg::metrics
