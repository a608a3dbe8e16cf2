#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asg/data/dataset.h"

namespace asg::data {

// Walks through the rows of a table in text: cells between separators, a cell with separators, quotes or line ends in
// it stands in double quotes, and a quote inside is doubled (RFC 4180). Lines may end by LF or CRLF; a mark of UTF-8 at
// the beginning and lines without any character are skipped.
class CsvReader {
 public:
  explicit CsvReader(std::string_view text, char separator = ',');

  // The next row; false at the end. Throws io_error on a quote that does not close or has text behind it.
  bool next(std::vector<std::string>& cells);
  std::int64_t line() const { return row_line_; }  // where the last row began, counted from 1
  // Whether a cell of the last row stood in quotes: blanks around it are then meant.
  bool is_quoted(std::size_t cell) const { return quoted_[cell]; }

 private:
  void read_cell(std::string& cell);
  void read_quoted(std::string& cell);
  void end_line();

  std::string_view rest_;
  char separator_;
  std::vector<bool> quoted_ = {};
  std::int64_t line_ = 1;
  std::int64_t row_line_ = 0;
};

struct CsvOptions {
  char separator = ',';
  bool header = true;                         // the first row names the columns; else they are "0", "1", …
  std::string label = {};                     // the column to learn; without one there are no labels
  bool classes = true;                        // the labels are names or numbers of classes; else numbers (f32)
  std::vector<std::string> class_names = {};  // the classes in order; without them those that occur, sorted
  std::vector<std::string> features = {};     // columns, in this order; without them all but the label
  // Stands in for an empty cell that should be a number; without it such a cell is an error. A class that is empty
  // always is one.
  std::optional<double> missing = std::nullopt;
};

// A table as features f32[columns] and labels. Blanks around numbers, and around classes without quotes, do not count.
// Classes that are all whole numbers are sorted by value, others by name. Throws missing_value on a column that is not
// there and on a table without rows, bad_attribute on a class that is not in `class_names`, io_error on a row that is
// too short or too long, on a cell that is no number or beyond f32, and on an empty class; with the line.
Dataset read_csv(std::string name, std::string_view text, const CsvOptions& options = {});
Dataset read_csv_file(const std::string& path, const CsvOptions& options = {});  // plain or gzip

}  // namespace asg::data
