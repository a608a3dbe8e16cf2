#include "run_inputs.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "asg/core/random.h"
#include "asg/io/npy.h"
#include "sizes.h"

namespace asg::app {
namespace {

constexpr std::string_view kRandom = "random";

std::vector<std::string> names_of(const Graph& model) {
  std::vector<std::string> names;
  for (const NodeId id : model.inputs()) names.push_back(model.node(id).path());
  return names;
}

std::string types_text(const Graph& model) {
  std::string text;
  for (const NodeId id : model.inputs()) {
    text += (text.empty() ? "" : ", ") + model.node(id).path() + " : " + model.type({id, 0}).to_string();
  }
  return text;
}

bool is_random(std::string_view source) { return source == kRandom || source.starts_with("random:"); }

// The N of "random:N"; 0 where there is none.
std::uint64_t limit_of(const std::string& source) {
  if (source == kRandom) return 0;
  const char* end = source.data() + source.size();
  std::uint64_t limit = 0;
  const auto [stop, error] = std::from_chars(source.data() + kRandom.size() + 1, end, limit);
  if (error == std::errc{} && stop == end && limit > 0) return limit;
  fail(ErrorCode::bad_command, "'" + source + "'", "random, or random:N with N of at least 1");
}

Array random_array(const std::string& name, DType dtype, const Sizes& sizes, std::uint64_t limit, std::uint64_t seed) {
  const RandomStream stream(seed, combine(StreamKey{0}, name));
  Array array(dtype, sizes);
  for (std::int64_t position = 0; position < array.count(); ++position) {
    const auto at = static_cast<std::uint64_t>(position);
    if (is_float(dtype) && limit == 0) {
      array.set(position, stream.normal(at));
    } else {
      array.set_i64(position, static_cast<std::int64_t>(stream.below(at, limit == 0 ? 2 : limit)));
    }
  }
  return array;
}

[[noreturn]] void fail_without_value(const std::string& name, const Graph& model) {
  fail(ErrorCode::missing_value, "no value for input '" + name + "'", "a value for each of " + types_text(model),
       "give --input " + name + "=FILE.npy, or " + name + "=random");
}

// Where the value of each input comes from, by its name.
std::map<std::string, std::string> sources_of(const Graph& model, const std::vector<std::string>& given) {
  const std::vector<std::string> names = names_of(model);
  std::map<std::string, std::string> sources;
  std::string for_others;
  for (const std::string& text : given) {
    const std::size_t mark = text.find('=');
    if (mark == std::string::npos && is_random(text)) {
      for_others = text;
      continue;
    }
    const std::string name = text.substr(0, mark);
    if (mark == std::string::npos || std::find(names.begin(), names.end(), name) == names.end()) {
      const std::string nearest = nearest_name(name, names);
      fail(ErrorCode::bad_command, "--input " + text,
           "NAME=FILE.npy, NAME=random or random; inputs are " + types_text(model),
           nearest.empty() ? "" : "did you mean '" + nearest + "'?");
    }
    sources[name] = text.substr(mark + 1);
  }
  for (const std::string& name : names) {
    if (!sources.contains(name) && !for_others.empty()) sources[name] = for_others;
    if (sources.contains(name)) continue;
    fail_without_value(name, model);
  }
  return sources;
}

}  // namespace

NamedArrays make_inputs(const Graph& model, const std::vector<std::string>& given, SymbolLengthsByName& lengths,
                        std::uint64_t seed) {
  const std::map<std::string, std::string> sources = sources_of(model, given);
  NamedArrays inputs;
  for (const NodeId id : model.inputs()) {
    const std::string name = model.node(id).path();
    const std::string& source = sources.at(name);
    if (is_random(source)) continue;
    inputs[name] = io::read_npy_file(source);
    learn_lengths(model.type({id, 0}), inputs[name].sizes(), lengths);
  }
  complete_lengths(model, lengths);
  for (const NodeId id : model.inputs()) {
    const std::string name = model.node(id).path();
    if (inputs.contains(name)) continue;
    const TensorType& type = model.type({id, 0});
    inputs[name] = random_array(name, type.dtype, sizes_with(type, lengths), limit_of(sources.at(name)), seed);
  }
  return inputs;
}

}  // namespace asg::app
