#pragma once

#include <cstdint>
#include <span>
#include <string_view>

// The form of the JSON file as data: what may stand where, and how to say so when something else does.
// docs/json-format.md says the same in words.
namespace asg {

// A kind of JSON array or object.
enum class JsonState : std::uint8_t {
  none,
  document,  // the text itself: one object
  file,      // {"format": …, and what a graph has}
  graph,     // a graph inside another
  ops,       // {"Add": 1, …}
  files,     // ["model.cpp", …]
  inputs,    // [1, 2]
  variables,
  variable,
  initializer,
  nodes,
  node,
  node_inputs,  // [1, [2, 1], null]
  value,        // [2, 1]
  attrs,
  tagged,       // {"dtype": "f32"}
  list,         // an attribute that is a list
  tagged_real,  // {"real": "nan"} in a list
  tensor,
  bindings,  // {"weight": 3}
  origin,
  where,  // [0, 42]
  known,  // [2, "batch"]
  types,  // ["f32[2]"]
  outputs,
  output,
  updates,
  update
};

// One place: a key of an object, or all elements of an array or map.
struct JsonPlace {
  std::string_view key;     // "" for elements
  std::string_view needed;  // what must stand here, for messages
  bool required = false;
  JsonState array = JsonState::none;  // what an array here is; none: it may not stand here
  JsonState object = JsonState::none;
};

struct JsonForm {
  enum class Kind : std::uint8_t {
    array,  // all elements are places[0]
    map,    // an object with any keys; all values are places[0]
    record  // an object with the keys of `places`
  };
  std::string_view name;  // "a node"
  Kind kind = Kind::array;
  std::span<const JsonPlace> places;
};

const JsonForm& form_of(JsonState state);

// Positions in the tables of places.
namespace key {
enum Graph : std::uint8_t { name, id, inputs, variables, nodes, outputs, updates, format, version, ops, files };
enum Variable : std::uint8_t { var_id, var_name, var_type, var_init, var_kind, var_trainable };
enum Init : std::uint8_t { init_kind, init_a, init_b, init_value };
enum Node : std::uint8_t {
  node_id,
  node_op,
  node_in,
  node_where,
  node_name,
  node_scope,
  node_attrs,
  node_bind,
  node_body,
  node_stream,
  node_origin,
  node_known,
  node_types
};
enum Tag : std::uint8_t { real, integers, reals, texts, dtype, type, tensor, graph };
enum Tensor : std::uint8_t { tensor_type, tensor_data };
enum Origin : std::uint8_t { origin_node, origin_path, origin_role };
enum Output : std::uint8_t { output_name, output_value };
enum Update : std::uint8_t { update_variable, update_value };
}  // namespace key

}  // namespace asg
