#include <climits>
#include <utility>

#include "asg/core/error.h"
#include "asg/core/limits.h"
#include "asg/graph/card.h"
#include "binary_text.h"
#include "json_reader.h"

namespace asg {
namespace {

std::optional<Role> parse_role(std::string_view name) {
  for (const Role role : {Role::forward, Role::loss, Role::gradient, Role::update}) {
    if (name_of(role) == name) return role;
  }
  return std::nullopt;
}

}  // namespace

void JsonReader::begin_node() {
  if (++node_count_ > limits_.max_nodes) {
    fail_limit(Limit::nodes, "more than " + std::to_string(limits_.max_nodes) + " nodes in all graphs together",
               static_cast<std::int64_t>(limits_.max_nodes));
  }
  graph().node = std::make_shared<Node>();
  graph().extra = {};
}

void JsonReader::node_scalar(const JsonScalar& scalar) {
  switch (top().place) {
    case key::node_id:
      node().id = NodeId{number_of(scalar, 1)};
      return;
    case key::node_op:
      node().op = &find_op(text_of(scalar));
      return;
    case key::node_name:
      node().name = std::move(text_of(scalar));
      return;
    case key::node_scope:
      node().scope = std::move(text_of(scalar));
      return;
    case key::node_stream:
      node().stream = parse_hex(text_of(scalar)).value_or(0);
      if (node().stream == 0) refuse(scalar);
      return;
    default:
      refuse(scalar);
  }
}

void JsonReader::node_input(const JsonScalar& scalar) {
  const bool absent = scalar.kind == JsonScalar::Kind::null;
  give_value(absent ? Value{} : Value{NodeId{number_of(scalar, 1)}, 0});
}

void JsonReader::origin_scalar(const JsonScalar& scalar) {
  Origin origin = node().origin != nullptr ? *node().origin : Origin{};
  switch (top().place) {
    case key::origin_node:
      origin.node = NodeId{number_of(scalar, 1)};
      break;
    case key::origin_path:
      origin.path = std::move(text_of(scalar));
      break;
    default: {
      const auto role = parse_role(text_of(scalar));
      if (!role) refuse(scalar);
      origin.role = *role;
    }
  }
  node().origin = std::make_shared<const Origin>(std::move(origin));
}

void JsonReader::known_length(const JsonScalar& scalar) {
  const bool is_integer = scalar.kind == JsonScalar::Kind::integer;
  graph().extra.known->push_back(is_integer ? Dim(scalar.integer) : Dim::parse(text_of(scalar)));
}

// ---- [node, port] and [file, line]

void JsonReader::pair_element(const JsonScalar& scalar) {
  const std::uint32_t number = number_of(scalar, 0);
  if (top().count <= pair_.size()) pair_[top().count - 1] = number;
}

void JsonReader::end_pair(const Frame& closed) {
  if (closed.count != pair_.size()) refuse("an array of " + std::to_string(closed.count) + " numbers");
  const auto [first, second] = pair_;
  if (closed.state == JsonState::value) {
    if (first == 0) refuse("the id 0");
    return give_value({NodeId{first}, second});
  }
  if (first >= files_.size() || second == 0 || second > INT_MAX) {
    fail(ErrorCode::bad_json, "line " + std::to_string(second) + " of file number " + std::to_string(first),
         "a line from 1, and one of the " + std::to_string(files_.size()) + " files listed before the nodes");
  }
  if (files_[first] != nullptr) node().where = {files_[first], static_cast<int>(second)};
}

void JsonReader::give_value(Value value) {
  switch (top().state) {
    case JsonState::node_inputs:
      values_.push_back(value);
      return;
    case JsonState::output:
      output_.value = value;
      return;
    default:
      update_.value = value;
      return;
  }
}

}  // namespace asg
