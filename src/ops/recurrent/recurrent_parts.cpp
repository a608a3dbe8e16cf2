#include "ops/recurrent/recurrent_parts.h"

#include <algorithm>
#include <cctype>

#include "ops/support/gradients.h"

namespace asg::ops {
namespace {

struct FunctionRow {
  const char* name;
  int parameters;  // 0, 1 (alpha) or 2 (alpha, beta)
  double alpha;
  double beta;
};

constexpr FunctionRow kFunctions[] = {
    {"Relu", 0, 0, 0},       {"Tanh", 0, 0, 0},          {"Sigmoid", 0, 0, 0},     {"Softsign", 0, 0, 0},
    {"Softplus", 0, 0, 0},   {"Affine", 2, 1, 0},        {"LeakyRelu", 1, .01, 0}, {"ThresholdedRelu", 1, 1, 0},
    {"ScaledTanh", 2, 1, 1}, {"HardSigmoid", 2, .2, .5}, {"Elu", 1, 1, 0},
};

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return result;
}

const FunctionRow& function_row(const std::string& name) {
  std::string known;
  for (const FunctionRow& row : kFunctions) {
    if (lower(row.name) == lower(name)) return row;
    known += (known.empty() ? "" : ", ") + std::string(row.name);
  }
  fail(ErrorCode::bad_attribute, "the activation '" + name + "'", "one of " + known);
}

// The functions of all directions. Their parameters are taken from the lists in order, by those that have any.
std::vector<GateFunction> functions_of(const AttrReader& ctx, const RecurrentKind& kind, int directions) {
  std::vector<std::string> names = ctx.attr("activations").as_texts();
  const std::vector<std::string> usual = kind.functions();
  const std::size_t needed = usual.size() * static_cast<std::size_t>(directions);
  if (names.empty()) {
    for (int direction = 0; direction < directions; ++direction) names.insert(names.end(), usual.begin(), usual.end());
  }
  if (names.size() != needed) {
    fail(ErrorCode::bad_attribute, std::to_string(names.size()) + " activations",
         std::to_string(needed) + ": " + std::to_string(usual.size()) + " for each direction");
  }
  const std::vector<double>& alphas = ctx.attr("activation_alpha").as_reals();
  const std::vector<double>& betas = ctx.attr("activation_beta").as_reals();
  std::size_t next_alpha = 0;
  std::size_t next_beta = 0;
  std::vector<GateFunction> functions;
  for (const std::string& name : names) {
    const FunctionRow& row = function_row(name);
    const bool has_alpha = row.parameters > 0 && next_alpha < alphas.size();
    const bool has_beta = row.parameters > 1 && next_beta < betas.size();
    functions.emplace_back(row.name, has_alpha ? alphas[next_alpha++] : row.alpha,
                           has_beta ? betas[next_beta++] : row.beta);
  }
  return functions;
}

}  // namespace

GateFunction::GateFunction(std::string name, double alpha, double beta)
    : name_(std::move(name)), alpha_(alpha), beta_(beta) {}

Tensor GateFunction::operator()(const Tensor& x) const {
  if (name_ == "Affine") return x * alpha_ + beta_;
  if (name_ == "ScaledTanh") return add_op("Tanh", {x * beta_}) * alpha_;
  if (name_ == "LeakyRelu" || name_ == "Elu") return add_op(name_, {x}, {{"alpha", alpha_}});
  if (name_ == "Softsign") return x / (add_op("Abs", {x}) + 1.0);
  if (name_ == "ThresholdedRelu") return where_or_zero(x > alpha_, x);
  if (name_ == "HardSigmoid") {
    const Tensor line = x * alpha_ + beta_;
    const Tensor low = scalar_like(x, 0);
    const Tensor high = scalar_like(x, 1);
    return add_op("Clip", {line, low, high});
  }
  return add_op(name_, {x});
}

Tensor Direction::clipped(const Tensor& x) const {
  if (clip == 0) return x;
  const Tensor low = scalar_like(x, -clip);
  const Tensor high = scalar_like(x, clip);
  return add_op("Clip", {x, low, high});
}

Tensor gates_of(const Tensor& x, std::int64_t hidden, int from, int to) {
  Graph& graph = x.graph();
  const Tensor begin = ints(graph, {from * hidden});
  const Tensor end = ints(graph, {to * hidden});
  return add_op("Slice", {x, begin, end, ints(graph, {-1})});
}

Tensor times(const Tensor& a, const Tensor& b) { return add_op("MatMul", {a, b}); }

