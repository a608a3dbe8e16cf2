#include "ops/recurrent/recurrent_cases.h"

#include "ops/recurrent/recurrent_parts.h"
#include "ops/support/cost.h"

namespace asg::ops {

Cost recurrent_cost(const CostContext& ctx) {
  const double weights = ctx.elements(ctx.inputs()[kW]) + ctx.elements(ctx.inputs()[kR]);
  const Shape& x = ctx.inputs()[kX].shape;
  const auto length = [](const Dim& dim) { return static_cast<double>(dim.known().value_or(1)); };
  return {.flops = 2 * weights * length(x[0]) * length(x[1]), .bytes = bytes_moved(ctx), .compute_bound = true};
}

namespace {

// One row of a plan in which all pairs of values occur.
struct Row {
  const char* name;
  const char* direction;
  bool layout;
  bool clip;
  bool hidden;
  bool functions;
  bool alpha;
  bool beta;
  bool extra;
  bool gradient;
};

constexpr Row kRows[] = {
    {"plain", "forward", false, false, false, false, false, false, false, true},
    {"all", "bidirectional", true, true, true, true, true, true, true, false},
    {"reverse_by_batch", "reverse", true, true, true, false, false, false, false, true},
    {"reverse_functions", "reverse", false, false, false, true, true, true, true, true},
    {"clipped", "forward", false, true, true, false, true, false, true, false},
    {"two_by_batch", "bidirectional", true, true, false, true, false, false, false, false},
    {"by_batch", "forward", true, false, true, true, false, true, true, false},
    {"two", "bidirectional", false, false, true, false, true, true, false, true},
};

std::vector<std::string> functions_for(int gates, int directions, bool parameters) {
  const std::vector<std::string> first = {"HardSigmoid", "ScaledTanh", "Affine"};
  const std::vector<std::string> second = {"softsign", "Elu", "Softplus"};
  const auto count = gates == 1 ? 1 : gates - 1;
  std::vector<std::string> names;
  for (int direction = 0; direction < directions; ++direction) {
    const std::vector<std::string>& from = parameters == (direction == 0) ? first : second;
    names.insert(names.end(), from.begin(), from.begin() + count);
  }
  return names;
}

// The inputs of a small case: length 3, batch 2, `features` features, two hidden units.
std::vector<SampleInput> inputs_for(const Row& row, int gates) {
  const std::int64_t ways = std::string_view(row.direction) == "bidirectional" ? 2 : 1;
  const std::int64_t features = row.gradient ? 1 : 4;
  const Sizes state = row.layout ? Sizes{2, ways, 2} : Sizes{ways, 2, 2};
  std::vector<SampleInput> inputs = {in(row.layout ? Sizes{2, 3, features} : Sizes{3, 2, features}),
                                     in({ways, gates * 2, features}), in({ways, gates * 2, 2})};
  const bool lengths = row.hidden;
  const bool initial = row.clip || row.functions;
  const bool bias = !row.clip || row.extra;
  inputs.push_back(bias ? in({ways, gates * 4}) : absent());
  inputs.push_back(lengths ? in_ints({2}, {3, 2}) : absent());
  inputs.push_back(initial ? in(state) : absent());
  if (gates == 4) {
    inputs.push_back(initial ? in(state) : absent());
    inputs.push_back(row.extra || row.functions ? in({ways, 6}) : absent());
  }
  while (inputs.back().absent) inputs.pop_back();
  return inputs;
}

Attrs attributes_for(const Row& row, int gates, const Attrs& extra) {
  const int ways = std::string_view(row.direction) == "bidirectional" ? 2 : 1;
  Attrs attrs = {{"direction", row.direction}};
  if (row.layout) attrs.set("layout", 1);
  if (row.clip) attrs.set("clip", 0.9);
  if (row.hidden) attrs.set("hidden_size", 2);
  if (row.functions) attrs.set("activations", functions_for(gates, ways, row.alpha || row.beta));
  if (row.alpha) attrs.set("activation_alpha", std::vector<double>{0.3, 0.8, 1.2});
  if (row.beta) attrs.set("activation_beta", std::vector<double>{0.4, 0.7, 0.1});
  if (row.extra) {
    for (const auto& [name, value] : extra) attrs.set(name, value);
  }
  return attrs;
}

SampleInput given(Sizes sizes, std::vector<double> values) {
  return in_exact(Array::of<double>(std::move(sizes), values));
}

}  // namespace

std::vector<Sample> recurrent_samples(int gates, const Attrs& extra) {
  std::vector<Sample> samples;
  for (const Row& row : kRows) {
    samples.push_back({.name = row.name,
                       .inputs = inputs_for(row, gates),
                       .attrs = attributes_for(row, gates, extra),
                       .gradient = row.gradient});
  }
  const std::int64_t rows = gates * 2;
  samples.push_back(
      {.name = "other_functions",
       .inputs = {in({3, 2, 4}), in({1, rows, 4}), in({1, rows, 2})},
       .attrs = {{"activations", std::vector<std::string>(static_cast<std::size_t>(gates == 1 ? 1 : gates - 1),
                                                          gates == 1 ? "LeakyRelu" : "ThresholdedRelu")},
                 {"activation_alpha", std::vector<double>(3, 0.1)}},
       .gradient = false});
  samples.push_back(
      {.name = "one_element", .inputs = {in({1, 1, 1}), in({1, rows, 1}), in({1, rows, 2})}, .gradient = false});
  samples.push_back(
      {.name = "no_elements", .inputs = {in({0, 2, 3}), in({1, rows, 3}), in({1, rows, 2})}, .gradient = false});
  return samples;
}

std::vector<Sample> join_cases(std::vector<Sample> samples, Sample exact) {
  samples.push_back(std::move(exact));
  return samples;
}

Sample rnn_exact() {
  return {.name = "exact",
          .inputs = {given({2, 2, 1}, {0.7, 0.3, 0.4, 0.4}), given({2, 2, 1}, {0.9, 0.2, 0.2, -0.7}),
                     given({2, 2, 2}, {-0.7, 0.0, -0.4, -0.6, -0.5, 0.4, 0.6, -0.4}),
                     given({2, 4}, {0.7, 0.6, -0.6, 0.9, 0.9, -0.4, 0.3, 0.0}), absent(),
                     given({2, 2, 2}, {0.5, 0.9, 0.3, 0.7, -0.8, 0.1, -0.2, -0.8})},
          .attrs = {{"direction", "bidirectional"}},
          .gradient = false,
          .expected = {
              Array::of<double>({2, 2, 2, 2},
                                {0.3627074675780512, 0.7162978701990245, 0.15864850429749894, 0.7698665359089004,
                                 0.49117414640113577, 0.006179583151034395, 0.5971273086634007, 0.039874606000531915,
                                 0.20323513571547808, 0.7637436756561968, 0.3354405133925228, 0.7835962999940546,
                                 0.9378630316806652, -0.8336546070121552, 0.7856638590269436, -0.44624361024877957}),
              Array::of<double>(
                  {2, 2, 2}, {0.20323513571547808, 0.7637436756561968, 0.3354405133925228, 0.7835962999940546,
                              0.49117414640113577, 0.006179583151034395, 0.5971273086634007, 0.039874606000531915})}};
}

Sample gru_exact() {
  return {.name = "exact",
          .inputs = {given({2, 2, 1}, {0.2, -0.1, -0.5, -0.8}),
                     given({2, 6, 1}, {-0.1, -0.9, -0.2, 0.9, 0.3, 0.2, -0.7, 0.9, -0.2, 0.7, -0.8, -0.3}),
                     given({2, 6, 2}, {0.3,  0.9, -0.6, -0.2, 0.6,  -0.8, -0.4, 0.0, 0.2, 0.8, 0.9,  -0.3,
                                       -0.1, 0.6, 0.0,  0.5,  -0.1, -0.1, -0.6, 0.8, 0.1, 0.8, -0.5, 0.8}),
                     given({2, 12}, {-0.4, 0.0, -0.7, 0.3,  0.7,  0.4,  -0.2, 0.7, 0.6,  -0.4, -0.7, 0.7,
                                     0.6,  0.8, -0.4, -0.8, -0.4, -0.2, -0.2, 0.5, -0.3, -0.5, -0.8, 0.1}),
                     absent(), given({2, 2, 2}, {-0.7, -0.7, -0.5, -0.8, 0.2, -0.7, 0.9, 0.5})},
          .attrs = {{"direction", "bidirectional"}, {"linear_before_reset", true}},
          .gradient = false,
          .expected = {Array::of<double>(
                           {2, 2, 2, 2},
                           {-0.08329351349780459, -0.3855132913135755, -0.20955886095052323, -0.49814168643872103,
                            -0.4127501120355329, -0.43333570363779195, 0.3165777768877997, 0.25748750928397807,
                            -0.044012813401890685, -0.18800394180201108, -0.20356747387222512, -0.34880568489547137,
                            -0.07689535012669951, -0.4732210860435825, 0.7187896091304713, 0.3621232187145118}),
                       Array::of<double>({2, 2, 2}, {-0.044012813401890685, -0.18800394180201108, -0.20356747387222512,
                                                     -0.34880568489547137, -0.4127501120355329, -0.43333570363779195,
                                                     0.3165777768877997, 0.25748750928397807})}};
}

Sample lstm_exact() {
  return {
      .name = "exact",
      .inputs =
          {given({2, 2, 1}, {-0.3, -0.1, -0.4, 0.4}),
           given({2, 8, 1}, {-0.5, 0.7, -0.2, -0.6, -0.1, -0.3, 0.4, -0.3, 0.3, 0.2, -0.1, 0.8, -0.3, 0.1, 0.3, 0.4}),
           given({2, 8, 2}, {-0.7, 0.9, -0.5, 0.2,  0.8, 0.5, -0.3, 0.9,  0.5, 0.4,  -0.3, 0.9,  -0.6, 0.4, 0.5, -0.1,
                             -0.2, 0.9, -0.1, -0.7, 0.9, 0.8, 0.0,  -0.5, 0.6, -0.1, 0.7,  -0.9, 0.6,  0.1, 0.7, 0.4}),
           given({2, 16}, {0.4,  0.7,  0.2,  -0.6, -0.3, 0.9,  -0.1, -0.7, 0.3,  0.7, 0.5, 0.6, 0.9,  0.0,  0.3, 0.5,
                           -0.5, -0.2, -0.9, 0.9,  -0.8, -0.6, 0.6,  0.1,  -0.3, 0.1, 0.9, 0.5, -0.3, -0.7, 0.2, 0.8}),
           absent(), given({2, 2, 2}, {-0.8, -0.5, 0.9, -0.9, 0.0, 0.6, 0.8, -0.7}),
           given({2, 2, 2}, {0.9, -0.7, -0.8, 0.8, -0.4, 0.2, -0.5, 0.5})},
      .attrs = {{"direction", "bidirectional"}},
      .gradient = false,
      .expected = {
          Array::of<double>({2, 2, 2, 2},
                            {0.28445602419676297, -0.3353881146138091, -0.4607687712592734, 0.14357106573156866,
                             0.14129305439759562, 0.2596568222500154, 0.16974379012105748, 0.28188047869195,
                             0.2091432180070351, -0.2047356252329176, -0.005975831477164085, 0.0009524242759459907,
                             0.09401842462909901, 0.19554872901772405, -0.003576502371189563, 0.5697775712003709}),
          Array::of<double>({2, 2, 2},
                            {0.2091432180070351, -0.2047356252329176, -0.005975831477164085, 0.0009524242759459907,
                             0.14129305439759562, 0.2596568222500154, 0.16974379012105748, 0.28188047869195}),
          Array::of<double>({2, 2, 2},
                            {0.30890896401890344, -0.4746342526335475, -0.010301803995355907, 0.001879067295903647,
                             0.25438852068075923, 0.36477888595154456, 0.28402010426354635, 0.4024001229600121})}};
}

}  // namespace asg::ops
