#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "asg/check/reduce.h"
#include "asg/graph/card.h"
#include "asg/graph/json.h"
#include "asg/graph/walk.h"

namespace asg {
namespace {

// ---- Literals of C++

// The fewest digits that read back as the same number.
std::string literal(double number) {
  if (std::isnan(number)) return "std::numeric_limits<double>::quiet_NaN()";
  if (std::isinf(number)) return std::string(number < 0 ? "-" : "") + "std::numeric_limits<double>::infinity()";
  constexpr int kMostDigits = 17;
  std::string text;
  for (int digits = 1; digits <= kMostDigits; ++digits) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.*g", digits, number);
    text = buffer;
    if (std::strtod(buffer, nullptr) == number) break;
  }
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string literal(std::int64_t number) { return std::to_string(number); }
std::string literal(const std::string& text) {
  std::string quoted = "\"";
  for (char letter : text) {
    if (letter == '"' || letter == '\\') quoted += '\\';
    quoted += letter;
  }
  return quoted + "\"";
}

template <class List>
std::string braced(const List& list) {
  std::string text;
  for (const auto& entry : list) text += (text.empty() ? "" : ", ") + literal(entry);
  return "{" + text + "}";
}

std::string literal(DType dtype) {
  return "DType::" + std::string(dtype == DType::boolean ? "boolean" : name_of(dtype));
}

std::string literal(const TensorType& type) {
  std::string dims;
  for (int axis = 0; axis < type.shape.rank(); ++axis) {
    const Dim& dim = type.shape[axis];
    dims +=
        (axis == 0 ? "" : ", ") + (dim.is_known() ? dim.to_string() : "Dim::symbol(" + literal(dim.to_string()) + ")");
  }
  return "{" + literal(type.dtype) + ", {" + dims + "}}";
}

std::string literal(const Array& array) {
  const DType wide = compute_dtype(array.dtype());
  const bool real = wide == DType::f64;
  std::string numbers;
  for (std::int64_t at = 0; at < array.count(); ++at) {
    const std::string number = real                     ? literal(array.get(at))
                               : wide == DType::boolean ? (array.get(at) != 0 ? "true" : "false")
                                                        : literal(array.get_i64(at));
    numbers += (at == 0 ? "" : ", ") + number;
  }
  const std::string element = real                     ? "double"
                              : wide == DType::boolean ? "bool"
                              : wide == DType::i64     ? "std::int64_t"
                                                       : "std::uint64_t";
  const std::string text = "Array::of<" + element + ">(" + braced(array.sizes()) + ", {" + numbers + "})";
  return array.dtype() == wide ? text : text + ".cast(" + literal(array.dtype()) + ")";
}

std::string literal(const GraphPtr& graph) {
  return "std::make_shared<const Graph>(read_json(R\"json(" + to_json(*graph) + ")json\"))";
}

std::string literal(const Attr& attr) {
  switch (attr.kind()) {
    case AttrKind::integer:
      return "std::int64_t{" + literal(attr.as_integer()) + "}";
    case AttrKind::real:
      return literal(attr.as_real());
    case AttrKind::boolean:
      return attr.as_boolean() ? "true" : "false";
    case AttrKind::text:
      return literal(attr.as_text());
    case AttrKind::integers:
      return "std::vector<std::int64_t>" + braced(attr.as_integers());
    case AttrKind::reals:
      return "std::vector<double>" + braced(attr.as_reals());
    case AttrKind::texts:
      return "std::vector<std::string>" + braced(attr.as_texts());
    case AttrKind::dtype:
      return literal(attr.as_dtype());
    case AttrKind::type:
      return "TensorType" + literal(attr.as_type());
    case AttrKind::tensor:
      return literal(attr.as_tensor());
    case AttrKind::graph:
      break;
  }
  return literal(attr.as_graph());
}

std::string literal(const Attrs& attrs) {
  std::string text;
  for (const auto& [name, value] : attrs) {
    text += (text.empty() ? "{" : ", {") + literal(name) + ", " + literal(value) + "}";
  }
  return "{" + text + "}";
}

// ---- The graph

class TestWriter {
 public:
  explicit TestWriter(const GraphCase& made) : made_(made) {}

