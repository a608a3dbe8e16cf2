#include "asg/data/csv.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <set>

#include "asg/core/error.h"
#include "asg/io/inflate.h"
#include "read_number.h"

namespace asg::data {
namespace {

// Where the columns that are wanted stand.
struct Columns {
  std::vector<std::string> names = {};  // of all
  std::vector<std::size_t> features = {};
  std::optional<std::size_t> label = std::nullopt;
};

std::size_t column_of(const std::vector<std::string>& names, const std::string& wanted) {
  const auto found = std::find(names.begin(), names.end(), wanted);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  constexpr std::size_t kMostTold = 20;
  std::string known;
  for (std::size_t k = 0; k < std::min(names.size(), kMostTold); ++k) known += (k == 0 ? "" : ", ") + names[k];
  if (names.size() > kMostTold) known += ", …";
  const std::string near = nearest_name(wanted, names);
  fail(ErrorCode::missing_value, "no column '" + wanted + "'", "one of: " + known,
       near.empty() ? "" : "did you mean '" + near + "'?");
}

Columns columns_of(std::vector<std::string> names, const CsvOptions& options) {
  Columns result;
  if (!options.label.empty()) result.label = column_of(names, options.label);
  for (const std::string& each : options.features) result.features.push_back(column_of(names, each));
  for (std::size_t k = 0; options.features.empty() && k < names.size(); ++k) {
    if (k != result.label) result.features.push_back(k);
  }
  result.names = std::move(names);
  return result;
}

constexpr const char* kBlanks = " \t";

bool is_blank(const std::string& cell) { return cell.find_first_not_of(kBlanks) == std::string::npos; }
// "inf" has none: it is meant, where 1e999 is a number that is lost.
bool has_digits(const std::string& cell) { return cell.find_first_of("0123456789") != std::string::npos; }

// Without a copy: tables may be large.
Array array_of_numbers(Sizes sizes, std::vector<float> values) {
  const auto owner = std::make_shared<std::vector<float>>(std::move(values));
  return Array::wrap(DType::f32, std::move(sizes), owner->data(), [owner](void*) {});
}

// Rows as they are read: numbers at once, classes by name until all are known.
class Builder {
 public:
  // `most_cells` of the table, so that memory is asked for once.
  Builder(Columns columns, const CsvOptions& options, std::size_t most_cells)
      : columns_(std::move(columns)), options_(options) {
    features_.reserve(most_cells);
  }

  void add(const std::vector<std::string>& cells, const CsvReader& reader) {
    const std::int64_t line = reader.line();
    if (cells.size() != columns_.names.size()) {
      fail(ErrorCode::io_error, std::to_string(cells.size()) + " cells on line " + std::to_string(line),
           std::to_string(columns_.names.size()) + ", as many as there are columns");
    }
    for (const std::size_t column : columns_.features) features_.push_back(number(cells, column, line));
    if (!columns_.label) {
      // Without labels.
    } else if (options_.classes) {
      class_of_row_.push_back(known_.emplace(class_in(cells, reader), known_.size()).first->second);
      if (class_of_row_.back() == first_line_.size()) first_line_.push_back(line);
    } else {
      numbers_.push_back(number(cells, *columns_.label, line));
    }
    ++rows_;
  }

  Dataset finish(std::string name) {
    if (rows_ == 0) fail(ErrorCode::missing_value, "a table without rows", "at least one example");
    const auto width = static_cast<std::int64_t>(columns_.features.size());
    std::vector<Field> fields = {{.name = std::string(kFeatures)}};
    std::vector<Array> arrays = {array_of_numbers({rows_, width}, std::move(features_))};
    if (columns_.label && options_.classes) {
      const std::vector<std::string> names = class_names();
      fields.push_back(
          {.name = std::string(kLabels), .classes = static_cast<std::int64_t>(names.size()), .class_names = names});
      arrays.push_back(labels(names));
    } else if (columns_.label) {
      fields.push_back({.name = std::string(kLabels)});
      arrays.push_back(array_of_numbers({rows_}, std::move(numbers_)));
    }
    return make_dataset(std::move(name), std::move(fields), std::move(arrays));
  }

 private:
  float number(const std::vector<std::string>& cells, std::size_t column, std::int64_t line) const {
    const std::string& cell = cells[column];
    const bool empty = is_blank(cell);
    if (empty && options_.missing) return static_cast<float>(*options_.missing);
    const auto value = read_number(cell);
    if (value && std::abs(*value) > std::numeric_limits<float>::max() && has_digits(cell)) {
      refuse(cell, column, line, "a number that f32 holds, of at most 3.4e38", "scale the column, or leave it out");
    }
    if (value) return static_cast<float>(*value);
    refuse(cell, column, line, "a number",
           empty ? "set `missing` to what stands in for empty cells" : "leave the column out, or name it as the label");
  }

