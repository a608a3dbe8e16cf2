#include "lab/titles.h"

#include <unordered_map>

namespace asg::lab {

Sentence title_of_op(std::string_view op) {
  static const auto titles = [] {
    std::unordered_map<std::string_view, Words> table;
    for (const std::span<const TitleRow> rows : {op_titles(), layer_titles()}) {
      for (const TitleRow& row : rows) table.emplace(row.op, row.words);
    }
    return table;
  }();
  const auto found = titles.find(op);
  if (found == titles.end()) return {std::string(op), std::string(op)};
  return {std::string(found->second.en), std::string(found->second.ru)};
}

}  // namespace asg::lab
