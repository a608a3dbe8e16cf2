// From the bytes of a file to plain structs. The wire format is protobuf's business; it refuses messages nested deeper
// than 100, so the recursion into subgraphs here is bounded too.
#include <charconv>
#include <climits>
#include <cstdlib>

#include <onnx/onnx_pb.h>

#include "asg/core/error.h"
#include "asg/core/limits.h"
#include "asg/core/platform.h"
#include "io/onnx/model.h"
#include "io/onnx/tensor.h"

namespace asg::io {
namespace {

using Kind = AttrDef::Kind;
using Opsets = std::map<std::string, int, std::less<>>;

std::string domain_of(const std::string& domain) { return domain == "ai.onnx" ? "" : domain; }

Opsets opsets_of(const auto& imports) {
  Opsets opsets;
  for (const auto& import : imports) {
    const std::int64_t version = import.version();
    opsets[domain_of(import.domain())] = version > 0 && version < kNewestForm ? static_cast<int>(version) : 1;
  }
  return opsets;
}

// The format has floats of 32 bits where people wrote decimal numbers: the shortest decimal that gives the same float
// is what they wrote.
double written(float value) {
  std::array<char, 32> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size() - 1, value);
  if (error != std::errc()) return static_cast<double>(value);
  *end = '\0';
  return std::strtod(text.data(), nullptr);
}

class Parser {
 public:
  Parser(const OnnxOptions& options) : options_(options), external_(options.folder) {}

  ModelDef model(const onnx::ModelProto& proto) {
    ModelDef result;
    opsets_ = opsets_of(proto.opset_import());
    result.graph = graph(proto.graph());
    for (const onnx::FunctionProto& made : proto.functions()) result.functions.push_back(function(made));
    return result;
  }

 private:
  FunctionDef function(const onnx::FunctionProto& proto) {
    FunctionDef result;
    result.name = proto.name();
    result.domain = domain_of(proto.domain());
    result.inputs.assign(proto.input().begin(), proto.input().end());
    result.outputs.assign(proto.output().begin(), proto.output().end());
    opsets_ = opsets_of(proto.opset_import());
    for (const onnx::NodeProto& inner : proto.node()) result.nodes.push_back(node(inner));
    return result;
  }

  GraphDef graph(const onnx::GraphProto& proto) {
    GraphDef result;
    result.name = proto.name();
    for (const auto& input : proto.input()) result.inputs.push_back(value(input));
    for (const auto& output : proto.output()) result.outputs.push_back(value(output));
    for (const auto& tensor : proto.initializer()) {
      result.initializers.push_back(decode_tensor(tensor, external_));
    }
    for (const auto& sparse : proto.sparse_initializer()) {
      result.initializers.push_back({sparse.values().name(), {}, "a sparse tensor"});
    }
    for (const onnx::NodeProto& inner : proto.node()) result.nodes.push_back(node(inner));
    return result;
  }

  NodeDef node(const onnx::NodeProto& proto) {
    if (++nodes_ > options_.limits.max_nodes) {
      fail_limit(Limit::nodes, "a model of more than " + std::to_string(options_.limits.max_nodes) + " nodes",
                 options_.limits.max_nodes);
    }
    NodeDef result;
    result.name = proto.name();
    result.op = proto.op_type();
    result.domain = domain_of(proto.domain());
    const auto opset = opsets_.find(result.domain);
    result.opset = opset == opsets_.end() ? 1 : opset->second;
    result.inputs.assign(proto.input().begin(), proto.input().end());
    result.outputs.assign(proto.output().begin(), proto.output().end());
    for (const auto& attr : proto.attribute()) {
      try {
        result.attributes.push_back(attribute(attr));
      } catch (const UserError& error) {
        throw error.with_where(result.label());
      }
    }
    return result;
  }

  // Files of the first versions do not say which field is in use.
  static onnx::AttributeProto::AttributeType type_of(const onnx::AttributeProto& proto) {
    using Proto = onnx::AttributeProto;
    if (proto.type() != Proto::UNDEFINED || !proto.ref_attr_name().empty()) return proto.type();
    if (proto.has_f()) return Proto::FLOAT;
    if (proto.has_i()) return Proto::INT;
    if (proto.has_s()) return Proto::STRING;
    if (proto.has_t()) return Proto::TENSOR;
    if (proto.has_g()) return Proto::GRAPH;
    if (proto.floats_size() > 0) return Proto::FLOATS;
    if (proto.ints_size() > 0) return Proto::INTS;
    if (proto.strings_size() > 0) return Proto::STRINGS;
    return Proto::UNDEFINED;
  }

