#include "sizes.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace asg::app {
namespace {

std::vector<std::string> symbols_of(const Graph& model) {
  std::set<std::string> found;
  for (const NodeId id : model.inputs()) {
    for (const Dim& dim : model.type({id, 0}).shape.dims()) {
      for (std::string& symbol : dim.symbols()) found.insert(std::move(symbol));
    }
  }
  return {found.begin(), found.end()};
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

SymbolLengthsByName parse_lengths(const Graph& model, const std::vector<std::string>& given) {
  const std::vector<std::string> symbols = symbols_of(model);
  SymbolLengthsByName lengths;
  for (const std::string& text : given) {
    const std::size_t mark = text.find('=');
    std::int64_t length = -1;
    if (mark != std::string::npos) {
      const char* end = text.data() + text.size();
      const auto [stop, error] = std::from_chars(text.data() + mark + 1, end, length);
      if (error != std::errc{} || stop != end) length = -1;
    }
    if (length < 0) {
      fail(ErrorCode::bad_command, "--size " + text, "a name and a length of at least 0: --size batch=8");
    }
    const std::string name = text.substr(0, mark);
    if (std::find(symbols.begin(), symbols.end(), name) == symbols.end()) {
      const std::string nearest = nearest_name(name, symbols);
      fail(ErrorCode::bad_command, "a size named '" + name + "'",
           symbols.empty() ? "no --size: all lengths of this model are fixed" : "one of: " + joined(symbols),
           nearest.empty() ? "" : "did you mean '" + nearest + "'?");
    }
    lengths[name] = length;
  }
  return lengths;
}

void learn_lengths(const TensorType& type, const Sizes& sizes, SymbolLengthsByName& lengths) {
  if (static_cast<int>(sizes.size()) != type.shape.rank()) return;
  for (int axis = 0; axis < type.shape.rank(); ++axis) {
    const Dim& dim = type.shape[axis];
    if (dim.is_symbol()) lengths.try_emplace(dim.symbols().front(), sizes[static_cast<std::size_t>(axis)]);
  }
}

std::vector<std::string> complete_lengths(const Graph& model, SymbolLengthsByName& lengths) {
  std::vector<std::string> assumed;
  for (std::string& symbol : symbols_of(model)) {
    if (lengths.try_emplace(symbol, 1).second) assumed.push_back(std::move(symbol));
  }
  return assumed;
}

Sizes sizes_with(const TensorType& type, const SymbolLengthsByName& lengths) {
  return type.shape
      .substitute([&](std::string_view name) -> std::optional<Dim> {
        const auto entry = lengths.find(name);
        return entry == lengths.end() ? std::nullopt : std::optional<Dim>(entry->second);
      })
      .sizes();
}

SizesByName sizes_with(const Graph& model, const SymbolLengthsByName& lengths) {
  SizesByName result;
  for (const NodeId id : model.inputs()) result[model.node(id).path()] = sizes_with(model.type({id, 0}), lengths);
  return result;
}

std::string lengths_text(const SymbolLengthsByName& lengths, const std::vector<std::string>& assumed) {
  std::string text;
  for (const auto& [name, length] : lengths) {
    const bool is_assumed = std::find(assumed.begin(), assumed.end(), name) != assumed.end();
    text += (text.empty() ? "" : ", ") + name + " = " + std::to_string(length) +
            (is_assumed ? " (give another with --size)" : "");
  }
  return text;
}

}  // namespace asg::app
