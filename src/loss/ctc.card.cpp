#include "asg/graph/graph.h"
#include "ops/control_flow/scan_builder.h"
#include "ops/loss/loss_reduction.h"
#include "ops/support/gradients.h"
#include "ops/support/indexing.h"
#include "ops/support/samples.h"

namespace asg::loss_cards {
namespace {

constexpr int kLogits = 0;
constexpr int kLabels = 1;
constexpr int kLogitLengths = 2;
constexpr int kLabelLengths = 3;

// Stands for the logarithm of 0. Not −∞, of which differences are not numbers.
constexpr double kImpossible = -1e30;

void check(const BodyContext& ctx) {
  const Shape& logits = ctx.in(kLogits).shape();
  const Shape& labels = ctx.in(kLabels).shape();
  if (logits.rank() != 3 || labels.rank() != 2 || ops::surely_differ(logits[0], labels[0])) {
    fail(ErrorCode::bad_shape, "logits of shape " + logits.to_string() + " and labels of shape " + labels.to_string(),
         "[batch, length, classes] and [batch, longest label]");
  }
  for (const int index : {kLogitLengths, kLabelLengths}) {
    const Shape& lengths = ctx.in(index).shape();
    if (lengths.rank() == 1 && !ops::surely_differ(lengths[0], logits[0])) continue;
    fail(ErrorCode::bad_shape, "lengths of shape " + lengths.to_string(), "one length for each example: [batch]");
  }
}

// 0, 1, … along an axis, as one row.
Tensor numbers_along(const Tensor& tensor, int axis, DType dtype) {
  Graph& graph = tensor.graph();
  const Tensor length = add_op("Gather", {ops::shape_of(tensor), graph.constant(Array::scalar_i64(axis))});
  const Tensor zero = graph.constant(Array::scalar_i64(0));
  const Tensor numbers = add_op("Range", {zero, length, graph.constant(Array::scalar_i64(1))});
  return add_op("Cast", {numbers}, {{"to", dtype}});
}

Tensor column(const Tensor& vector) { return add_op("Unsqueeze", {vector, ops::ints(vector.graph(), {1})}); }

// The labels with a blank before, between and after them: [batch, 2 · longest + 1]. What stands beyond a label's length
// is a blank too.
Tensor with_blanks(const Tensor& labels, const Tensor& lengths, std::int64_t blank_class) {
  Graph& graph = labels.graph();
  const Tensor numbers = numbers_along(labels, 1, lengths.dtype());
  const Tensor is_label = numbers < column(lengths);
  const Tensor blank = ops::scalar_like(labels, static_cast<double>(blank_class));
  const Tensor known = ops::choose(is_label, labels, blank);
  const Tensor last = ops::ints(graph, {2});
  const Tensor blanks = ops::expand_like(blank, known);
  const Tensor left = add_op("Unsqueeze", {blanks, last});
  const Tensor right = add_op("Unsqueeze", {known, last});
  const Tensor pairs = add_op("Concat", {left, right}, {{"axis", 2}});
  const Tensor longest = ops::length_of(labels, 1);
  const Tensor twice = longest * ops::ints(graph, {2});
  const Tensor shape = add_op("Concat", {ops::length_of(labels, 0), twice}, {{"axis", 0}});
  const Tensor row = add_op("Reshape", {pairs, shape});
  const Tensor end_shape = add_op("Concat", {ops::length_of(labels, 0), ops::ints(graph, {1})}, {{"axis", 0}});
  const Tensor end = add_op("Expand", {blank, end_shape});
  return add_op("Concat", {row, end}, {{"axis", 1}});
}

// The row moved to the right by `count`; `filler` comes in from the left.
Tensor moved(const Tensor& row, std::int64_t count, const Tensor& filler) {
  Graph& graph = row.graph();
  const Tensor pads = ops::ints(graph, {0, count, 0, 0});
  const Tensor longer = add_op("Pad", {row, pads, filler});
  const Tensor start = ops::ints(graph, {0});
  return add_op("Slice", {longer, start, ops::length_of(row, 1), ops::ints(graph, {1})});
}

// ln(e^a + e^b + …), which never overflows.
Tensor log_of_sum(const std::vector<Tensor>& terms) {
  const Tensor largest = add_op("Max", terms);
  Tensor sum;
  for (const Tensor& term : terms) {
    const Tensor share = add_op("Exp", {term - largest});
    sum = sum.valid() ? sum + share : share;
  }
  return largest + add_op("Log", {sum});
}

// The logarithms of the probabilities of all ways to have come to each place of `path` after the last element that
// counts: [batch, places].
Tensor forward_scores(const BodyContext& ctx, const Tensor& log_probabilities, const Tensor& path) {
  Graph& graph = log_probabilities.graph();
  const Tensor blank = ops::scalar_like(path, static_cast<double>(ctx.integer("blank")));
  const Tensor is_blank = add_op("Equal", {path, blank});
  // A blank may be left out between two different labels.
  const Tensor is_repeat = add_op("Equal", {path, moved(path, 2, blank)});
  const Tensor may_skip = add_op("Not", {add_op("Or", {is_blank, is_repeat})});
  const Tensor impossible = ops::scalar_like(log_probabilities, kImpossible);
  const Tensor places = numbers_along(path, 1, DType::i64);
  const Tensor is_first = add_op("Equal", {places, graph.constant(Array::scalar_i64(0))});
  const Tensor start = ops::choose(is_first, ops::scalar_like(log_probabilities, 0), impossible);
  const Tensor starts = add_op("Expand", {start, ops::shape_of(path)});
  // The log-probability of the class at each place, for each element: [length, batch, places].
  const Tensor in_front = add_op("Transpose", {log_probabilities}, {{"perm", std::vector<std::int64_t>{1, 0, 2}}});
  const Tensor times = add_op("Concat", {ops::length_of(in_front, 0), ops::shape_of(path)}, {{"axis", 0}});
  const Tensor classes = add_op("Expand", {path, times});
  const Tensor emitted = add_op("GatherElements", {in_front, classes}, {{"axis", 2}});
  const Tensor counts = numbers_along(in_front, 0, ctx.in(kLogitLengths).dtype());
  const Tensor row = add_op("Unsqueeze", {ctx.in(kLogitLengths), ops::ints(graph, {0})});
  const Tensor is_read = column(counts) < row;  // [length, batch]

  ops::ScanBuilder scan("ctc");
  const Tensor scores = scan.state("scores", starts);
  const Tensor now = scan.scanned("emitted", emitted);
  const Tensor counts_now = scan.scanned("is_read", is_read);
  const Tensor skips = scan.capture("may_skip", may_skip);
  const Tensor never = ops::scalar_like(scores, kImpossible);
  const Tensor from_before = moved(scores, 1, never);
  const Tensor from_far = ops::choose(skips, moved(scores, 2, never), never);
  const Tensor next = log_of_sum({scores, from_before, from_far}) + now;
  scan.next(ops::choose(column(counts_now), next, scores));
  return scan.finish(false).front();
}

// What each example loses: minus the logarithm of the probability to end at the last label or at the blank after it.
Tensor losses_of(const BodyContext& ctx, const Tensor& scores) {
  const Tensor& lengths = ctx.in(kLabelLengths);
  const Tensor end = column(lengths * ops::scalar_like(lengths, 2));
  const Tensor is_empty = add_op("Equal", {end, ops::scalar_like(end, 0)});
  const Tensor before = ops::zero_where(is_empty, end - ops::scalar_like(end, 1));
  const Tensor at_end = add_op("GatherElements", {scores, end}, {{"axis", 1}});
  const Tensor at_label = add_op("GatherElements", {scores, before}, {{"axis", 1}});
  const Tensor impossible = ops::scalar_like(scores, kImpossible);
  const Tensor total = log_of_sum({at_end, ops::choose(is_empty, impossible, at_label)});
  const Tensor is_possible = total > 0.1 * kImpossible;
  const double otherwise = ctx.boolean("zero_infinity") ? 0 : ops::kInfinity;
  const Tensor cost = -total;
  const Tensor losses = ops::choose(is_possible, cost, ops::scalar_like(total, otherwise));
  return add_op("Squeeze", {losses, ops::ints(scores.graph(), {1})});
}

void body(BodyContext& ctx) {
  check(ctx);
  const Tensor& logits = ctx.in(kLogits);
  // Sums over a long sequence need more than the narrow floats have.
  const bool narrow = logits.dtype() == DType::f16 || logits.dtype() == DType::bf16;
  const Tensor wide = narrow ? add_op("Cast", {logits}, {{"to", DType::f32}}) : logits;
  const Tensor log_probabilities = add_op("LogSoftmax", {wide}, {{"axis", -1}});
  const Tensor path = with_blanks(ctx.in(kLabels), ctx.in(kLabelLengths), ctx.integer("blank"));
  Tensor losses = losses_of(ctx, forward_scores(ctx, log_probabilities, path));
  if (ctx.text("reduction") == "mean") {
    // Long labels do not weigh more than short ones.
    const Tensor lengths = add_op("Cast", {ctx.in(kLabelLengths)}, {{"to", losses.dtype()}});
    losses = losses / add_op("Max", {lengths, ops::scalar_like(lengths, 1)});
  }
  const Tensor reduced = ops::reduced(ctx, losses);
  ctx.output(narrow ? add_op("Cast", {reduced}, {{"to", logits.dtype()}}) : reduced);
}

// Values by PyTorch.
std::vector<Sample> samples() {
  const SampleInput logits = in_exact(Array::of<double>(
      {2, 4, 3}, {-1, 0, 1, -0.5, 0.5, -1, 0, 1, -0.5, 0.5, -1, 0, 1, -0.5, 0.5, -1, 0, 1, -0.5, 0.5, -1, 0, 1, -0.5}));
  const SampleInput labels = in_ints({2, 2}, {1, 2, 2, 2});
  const auto exact = [&](std::string name, std::vector<std::int64_t> lengths, std::vector<std::int64_t> label_lengths,
                         Attrs attrs, const Array& expected) {
    return Sample{.name = std::move(name),
                  .inputs = {logits, labels, in_ints({2}, std::move(lengths)), in_ints({2}, std::move(label_lengths))},
                  .attrs = std::move(attrs),
                  .gradient = false,
                  .expected = {expected}};
  };
  const auto drawn = [](std::string name, Attrs attrs) {
    return Sample{
        .name = std::move(name),
        .inputs = {in({2, 4, 3}, -2, 2), in_ints({2, 2}, {1, 2, 2, 1}), in_ints({2}, {4, 3}), in_ints({2}, {2, 1})},
        .attrs = std::move(attrs)};
  };
  const Attrs none = {{"reduction", "none"}};
  return ops::join(
      {ops::for_each_reduction(drawn("drawn", {})),
       ops::for_each_reduction(
           {.name = "last_class_is_blank",
            .inputs = {in({1, 4, 3}, -2, 2), in_ints({1, 2}, {1, 1}), in_ints({1}, {4}), in_ints({1}, {2})},
            .attrs = {{"blank", 2}}}),
       ops::for_each_reduction(
           {.name = "zero_infinity",
            .inputs = {in({2, 3, 4}, -2, 2), in_ints({2, 2}, {1, 2, 3, 3}), in_ints({2}, {3, 2}), in_ints({2}, {2, 2})},
            .attrs = {{"zero_infinity", true}}}),
       {{.name = "zero_infinity_other_blank",
         .inputs = {in({1, 3, 2}, -2, 2), in_ints({1, 1}, {0}), in_ints({1}, {3}), in_ints({1}, {1})},
         .attrs = {{"zero_infinity", true}, {"blank", 1}}},
        exact("exact", {4, 4}, {2, 2}, none, ops::reals({2.206508961166149, 3.841369691859163})),
        exact("exact_lengths", {4, 3}, {2, 1}, none, ops::reals({2.206508961166149, 1.466283930800024})),
        exact("exact_mean", {4, 3}, {2, 1}, {}, Array::scalar(DType::f64, 1.2847692056915492)),
        exact("exact_empty_label", {4, 4}, {0, 2}, none, ops::reals({5.940474137996999, 3.841369691859163})),
        exact("exact_mean_empty_label", {4, 4}, {0, 2}, {}, Array::scalar(DType::f64, 3.93057949196329)),
        exact("too_short_is_impossible", {3, 2}, {1, 2}, none, ops::reals({1.5747134023100757, ops::kInfinity})),
        exact("too_short_counts_nothing", {3, 2}, {1, 2}, {{"reduction", "none"}, {"zero_infinity", true}},
              ops::reals({1.5747134023100757, 0}))}});
}

}  // namespace

OpCard card_ctc() {
  const auto lengths = [](std::string_view name, Words words) {
    return Port{.name = name, .dtypes = kIndex, .type = "I", .words = words, .differentiable = false};
  };
  return {
      .name = "loss.CTC",
      .category = Category::loss,
      .inputs = {{.name = "logits",
                  .words = {"[batch, length, classes]: scores, or log-probabilities",
                            "[пакет, длина, классы]: оценки или логарифмы вероятностей"}},
                 lengths("labels",
                         {"[batch, longest label]: class numbers; what lies beyond a label's length is ignored",
                          "[пакет, самая длинная метка]: номера классов; то, что за длиной метки, не читается"}),
                 lengths("logit_lengths", {"how many elements of each sequence count",
                                           "сколько элементов каждой последовательности учитывать"}),
                 lengths("label_lengths", {"how many classes each label has", "сколько классов в каждой метке"})},
      .outputs = ops::loss_port(),
      .attributes = {{.name = "blank",
                      .fallback = 0,
                      .least = 0,
                      .words = {"the number of the blank: the class that adds nothing to the label",
                                "номер пустого символа: класса, который ничего не добавляет к метке"}},
                     {.name = "zero_infinity",
                      .kind = AttrKind::boolean,
                      .fallback = false,
                      .words = {"a label that does not fit into its sequence costs 0 instead of infinity",
                                "метка, не помещающаяся в последовательность, стоит 0, а не бесконечность"}},
                     ops::reduction_attribute()},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.functional.ctc_loss",
      .peer_differences = {{{"too_short_is_impossible"},
                            "labels that do not fit cost infinity and get no gradient; PyTorch gives NaN"}},
      .words = {.what = {"Scores a label against a longer sequence without being told where each class stands: it adds "
                         "up the probabilities of all ways to read the label off, with repeats and blanks left out. "
                         "The mean divides each loss by the length of its label first. A label that cannot fit costs "
                         "infinity and gives no gradient.",
                         "Сравнивает метку с более длинной последовательностью, не зная, где стоит какой класс: "
                         "складывает вероятности всех способов прочесть метку, если убрать повторы и пустые символы. "
                         "При усреднении каждая потеря сначала делится на длину своей метки. Метка, которая не "
                         "помещается, стоит бесконечность и градиента не даёт."},
                .formula = R"(L = -\ln \sum_{\pi \in B^{-1}(l)} \prod_t p_{t, \pi_t})",
                .why = {"Speech and handwriting come with a text but without the moment of each letter, and with this "
                        "loss nobody has to mark them by hand: Deep Speech and wav2vec 2.0 are trained so. The "
                        "recursion runs over logarithms, so that sequences of thousands of steps do not underflow.",
                        "К речи и рукописи прилагается текст, но не момент каждой буквы, и с этой потерей размечать их "
                        "вручную не нужно: так обучены Deep Speech и wav2vec 2.0. Рекурсия идёт по логарифмам, поэтому "
                        "на последовательностях в тысячи шагов вероятности не обращаются в ноль."}},
      .samples = samples(),
      .bad_samples =
          {{.name = "labels_for_another_batch",
            .inputs = {in({2, 4, 3}), in_ints({3, 1}, {1, 1, 1}), in_ints({2}, {4, 4}), in_ints({2}, {1, 1})},
            .code = ErrorCode::bad_shape,
            .contains = "[batch, longest label]"},
           {.name = "lengths_of_another_batch",
            .inputs = {in({2, 4, 3}), in_ints({2, 1}, {1, 1}), in_ints({3}, {4, 4, 4}), in_ints({2}, {1, 1})},
            .code = ErrorCode::bad_shape,
            .contains = "one length for each example"}},
  };
}

}  // namespace asg::loss_cards