  AttrDef attribute(const onnx::AttributeProto& proto) {
    using Proto = onnx::AttributeProto;
    AttrDef result;
    result.name = proto.name();
    result.parameter = proto.ref_attr_name();
    switch (type_of(proto)) {
      case Proto::FLOAT:
        result.kind = Kind::real;
        result.real = written(proto.f());
        break;
      case Proto::INT:
        result.kind = Kind::integer;
        result.integer = proto.i();
        break;
      case Proto::STRING:
        result.kind = Kind::text;
        result.text = proto.s();
        break;
      case Proto::TENSOR:
        result.kind = Kind::tensor;
        result.tensor = decode_tensor(proto.t(), external_);
        break;
      case Proto::GRAPH:
        result.kind = Kind::graph;
        result.graph = std::make_shared<const GraphDef>(graph(proto.g()));
        break;
      case Proto::FLOATS:
        result.kind = Kind::reals;
        for (const float number : proto.floats()) result.reals.push_back(written(number));
        break;
      case Proto::INTS:
        result.kind = Kind::integers;
        result.integers.assign(proto.ints().begin(), proto.ints().end());
        break;
      case Proto::STRINGS:
        result.kind = Kind::texts;
        result.texts.assign(proto.strings().begin(), proto.strings().end());
        break;
      case Proto::SPARSE_TENSOR:
      case Proto::SPARSE_TENSORS:
        result.kind = Kind::refused;
        result.text = "a sparse tensor";
        break;
      case Proto::TYPE_PROTO:
      case Proto::TYPE_PROTOS:
        result.kind = Kind::refused;
        result.text = "a type";
        break;
      case Proto::TENSORS:
      case Proto::GRAPHS:
        result.kind = Kind::refused;
        result.text = "a list of tensors or graphs";
        break;
      case Proto::UNDEFINED:
        break;
    }
    return result;
  }

  static ValueDef value(const onnx::ValueInfoProto& proto) { return {proto.name(), type(proto.type())}; }

  static TypeDef type(const onnx::TypeProto& proto) {
    TypeDef result;
    switch (proto.value_case()) {
      case onnx::TypeProto::kTensorType:
        break;
      case onnx::TypeProto::kSequenceType:
        result.refused = "a sequence";
        return result;
      case onnx::TypeProto::kOptionalType:
        result.refused = "an optional";
        return result;
      case onnx::TypeProto::kMapType:
        result.refused = "a map";
        return result;
      case onnx::TypeProto::kSparseTensorType:
        result.refused = "a sparse tensor";
        return result;
      case onnx::TypeProto::VALUE_NOT_SET:
        return result;
      default:
        result.refused = "a value that is no tensor";
        return result;
    }
    const auto& tensor = proto.tensor_type();
    const std::int64_t number = tensor.elem_type();
    result.dtype = dtype_of_onnx(number);
    if (!result.dtype && number != 0) result.refused = "a tensor of " + words_of_onnx_dtype(number);
    if (tensor.has_shape()) result.shape = dims(tensor.shape());
    return result;
  }

  static std::vector<DimDef> dims(const onnx::TensorShapeProto& shape) {
    std::vector<DimDef> result;
    for (const auto& dim : shape.dim()) {
      DimDef made;
      // Some exporters write -1 for "not known".
      if (dim.has_dim_value() && dim.dim_value() >= 0) made.length = dim.dim_value();
      if (dim.has_dim_param()) made.symbol = dim.dim_param();
      result.push_back(std::move(made));
    }
    return result;
  }

  const OnnxOptions& options_;
  ExternalData external_;
  Opsets opsets_;
  std::int64_t nodes_ = 0;
};

template <class Proto>
Proto parsed(std::string_view bytes, const char* what, std::int64_t most) {
  const std::string given = "a file of " + std::to_string(bytes.size()) + " bytes";
  if (bytes.size() > INT_MAX) {
    fail(ErrorCode::limit_exceeded, given, "fewer than 2 GiB, where the protobuf format ends",
         "keep weights as external data");
  }
  if (static_cast<std::int64_t>(bytes.size()) > most) fail_limit(Limit::file_bytes, given, most);
  Proto proto;
  if (!proto.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    fail_onnx("bytes that are not " + std::string(what), "a file in the ONNX format", "the file may be cut off");
  }
  return proto;
}

}  // namespace

ModelDef parse_model(std::string_view bytes, const OnnxOptions& options) {
  const auto proto = parsed<onnx::ModelProto>(bytes, "a model", options.limits.max_bytes);
  if (!proto.has_graph()) {
    fail_onnx("a file without a graph", "a file in the ONNX format", "is it a model, and not a tensor or a text?");
  }
  return Parser(options).model(proto);
}

Array read_onnx_tensor(std::string_view bytes) {
  ExternalData none("");
  const TensorDef tensor = decode_tensor(parsed<onnx::TensorProto>(bytes, "a tensor", INT_MAX), none);
  if (!tensor.refused.empty()) fail_onnx(tensor.refused, "numbers or bools");
  return tensor.value;
}

}  // namespace asg::io
