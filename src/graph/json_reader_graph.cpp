#include <climits>
#include <mutex>
#include <set>
#include <utility>

#include "asg/core/error.h"
#include "asg/graph/card.h"
#include "asg/graph/registry.h"
#include "json_reader.h"
#include "printing.h"

namespace asg {
namespace {

using ScalarKind = JsonScalar::Kind;

// A source location holds a pointer to a name that is never freed. Names from files are kept here, each once; beyond
// a number that no honest project reaches they are dropped, so that hostile files cannot fill the memory.
const char* kept_file_name(const std::string& name) {
  constexpr std::size_t kMostNames = 4096;
  constexpr std::size_t kLongestName = 1024;
  static std::mutex mutex;
  static std::set<std::string> names;
  if (name.size() > kLongestName) return nullptr;
  const std::lock_guard lock(mutex);
  const auto kept = names.find(name);
  if (kept != names.end()) return kept->c_str();
  return names.size() < kMostNames ? names.insert(name).first->c_str() : nullptr;
}

double real_in(const JsonScalar& scalar) {
  return scalar.kind == ScalarKind::integer ? static_cast<double>(scalar.integer) : scalar.real;
}

}  // namespace

void JsonReader::graph_scalar(const JsonScalar& scalar) {
  switch (top().place) {
    case key::name:
      graph().graph.set_name(std::move(text_of(scalar)));
      return;
    case key::id:
      graph().graph.set_id(GraphId{number_of(scalar, 1)});
      return;
    case key::format:
      if (text_of(scalar) != "asg-graph") refuse(scalar);
      return;
    case key::version: {
      const std::uint32_t version = number_of(scalar, 1);
      if (version <= kJsonFormatVersion) return;
      fail(ErrorCode::unsupported_version, "a file of version " + std::to_string(version) + " of the format",
           "version " + std::to_string(kJsonFormatVersion) + " or earlier", "read it with a newer release");
    }
    default:
      refuse(scalar);
  }
}

const OpCard& JsonReader::find_op(const std::string& name) {
  if (last_op_ != nullptr && last_op_->name == name) return *last_op_;
  const OpCard*& card = ops_[name];
  if (card == nullptr) card = &Registry::global().get(name);
  last_op_ = card;
  return *card;
}

void JsonReader::op_version(const JsonScalar& scalar) {
  const OpCard& op = find_op(top().key);
  const std::uint32_t version = number_of(scalar, 1);
  if (version == static_cast<std::uint32_t>(op.version)) return;
  const bool newer = version > static_cast<std::uint32_t>(op.version);
  fail(ErrorCode::unsupported_version, "version " + std::to_string(version) + " of op '" + op.name + "'",
       "version " + std::to_string(op.version) + ", the one that is known here",
       newer ? "read the file with a newer release"
             : "its meaning has changed since: read the file with an older release");
}

void JsonReader::file_name(const JsonScalar& scalar) {
  const std::string& name = text_of(scalar);
  if (name.find('\0') != std::string::npos) refuse(scalar);
  files_.push_back(kept_file_name(name));
}

// ---- Variables

void JsonReader::variable_scalar(const JsonScalar& scalar) {
  switch (top().place) {
    case key::var_id:
      variable_.id = VarId{number_of(scalar, 1)};
      return;
    case key::var_name:
      variable_.name = std::move(text_of(scalar));
      return;
    case key::var_type:
      variable_.type = type_of(scalar);
      return;
    case key::var_init:
    case key::var_kind: {
      const std::string& name = text_of(scalar);
      const bool is_init = top().place == key::var_init;
      const auto init = is_init ? parse_initializer_kind(name) : std::nullopt;
      const auto kind = is_init ? std::nullopt : parse_var_kind(name);
      if (!init && !kind) refuse(scalar);
      if (init) variable_.init.kind = *init;
      if (kind) variable_.kind = *kind;
      return;
    }
    default:
      variable_.trainable = boolean_of(scalar);
      return;
  }
}

void JsonReader::initializer_scalar(const JsonScalar& scalar) {
  switch (top().place) {
    case key::init_kind: {
      const auto kind = parse_initializer_kind(text_of(scalar));
      if (!kind) refuse(scalar);
      variable_.init.kind = *kind;
      return;
    }
    case key::init_a:
    case key::init_b:
      if (scalar.kind != ScalarKind::real && scalar.kind != ScalarKind::integer) refuse(scalar);
      (top().place == key::init_a ? variable_.init.a : variable_.init.b) = real_in(scalar);
      return;
    default:
      refuse(scalar);
  }
}

void JsonReader::end_variable() {
  if ((variable_.init.kind == Initializer::Kind::given) != (variable_.init.value != nullptr)) {
    fail(ErrorCode::bad_json, "the initialiser of variable " + as_quoted(variable_.name, 60),
         "a value where its kind is \"given\", and only there");
  }
  Graph& into = graph().graph;
  if (into.has(variable_.id)) {
    fail(ErrorCode::bad_json, "two variables with the id " + std::to_string(variable_.id.number),
         "an id of its own for each");
  }
  if (into.find_variable(variable_.name)) {
    fail(ErrorCode::duplicate_name, "two variables named " + as_quoted(variable_.name, 60),
         "a name that no other variable of the graph has");
  }
  take_slots(into.next_variable_id().number, variable_.id.number);
  graph().variables.push_back(variable_.id);
  into.put(std::move(variable_));
}

// ---- Results

void JsonReader::output_scalar(const JsonScalar& scalar) {
  if (top().place == key::output_name) {
    output_.name = std::move(text_of(scalar));
  } else {
    give_value({NodeId{number_of(scalar, 1)}, 0});
  }
}

void JsonReader::update_scalar(const JsonScalar& scalar) {
  if (top().place == key::update_variable) {
    update_.variable = VarId{number_of(scalar, 1)};
  } else {
    give_value({NodeId{number_of(scalar, 1)}, 0});
  }
}

}  // namespace asg