namespace {

std::vector<std::int64_t> turn(std::initializer_list<std::int64_t> perm) { return perm; }

Tensor transposed(const Tensor& x, std::vector<std::int64_t> perm) {
  return add_op("Transpose", {x}, {{"perm", std::move(perm)}});
}

Tensor at(const Tensor& x, std::int64_t index) {
  return add_op("Gather", {x, x.graph().constant(Array::scalar_i64(index))}, {{"axis", 0}});
}

Tensor unsqueezed(const Tensor& x, std::int64_t axis) { return add_op("Unsqueeze", {x, ints(x.graph(), {axis})}); }

Tensor joined(const std::vector<Tensor>& parts, std::int64_t axis) {
  if (parts.size() == 1) return parts.front();
  return add_op("Concat", parts, {{"axis", axis}});
}

// The body while it is built.
class Builder {
 public:
  Builder(BodyContext& ctx, const RecurrentKind& kind) : ctx_(ctx), kind_(kind) {
    const std::string& direction = ctx.text("direction");
    directions_ = direction == "bidirectional" ? 2 : 1;
    first_reversed_ = direction == "reverse";
    by_batch_ = ctx.integer("layout") == 1;
    check();
    x_ = by_batch_ ? transposed(ctx.in(kX), turn({1, 0, 2})) : ctx.in(kX);
    batch_ = x_.shape()[1];
    functions_ = functions_of(ctx, kind, directions_);
    if (ctx.has(kLengths)) mask_ = mask();
  }

  void build() {
    std::vector<Tensor> sequences;
    std::vector<std::vector<Tensor>> last(static_cast<std::size_t>(kind_.states()));
    for (int number = 0; number < directions_; ++number) {
      const std::vector<Tensor> results = run(number);
      for (std::size_t state = 0; state < last.size(); ++state) last[state].push_back(unsqueezed(results[state], 0));
      sequences.push_back(unsqueezed(results.back(), 1));
    }
    const Tensor y = joined(sequences, 1);  // [length, directions, batch, hidden]
    ctx_.output(by_batch_ ? transposed(y, turn({2, 0, 1, 3})) : y);
    for (const std::vector<Tensor>& state : last) {
      const Tensor all = joined(state, 0);  // [directions, batch, hidden]
      ctx_.output(by_batch_ ? transposed(all, turn({1, 0, 2})) : all);
    }
  }

 private:
  [[noreturn]] static void refuse(const std::string& what, const Shape& given, const std::string& needed) {
    fail(ErrorCode::bad_shape, what + " of shape " + given.to_string(), needed);
  }

  void check() {
    const Shape& x = ctx_.in(kX).shape();
    if (x.rank() != 3) {
      refuse("an input", x, by_batch_ ? "[batch, length, features]" : "[length, batch, features]");
    }
    const Shape& r = ctx_.in(kR).shape();
    if (r.rank() != 3 || !r[2].is_known()) {
      refuse("recurrent weights", r,
             "[directions, " + std::to_string(kind_.gates()) + " * hidden, hidden], hidden known");
    }
    hidden_ = r[2].value();
    const std::int64_t asked = ctx_.integer("hidden_size");
    if (asked != 0 && asked != hidden_) {
      fail(ErrorCode::bad_attribute, "hidden_size " + std::to_string(asked),
           std::to_string(hidden_) + ", as the recurrent weights have");
    }
    const Dim rows(kind_.gates() * hidden_);
    need("weights", kW, {directions_, rows, x[2]});
    need("recurrent weights", kR, {directions_, rows, hidden_});
    need("a bias", kB, {directions_, rows * Dim(2)});
    const Dim& batch = x[by_batch_ ? 0 : 1];
    need("sequence lengths", kLengths, {batch});
    const Shape state = by_batch_ ? Shape{batch, directions_, hidden_} : Shape{directions_, batch, hidden_};
    need("an initial state", kInitialH, state);
    need("an initial cell", kInitialC, state);
    need("peepholes", kPeepholes, {directions_, 3 * hidden_});
  }

  void need(const std::string& what, int index, const Shape& shape) const {
    if (!ctx_.has(index) || ctx_.in(index).shape() == shape) return;
    refuse(what, ctx_.in(index).shape(), shape.to_string());
  }

