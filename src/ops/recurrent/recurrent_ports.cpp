#include "ops/recurrent/recurrent_parts.h"

namespace asg::ops {
namespace {

Port optional_port(std::string_view name, Words words) {
  return {.name = name, .kind = PortKind::optional, .words = words};
}

}  // namespace

std::vector<Port> recurrent_inputs(bool cell) {
  std::vector<Port> ports = {
      {.name = "X",
       .words = {"the sequences: [length, batch, features]", "последовательности: [длина, пакет, признаки]"}},
      {.name = "W",
       .words = {"weights of the inputs: [directions, gates * hidden, features]",
                 "веса входов: [направления, вентили * скрытые, признаки]"}},
      {.name = "R",
       .words = {"weights of the state: [directions, gates * hidden, hidden]",
                 "веса состояния: [направления, вентили * скрытые, скрытые]"}},
      optional_port("B", {"biases of inputs and state side by side: [directions, 2 * gates * hidden]; absent: 0",
                          "смещения входов и состояния подряд: [направления, 2 * вентили * скрытые]; по умолчанию 0"}),
      {.name = "sequence_lens",
       .dtypes = kIndex,
       .type = "",
       .kind = PortKind::optional,
       .words = {"the length of each sequence of the batch, after whose end Y is 0 and the state stays; absent: all "
                 "are full",
                 "длина каждой последовательности пакета: после её конца Y равен 0, а состояние не меняется; по "
                 "умолчанию все полные"},
       .differentiable = false},
      optional_port("initial_h", {"the state before the first element: [directions, batch, hidden]; absent: 0",
                                  "состояние до первого элемента: [направления, пакет, скрытые]; по умолчанию 0"}),
  };
  if (!cell) return ports;
  ports.push_back(optional_port("initial_c", {"the cell before the first element, of the same shape; absent: 0",
                                              "ячейка до первого элемента, той же формы; по умолчанию 0"}));
  ports.push_back(optional_port(
      "P",
      {"peepholes, weights from the cell to the gates i, o, f: [directions, 3 * hidden]; absent: none",
       "«глазки» (peepholes) — веса от ячейки к вентилям i, o, f: [направления, 3 * скрытые]; по умолчанию их нет"}));
  return ports;
}

std::vector<Port> recurrent_outputs(bool cell) {
  std::vector<Port> ports = {{.name = "Y",
                              .words = {"the state after every element: [length, directions, batch, hidden]",
                                        "состояние после каждого элемента: [длина, направления, пакет, скрытые]"}},
                             {.name = "Y_h",
                              .words = {"the state after the last element: [directions, batch, hidden]",
                                        "состояние после последнего элемента: [направления, пакет, скрытые]"}}};
  if (cell) {
    ports.push_back({.name = "Y_c", .words = {"the cell after the last element", "ячейка после последнего элемента"}});
  }
  return ports;
}

std::vector<AttrSpec> recurrent_attributes() {
  return {
      {.name = "direction",
       .kind = AttrKind::text,
       .fallback = "forward",
       .choices = {"forward", "reverse", "bidirectional"},
       .words = {"which way the sequence is read; each direction has weights of its own",
                 "в какую сторону читается последовательность; у каждого направления свои веса"}},
      {.name = "hidden_size",
       .kind = AttrKind::integer,
       .fallback = 0,
       .least = 0,
       .words = {"the length of the state; 0: as R says", "длина состояния; 0 — по форме R"}},
      {.name = "layout",
       .kind = AttrKind::integer,
       .fallback = 0,
       .choices = {0, 1},
       .words = {"0: the length comes first; 1: the batch comes first in X, Y and the states",
                 "0 — сначала длина; 1 — в X, Y и состояниях сначала пакет"}},
      {.name = "clip",
       .kind = AttrKind::real,
       .fallback = 0.0,
       .least = 0,
       .words = {"what goes into an activation is held between -clip and clip; 0: it is not",
                 "то, что входит в функцию активации, удерживается между −clip и clip; 0 — не ограничивается"}},
      {.name = "activations",
       .kind = AttrKind::texts,
       .fallback = std::vector<std::string>{},
       .words = {"the functions of the gates, for each direction; empty: Sigmoid for gates and Tanh elsewhere",
                 "функции вентилей для каждого направления; пусто — Sigmoid у вентилей и Tanh в остальных местах"}},
      {.name = "activation_alpha",
       .kind = AttrKind::reals,
       .fallback = std::vector<double>{},
       .words = {"alpha of those functions that have one, in order",
                 "alpha тех функций, у которых он есть, по порядку"}},
      {.name = "activation_beta",
       .kind = AttrKind::reals,
       .fallback = std::vector<double>{},
       .words = {"beta of those functions that have one, in order", "beta тех функций, у которых он есть, по порядку"}},
  };
}

std::vector<BadSample> bad_recurrent_samples(int gates) {
  const std::vector<SampleInput> fine = {in({3, 2, 4}), in({1, gates * 2, 4}), in({1, gates * 2, 2})};
  return {
      {.name = "rank_2",
       .inputs = {in({3, 4}), fine[1], fine[2]},
       .code = ErrorCode::bad_shape,
       .contains = "[length, batch, features]"},
      {.name = "other_weights",
       .inputs = {fine[0], in({1, gates * 2, 5}), fine[2]},
       .code = ErrorCode::bad_shape,
       .contains = "weights of shape"},
      {.name = "one_direction_for_two",
       .inputs = fine,
       .attrs = {{"direction", "bidirectional"}},
       .code = ErrorCode::bad_shape,
       .contains = "[2, "},
      {.name = "other_bias",
       .inputs = {fine[0], fine[1], fine[2], in({1, gates * 2})},
       .code = ErrorCode::bad_shape,
       .contains = "a bias of shape"},
      {.name = "other_lengths",
       .inputs = {fine[0], fine[1], fine[2], absent(), in_ints({3}, {1, 2, 3})},
       .code = ErrorCode::bad_shape,
       .contains = "sequence lengths of shape [3]"},
      {.name = "other_hidden_size",
       .inputs = fine,
       .attrs = {{"hidden_size", 3}},
       .code = ErrorCode::bad_attribute,
       .contains = "hidden_size 3"},
      {.name = "unknown_activation",
       .inputs = fine,
       .attrs = {{"activations",
                  std::vector<std::string>(static_cast<std::size_t>(gates == 1 ? 1 : gates - 1), "Cosh")}},
       .code = ErrorCode::bad_attribute,
       .contains = "'Cosh'"},
      {.name = "too_many_activations",
       .inputs = fine,
       .attrs = {{"activations", std::vector<std::string>(5, "Tanh")}},
       .code = ErrorCode::bad_attribute,
       .contains = "5 activations"},
  };
}

}  // namespace asg::ops