  std::string class_in(const std::vector<std::string>& cells, const CsvReader& reader) const {
    const std::size_t column = *columns_.label;
    const std::string& cell = cells[column];
    if (is_blank(cell)) {
      refuse(cell, column, reader.line(), "the name or number of a class",
             "leave out the rows whose class is not known");
    }
    if (reader.is_quoted(column)) return cell;
    const std::size_t first = cell.find_first_not_of(kBlanks);
    return cell.substr(first, cell.find_last_not_of(kBlanks) + 1 - first);
  }

  [[noreturn]] void refuse(const std::string& cell, std::size_t column, std::int64_t line, std::string needed,
                           std::string mend) const {
    constexpr std::size_t kMostTold = 40;
    fail(ErrorCode::io_error,
         (is_blank(cell) ? "an empty cell" : "'" + cell.substr(0, kMostTold) + "'") + " in column '" +
             columns_.names[column] + "' on line " + std::to_string(line),
         std::move(needed), std::move(mend));
  }

  // Whole numbers are sorted as such, so that class "10" comes behind class "9".
  std::vector<std::string> class_names() const {
    if (!options_.class_names.empty()) return options_.class_names;
    std::vector<std::string> names;
    for (const auto& [each, order] : known_) names.push_back(each);
    const auto is_whole = [](const std::string& each) {
      const auto value = read_number(each);
      return value && std::floor(*value) == *value;
    };
    if (std::all_of(names.begin(), names.end(), is_whole)) {
      const auto by_value = [](const std::string& a, const std::string& b) {
        return std::pair(*read_number(a), a) < std::pair(*read_number(b), b);
      };
      std::sort(names.begin(), names.end(), by_value);
    }
    return names;
  }

  Array labels(const std::vector<std::string>& names) const {
    std::map<std::string_view, std::int64_t> number_by_name;  // the first of equal names
    for (std::size_t k = 0; k < names.size(); ++k) number_by_name.emplace(names[k], static_cast<std::int64_t>(k));
    std::vector<std::int64_t> number_of(known_.size());
    for (const auto& [each, order] : known_) {
      const auto found = number_by_name.find(each);
      if (found == number_by_name.end()) {
        fail(ErrorCode::bad_attribute, "the class '" + each + "' on line " + std::to_string(first_line_[order]),
             "one of the " + std::to_string(names.size()) + " classes that were named");
      }
      number_of[order] = found->second;
    }
    Array result = Array::uninitialised(DType::i64, {rows_});
    const auto out = result.mutable_data<std::int64_t>();
    for (std::size_t row = 0; row < class_of_row_.size(); ++row) out[row] = number_of[class_of_row_[row]];
    return result;
  }

  Columns columns_;
  const CsvOptions& options_;
  std::int64_t rows_ = 0;
  std::vector<float> features_;
  std::vector<float> numbers_;
  std::map<std::string, std::size_t> known_;  // classes in the order of their first row
  std::vector<std::int64_t> first_line_;
  std::vector<std::size_t> class_of_row_;
};

std::size_t most_cells_of(std::string_view text, char separator) {
  const auto ends_cell = [separator](char each) { return each == separator || each == '\n'; };
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), ends_cell)) + 1;
}

std::vector<std::string> numbered(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < count; ++k) names.push_back(std::to_string(k));
  return names;
}

}  // namespace

Dataset read_csv(std::string name, std::string_view text, const CsvOptions& options) {
  CsvReader reader(text, options.separator);
  std::vector<std::string> cells;
  if (!reader.next(cells)) fail(ErrorCode::missing_value, "a table without rows", "at least one example");
  Builder builder(columns_of(options.header ? cells : numbered(cells.size()), options), options,
                  most_cells_of(text, options.separator));
  if (!options.header) builder.add(cells, reader);
  while (reader.next(cells)) builder.add(cells, reader);
  return builder.finish(std::move(name));
}

Dataset read_csv_file(const std::string& path, const CsvOptions& options) {
  const std::string text = io::read_maybe_gzip_file(path);
  try {
    return read_csv(std::filesystem::path(path).filename().string(), text, options);
  } catch (const UserError& error) {
    throw error.with_where(path);
  }
}

}  // namespace asg::data
