#include <map>

#include "asg/graph/builder.h"
#include "asg/graph/formula.h"
#include "cpp_text.h"
#include "generate.h"

namespace asg::generate {
namespace {

constexpr const char* kBanner = "// Made from the op cards by `make generate`; edit the cards instead.\n";

// "nn.Linear" → {"nn", "Linear"}; plain ops have no prefix.
struct OpName {
  std::string prefix;
  std::string word;
};

// Of a port or an attribute, whose own name may be ONNX's: transA → trans_a.
std::string parameter_name(std::string_view name) { return identifier(snake_case(name)); }

OpName split_name(const OpCard& op) {
  const auto dot = op.name.rfind('.');
  if (dot == std::string::npos) return {"", op.name};
  return {op.name.substr(0, dot), op.name.substr(dot + 1)};
}

// An integer operand that can be written in place: reshape(x, {2, -1}).
bool takes_ints(const Port& port) { return port.dtypes.bits == kInt64.bits && port.kind != PortKind::variadic; }

// Writes the builder of one op.
class BuilderWriter {
 public:
  explicit BuilderWriter(const OpCard& op) : op_(op), name_(split_name(op)), positional_(op.inputs.size()) {
    for (const AttrSpec& spec : op.attributes) (spec.fallback ? chosen_ : needed_).push_back(&spec);
    // What must be given comes first: optional inputs do not stand before attributes without a default.
    if (needed_.empty()) return;
    while (positional_ > 0 && op.inputs[positional_ - 1].kind == PortKind::optional) --positional_;
  }

  std::string write() const {
    return options_struct() + outputs_struct() + documentation() +
           argument_list("inline " + return_type() + " " + function(), parameters(true), " {") + "\n" + body() + "}\n";
  }

  std::string for_people() const { return argument_list(return_type() + " " + function(), parameters(false), ""); }

 private:
  std::string function() const { return identifier(snake_case(op_.name)); }
  bool has_options() const { return !chosen_.empty() || op_.composite || positional_ < op_.inputs.size(); }
  bool many_outputs() const { return op_.outputs.size() > 1 || op_.outputs[0].kind == PortKind::variadic; }
  bool any_number_of_outputs() const { return op_.outputs.back().kind == PortKind::variadic; }

  // Without an input that must be a tensor nothing tells the graph, so it is the first parameter.
  bool takes_graph() const {
    for (const Port& port : op_.inputs) {
      if (port.kind == PortKind::variadic || (port.kind == PortKind::required && !takes_ints(port))) return false;
    }
    return true;
  }

  std::string return_type() const {
    if (!many_outputs()) return "Tensor";
    return any_number_of_outputs() ? "std::vector<Tensor>" : name_.word + "Outputs";
  }

  std::string options_struct() const {
    if (!has_options()) return "";
    std::string text = "struct " + name_.word + "Options {\n";
    for (std::size_t at = positional_; at < op_.inputs.size(); ++at) {
      const Port& port = op_.inputs[at];
      text += comment(port.words.en, "  // ");
      text += std::string(takes_ints(port) ? "  Ints " : "  Tensor ") + parameter_name(port.name) + " = {};\n";
    }
    for (const AttrSpec* spec : chosen_) {
      text += comment(spec->words.en, "  // ");
      text +=
          "  " + cpp_type(spec->kind) + " " + parameter_name(spec->name) + " = " + cpp_literal(*spec->fallback) + ";\n";
    }
    if (op_.composite) {
      text += "  std::string name = {};\n";
      text += "  // Slots that use a variable which exists already; the others get their own.\n";
      text += "  std::vector<Binding> bindings = {};\n";
    }
    return text + "};\n\n";
  }

  std::string outputs_struct() const {
    if (!many_outputs() || any_number_of_outputs()) return "";
    std::string text = "struct " + name_.word + "Outputs {\n";
    for (const Port& port : op_.outputs) {
      text += comment(port.words.en, "  // ");
      text += "  Tensor " + parameter_name(port.name) + ";\n";
    }
    return text + "};\n\n";
  }

  std::string documentation() const {
    std::string text = comment(op_.words.what.en, "// ");
    if (!op_.words.formula.empty()) text += comment(formula_to_text(op_.words.formula), "//   ");
    for (const AttrSpec* spec : needed_) {
      if (!spec->words.en.empty()) {
        text += comment(parameter_name(spec->name) + ": " + std::string(spec->words.en), "// ");
      }
    }
    return text;
  }

  std::vector<std::string> parameters(bool with_place) const {
    std::vector<std::string> list;
    if (takes_graph()) list.push_back("Graph& graph");
    // A default is possible only where all that follows has one.
    std::size_t last_required = 0;
    for (std::size_t at = 0; at < op_.inputs.size(); ++at) {
      if (op_.inputs[at].kind != PortKind::optional) last_required = at;
    }
    for (std::size_t at = 0; at < positional_; ++at) {
      const Port& port = op_.inputs[at];
      std::string type = takes_ints(port) ? "const Ints& " : "const Tensor& ";
      if (port.kind == PortKind::variadic) type = "const std::vector<Tensor>& ";
      const bool may_be_left_out = port.kind == PortKind::optional && at > last_required;
      list.push_back(type + parameter_name(port.name) + (may_be_left_out ? " = {}" : ""));
    }
    for (const AttrSpec* spec : needed_)
      list.push_back(cpp_parameter_type(spec->kind) + " " + parameter_name(spec->name));
    if (has_options()) list.push_back("const " + name_.word + "Options& options = {}");
    if (with_place) list.push_back("SourceLocation where = SourceLocation::current()");
    return list;
  }

