#include "edit_fields.h"
#include "edit_json.h"
#include "json_values.h"

namespace asg {
namespace {

class FieldWriter {
 public:
  explicit FieldWriter(JsonOut& out) : out_(out) {}

  template <class Field>
  void need(std::string_view name, const Field& field) {
    out_.key(name);
    write(field);
  }
  template <class Field>
  void may(std::string_view name, const Field& field) {
    if (!(field == Field{})) need(name, field);
  }

 private:
  void write(const std::string& text) { out_.text(text); }
  void write(bool flag) { out_.boolean(flag); }
  void write(std::uint32_t number) { out_.integer(number); }
  void write(const TensorType& type) { out_.text(type.to_string()); }
  void write(const Attrs& attrs) { write_attrs(out_, attrs); }
  void write(const Array& array) { write_array(out_, array); }
  void write(const NodeRef& node) {
    if (node.path.empty()) {
      out_.integer(node.id.number);
    } else {
      out_.text(node.path);
    }
  }
  void write(const VarRef& variable) {
    if (variable.name.empty()) {
      out_.integer(variable.id.number);
    } else {
      out_.text(variable.name);
    }
  }
  void write(const ValueRef& value) {
    if (!value) return out_.null();
    if (value.port == 0) return write(value.node);
    out_.begin_array();
    write(value.node);
    out_.integer(value.port);
    out_.end_array();
  }
  void write(const NodePath& at) {
    if (at.inside.empty()) return write(at.node);
    out_.begin_object();
    need("node", at.node);
    need("inside", at.inside);
    out_.end_object();
  }
  template <class Element>
  void write(const std::vector<Element>& elements) {
    out_.begin_array();
    for (const Element& element : elements) write(element);
    out_.end_array();
  }

  JsonOut& out_;
};

}  // namespace

void write_edit(JsonOut& out, const Edit& edit) {
  out.begin_object();
  if (edit.policy != ResizePolicy::automatic) out.member("policy", name_of(edit.policy));
  out.key("commands");
  out.begin_array();
  for (const Command& command : edit.commands) {
    out.line();
    out.begin_object();
    out.member("do", name_of(command));
    FieldWriter writer(out);
    std::visit([&](const auto& kind) { edits::visit_fields(writer, kind); }, command);
    out.end_object();
  }
  out.end_array();
  out.end_object();
}

std::string to_json(const Edit& edit) {
  return json_text([&edit](JsonOut& out) { write_edit(out, edit); });
}

}  // namespace asg
