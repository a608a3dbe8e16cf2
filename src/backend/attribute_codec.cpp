#include "asg/backend/attribute_codec.h"

#include <type_traits>

namespace asg {
namespace {

// How the value of a kind is read off an attribute.
template <class T>
struct Decoder;

#define ASG_DECODER(type, attr_kind, read)                      \
  template <>                                                   \
  struct Decoder<type> {                                        \
    static constexpr AttrKind kKind = AttrKind::attr_kind;      \
    static type value(const Attr& attr) { return attr.read(); } \
  };

ASG_DECODER(std::int64_t, integer, as_integer)
ASG_DECODER(double, real, as_real)
ASG_DECODER(bool, boolean, as_boolean)
ASG_DECODER(std::string, text, as_text)
ASG_DECODER(std::vector<std::int64_t>, integers, as_integers)
ASG_DECODER(std::vector<double>, reals, as_reals)
ASG_DECODER(std::vector<std::string>, texts, as_texts)
ASG_DECODER(DType, dtype, as_dtype)
ASG_DECODER(TensorType, type, as_type)
ASG_DECODER(Array, tensor, as_tensor)
ASG_DECODER(GraphPtr, graph, as_graph)
#undef ASG_DECODER

[[noreturn]] void refuse(const Node& node, ErrorCode code, std::string given, AttrKind needed) {
  throw UserError({code, std::move(given), std::string(name_of(needed)), "give the node the attribute, of this kind",
                   node.path(), node.where.to_string()});
}

}  // namespace

template <class T>
T decode_attribute(const Node& node, std::string_view name) {
  const std::string what = "attribute '" + std::string(name) + "' of op '" + node.op->name + "'";
  const Attr* attr = AttrReader(*node.op, node.attrs).find(name);
  if (attr == nullptr) refuse(node, ErrorCode::missing_attribute, "no " + what, Decoder<T>::kKind);
  const bool widens = std::is_same_v<T, double> && attr->kind() == AttrKind::integer;
  if (attr->kind() != Decoder<T>::kKind && !widens) {
    refuse(node, ErrorCode::bad_attribute,
           attr->to_string() + " (" + std::string(name_of(attr->kind())) + ") for " + what, Decoder<T>::kKind);
  }
  return Decoder<T>::value(*attr);
}

template std::int64_t decode_attribute(const Node&, std::string_view);
template double decode_attribute(const Node&, std::string_view);
template bool decode_attribute(const Node&, std::string_view);
template std::string decode_attribute(const Node&, std::string_view);
template std::vector<std::int64_t> decode_attribute(const Node&, std::string_view);
template std::vector<double> decode_attribute(const Node&, std::string_view);
template std::vector<std::string> decode_attribute(const Node&, std::string_view);
template DType decode_attribute(const Node&, std::string_view);
template TensorType decode_attribute(const Node&, std::string_view);
template Array decode_attribute(const Node&, std::string_view);
template GraphPtr decode_attribute(const Node&, std::string_view);

}  // namespace asg
