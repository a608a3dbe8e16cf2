#include "asg/graph/catalogue.h"

#include <algorithm>

#include "asg/graph/formula.h"

namespace asg {
namespace {

// Columns that a UTF-8 text takes; all letters of the cards' words are one column wide.
int columns_of(std::string_view text) {
  return static_cast<int>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }));
}

// Appends `text` in lines of at most `width` columns, broken between words; the first line stands where the page ends.
void append_wrapped(std::string& page, std::string_view text, int indent, int width) {
  int column = indent;
  bool at_start = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!at_start && column + 1 + columns_of(word) > width) {
      page += '\n';
      page.append(static_cast<std::size_t>(indent), ' ');
      column = indent;
      at_start = true;
    }
    if (!at_start) {
      page += ' ';
      ++column;
    }
    page += word;
    column += columns_of(word);
    at_start = false;
  }
  page += '\n';
}

void append_padded(std::string& page, std::string_view text, int columns) {
  page += text;
  page.append(static_cast<std::size_t>(std::max(columns - columns_of(text), 0)), ' ');
}

constexpr int kIndent = 2;

void append_table(std::string& page, const OpSheet::Table& table, int width) {
  int name_columns = 0;
  for (const OpSheet::Row& row : table.rows) name_columns = std::max(name_columns, columns_of(row.name));
  page += "\n" + table.heading + "\n";
  for (const OpSheet::Row& row : table.rows) {
    page.append(kIndent, ' ');
    append_padded(page, row.name, name_columns + 2);
    const int indent = kIndent + name_columns + 2;
    append_wrapped(page, row.type, indent, width);
    if (row.words.empty()) continue;
    page.append(static_cast<std::size_t>(indent), ' ');
    append_wrapped(page, row.words, indent, width);
  }
}

}  // namespace

std::string describe(const OpCard& op, Lang lang, int width) {
  const OpSheet sheet = sheet_of(op, lang);
  std::string page = sheet.title + "\n";
  append_wrapped(page, sheet.what, 0, width);
  if (!sheet.formula.empty()) {
    page += "\n";
    page.append(kIndent, ' ');
    page += formula_to_text(sheet.formula) + "\n";
  }
  if (!sheet.why.empty()) {
    page += "\n" + sheet.why_label + "\n";
    page.append(kIndent, ' ');
    append_wrapped(page, sheet.why, kIndent, width);
  }
  for (const OpSheet::Table& table : sheet.tables) append_table(page, table, width);
  page += "\n";
  int label_columns = 0;
  for (const OpSheet::Fact& fact : sheet.facts) label_columns = std::max(label_columns, columns_of(fact.label));
  for (const OpSheet::Fact& fact : sheet.facts) {
    append_padded(page, fact.label, label_columns + 2);
    append_wrapped(page, fact.text, label_columns + 2, width);
  }
  return page;
}

}  // namespace asg
