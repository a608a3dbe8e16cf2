#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asg/graph/card.h"

namespace asg {

// The language of the words for people. Errors and logs are always English.
enum class Lang : std::uint8_t { en, ru };
std::optional<Lang> parse_lang(std::string_view name);        // "en", "ru"
std::string_view in_language(const Words& words, Lang lang);  // English where the other language is missing

// What a person reads of an op, in one language, before it takes the form of a terminal, a page or a picture.
struct OpSheet {
  struct Row {
    std::string name;
    std::string type;
    std::string words;
  };
  struct Table {
    std::string heading;
    std::vector<Row> rows;
  };
  struct Fact {
    std::string label;
    std::string text;
  };
  std::string title;
  std::string what;
  std::string formula;  // LaTeX, see asg/graph/formula.h; "" where there is none
  std::string why_label;
  std::string why;
  std::vector<Table> tables;  // inputs, attributes, outputs; those without rows are left out
  std::vector<Fact> facts;    // category, gradient, ONNX, PyTorch …
};
OpSheet sheet_of(const OpCard& op, Lang lang);

// The sheet as plain text, at most `width` columns wide where the words allow it.
std::string describe(const OpCard& op, Lang lang, int width = 100);

// Everything that a palette or an inspector needs of the given ops, as JSON with an entry per op in the given order.
std::string catalogue_json(std::span<const OpCard* const> ops);

}  // namespace asg
