#include <algorithm>
#include <map>

#include "asg/graph/catalogue.h"
#include "asg/graph/formula.h"
#include "generate.h"

namespace asg::generate {
namespace {

constexpr const char* kFolder = "docs/ops/";

// Text inside a cell of a Markdown table.
std::string cell(std::string_view text) {
  std::string escaped;
  for (char letter : text) {
    if (letter == '|') escaped += '\\';
    escaped += letter == '\n' ? ' ' : letter;
  }
  return escaped;
}

std::string link_to(const OpCard& op) { return "[" + op.name + "](" + op.name + ".md)"; }

std::string fenced(std::string_view language, std::string_view text) {
  return "```" + std::string(language) + "\n" + std::string(text) + "\n```\n\n";
}

// The words of one language; `level` is that of the headings: "##".
std::string sheet_page(const OpSheet& sheet, const std::string& level, bool russian) {
  std::string page = sheet.what + "\n\n";
  if (!sheet.why.empty()) page += "**" + sheet.why_label + ".** " + sheet.why + "\n\n";
  const std::string head = russian ? "| имя | тип | смысл |\n" : "| name | type | meaning |\n";
  for (const OpSheet::Table& table : sheet.tables) {
    page.append(level).append(" ").append(table.heading).append("\n\n").append(head).append("|---|---|---|\n");
    for (const OpSheet::Row& row : table.rows) {
      page += "| `" + cell(row.name) + "` | " + cell(row.type) + " | " + cell(row.words) + " |\n";
    }
    page += "\n";
  }
  page += russian ? level + " Сведения\n\n" : level + " Facts\n\n";
  page += "| | |\n|---|---|\n";
  for (const OpSheet::Fact& fact : sheet.facts) page += "| " + cell(fact.label) + " | " + cell(fact.text) + " |\n";
  return page + "\n";
}

std::string page_of(const OpCard& op) {
  std::string page = "# " + op.name + "\n\n";
  page += "<!-- Made from the op's card by `make generate`; edit the card instead. -->\n\n";
  if (!op.words.formula.empty()) page += fenced("text", formula_to_text(op.words.formula));
  if (has_builder(op)) page += fenced("cpp", signature_for_people(op));
  page += sheet_page(sheet_of(op, Lang::en), "##", false);
  page += "## По-русски\n\n";
  page += sheet_page(sheet_of(op, Lang::ru), "###", true);
  page += "[All ops](README.md)\n";
  return page;
}

// Where the numbers come from.
std::string runs_as(const OpCard& op) {
  if (op.traits.leaf) return "leaf";
  if (op.composite) return "layer";
  if (op.kernel) return op.body ? "kernel, body" : "kernel";
  return "body";
}

std::string_view gradient_word(const OpCard& op) {
  switch (op.gradient_kind) {
    case GradientKind::rule:
      return "rule";
    case GradientKind::body:
      return "body";
    case GradientKind::zero:
      return "zero";
    case GradientKind::none:
      break;
  }
  return "–";
}

// Sets that many ports share have a short name.
std::string short_name(DTypeSet dtypes) {
  const std::pair<DTypeSet, const char*> names[] = {
      {kAnyType, "any"}, {kNumbers, "numbers"}, {kFloats, "floats"}, {kInts, "integers"}, {kSigned, "signed numbers"}};
  for (const auto& [set, name] : names) {
    if (set.bits == dtypes.bits) return name;
  }
  return dtypes.to_string();
}

std::string_view first_sentence(std::string_view text) {
  text = text.substr(0, text.find(". "));
  if (text.ends_with('.')) text.remove_suffix(1);
  return text;
}

std::string index_row(const OpCard& op) {
  const std::string onnx = op.onnx.empty() ? "–" : std::string(op.onnx[0].op) + " " + std::to_string(op.onnx[0].since);
  const std::string cells[] = {link_to(op),
                               std::string(first_sentence(op.words.what.en)),
                               op.inputs.empty() ? "–" : short_name(op.inputs[0].dtypes),
                               runs_as(op),
                               std::string(gradient_word(op)),
                               onnx,
                               op.torch.empty() ? "–" : std::string(op.torch),
                               std::to_string(op.samples.size()) + " + " + std::to_string(op.bad_samples.size())};
  std::string row = "|";
  for (const std::string& text : cells) row += " " + cell(text) + " |";
  return row + "\n";
}

std::string index_page(Cards cards) {
  std::map<Category, std::vector<const OpCard*>> by_category;
  for (const OpCard* op : cards) by_category[op->category].push_back(op);
  std::string page = "# The ops\n\n";
  page += "<!-- Made from the op cards by `make generate`; edit the cards instead. -->\n\n";
  page += std::to_string(cards.size()) +
          " ops. *Runs as*: a reference kernel, a body in smaller ops, or both; a layer is expanded into its body. "
          "*ONNX*: the op and the first opset with these semantics. *Cases*: those that must work + those that must be "
          "refused. *Dtypes*: of the first input. The same as JSON, for palettes: [palette.json](palette.json).\n\n";
  for (const auto& [category, ops] : by_category) {
    const Words words = words_of(category);
    page += "## " + std::string(words.en) + " · " + std::string(words.ru) + "\n\n";
    page += "| op | what | dtypes | runs as | gradient | ONNX | PyTorch | cases |\n|---|---|---|---|---|---|---|---|\n";
    for (const OpCard* op : ops) page += index_row(*op);
    page += "\n";
  }
  page.pop_back();
  return page;
}

}  // namespace

std::vector<File> op_pages(Cards cards) {
  std::vector<File> files;
  for (const OpCard* op : cards) files.push_back({kFolder + op->name + ".md", page_of(*op)});
  files.push_back({std::string(kFolder) + "README.md", index_page(cards)});
  files.push_back({std::string(kFolder) + "palette.json", catalogue_json(cards)});
  return files;
}

}  // namespace asg::generate
