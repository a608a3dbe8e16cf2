#include "io/onnx/table.h"

#include <algorithm>

#include "asg/core/error.h"
#include "asg/graph/registry.h"

namespace asg::io {
namespace {

using Kind = AttrDef::Kind;

std::string_view words_of(Kind kind) {
  switch (kind) {
    case Kind::integer:
      return "an integer";
    case Kind::real:
      return "a number";
    case Kind::text:
      return "a text";
    case Kind::integers:
      return "integers";
    case Kind::reals:
      return "numbers";
    case Kind::texts:
      return "texts";
    case Kind::tensor:
      return "a tensor";
    case Kind::graph:
      return "a graph";
    case Kind::none:
    case Kind::refused:
      break;
  }
  return "nothing that can be read";
}

Attr dtype_attribute(const AttrDef& attribute) {
  if (const auto dtype = dtype_of_onnx(attribute.integer)) return *dtype;
  fail(ErrorCode::bad_dtype, words_of_onnx_dtype(attribute.integer) + " for attribute '" + attribute.name + "'",
       "numbers or bools");
}

std::optional<Attr> converted(const AttrDef& attribute, AttrKind wanted) {
  const Kind given = attribute.kind;
  switch (wanted) {
    case AttrKind::integer:
      if (given == Kind::integer) return attribute.integer;
      break;
    case AttrKind::boolean:
      if (given == Kind::integer) return attribute.integer != 0;
      break;
    case AttrKind::real:
      if (given == Kind::real) return attribute.real;
      if (given == Kind::integer) return static_cast<double>(attribute.integer);
      break;
    case AttrKind::text:
      if (given == Kind::text) return attribute.text;
      break;
    case AttrKind::integers:
      if (given == Kind::integers) return attribute.integers;
      break;
    case AttrKind::reals:
      if (given == Kind::reals) return attribute.reals;
      break;
    case AttrKind::texts:
      if (given == Kind::texts) return attribute.texts;
      break;
    case AttrKind::dtype:
      if (given == Kind::integer) return dtype_attribute(attribute);
      break;
    case AttrKind::tensor:
      if (given != Kind::tensor) break;
      if (!attribute.tensor.refused.empty()) {
        fail_onnx(attribute.tensor.refused + " for attribute '" + attribute.name + "'", "numbers or bools");
      }
      return attribute.tensor.value;
    case AttrKind::graph:
    case AttrKind::type:
      break;
  }
  return std::nullopt;
}

}  // namespace

OpTable::OpTable() {
  for (const OpCard* card : Registry::global().all()) {
    for (const OnnxMapping& mapping : card->onnx) cards_[{mapping.domain, mapping.op}].emplace(mapping.since, card);
  }
}

const OpCard* OpTable::find(std::string_view domain, std::string_view op, int opset) const {
  const auto found = cards_.find({domain, op});
  if (found == cards_.end()) return nullptr;
  const auto& by_opset = found->second;
  const auto newer = by_opset.upper_bound(opset);
  return newer == by_opset.begin() ? newer->second : std::prev(newer)->second;
}

bool draws(const OpCard& card) {
  return card.traits.random && std::none_of(card.attributes.begin(), card.attributes.end(),
                                            [](const AttrSpec& spec) { return spec.kind == AttrKind::graph; });
}

Attrs attributes_of(const OpCard& card, const NodeDef& node) {
  Attrs result;
  for (const AttrDef& attribute : node.attributes) {
    if (attribute.kind == Kind::graph) continue;
    const AttrSpec* spec = card.find_attribute(attribute.name);
    if (spec == nullptr) {
      fail(ErrorCode::unknown_attribute, "attribute '" + attribute.name + "' for op '" + card.name + "'",
           "only attributes that the op has", "`asg ops " + card.name + "` lists them");
    }
    const auto value = converted(attribute, spec->kind);
    if (!value) {
      const std::string given(attribute.kind == Kind::refused ? attribute.text : words_of(attribute.kind));
      fail(ErrorCode::bad_attribute, given + " for attribute '" + attribute.name + "' of op '" + card.name + "'",
           std::string(name_of(spec->kind)));
    }
    result.set(attribute.name, *value);
  }
  return result;
}

}  // namespace asg::io
