#include "asg/check/random_graph.h"

#include <algorithm>
#include <cmath>

#include "asg/core/random.h"
#include "check/dice.h"
#include "check/problem.h"
#include "check/recipe.h"

namespace asg {
namespace {

// A value that later calls may use. It is a tensor of f64 with known lengths.
struct PoolEntry {
  Value value;
  double magnitude = 1;  // how large its elements are likely to be
};

// Grows one graph.
class Grower {
 public:
  Grower(std::uint64_t seed, std::uint64_t number) : dice_(seed, combine(StreamKey{1}, number)) {
    add_input("x", {4, 6});
    add_input("z", {3, 5});
  }

  void call(const Recipe& recipe, const std::vector<Recipe>& others) {
    const bool block = recipe.sample == nullptr;
    const Recipe& inner = block ? others[dice_.below(others.size())] : recipe;
    std::vector<Value> inputs;
    for (const Ingredient& input : inner.inputs) inputs.push_back(input_for(input));
    NodeSpec spec = block ? block_of(*recipe.op, inner, inputs) : plain(inner, inputs);
    const std::vector<Tensor> outputs = graph().add_outputs(std::move(spec));
    for (std::size_t port = 0; port < outputs.size(); ++port) use(outputs[port], inner.magnitudes[port]);
  }

  GraphCase finish() {
    graph().set_output("loss", graph().tensor(loss_));
    for (VarId id : graph().variable_ids()) {
      const Variable& variable = graph().variable(id);
      made_.values[variable.name] = value_for_check(variable);
    }
    return std::move(made_);
  }

 private:
  Graph& graph() { return made_.graph; }

  void add_input(const std::string& name, const Sizes& sizes) {
    const Tensor input = graph().input(name, {DType::f64, Shape::of(sizes)});
    made_.values[name] = dice_.numbers(sizes, -1, 1);
    pool_.push_back({input.value(), 1});
  }

  static NodeSpec plain(const Recipe& recipe, const std::vector<Value>& inputs) {
    NodeSpec spec;
    spec.op = recipe.op;
    spec.attrs = recipe.sample->attrs;
    spec.inputs = inputs;
    return spec;
  }

  // A block around one call: what is free comes in from outside, the constants stand inside.
  NodeSpec block_of(const OpCard& block, const Recipe& recipe, const std::vector<Value>& inputs) {
    Graph body("body");
    NodeSpec outer;
    outer.op = &block;
    std::vector<Value> inside;
    for (std::size_t index = 0; index < inputs.size(); ++index) {
      const Ingredient& input = recipe.inputs[index];
      if (input.free) {
        outer.inputs.push_back(inputs[index]);
        inside.push_back(body.input("in_" + std::to_string(index), graph().type(inputs[index])).value());
      } else {
        inside.push_back(input.absent ? Value{} : body.constant(input.value).value());
      }
    }
    const std::vector<Tensor> outputs = body.add_outputs(plain(recipe, inside));
    for (std::size_t port = 0; port < outputs.size(); ++port) {
      body.set_output("out_" + std::to_string(port), outputs[port]);
    }
    outer.body = std::make_shared<const Graph>(std::move(body));
    return outer;
  }

  Value input_for(const Ingredient& input) {
    if (input.absent) return {};
    if (!input.free) return graph().constant(input.value).value();
    const Sizes& sizes = input.value.sizes();
    const Tensor offset = graph().constant(dice_.numbers(sizes, -1, 1));  // so that copies of a number differ
    const Tensor shaped = brought_to(sizes);
    const Tensor bent = add_op("Tanh", {shaped + offset});
    const Tensor scaled = input.reach == 1 ? bent : bent * input.reach;
    if (input.around_value) return (scaled + graph().constant(input.value)).value();
    return input.centre == 0 ? scaled.value() : (scaled + input.centre).value();
  }

  const PoolEntry& any() { return pool_[dice_.below(pool_.size())]; }

  // Some value of the pool, at most about 1, as rank 1.
  Tensor flat() {
    // Copied: the pool may grow while the graph does.
    const PoolEntry entry = dice_.below(3) == 0 ? pool_[dice_.below(2)] : any();
    Tensor tensor = graph().tensor(entry.value);
    if (entry.magnitude > 2) tensor = tensor * (1 / entry.magnitude);
    return tensor.rank() == 1 ? tensor : reshaped(tensor, {-1});
  }

