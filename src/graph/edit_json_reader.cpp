#include <array>
#include <limits>
#include <utility>

#include "edit_fields.h"
#include "edit_json.h"
#include "json_dom.h"

namespace asg {
namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse_command(const std::string& pointer, std::string given, std::string needed,
                                 std::string mend = "") {
  throw UserError({ErrorCode::bad_command, std::move(given), std::move(needed), std::move(mend), "", pointer});
}

// A short form of what stands there.
std::string shown(const Json& value) {
  constexpr std::size_t kLongest = 40;
  std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() <= kLongest ? text : text.substr(0, kLongest) + "...";
}

std::uint32_t number_from(const Json& value, const std::string& pointer, const std::string& needed) {
  if (value.is_number_unsigned() && value.get<std::uint64_t>() <= std::numeric_limits<std::uint32_t>::max()) {
    return value.get<std::uint32_t>();
  }
  refuse_command(pointer, shown(value), needed);
}

// Errors of values that are read elsewhere get the place in this text.
template <class Read>
auto placed(const std::string& pointer, const Read& read) {
  try {
    return read();
  } catch (const UserError& error) {
    ErrorDetail detail = error.detail();
    detail.where = pointer + (detail.where.starts_with('/') ? detail.where : "");
    throw UserError(std::move(detail));
  }
}

class FieldReader {
 public:
  FieldReader(const Json& object, std::string command, std::string pointer)
      : object_(object), command_(std::move(command)), pointer_(std::move(pointer)) {}

  template <class Field>
  void need(const char* name, Field& field) {
    needed_ += (needed_.empty() ? "'" : ", '") + std::string(name) + "'";
    if (missing_.empty() && !object_.contains(name)) missing_ = name;
    may(name, field);
  }
  template <class Field>
  void may(const char* name, Field& field) {
    names_.emplace_back(name);
    const auto found = object_.find(name);
    if (found != object_.end()) read(*found, field, pointer_ + "/" + name);
  }

  // To be called after all fields: whatever is missing, or was not asked for, is a mistake.
  void finish() const {
    if (!missing_.empty()) {
      refuse_command(pointer_, command_ + " without the field '" + missing_ + "'", "the fields " + needed_);
    }
    std::string allowed = "do";
    for (const std::string& name : names_) allowed += ", " + name;
    for (const auto& [key, value] : object_.items()) {
      if (key == "do" || std::find(names_.begin(), names_.end(), key) != names_.end()) continue;
      const std::string nearest = nearest_name(key, names_);
      refuse_command(pointer_, "the field '" + key + "' of " + command_, "one of " + allowed,
                     nearest.empty() ? "" : "did you mean '" + nearest + "'?");
    }
  }

 private:
  using Place = const std::string&;  // a JSON pointer

  static void read(const Json& value, std::string& text, Place at) {
    if (!value.is_string()) refuse_command(at, shown(value), "a text");
    text = value.get<std::string>();
  }
  static void read(const Json& value, bool& flag, Place at) {
    if (!value.is_boolean()) refuse_command(at, shown(value), "true or false");
    flag = value.get<bool>();
  }
  static void read(const Json& value, std::uint32_t& number, Place at) {
    number = number_from(value, at, "a number, counted from 0");
  }
  static void read(const Json& value, TensorType& type, Place at) {
    if (!value.is_string()) refuse_command(at, shown(value), "a type such as \"f32[batch, 784]\"");
    type = placed(at, [&] { return TensorType::parse(value.get<std::string>()); });
  }
  static void read(const Json& value, Attrs& attrs, Place at) {
    attrs = placed(at, [&] { return attrs_from_json(value); });
  }
  static void read(const Json& value, Array& array, Place at) {
    array = placed(at, [&] { return array_from_json(value); });
  }
  static void read(const Json& value, NodeRef& node, Place at) {
    if (value.is_string() && !value.get_ref<const std::string&>().empty()) {
      node = NodeRef(value.get<std::string>());
    } else {
      node = NodeId{number_from(value, at, "the id of a node, or its path as a text")};
    }
  }
  static void read(const Json& value, VarRef& variable, Place at) {
    if (value.is_string() && !value.get_ref<const std::string&>().empty()) {
      variable = VarRef(value.get<std::string>());
    } else {
      variable = VarId{number_from(value, at, "the id of a variable, or its name as a text")};
    }
  }
  static void read(const Json& value, ValueRef& ref, Place at) {
    ref = {};
    if (value.is_null()) return;
    if (!value.is_array()) return read(value, ref.node, at);
    if (value.size() != 2) refuse_command(at, shown(value), "[node, output]");
    read(value[0], ref.node, at + "/0");
    read(value[1], ref.port, at + "/1");
  }
  static void read(const Json& value, NodePath& path, Place at) {
    path = {};
    if (!value.is_object()) return read(value, path.node, at);
    FieldReader fields(value, "a place", at);
    fields.need("node", path.node);
    fields.may("inside", path.inside);
    fields.finish();
  }
  template <class Element>
  static void read(const Json& value, std::vector<Element>& elements, Place at) {
    if (!value.is_array()) refuse_command(at, shown(value), "a list");
    elements.assign(value.size(), {});
    for (std::size_t index = 0; index < value.size(); ++index) {
      read(value[index], elements[index], at + "/" + std::to_string(index));
    }
  }

