// Neighbours of the same structure, each of which feeds the next: the twelve blocks of a GPT-2.
#include <cstring>
#include <string_view>

#include "asg/core/random.h"
#include "asg/graph/card.h"
#include "lab/scene_data.h"

namespace asg::lab {
namespace {

class StructureHash {
 public:
  void add(std::uint64_t number) { hash_ = (hash_ ^ number) * 0x9E3779B97F4A7C15u + (hash_ >> 29); }
  void add(std::string_view text) {
    add(text.size());
    add(std::hash<std::string_view>()(text));
  }
  void add(const TensorType& type) {
    add(static_cast<std::uint64_t>(type.dtype));
    add(static_cast<std::uint64_t>(type.shape.rank()));
    for (const Dim& dim : type.shape) add(static_cast<std::uint64_t>(dim.known().value_or(-1)));
  }
  void add(const Attr& attr) {
    add(static_cast<std::uint64_t>(attr.kind()));
    switch (attr.kind()) {
      case AttrKind::integer:
        return add(static_cast<std::uint64_t>(attr.as_integer()));
      case AttrKind::boolean:
        return add(static_cast<std::uint64_t>(attr.as_boolean()));
      case AttrKind::text:
        return add(std::string_view(attr.as_text()));
      case AttrKind::tensor:
        return add(attr.as_tensor());
      case AttrKind::graph:
        return add(static_cast<std::uint64_t>(attr.as_graph() == nullptr ? 0 : attr.as_graph()->node_count()));
      default:
        return add(std::string_view(attr.to_string()));
    }
  }
  std::uint64_t value() const { return hash_ == 0 ? 1 : hash_; }

 private:
  void add(const Array& array) {
    constexpr std::int64_t kMostElements = 64;
    add(static_cast<std::uint64_t>(array.dtype()));
    for (const std::int64_t size : array.sizes()) add(static_cast<std::uint64_t>(size));
    for (std::int64_t k = 0; k < std::min(array.count(), kMostElements); ++k) {
      const double element = array.get(k);
      std::uint64_t bits = 0;
      std::memcpy(&bits, &element, sizeof bits);
      add(bits);
    }
  }

  std::uint64_t hash_ = 0x243F6A8885A308D3u;
};

void add_leaf(const SceneData& data, Sheet& sheet, int index, StructureHash& hash) {
  const Leaf& leaf = sheet.leaves[static_cast<std::size_t>(index)];
  hash.add(std::string_view(leaf.op));
  hash.add(static_cast<std::uint64_t>(leaf.role));
  if (leaf.graph == nullptr) return;
  const Node& node = leaf.get();
  hash.add(std::string_view(node.op->name));
  for (const auto& [name, attr] : node.attrs) {
    hash.add(std::string_view(name));
    hash.add(attr);
  }
  for (const OutputInfo& output : node.outputs) hash.add(output.type);
  // Layers of the same structure share their sheet.
  if (opens(leaf) && node.op->composite) {
    hash.add(reinterpret_cast<std::uintptr_t>(inside_of(data, sheet, index).get()));
  }
}

// What the leaves are and how they are wired, wherever they stand.
std::uint64_t hash_between(const SceneData& data, Sheet& sheet, int first, int last) {
  StructureHash hash;
  for (int index = first; index < last; ++index) {
    add_leaf(data, sheet, index, hash);
    for (const Source& input : sheet.leaves[static_cast<std::size_t>(index)].inputs) {
      const bool inside = input.leaf >= first && input.leaf < last;
      hash.add(inside ? static_cast<std::uint64_t>(input.leaf - first) : ~std::uint64_t{input.absent()});
      hash.add(std::uint64_t{input.port});
    }
  }
  return hash.value();
}

std::uint64_t hash_of(const SceneData& data, Sheet& sheet, const Scope::Child& child) {
  if (!child.is_scope) return hash_between(data, sheet, child.index, child.index + 1);
  std::uint64_t& known = sheet.scope_hashes[static_cast<std::size_t>(child.index)];
  const Scope& scope = sheet.scopes[static_cast<std::size_t>(child.index)];
  if (known == 0) known = hash_between(data, sheet, scope.first, scope.last);
  return known;
}

}  // namespace

void mark_repeats(const SceneData& data, Sheet& sheet, const std::vector<Scope::Child>& children,
                  const std::vector<std::pair<int, int>>& ends, Level& level) {
  constexpr int kNone = -1;
  constexpr int kSeveral = -2;
  std::vector<int> next(level.items.size(), kNone);
  std::vector<int> before(level.items.size(), kNone);
  const auto join = [](int& place, int item) { place = place == kNone ? item : kSeveral; };
  for (std::size_t edge = 0; edge < ends.size(); ++edge) {
    const auto [from, to] = ends[edge];
    const Item& a = level.items[static_cast<std::size_t>(from)];
    const Item& b = level.items[static_cast<std::size_t>(to)];
    if (!a.opens || !b.opens || a.op != b.op || a.nodes != b.nodes || level.edges[edge].skips) continue;
    const Scope::Child& first = children[static_cast<std::size_t>(from)];
    const Scope::Child& second = children[static_cast<std::size_t>(to)];
    if (first.is_scope != second.is_scope || hash_of(data, sheet, first) != hash_of(data, sheet, second)) continue;
    join(next[static_cast<std::size_t>(from)], to);
    join(before[static_cast<std::size_t>(to)], from);
  }
  const auto follows = [&](int item) {
    const int after = item < 0 ? kNone : next[static_cast<std::size_t>(item)];
    return after >= 0 && before[static_cast<std::size_t>(after)] == item ? after : kNone;
  };
  for (std::size_t item = 0; item < level.items.size(); ++item) {
    const int first = static_cast<int>(item);
    if (follows(first) < 0 || (before[item] >= 0 && follows(before[item]) == first)) continue;
    std::vector<int> chain;
    for (int each = first; each >= 0 && chain.size() <= level.items.size(); each = follows(each)) chain.push_back(each);
    for (std::size_t k = 0; k < chain.size(); ++k) {
      level.items[static_cast<std::size_t>(chain[k])].repeats =
          Repeats{level.items[item].path, static_cast<int>(k), static_cast<int>(chain.size())};
    }
  }
}

}  // namespace asg::lab