  // [length, batch, 1]: true where the element belongs to the sequence.
  Tensor mask() {
    Graph& graph = ctx_.graph();
    const Tensor zero = graph.constant(Array::scalar_i64(0));
    const Tensor one = graph.constant(Array::scalar_i64(1));
    const Tensor length =
        add_op("Squeeze", {add_op("Slice", {add_op("Shape", {x_}), ints(graph, {0}), ints(graph, {1})})});
    const Tensor numbers = add_op("Range", {zero, length, one});
    const Tensor lengths = add_op("Cast", {ctx_.in(kLengths)}, {{"to", DType::i64}});
    const Tensor column = add_op("Unsqueeze", {numbers, ints(graph, {1, 2})});
    return column < unsqueezed(lengths, 1);
  }

  Tensor initial(int index, int number) {
    if (ctx_.has(index)) {
      const Tensor& given = ctx_.in(index);
      return at(by_batch_ ? transposed(given, turn({1, 0, 2})) : given, number);
    }
    Graph& graph = ctx_.graph();
    const Tensor batch = add_op("Slice", {add_op("Shape", {x_}), ints(graph, {1}), ints(graph, {2})});
    const Tensor shape = add_op("Concat", {batch, ints(graph, {hidden_})}, {{"axis", 0}});
    return add_op("Expand", {graph.scalar(x_.dtype(), 0), shape});
  }

  Direction direction(int number) {
    Direction result;
    result.hidden = hidden_;
    result.recurrence = transposed(at(ctx_.in(kR), number), turn({1, 0}));
    if (ctx_.has(kB)) {
      const Tensor bias = at(ctx_.in(kB), number);
      result.input_bias = gates_of(bias, hidden_, 0, kind_.gates());
      result.recurrent_bias = gates_of(bias, hidden_, kind_.gates(), 2 * kind_.gates());
    }
    if (ctx_.has(kPeepholes)) result.peepholes = at(ctx_.in(kPeepholes), number);
    const auto count = static_cast<std::ptrdiff_t>(kind_.functions().size());
    result.functions.assign(functions_.begin() + number * count, functions_.begin() + (number + 1) * count);
    result.clip = ctx_.real("clip");
    return result;
  }

  // x · Wᵀ and the biases, for the whole sequence at once.
  Tensor products(const Direction& direction, int number) {
    Tensor product = times(x_, transposed(at(ctx_.in(kW), number), turn({1, 0})));
    if (!direction.input_bias.valid()) return product;
    product = product + direction.input_bias;
    if (kind_.biases_outside() == kind_.gates()) return product + direction.recurrent_bias;
    // The rest of the recurrent bias belongs into the step.
    const Tensor outside = gates_of(direction.recurrent_bias, hidden_, 0, kind_.biases_outside());
    const Tensor none = graph_zeros((kind_.gates() - kind_.biases_outside()) * hidden_);
    return product + add_op("Concat", {outside, none}, {{"axis", 0}});
  }

  Tensor graph_zeros(std::int64_t count) { return ctx_.graph().constant(Array(DType::f64, {count}).cast(x_.dtype())); }

  // The last states, then the sequence of the first state: [length, batch, hidden].
  std::vector<Tensor> run(int number) {
    const Direction direction = this->direction(number);
    const Tensor x = products(direction, number);
    ScanBuilder scan("step");
    Step now;
    for (int state = 0; state < kind_.states(); ++state) {
      now.states.push_back(scan.state("state_" + std::to_string(state), initial(kInitialH + state, number)));
    }
    now.x = scan.scanned("x", x);
    const Tensor valid = mask_.valid() ? scan.scanned("valid", mask_) : Tensor();
    std::vector<Tensor> next = kind_.step(scan, direction, now);
    const Tensor y = valid.valid() ? where_or_zero(valid, next.front()) : next.front();
    for (std::size_t state = 0; state < next.size(); ++state) {
      // After its end a sequence keeps its state.
      scan.next(valid.valid() ? choose(valid, next[state], now.states[state]) : next[state]);
    }
    scan.stacked(y);
    return scan.finish(number == 1 || first_reversed_);
  }

  BodyContext& ctx_;
  const RecurrentKind& kind_;
  int directions_ = 1;
  bool first_reversed_ = false;
  bool by_batch_ = false;
  std::int64_t hidden_ = 0;
  Tensor x_;  // [length, batch, features]
  Dim batch_;
  Tensor mask_;
  std::vector<GateFunction> functions_;
};

}  // namespace

void recurrent_body(BodyContext& ctx, const RecurrentKind& kind) { Builder(ctx, kind).build(); }

}  // namespace asg::ops
