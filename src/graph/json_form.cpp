#include "json_form.h"

#include <array>

namespace asg {
namespace {

using S = JsonState;
using FormKind = JsonForm::Kind;

constexpr std::string_view kNodeId = "the id of a node: an integer from 1 to 4294967295";
constexpr std::string_view kVarId = "the id of a variable: an integer from 1 to 4294967295";
constexpr std::string_view kValue = "a value: the id of a node, or [id, port]";
constexpr std::string_view kType = "a tensor type such as \"f32[batch, 784]\"";
constexpr std::string_view kReal = "a real number, or {\"real\": \"nan\"} (or \"inf\", \"-inf\")";

constexpr std::array kDocument = {JsonPlace{"", "an object: {\"format\": \"asg-graph\", …}", true, S::none, S::file}};

// The last four stand only in the outermost graph.
constexpr std::array kGraph = {JsonPlace{"name", "a text"},
                               JsonPlace{"id", "the id of a graph: an integer from 1 to 4294967295"},
                               JsonPlace{"inputs", "an array of the ids of the input nodes", false, S::inputs},
                               JsonPlace{"variables", "an array of variables", false, S::variables},
                               JsonPlace{"nodes", "an array of nodes", true, S::nodes},
                               JsonPlace{"outputs", "an array of outputs", false, S::outputs},
                               JsonPlace{"updates", "an array of updates", false, S::updates},
                               JsonPlace{"format", "the text \"asg-graph\"", true},
                               JsonPlace{"version", "the version of the format, an integer", true},
                               JsonPlace{"ops", "an object of op names and versions", false, S::none, S::ops},
                               JsonPlace{"files", "an array of file names", false, S::files}};
static_assert(kGraph.size() == key::files + 1);

constexpr std::array kOpVersion = {JsonPlace{"", "the version of the op, an integer from 1"}};
constexpr std::array kFile = {JsonPlace{"", "the name of a source file, without NUL"}};
constexpr std::array kNodeIdPlace = {JsonPlace{"", kNodeId}};
constexpr std::array kVariablePlace = {
    JsonPlace{"", "a variable: {\"id\": …, \"name\": …, \"type\": …}", false, S::none, S::variable}};
constexpr std::array kVariable = {JsonPlace{"id", kVarId, true},
                                  JsonPlace{"name", "a text", true},
                                  JsonPlace{"type", kType, true},
                                  JsonPlace{"init", "the name of an initialiser, or {\"kind\": …, \"a\": …, \"b\": …}",
                                            false, S::none, S::initializer},
                                  JsonPlace{"kind", "one of parameter, buffer, optimizer, random, cache, counter"},
                                  JsonPlace{"trainable", "true or false"}};
static_assert(kVariable.size() == key::var_trainable + 1);

constexpr std::array kInitializer = {
    JsonPlace{"kind", "the name of an initialiser, such as \"kaiming_uniform\"", true},
    JsonPlace{"a", kReal, false, S::none, S::tagged_real}, JsonPlace{"b", kReal, false, S::none, S::tagged_real},
    JsonPlace{"value", "a tensor: {\"type\": …, \"data\": …}", false, S::none, S::tensor}};
static_assert(kInitializer.size() == key::init_value + 1);

constexpr std::array kNodePlace = {JsonPlace{"", "a node: {\"id\": …, \"op\": …, …}", false, S::none, S::node}};
constexpr std::array kNode = {
    JsonPlace{"id", kNodeId, true},
    JsonPlace{"op", "the name of an op", true},
    JsonPlace{"in", "an array of values: ids, [id, port], or null where one is absent", false, S::node_inputs},
    JsonPlace{"where", "the place in the source: [number of the file, line]", false, S::where},
    JsonPlace{"name", "a text"},
    JsonPlace{"scope", "a text"},
    JsonPlace{"attrs", "an object of attributes", false, S::none, S::attrs},
    JsonPlace{"bind", "an object of slots and ids of variables", false, S::none, S::bindings},
    JsonPlace{"body", "a graph", false, S::none, S::graph},
    JsonPlace{"stream", "a text of 16 hexadecimal digits, not all 0"},
    JsonPlace{"origin", "an object: {\"node\": …, \"path\": …, \"role\": …}", false, S::none, S::origin},
    JsonPlace{"known", "an array of lengths: integers, or texts such as \"2*batch\"", false, S::known},
    JsonPlace{"types", "an array of tensor types, one for each output", false, S::types}};
static_assert(kNode.size() == key::node_types + 1);

constexpr std::array kNodeInput = {JsonPlace{"", "a value: the id of a node, [id, port], or null", false, S::value}};
constexpr std::array kValuePart = {JsonPlace{"", "an integer from 0 to 4294967295"}};
constexpr std::array kAttr = {
    JsonPlace{"", "an attribute: a number, a text, true or false, a list of these, or an object that says its kind",
              false, S::list, S::tagged}};
constexpr std::array kTagged = {
    JsonPlace{"real", "one of \"nan\", \"inf\", \"-inf\", or \"nan:\" and 16 hexadecimal digits"},
    JsonPlace{"integers", "an array of integers", false, S::list},
    JsonPlace{"reals", "an array of real numbers", false, S::list},
    JsonPlace{"texts", "an array of texts", false, S::list},
    JsonPlace{"dtype", "the name of a dtype, such as \"f32\""},
    JsonPlace{"type", kType},
    JsonPlace{"tensor", "a tensor: {\"type\": …, \"data\": …}", false, S::none, S::tensor},
    JsonPlace{"graph", "a graph", false, S::none, S::graph}};
static_assert(kTagged.size() == key::graph + 1);

constexpr std::array kListElement = {
    JsonPlace{"", "an element of the same kind as the others: an integer, a real number or a text", false, S::none,
              S::tagged_real}};
constexpr std::array kTensor = {JsonPlace{"type", "a tensor type with known lengths, such as \"f32[2, 3]\"", true},
                                JsonPlace{"data", "the elements, little-endian, in base64", true}};
constexpr std::array kBinding = {JsonPlace{"", kVarId}};
constexpr std::array kOrigin = {JsonPlace{"node", kNodeId, true}, JsonPlace{"path", "a text"},
                                JsonPlace{"role", "one of forward, loss, gradient, update"}};
constexpr std::array kWherePart = {JsonPlace{"", "an integer from 0"}};
constexpr std::array kLength = {JsonPlace{"", "a length: an integer, or a text such as \"2*batch\""}};
constexpr std::array kTypePlace = {JsonPlace{"", kType}};
constexpr std::array kOutputPlace = {
    JsonPlace{"", "an output: {\"name\": …, \"value\": …}", false, S::none, S::output}};
constexpr std::array kOutput = {JsonPlace{"name", "a text", true}, JsonPlace{"value", kValue, true, S::value}};
constexpr std::array kUpdatePlace = {
    JsonPlace{"", "an update: {\"variable\": …, \"value\": …}", false, S::none, S::update}};
constexpr std::array kUpdate = {JsonPlace{"variable", kVarId, true}, JsonPlace{"value", kValue, true, S::value}};

// In the order of JsonState.
constexpr std::array kForms = {
    JsonForm{"nothing", FormKind::array, kDocument},
    JsonForm{"the text", FormKind::array, kDocument},
    JsonForm{"a graph file", FormKind::record, kGraph},
    JsonForm{"a graph inside another", FormKind::record, std::span(kGraph).first(key::format)},
    JsonForm{"the table of ops", FormKind::map, kOpVersion},
    JsonForm{"the list of files", FormKind::array, kFile},
    JsonForm{"the list of inputs", FormKind::array, kNodeIdPlace},
    JsonForm{"the list of variables", FormKind::array, kVariablePlace},
    JsonForm{"a variable", FormKind::record, kVariable},
    JsonForm{"an initialiser", FormKind::record, kInitializer},
    JsonForm{"the list of nodes", FormKind::array, kNodePlace},
    JsonForm{"a node", FormKind::record, kNode},
    JsonForm{"the inputs of a node", FormKind::array, kNodeInput},
    JsonForm{"a value", FormKind::array, kValuePart},
    JsonForm{"attributes", FormKind::map, kAttr},
    JsonForm{"an attribute with its kind", FormKind::record, kTagged},
    JsonForm{"a list", FormKind::array, kListElement},
    JsonForm{"a number that JSON cannot write", FormKind::record, std::span(kTagged).first(key::integers)},
    JsonForm{"a tensor", FormKind::record, kTensor},
    JsonForm{"bindings", FormKind::map, kBinding},
    JsonForm{"an origin", FormKind::record, kOrigin},
    JsonForm{"a place in the source", FormKind::array, kWherePart},
    JsonForm{"known contents", FormKind::array, kLength},
    JsonForm{"the list of types", FormKind::array, kTypePlace},
    JsonForm{"the list of outputs", FormKind::array, kOutputPlace},
    JsonForm{"an output", FormKind::record, kOutput},
    JsonForm{"the list of updates", FormKind::array, kUpdatePlace},
    JsonForm{"an update", FormKind::record, kUpdate}};
static_assert(kForms.size() == static_cast<std::size_t>(S::update) + 1);

}  // namespace

const JsonForm& form_of(JsonState state) { return kForms[static_cast<std::size_t>(state)]; }

}  // namespace asg
