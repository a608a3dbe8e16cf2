#include "asg/decode/decoding.h"

#include <limits>
#include <map>
#include <numeric>

#include "asg/core/error.h"
#include "asg/graph/body.h"
#include "asg/graph/contexts.h"
#include "asg/graph/reinfer.h"
#include "asg/graph/walk.h"
#include "decode/mixing.h"
#include "decode/opened.h"

namespace asg::decode {
namespace {

constexpr std::size_t kKeyInput = 1;
constexpr std::size_t kValueInput = 2;
constexpr std::size_t kMaskInput = 3;

const std::string kLength = "decoded_length";

// With a length that is not known yet, lest it stand in the graph as a number: that of the keys will be another.
Graph with_open_length(const Graph& model) {
  const std::vector<OutputInfo> types = {{TensorType{DType::i64, {1, Dim::symbol(kLength)}}, nullptr}};
  return opened(retype(model, types));
}

Array counted(std::int64_t count, const Sizes& sizes) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return Array::of<std::int64_t>(sizes, numbers);
}

// Copies the model node by node. Keys and values go through caches, masks and positions know where the tokens stand.
class DecodingMaker {
 public:
  DecodingMaker(Graph plain, const DecodingSpec& spec) : spec_(spec), given_(std::move(plain)), result_(given_.name()) {
    for (const VarId id : given_.variable_ids()) result_.put(given_.variable(id));
  }

  Graph make() {
    const std::vector<NodeId> order = topological_order(given_);
    for (const NodeId id : order) note_cached(given_.node(id));
    tokens_ = result_.input(kDecodedTokens, {DType::i64, {1, spec_.length}});
    position_ = result_.input(kDecodedPosition, {DType::i64, Shape{}});
    rows_ = position_ + result_.constant(counted(spec_.length, {spec_.length, 1}));
    for (const NodeId id : order) copy(given_.node(id));
    if (spec_.logits) {
      const Value logits = fresh_(given_.outputs().front().value);
      check_logits(logits);
      result_.set_output(kDecodedLogits, result_.tensor(logits));
    }
    drop_unused_variables(result_, result_.variable_ids());  // state of random numbers, the loss
    return std::move(result_);
  }

 private:
  static bool is_attention(const Node& node) { return node.op->name == "Attention"; }

  // What attention looks at; the name is that of its cache.
  void note_cached(const Node& node) {
    if (!is_attention(node)) return;
    const std::string path = node.scope.empty() ? node.label() : node.scope;
    cached_names_.try_emplace(node.inputs[kKeyInput], path + ".key_cache");
    cached_names_.try_emplace(node.inputs[kValueInput], path + ".value_cache");
  }

  void copy(const Node& node) {
    if (node.op->name == "Input") return place(node, tokens_.value().node);
    if (node.op->name == "Variable") return place(node, result_.read(node.bindings.front().variable).value().node);
    NodeSpec spec{.op = node.op,
                  .attrs = node.attrs,
                  .name = free_name_of(node),
                  .scope = node.scope,
                  .bindings = node.bindings,
                  .body = node.body,
                  .stream = node.stream,
                  .origin = node.origin,
                  .where = node.where};
    for (std::size_t k = 0; k < node.inputs.size(); ++k) spec.inputs.push_back(input_of(node, k));
    if (counts_positions(node)) begin_at_position(spec);
    if (is_attention(node)) {
      check_mask(node, spec);
      look_back(spec);
    }
    place(node, result_.add(std::move(spec)));
  }

  // The two inputs may have taken it.
  std::string free_name_of(const Node& node) const {
    const bool is_taken = !node.name.empty() && result_.find_node(node.path());
    return is_taken ? result_.free_name(node.scope, node.name) : node.name;
  }

  // Lengths of keys are those of their caches; else only attention sees these.
  Value input_of(const Node& node, std::size_t input) const {
    const Value value = node.inputs[input];
    if (!value) return {};
    const bool from_cache =
        node.op->name == "Shape" || (is_attention(node) && (input == kKeyInput || input == kValueInput));
    const auto cache = caches_.find(value);
    return from_cache && cache != caches_.end() ? cache->second : fresh_(value);
  }

  void place(const Node& node, NodeId to) {
    for (std::uint32_t port = 0; port < node.outputs.size(); ++port) {
      const Value from{node.id, port};
      fresh_.set(from, {to, port});
      const auto name = cached_names_.find(from);
      if (name != cached_names_.end()) caches_[from] = through_cache(result_.tensor({to, port}), name->second).value();
    }
  }

