// Builds small graphs out of bytes, sound ones and broken ones (cycles, dangling values, missing inputs, wrong
// attributes and declarations), and walks them on a backend with kernels. Nothing but a UserError may come of it.
//
// The bytes are a program: an op code, then its operands, each a byte. What is missing at the end reads as 0.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "asg/backend/interpreter.h"
#include "asg/backend/walk.h"
#include "asg/graph/registry.h"
#include "asg/ops/ops.h"

namespace asg {
namespace {

constexpr std::array<std::string_view, 32> kOps = {
    "Add",       "Sub",        "Mul",       "Div",       "Neg",     "Abs",       "Sqrt",    "Exp",
    "Log",       "Pow",        "MatMul",    "Concat",    "Slice",   "Split",     "Cast",    "Where",
    "ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "Reshape", "Transpose", "Squeeze", "Unsqueeze",
    "Identity",  "Equal",      "Greater",   "Less",      "Gather",  "Shape",     "Softmax", "If"};
constexpr int kMostNodes = 24;
constexpr int kMostElements = 1 << 12;

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  bool empty() const { return at_ >= size_; }
  std::uint8_t next() { return empty() ? std::uint8_t{0} : data_[at_++]; }
  std::uint32_t below(std::uint32_t limit) { return limit == 0 ? 0 : next() % limit; }
  std::int64_t small() { return static_cast<std::int8_t>(next()) / 16; }  // -8 … 7

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 0;
};

Sizes sizes(Bytes& bytes) {
  Sizes result(bytes.below(4));
  for (std::int64_t& size : result) size = bytes.below(5);
  return result;
}

DType dtype(Bytes& bytes) { return all_dtypes()[bytes.below(static_cast<std::uint32_t>(all_dtypes().size()))]; }

Array array(Bytes& bytes, DType type, Sizes shape) {
  Array result(type, std::move(shape));
  for (std::int64_t position = 0; position < result.count(); ++position) {
    const double value = static_cast<double>(bytes.small());
    result.set(position, bytes.below(16) == 1 && is_float(type) ? value / 0.0 : value);
  }
  return result;
}

Attr attribute(Bytes& bytes, const AttrSpec& spec) {
  // Now and then of another kind than the card says.
  const auto kind = bytes.below(8) == 1 ? static_cast<AttrKind>(bytes.below(11)) : spec.kind;
  switch (kind) {
    case AttrKind::integer:
      return Attr(bytes.small());
    case AttrKind::real:
      return Attr(static_cast<double>(bytes.small()) / 4);
    case AttrKind::boolean:
      return Attr(bytes.below(2) == 1);
    case AttrKind::text:
      return spec.choices.empty() ? Attr("text")
                                  : spec.choices[bytes.below(static_cast<std::uint32_t>(spec.choices.size()))];
    case AttrKind::integers: {
      std::vector<std::int64_t> values(bytes.below(4));
      for (std::int64_t& value : values) value = bytes.small();
      return Attr(values);
    }
    case AttrKind::reals:
      return Attr(std::vector<double>(bytes.below(3), 0.5));
    case AttrKind::texts:
      return Attr(std::vector<std::string>(bytes.below(3), "text"));
    case AttrKind::dtype:
      return Attr(dtype(bytes));
    case AttrKind::type:
      return Attr(TensorType{dtype(bytes), Shape::of(sizes(bytes))});
    case AttrKind::tensor:
      return Attr(array(bytes, dtype(bytes), sizes(bytes)));
    case AttrKind::graph:
      break;
  }
  return Attr(bytes.below(2) == 1 ? GraphPtr() : std::make_shared<const Graph>("inner"));
}

Attrs attributes(Bytes& bytes, const OpCard& op) {
  Attrs attrs;
  for (const AttrSpec& spec : op.attributes) {
    if (bytes.below(3) != 0) attrs.set(spec.name, attribute(bytes, spec));
  }
  if (bytes.below(32) == 1) attrs.set("unheard_of", 1);
  return attrs;
}

class Fuzzed {
 public:
  explicit Fuzzed(Bytes& bytes) : bytes_(bytes), ops_(Registry::global().all()) {
    while (!bytes_.empty() && nodes_ < kMostNodes) step();
    set_outputs();
  }

  const Graph& graph() const { return graph_; }

  NamedDeviceArrays values(Backend& backend) {
    NamedDeviceArrays values;
    for (NodeId id : graph_.inputs()) {
      const TensorType& type = graph_.type({id, 0});
      const bool other = bytes_.below(16) == 1;
      if (bytes_.below(16) == 1) continue;
      values[graph_.node(id).path()] =
          backend.upload(array(bytes_, other ? dtype(bytes_) : type.dtype, type.shape.sizes()));
    }
    for (VarId id : graph_.variable_ids()) {
      const Variable& variable = graph_.variable(id);
      values[variable.name] = backend.upload(array(bytes_, variable.type.dtype, variable.type.shape.sizes()));
    }
    return values;
  }