  // `check` is what the test does with the case.
  std::string write(const std::string& suite, const std::string& name, const std::string& check) {
    text_ = "TEST(" + suite + ", " + name + ") {\n";
    line("GraphCase made;");
    line("Graph& graph = made.graph;");
    for (NodeId id : topological_order(made_.graph)) add(made_.graph.node(id));
    for (const Output& output : made_.graph.outputs()) {
      line("graph.set_output(" + literal(output.name) + ", " + tensor(output.value) + ");");
    }
    for (const Update& update : made_.graph.updates()) add(update);
    for (VarId id : made_.graph.variable_ids()) set_value(made_.graph.variable(id).name);
    line("const CaseCheck check = " + check + ";");
    line("EXPECT_EQ(check.verdict, Verdict::passed) << check.detail;");
    return text_ + "}\n";
  }

 private:
  void line(const std::string& code) { text_ += "  " + code + "\n"; }
  void set_value(const std::string& name) {
    line("made.values[" + literal(name) + "] = " + literal(made_.values.at(name)) + ";");
  }

  static std::string variable(NodeId id) { return "t" + std::to_string(id.number); }

  std::string tensor(Value value) const {
    if (!value) return "Tensor{}";
    const bool several = made_.graph.node(value.node).outputs.size() > 1 || needs_spec(made_.graph.node(value.node));
    return variable(value.node) + (several ? "[" + std::to_string(value.port) + "]" : "");
  }

  // Random numbers depend on the node's stream, and a block brings its body: the short form cannot say these.
  static bool needs_spec(const Node& node) { return node.op->traits.random || node.body != nullptr; }

  void add(const Node& node) {
    const std::string start = "const Tensor " + variable(node.id) + " = ";
    if (node.op->name == "Input") {
      line(start + "graph.input(" + literal(node.path()) + ", " + literal(node.outputs[0].type) + ");");
      set_value(node.path());
    } else if (node.op->name == "Constant") {
      line(start + "graph.constant(" + literal(node.attrs.find("value")->as_tensor()) + ");");
    } else if (node.op->name == "Variable") {
      const Variable& read = made_.graph.variable(node.bindings.front().variable);
      line(start + (belongs_to_a_layer(read.id) ? "graph.read(" + found(read) + ");" : made_by(read) + ";"));
    } else {
      add_call(node);
    }
  }

  bool belongs_to_a_layer(VarId id) const {
    for (const NodeId each : made_.graph.node_ids()) {
      const Node& node = made_.graph.node(each);
      for (const Binding& binding : node.bindings) {
        if (node.op->name != "Variable" && binding.variable == id) return true;
      }
    }
    return false;
  }

  static std::string found(const Variable& read) { return "graph.find_variable(" + literal(read.name) + ")"; }
  static std::string made_by(const Variable& variable) {
    return "graph.parameter(" + literal(variable.name) + ", " + literal(variable.type) + ", Initializer::zeros())";
  }

  void add(const Update& update) {
    const Variable& variable = made_.graph.variable(update.variable);
    if (!made_.graph.reader_of(update.variable)) line(made_by(variable) + ";");
    line("graph.add_update(" + found(variable) + ", " + tensor(update.value) + ");");
  }

  void add_call(const Node& node) {
    const bool spec = needs_spec(node);
    std::string inputs;
    for (Value input : node.inputs) {
      inputs += (inputs.empty() ? "" : ", ") + tensor(input) + (spec ? ".value()" : "");
    }
    if (spec) {
      line("const std::vector<Tensor> " + variable(node.id) + " = graph.add_outputs({.op = &Registry::global().get(" +
           literal(node.op->name) + "), .inputs = {" + inputs + "}, .attrs = " + literal(node.attrs) +
           (node.body != nullptr ? ", .body = " + literal(node.body) : "") +
           ", .stream = " + std::to_string(node.stream) + "u});");
      return;
    }
    const bool several = node.outputs.size() > 1;
    line((several ? "const std::vector<Tensor> " : "const Tensor ") + variable(node.id) + " = " +
         (several ? "add_op_outputs(" : "add_op(") + literal(node.op->name) + ", {" + inputs + "}" +
         (node.attrs.empty() ? "" : ", " + literal(node.attrs)) + ");");
  }

  const GraphCase& made_;
  std::string text_;
};

}  // namespace

std::string case_as_test(const GraphCase& made, const std::string& suite, const std::string& name) {
  return TestWriter(made).write(suite, name, "check_case(made)");
}

std::string program_as_test(const GraphCase& made, const CompileWay& way, const std::string& suite,
                            const std::string& name) {
  const std::string how = "{.name = " + literal(way.name) + ", .off = " + braced(way.off) +
                          ", .onednn = " + (way.onednn ? "true" : "false") +
                          ", .threads = " + std::to_string(way.threads) + "}";
  return TestWriter(made).write(suite, name, "check_program(made, " + how + ")");
}

}  // namespace asg