  const Json& object_;
  std::string command_;
  std::string pointer_;
  std::vector<std::string> names_;
  std::string needed_;   // those without a default, listed
  std::string missing_;  // the first of them that is not there
};

// A command of each kind with nothing in it, so that there is no second list of them.
template <std::size_t... Kinds>
std::array<Command, sizeof...(Kinds)> empty_commands(std::index_sequence<Kinds...>) {
  return {Command(std::in_place_index<Kinds>)...};
}

Command command_named(const std::string& name, const std::string& pointer) {
  static const auto kAll = empty_commands(std::make_index_sequence<std::variant_size_v<Command>>());
  std::vector<std::string> names;
  std::string listed;
  for (const Command& command : kAll) {
    if (name_of(command) == name) return command;
    names.emplace_back(name_of(command));
    listed += (listed.empty() ? "" : ", ") + names.back();
  }
  const std::string nearest = nearest_name(name, names);
  refuse_command(pointer, "the command '" + name + "'", "one of " + listed,
                 nearest.empty() ? "" : "did you mean '" + nearest + "'?");
}

Command read_command(const Json& value, const std::string& pointer) {
  if (!value.is_object()) refuse_command(pointer, shown(value), "a command: an object with the field 'do'");
  const auto found = value.find("do");
  if (found == value.end() || !found->is_string()) {
    refuse_command(pointer, "a command without its name", "the field 'do' with the name of the command");
  }
  const std::string name = found->get<std::string>();
  Command command = command_named(name, pointer + "/do");
  FieldReader reader(value, "the command '" + name + "'", pointer);
  std::visit([&](auto& kind) { edits::visit_fields(reader, kind); }, command);
  reader.finish();
  return command;
}

ResizePolicy policy_named(const Json& value, const std::string& pointer) {
  for (const ResizePolicy policy :
       {ResizePolicy::automatic, ResizePolicy::fresh, ResizePolicy::overlap, ResizePolicy::preserve}) {
    if (value.is_string() && value.get_ref<const std::string&>() == name_of(policy)) return policy;
  }
  refuse_command(pointer, shown(value) + " as a policy", "one of \"auto\", \"fresh\", \"overlap\", \"preserve\"");
}

}  // namespace

Edit read_edit(const Json& value, const std::string& pointer) {
  if (!value.is_object()) refuse_command(pointer, shown(value), "an edit: an object with the field 'commands'");
  Edit edit;
  for (const auto& [key, member] : value.items()) {
    std::string at = pointer;
    at.append("/").append(key);
    if (key == "policy") {
      edit.policy = policy_named(member, at);
    } else if (key == "commands" && member.is_array()) {
      for (std::size_t index = 0; index < member.size(); ++index) {
        edit.commands.push_back(read_command(member[index], at + "/" + std::to_string(index)));
      }
    } else {
      refuse_command(at, "the field '" + key + "' of an edit", "'commands', a list, and perhaps 'policy'");
    }
  }
  if (!value.contains("commands"))
    refuse_command(pointer, "an edit without the field 'commands'", "a list of commands");
  return edit;
}

Edit edit_from_json(std::string_view json) { return read_edit(dom_from_text(json), ""); }

}  // namespace asg