  std::vector<NodeId> schedule() {
    std::vector<NodeId> order;
    if (bytes_.below(4) != 1) return order;
    for (NodeId id : graph_.node_ids()) {
      order.push_back(bytes_.below(16) == 1 ? NodeId{bytes_.below(32)} : id);
    }
    return order;
  }

 private:
  void step() {
    ++nodes_;
    switch (bytes_.below(8)) {
      case 0:
        graph_.input("x" + std::to_string(nodes_), {dtype(bytes_), Shape::of(sizes(bytes_))});
        break;
      case 1: {
        const DType type = dtype(bytes_);
        Sizes shape = sizes(bytes_);
        graph_.constant(array(bytes_, type, std::move(shape)));
        break;
      }
      case 2:
        graph_.parameter("w" + std::to_string(nodes_), {dtype(bytes_), Shape::of(sizes(bytes_))}, {});
        break;
      case 3:
        graph_.constant(array(bytes_, DType::i64, {static_cast<std::int64_t>(bytes_.below(4))}));
        break;
      case 4:
        put_odd_node();
        break;
      case 5:
        change_an_input();
        break;
      default:
        add_node();
    }
  }

  // Any value, or none, or one that does not exist.
  Value value() {
    const std::uint8_t byte = bytes_.next();
    if (byte == 255) return {};
    if (byte == 254) return {NodeId{200}, 0};
    if (byte == 253) return {NodeId{1}, 7};
    const std::uint32_t last = graph_.last_id().number;
    return last == 0 ? Value{} : Value{NodeId{1 + (last - 1 - byte % last)}, bytes_.below(16) == 1 ? 1u : 0u};
  }

  // Mostly by a list that stays, so that programs keep their meaning; else any op that there is.
  const OpCard& op() {
    const std::uint8_t byte = bytes_.next();
    if (byte < 192) return Registry::global().get(kOps[byte % kOps.size()]);
    return *ops_[(bytes_.next() * 256u + bytes_.next()) % ops_.size()];
  }

  std::vector<Value> operands(const OpCard& card) {
    std::vector<Value> inputs;
    const std::size_t extra = bytes_.below(3);
    const std::size_t count = card.inputs.size() + extra;
    for (std::size_t index = 0; index + 1 < count; ++index) inputs.push_back(value());
    return inputs;
  }

  void add_node() {
    NodeSpec spec;
    spec.op = &op();
    if (spec.op->composite || spec.op->traits.leaf) return;
    spec.inputs = operands(*spec.op);
    spec.attrs = attributes(bytes_, *spec.op);
    try {
      graph_.add(std::move(spec));
    } catch (const UserError&) {
      // The builder refuses it; whoever wants it broken puts it.
    }
  }

  void put_odd_node() {
    Node node;
    node.op = &op();
    node.inputs = operands(*node.op);
    node.attrs = attributes(bytes_, *node.op);
    node.id = graph_.next_node_id();
    for (std::uint32_t port = bytes_.below(3); port > 0; --port) {
      node.outputs.push_back({{dtype(bytes_), Shape::of(sizes(bytes_))}, nullptr});
    }
    graph_.put(std::move(node));
  }

  void change_an_input() {
    const NodeId id{1 + bytes_.below(graph_.last_id().number)};
    if (!graph_.has(id)) return;
    Node node = graph_.node(id);
    if (node.inputs.empty()) return;
    node.inputs[bytes_.below(static_cast<std::uint32_t>(node.inputs.size()))] = value();
    graph_.put(std::move(node));
  }

  void set_outputs() {
    std::vector<Output> outputs;
    for (NodeId id : graph_.node_ids()) {
      outputs.push_back({"y" + std::to_string(id.number), {id, bytes_.below(32) == 1 ? 1u : 0u}});
      // A node without outputs can only be left out.
      if (graph_.node(id).outputs.empty() && bytes_.below(4) != 1) outputs.pop_back();
    }
    graph_.set_outputs(std::move(outputs));
  }

  Bytes& bytes_;
  std::vector<const OpCard*> ops_;
  Graph graph_{"fuzzed"};
  int nodes_ = 0;
};

// Keeps results small: an op may ask for more memory than a run of a fuzzer should take.
class Small : public Interpreter {
 public:
  DeviceArrays run_op(const Node& node, std::span<const DeviceArray> inputs) override {
    for (const OutputInfo& output : node.outputs) {
      const auto count = output.type.shape.element_count().known();
      if (!count || *count > kMostElements) fail(ErrorCode::out_of_memory, "a large result", "a small one");
    }
    return Interpreter::run_op(node, inputs);
  }
};

}  // namespace
}  // namespace asg

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace asg;
  Bytes bytes(data, size);
  Small backend;
  try {
    Fuzzed fuzzed(bytes);
    const NamedDeviceArrays values = fuzzed.values(backend);
    if (bytes.below(2) == 1) {
      walk_with_cache(backend, fuzzed.graph(), cache_of(fuzzed.graph(), values));
    } else {
      walk_graph(backend, fuzzed.graph(), values, fuzzed.schedule());
    }
  } catch (const UserError&) {
    // What is wrong with the graph is said in words.
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    std::abort();
  }
  return 0;
}