  // [1, heads, length, width] → [1, heads, capacity, width]
  Tensor through_cache(const Tensor& x, const std::string& name) {
    const Shape& shape = x.shape();
    const VarId cache = result_.add_variable({.id = {},
                                              .name = name,
                                              .type = {x.dtype(), {spec_.capacity, shape[0], shape[1], shape[3]}},
                                              .init = Initializer::zeros(),
                                              .kind = VarKind::cache,
                                              .trainable = false});
    const Tensor turned = add_op("Transpose", {x}, {{"perm", std::vector<std::int64_t>{2, 0, 1, 3}}});
    const Tensor written = add_op("ScatterND", {result_.read(cache), rows_, turned});
    result_.add_update(cache, written);
    return add_op("Transpose", {written}, {{"perm", std::vector<std::int64_t>{1, 2, 0, 3}}});
  }

  void begin_at_position(NodeSpec& spec) {
    spec.inputs.resize(2);
    Value& offset = spec.inputs[1];
    offset = offset ? (result_.tensor(offset) + position_).value() : position_.value();
  }

  // A mask with a column for each key must have one for each row of the cache. It has where its sizes were read off the
  // keys; else a single column would be stretched over all of them, and mean something else.
  void check_mask(const Node& node, const NodeSpec& spec) const {
    if (spec.inputs.size() <= kMaskInput || !spec.inputs[kMaskInput]) return;
    const Shape& given = given_.type(node.inputs[kMaskInput]).shape;
    const Shape& made = result_.type(spec.inputs[kMaskInput]).shape;
    const bool has_columns = given.rank() > 0 && !given[given.rank() - 1].is_known();
    if (!has_columns || made[made.rank() - 1] == Dim(spec_.capacity)) return;
    fail(ErrorCode::not_implemented, "a mask of attention '" + node.path() + "' whose size does not come from its keys",
         "as many columns as the shape of the keys says", "use nn.MultiHeadAttention with positions = \"alibi\"");
  }

  // Lengths of keys become those of caches, and must not have reached what is computed of each token.
  void check_logits(Value logits) const {
    const Shape& shape = result_.type(logits).shape;
    if (shape.rank() == 3 && shape[0] * shape[1] == Dim(spec_.length)) return;
    fail(ErrorCode::not_implemented,
         "logits of shape " + shape.to_string() + " for " + std::to_string(spec_.length) + " tokens",
         "a row for each token", "read sizes off the tokens, not off the keys of attention");
  }

  // Each row sees the rows of the cache up to its own.
  void look_back(NodeSpec& spec) {
    if (!allowed_.valid()) allowed_ = rows_ >= result_.constant(counted(spec_.capacity, {1, spec_.capacity}));
    spec.attrs.set("is_causal", false);
    if (spec.inputs.size() <= kMaskInput) spec.inputs.resize(kMaskInput + 1);
    Value& mask = spec.inputs[kMaskInput];
    mask = mask ? both(result_.tensor(mask)).value() : allowed_.value();
  }

  Tensor both(const Tensor& mask) {
    if (mask.dtype() == DType::boolean) return add_op("And", {mask, allowed_});
    const Tensor forbidden = result_.scalar(mask.dtype(), -std::numeric_limits<double>::infinity());
    return add_op("Where", {allowed_, mask, forbidden});
  }

  DecodingSpec spec_;
  Graph given_;
  Graph result_;
  Tensor tokens_;
  Tensor position_;
  Tensor rows_;     // i64[length, 1]: where each token stands
  Tensor allowed_;  // bool[length, capacity]
  Remap fresh_;     // of the given graph → of the result
  std::map<Value, std::string> cached_names_;
  std::map<Value, Value> caches_;  // of the given graph → all rows, in the result
};

void check_spec(const LanguageModel& model, const DecodingSpec& spec) {
  if (spec.length < 1 || spec.capacity < spec.length) {
    fail(ErrorCode::bad_attribute,
         std::to_string(spec.length) + " tokens in a run, in texts of " + std::to_string(spec.capacity),
         "at least one token, and texts that are as long");
  }
  if (spec.capacity > kMostCapacity) {
    fail(ErrorCode::limit_exceeded, "texts of " + std::to_string(spec.capacity) + " tokens",
         "at most " + std::to_string(kMostCapacity));
  }
  if (model.context > 0 && spec.capacity > model.context) {
    fail(ErrorCode::bad_attribute, "texts of " + std::to_string(spec.capacity) + " tokens",
         "at most " + std::to_string(model.context) + ", the positions that the model knows");
  }
}

}  // namespace

Graph decoding_graph(const LanguageModel& model, const DecodingSpec& spec) {
  check_spec(model, spec);
  Graph plain = with_open_length(model.graph);
  check_positions_apart(plain, kLength);
  return DecodingMaker(std::move(plain), spec).make();
}

}  // namespace asg::decode
