#include "asg/zoo/weights.h"

#include <algorithm>
#include <map>

#include "asg/core/error.h"
#include "zoo/weight_tables.h"

namespace asg::zoo {
namespace {

constexpr std::string_view kFormatNames[] = {"torchvision", "hugging_face"};

using Numbers = std::vector<std::string>;

// The numbers that stand for # in the pattern, where the text is of that form.
std::optional<Numbers> match(std::string_view pattern, std::string_view text) {
  Numbers numbers;
  std::size_t at = 0;
  for (const char letter : pattern) {
    if (letter != '#') {
      if (at == text.size() || text[at] != letter) return std::nullopt;
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
    if (at == begin) return std::nullopt;
    numbers.emplace_back(text.substr(begin, at - begin));
  }
  if (at != text.size()) return std::nullopt;
  return numbers;
}

std::size_t block_count(const Graph& model) {
  std::size_t blocks = 0;
  for (const VarId id : model.variable_ids()) {
    if (match("block_#.project_conv.weight", model.variable(id).name)) ++blocks;
  }
  return blocks;
}

std::string filled(std::string_view pattern, const Numbers& numbers, const Graph& model) {
  std::string text;
  auto next = numbers.begin();
  for (const char letter : pattern) {
    if (letter == '#') {
      text += *next++;
    } else if (letter == '@') {
      text += std::to_string(block_count(model) + 1);
    } else {
      text += letter;
    }
  }
  return text;
}

// The end of a name of ours, the end of theirs, and how the numbers lie there.
struct Ending {
  std::string_view ours;
  std::string_view theirs;
  bool transposed = false;
  bool leading_axis = false;
  int axis = 0;  // of the parts
};

std::vector<Ending> endings_of(ModuleKind kind) {
  switch (kind) {
    case ModuleKind::plain:
      return {{"", ""}};
    case ModuleKind::row:
      return {{.ours = "", .theirs = "", .leading_axis = true}};
    case ModuleKind::table:
      return {{".weight", ".weight"}};
    case ModuleKind::convolution:
      return {{".weight", ".weight"}, {".bias", ".bias"}};
    case ModuleKind::linear:
      return {{".weight", ".weight", true}, {".bias", ".bias"}};
    case ModuleKind::joint:
      return {{".weight", "_weight", true}, {".bias", "_bias"}};
    case ModuleKind::conv1d:
      return {{.ours = ".weight", .theirs = ".weight", .axis = 1}, {".bias", ".bias"}};
    case ModuleKind::scale:
      return {{".scale", ".weight"}};
    case ModuleKind::norm:
      return {{".scale", ".weight"}, {".bias", ".bias"}};
    case ModuleKind::batch_norm:
      return {{".scale", ".weight"},
              {".bias", ".bias"},
              {".running_mean", ".running_mean"},
              {".running_variance", ".running_var"}};
  }
  return {};
}

bool applies(const ModuleRow& row, const Numbers& numbers, const Graph& model) {
  const auto has = [&](std::string_view pattern) {
    return static_cast<bool>(model.find_variable(filled(pattern, numbers, model)));
  };
  return (row.with.empty() || has(row.with)) && (row.without.empty() || !has(row.without));
}

WeightPlace place_by(const ModuleRow& row, const Ending& ending, const Numbers& numbers, const Graph& model) {
  WeightPlace place{.leading_axis = ending.leading_axis,
                    .axis = ending.axis,
                    .part = row.part,
                    .parts = row.parts,
                    .transposed = ending.transposed};
  std::string_view names = row.theirs;
  while (true) {
    const std::size_t bar = names.find('|');
    place.tensors.push_back(filled(names.substr(0, bar), numbers, model) + std::string(ending.theirs));
    if (bar == std::string_view::npos) return place;
    names.remove_prefix(bar + 1);
  }
}

const WeightTable& table_of(const WeightMap& map) {
  for (const WeightTable& table : weight_tables()) {
    if (table.map.family == map.family && table.map.format == map.format) return table;
  }
  fail_internal("a weight map without its table");
}

[[noreturn]] void fail_shape(const Array& tensor, const std::string& needed) {
  fail(ErrorCode::bad_shape, "a tensor " + tensor.type_string(), needed);
}

bool is_learnt(const Variable& variable) {
  return variable.kind == VarKind::parameter || variable.kind == VarKind::buffer;
}

}  // namespace

std::string_view name_of(WeightFormat format) { return kFormatNames[static_cast<std::size_t>(format)]; }

std::optional<WeightFormat> parse_weight_format(std::string_view name) {
  for (const WeightFormat format : {WeightFormat::torchvision, WeightFormat::hugging_face}) {
    if (name_of(format) == name) return format;
  }
  return std::nullopt;
}

std::span<const WeightMap> weight_maps() {
  static const std::vector<WeightMap> kMaps = [] {
    std::vector<WeightMap> maps;
    for (const WeightTable& table : weight_tables()) maps.push_back(table.map);
    return maps;
  }();
  return kMaps;
}

const WeightMap* find_weight_map(std::string_view family, WeightFormat format) {
  for (const WeightMap& map : weight_maps()) {
    if (map.family == family && map.format == format) return &map;
  }
  return nullptr;
}

std::optional<WeightPlace> place_of(const WeightMap& map, const Graph& model, std::string_view variable) {
  for (const ModuleRow& row : table_of(map).rows) {
    for (const Ending& ending : endings_of(row.kind)) {
      if (!variable.ends_with(ending.ours)) continue;
      const auto numbers = match(row.ours, variable.substr(0, variable.size() - ending.ours.size()));
      if (numbers && applies(row, *numbers, model)) return place_by(row, ending, *numbers, model);
    }
  }
  return std::nullopt;
}

Array take_part(const WeightPlace& place, const Array& tensor) {
  Array result = tensor;
  if (place.leading_axis) {
    if (tensor.rank() < 1 || tensor.sizes().front() != 1) fail_shape(tensor, "a first axis of length 1");
    result = result.reshaped(Sizes(tensor.sizes().begin() + 1, tensor.sizes().end()));
  }
  if (place.parts > 1) {
    // A bias has one axis, along which its parts lie whatever those of the weight do.
    const int axis = std::min(place.axis, result.rank() - 1);
    if (axis < 0 || result.sizes()[static_cast<std::size_t>(axis)] % place.parts != 0) {
      fail_shape(tensor, "a length that " + std::to_string(place.parts) + " parts share equally");
    }
    const std::int64_t length = result.sizes()[static_cast<std::size_t>(axis)] / place.parts;
    result = result.sliced(axis, place.part * length, length, 1);
  }
  if (!place.transposed) return result;
  if (result.rank() != 2) fail_shape(tensor, "a matrix");
  return result.transposed({1, 0});
}

Array join_parts(const WeightPlace& place, std::span<const Array> parts) {
  internal_check(!parts.empty(), "a tensor is joined of at least one part");
  std::vector<Array> turned;
  for (const Array& part : parts) turned.push_back(place.transposed ? part.transposed({1, 0}) : part);
  const int axis = std::min(place.axis, turned.front().rank() - 1);
  Array result = turned.front().copy();
  if (turned.size() > 1) {
    Sizes sizes = turned.front().sizes();
    const std::int64_t length = sizes[static_cast<std::size_t>(axis)];
    sizes[static_cast<std::size_t>(axis)] = length * static_cast<std::int64_t>(turned.size());
    result = Array(turned.front().dtype(), std::move(sizes));
    for (std::size_t number = 0; number < turned.size(); ++number) {
      result.sliced(axis, static_cast<std::int64_t>(number) * length, length, 1).assign(turned[number]);
    }
  }
  if (!place.leading_axis) return result;
  Sizes sizes = result.sizes();
  sizes.insert(sizes.begin(), 1);
  return result.reshaped(std::move(sizes));
}

io::LoadedWeights load_weights(const Graph& model, const WeightMap& map, const io::Safetensors& file, bool strict) {
  const WeightTable& table = table_of(map);
  // The first of its names that the file has, with or without the prefix.
  const auto tensor_of = [&](const WeightPlace& place) -> std::string {
    for (const std::string& tensor : place.tensors) {
      for (const std::string& name : {tensor, std::string(table.prefix) + tensor}) {
        if (file.find(name) != nullptr) return name;
      }
    }
    return place.tensors.front();
  };
  const auto source_of = [&](const Variable& variable) -> io::WeightSource {
    const auto place = place_of(map, model, variable.name);
    if (!place) return {variable.name};  // told as missing
    return {tensor_of(*place), [place = *place](const Array& tensor) { return take_part(place, tensor); }};
  };
  const auto is_unneeded = [&](std::string_view tensor) {
    return std::any_of(table.unneeded.begin(), table.unneeded.end(),
                       [&](std::string_view end) { return tensor.ends_with(end); });
  };
  return io::load_weights(model, file, {.strict = strict, .source = source_of, .ignore = is_unneeded});
}

io::Tensors export_weights(const Graph& model, const WeightMap& map, const std::function<Array(VarId)>& value_of) {
  struct Gathered {
    WeightPlace place;
    std::map<int, Array> parts;
  };
  std::map<std::string, Gathered> tensors;
  for (const VarId id : model.variable_ids()) {
    const Variable& variable = model.variable(id);
    if (!is_learnt(variable)) continue;
    const auto place = place_of(map, model, variable.name);
    if (!place) continue;
    Gathered& gathered = tensors[place->tensors.front()];
    gathered.place = *place;
    gathered.parts[place->part] = value_of(id);
  }
  io::Tensors result;
  for (auto& [name, gathered] : tensors) {
    std::vector<Array> parts;
    for (auto& [number, part] : gathered.parts) parts.push_back(std::move(part));
    if (static_cast<int>(parts.size()) != gathered.place.parts) {
      fail(ErrorCode::missing_value, std::to_string(parts.size()) + " of the parts of tensor '" + name + "'",
           "all " + std::to_string(gathered.place.parts) + " of them");
    }
    result[name] = join_parts(gathered.place, parts);
  }
  return result;
}

}  // namespace asg::zoo