  Tensor reshaped(const Tensor& tensor, const Sizes& sizes) {
    return add_op("Reshape", {tensor, graph().constant(Array::ints(sizes))});
  }

  Tensor brought_to(const Sizes& sizes) {
    const std::int64_t count = element_count(sizes);
    std::vector<Tensor> parts = {flat()};
    std::int64_t have = parts[0].shape()[0].value();
    while (have < count) {
      parts.push_back(parts.size() < 4 ? flat() : parts[parts.size() - 4]);
      have += parts.back().shape()[0].value();
    }
    Tensor tensor = parts.size() == 1 ? parts[0] : add_op("Concat", parts, {{"axis", 0}});
    if (have > count) {
      const auto start = static_cast<std::int64_t>(dice_.below(static_cast<std::uint64_t>(have - count + 1)));
      const Tensor starts = graph().constant(Array::ints({start}));
      const Tensor ends = graph().constant(Array::ints({start + count}));
      tensor = add_op("Slice", {tensor, starts, ends});
    }
    return sizes.size() == 1 ? tensor : reshaped(tensor, sizes);
  }

  // Lets a result count in the loss, and later calls use it.
  void use(Tensor result, double magnitude) {
    if (result.dtype() != DType::f64) result = add_op("Cast", {result}, {{"to", DType::f64}});
    const bool known = result.shape().is_known();
    const Sizes sizes = known ? result.shape().sizes() : Sizes{};
    const double weight = 1 / (magnitude * std::sqrt(static_cast<double>(element_count(sizes))));
    const Tensor weights = graph().constant(dice_.numbers(sizes, 0.5 * weight, 1.5 * weight));
    const Tensor term = add_op("ReduceSum", {result * weights}, {{"keepdims", false}});
    loss_ = loss_ ? (graph().tensor(loss_) + term).value() : term.value();
    if (known) pool_.push_back({result.value(), magnitude});
  }

  Dice dice_;
  GraphCase made_;
  std::vector<PoolEntry> pool_;  // the inputs come first
  Value loss_;
};

}  // namespace

// A card says the same each time, so its recipes are made once.
struct RandomGraphs::Recipes {
  std::map<const OpCard*, std::vector<Recipe>> by_op;
  std::vector<Recipe> for_blocks;  // plain ops that blocks may hold
};

RandomGraphs::RandomGraphs(std::vector<const OpCard*> ops, std::uint64_t seed, int calls)
    : seed_(seed), calls_(calls), recipes_(std::make_unique<Recipes>()) {
  for (const OpCard* op : ops) {
    if (op->traits.leaf) continue;
    std::vector<Recipe> recipes = recipes_for(*op);
    const bool block = op->composite && !op->body;
    if (block) recipes = {Recipe{op, nullptr, {}, {}}};
    if (recipes.empty()) continue;
    if (op->traits.elementwise && op->gradient_kind == GradientKind::rule) {
      recipes_->for_blocks.insert(recipes_->for_blocks.end(), recipes.begin(), recipes.end());
    }
    ops_.push_back(op);
    recipes_->by_op[op] = std::move(recipes);
  }
  if (ops_.empty() || recipes_->for_blocks.empty()) {
    fail(ErrorCode::bad_card, "no op that can be called", "cards with samples, an elementwise one among them");
  }
}

RandomGraphs::~RandomGraphs() = default;

// The op at a position of the endless row of shuffled decks.
const OpCard& RandomGraphs::dealt(std::uint64_t position) const {
  const std::uint64_t size = ops_.size();
  Dice dice(seed_, combine(StreamKey{2}, position / size));
  std::vector<const OpCard*> deck = ops_;
  for (std::uint64_t left = size; left > 1; --left) std::swap(deck[left - 1], deck[dice.below(left)]);
  return *deck[position % size];
}

GraphCase RandomGraphs::make(std::uint64_t number) const {
  Grower grower(seed_, number);
  Dice dice(seed_, combine(StreamKey{3}, number));
  for (int call = 0; call < calls_; ++call) {
    const OpCard& op = dealt(number * static_cast<std::uint64_t>(calls_) + static_cast<std::uint64_t>(call));
    const std::vector<Recipe>& recipes = recipes_->by_op.at(&op);
    grower.call(recipes[dice.below(recipes.size())], recipes_->for_blocks);
  }
  return grower.finish();
}

}  // namespace asg