  std::string inputs() const {
    std::string list = "{";
    const bool variadic = !op_.inputs.empty() && op_.inputs.back().kind == PortKind::variadic;
    const std::size_t listed = op_.inputs.size() - (variadic ? 1 : 0);
    for (std::size_t at = 0; at < listed; ++at) {
      list +=
          (at == 0 ? "" : ", ") + std::string(at < positional_ ? "" : "options.") + parameter_name(op_.inputs[at].name);
    }
    list += "}";
    return variadic ? "node_inputs(" + list + ", " + parameter_name(op_.inputs.back().name) + ")" : list;
  }

  std::string body() const {
    std::string text;
    if (takes_graph()) text += "  call.graph = &graph;\n";
    for (const AttrSpec* spec : needed_) text += set_attribute(*spec, parameter_name(spec->name));
    for (const AttrSpec* spec : chosen_) text += set_attribute(*spec, "options." + parameter_name(spec->name));
    if (op_.composite) text += "  call.name = options.name;\n  call.bindings = options.bindings;\n";
    const std::string call = text.empty() ? "{.where = where}" : "std::move(call)";
    if (!text.empty()) text = "  NodeCall call{.where = where};\n" + text;
    const std::vector<std::string> arguments = {"\"" + op_.name + "\"", inputs(), call};
    if (!many_outputs()) return text + argument_list("  return add_node", arguments, "[0];") + "\n";
    if (any_number_of_outputs()) return text + argument_list("  return add_node", arguments, ";") + "\n";
    text += argument_list("  const std::vector<Tensor> outputs = add_node", arguments, ";") + "\n  return {";
    for (std::size_t at = 0; at < op_.outputs.size(); ++at) {
      text += (at == 0 ? "" : ", ") + ("outputs[" + std::to_string(at) + "]");
    }
    return text + "};\n";
  }

  static std::string set_attribute(const AttrSpec& spec, const std::string& value) {
    return "  call.attrs.set(\"" + std::string(spec.name) + "\", " + value + ");\n";
  }

  const OpCard& op_;
  OpName name_;
  std::size_t positional_;               // so many inputs are parameters, the rest stand in the struct of options
  std::vector<const AttrSpec*> needed_;  // positional
  std::vector<const AttrSpec*> chosen_;  // in the struct of options
};

// One header: the standard headers that its text needs, and everything in one namespace.
std::string header(const std::string& space, const std::string& functions) {
  const std::pair<const char*, const char*> needs[] = {{"std::int64_t", "cstdint"},
                                                       {"std::numeric_limits", "limits"},
                                                       {"std::string", "string"},
                                                       {"std::move", "utility"},
                                                       {"std::vector", "vector"}};
  std::string standard;
  for (const auto& [word, name] : needs) {
    if (functions.find(word) != std::string::npos) standard += "#include <" + std::string(name) + ">\n";
  }
  if (!standard.empty()) standard += "\n";
  std::string text = std::string(kBanner) + "#pragma once\n\n" + standard + "#include \"asg/graph/builder.h\"\n";
  if (!functions.empty()) text += "\nnamespace " + space + " {\n\n" + functions + "}  // namespace " + space + "\n";
  return text;
}

}  // namespace

bool has_builder(const OpCard& op) { return !op.traits.leaf && (op.body || !op.composite); }

std::string signature_for_people(const OpCard& op) { return BuilderWriter(op).for_people(); }

std::vector<File> builder_headers(Cards cards) {
  std::map<std::string, std::string> plain;  // by category
  std::map<std::string, std::string> prefixed = {{"loss", ""}, {"nn", ""}};
  for (const OpCard* op : cards) {
    if (!has_builder(*op)) continue;
    const std::string prefix = split_name(*op).prefix;
    std::string& functions = prefix.empty() ? plain[std::string(name_of(op->category))] : prefixed[prefix];
    functions += BuilderWriter(*op).write() + "\n";
  }

  std::vector<File> files;
  std::string all = std::string(kBanner) + "#pragma once\n\n";
  for (const auto& [category, functions] : plain) {
    const std::string path = "asg/ops/generated/" + category + ".h";
    all += "#include \"" + path + "\"\n";
    files.push_back({"include/" + path, header("asg", functions)});
  }
  files.push_back({"include/asg/ops/generated/all.h", std::move(all)});
  for (const auto& [prefix, functions] : prefixed) {
    if (prefix != "nn" && prefix != "loss") {
      fail(ErrorCode::bad_card, "ops with the prefix '" + prefix + ".'", "the prefix nn or loss, or none");
    }
    const std::string path =
        prefix == "nn" ? "include/asg/nn/generated/layers.h" : "include/asg/loss/generated/losses.h";
    files.push_back({path, header("asg::" + prefix, functions)});
  }
  return files;
}

}  // namespace asg::generate
