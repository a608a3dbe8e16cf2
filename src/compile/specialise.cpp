#include "asg/compile/specialise.h"

#include <algorithm>
#include <optional>

#include "asg/graph/card.h"
#include "asg/graph/reinfer.h"

namespace asg {
namespace {

std::string text_of(const Sizes& sizes) { return Shape::of(sizes).to_string(); }

[[noreturn]] void fail_sizes(const std::string& input, const TensorType& type, const Sizes& sizes,
                             const std::string& needed) {
  fail(ErrorCode::bad_shape, "sizes " + text_of(sizes) + " for input '" + input + "' of type " + type.to_string(),
       needed, "give sizes that fit the graph, or change the graph");
}

std::string on_axis(const std::string& needed, int axis) { return needed + " on axis " + std::to_string(axis); }

Dim::SymbolValues values_of(const SymbolLengthsByName& lengths) {
  return [&lengths](std::string_view name) -> std::optional<Dim> {
    const auto entry = lengths.find(name);
    return entry != lengths.end() ? std::optional<Dim>(entry->second) : std::nullopt;
  };
}

// ---- Lengths from sizes

void check_given_names(const Graph& graph, const SizesByName& input_sizes) {
  std::vector<std::string> names;
  for (const NodeId id : graph.inputs()) names.push_back(graph.node(id).path());
  for (const auto& [name, sizes] : input_sizes) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const std::string nearest = nearest_name(name, names);
    fail(ErrorCode::unknown_node, "sizes for input '" + name + "' of graph '" + graph.name() + "'",
         "the name of an input of the graph", nearest.empty() ? "" : "did you mean '" + nearest + "'?");
  }
}

class LengthReader {
 public:
  void read(const std::string& input, const TensorType& type, const Sizes& sizes) {
    if (static_cast<int>(sizes.size()) != type.shape.rank()) {
      fail_sizes(input, type, sizes, "rank " + std::to_string(type.shape.rank()));
    }
    for (int axis = 0; axis < type.shape.rank(); ++axis) {
      const Dim& dim = type.shape[axis];
      const std::int64_t length = sizes[static_cast<std::size_t>(axis)];
      if (dim.is_known() && dim.value() != length) {
        fail_sizes(input, type, sizes, on_axis("a length of " + dim.to_string(), axis));
      }
      if (const auto most = dim.upper_bound(); most && length > *most) {
        fail_sizes(input, type, sizes, on_axis("a length of at most " + std::to_string(*most), axis));
      }
      if (!dim.is_symbol()) continue;
      const auto [entry, added] = lengths_.try_emplace(dim.symbols().front(), length);
      if (!added && entry->second != length) {
        fail_sizes(
            input, type, sizes,
            on_axis("a length of " + std::to_string(entry->second) + ", which " + entry->first + " has elsewhere",
                    axis));
      }
    }
  }

  // Lengths such as 2*n, once n is known.
  void check(const std::string& input, const TensorType& type, const Sizes& sizes) const {
    const Shape shape = type.shape.substitute(values_of(lengths_));
    for (int axis = 0; axis < shape.rank(); ++axis) {
      if (!shape[axis].is_known() || shape[axis].value() == sizes[static_cast<std::size_t>(axis)]) continue;
      fail_sizes(
          input, type, sizes,
          on_axis("a length of " + shape[axis].to_string() + ", which is " + type.shape[axis].to_string(), axis));
    }
  }

  SymbolLengthsByName take() { return std::move(lengths_); }

 private:
  SymbolLengthsByName lengths_;
};

// ---- The graph

[[noreturn]] void fail_unknown_length(const std::string& symbol, const std::string& what, const TensorType& type) {
  fail(ErrorCode::missing_value, "no length for '" + symbol + "' of " + what + " of type " + type.to_string(),
       "a length for every symbol", "give its length, or sizes of an input in which it stands alone");
}

TensorType concrete(const TensorType& type, const SymbolLengthsByName& lengths, const std::string& what) {
  for (int axis = 0; axis < type.shape.rank(); ++axis) {
    if (type.shape[axis].upper_bound()) continue;
    for (const std::string& symbol : type.shape[axis].symbols()) {
      if (!lengths.contains(symbol)) fail_unknown_length(symbol, what, type);
    }
  }
  TensorType result{type.dtype, type.shape.substitute(values_of(lengths))};
  for (int axis = 0; axis < type.shape.rank(); ++axis) {
    if (!result.shape[axis].is_known()) continue;  // a bounded one that stays
    const std::int64_t length = result.shape[axis].value();
    const auto most = type.shape[axis].upper_bound();
    if (length >= 0 && (!most || length <= *most)) continue;
    fail(ErrorCode::bad_shape,
         "a length of " + std::to_string(length) + " for " + what + " of type " + type.to_string(),
         on_axis(most ? "a length from 0 to " + std::to_string(*most) : "a length of at least 0", axis),
         "give lengths that fit the graph, or change the graph");
  }
  return result;
}

void set_input(Graph& graph, NodeId id, TensorType type) {
  Node node = graph.node(id);
  node.outputs.front().type = type;
  node.attrs.set("type", std::move(type));
  graph.put(std::move(node));
}

}  // namespace

SymbolLengthsByName symbol_lengths(const Graph& graph, const SizesByName& input_sizes) {
  check_given_names(graph, input_sizes);
  LengthReader reader;
  for (const NodeId id : graph.inputs()) {
    const std::string name = graph.node(id).path();
    const TensorType& type = graph.type({id, 0});
    const auto sizes = input_sizes.find(name);
    if (sizes != input_sizes.end()) {
      reader.read(name, type, sizes->second);
    } else if (!type.shape.is_known()) {
      fail(ErrorCode::missing_value, "no sizes for input '" + name + "'", "sizes that fit " + type.to_string(),
           "give the sizes of every input that has symbols");
    }
  }
  for (const NodeId id : graph.inputs()) {
    const auto sizes = input_sizes.find(graph.node(id).path());
    if (sizes != input_sizes.end()) reader.check(sizes->first, graph.type({id, 0}), sizes->second);
  }
  return reader.take();
}

Specialised specialise(const Graph& graph, const SymbolLengthsByName& lengths) {
  Specialised result{graph, Remap::identity(graph)};
  std::vector<NodeId> changed;
  for (const NodeId id : graph.inputs()) {
    const TensorType& type = graph.type({id, 0});
    if (type.shape.is_known()) continue;
    set_input(result.graph, id, concrete(type, lengths, "input '" + graph.node(id).path() + "'"));
    changed.push_back(id);
  }
  std::vector<NodeId> dirty;
  if (!changed.empty()) {
    const UseMap users(graph);
    for (const NodeId id : changed) {
      for (const Use& use : users.uses(id)) dirty.push_back(use.user);
    }
  }
  for (const VarId id : graph.variable_ids()) {
    if (graph.variable(id).type.shape.is_known()) continue;
    Variable variable = graph.variable(id);
    variable.type = concrete(variable.type, lengths, "variable '" + variable.name + "'");
    result.graph.put(std::move(variable));
    if (const NodeId reader = graph.reader_of(id)) dirty.push_back(reader);
  }
  if (!dirty.empty()) reinfer(result.graph, dirty);
  return result;
}

}  // namespace asg
