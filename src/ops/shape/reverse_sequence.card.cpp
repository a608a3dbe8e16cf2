#include <string>

#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/indexing.h"
#include "ops/support/infer.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  const Shape& x = ctx.shape(0);
  const Shape& lengths = ctx.shape(1);
  const auto batch = static_cast<int>(ctx.integer("batch_axis"));
  if (x.rank() < 2) fail(ErrorCode::bad_shape, "shape " + x.to_string(), "a batch of sequences: at least two axes");
  if (batch == ctx.integer("time_axis")) {
    fail(ErrorCode::bad_attribute, "axis " + std::to_string(batch) + " as batch_axis and as time_axis",
         "two different axes");
  }
  if (lengths.rank() != 1 || ops::surely_differ(lengths[0], x[batch])) {
    fail(ErrorCode::bad_shape,
         "lengths of shape " + lengths.to_string() + " for " + x[batch].to_string() + " sequences",
         "one length for each sequence of the batch");
  }
  ops::infer_same(ctx);
}

std::int64_t checked_length(std::int64_t length, std::int64_t most) {
  if (length < 0 || length > most) {
    fail(ErrorCode::computation_error, "a sequence of length " + std::to_string(length),
         "a length from 0 to " + std::to_string(most) + ", which the time axis has", "check the lengths");
  }
  return length;
}

// The first two axes are batch and time in one order or the other; what follows them moves together.
void kernel(KernelContext& ctx) {
  const Array& x = ctx.in(0);
  const auto lengths = ctx.in(1).data<std::int64_t>();
  const auto batch_axis = static_cast<int>(ctx.integer("batch_axis"));
  const auto time_axis = static_cast<int>(ctx.integer("time_axis"));
  const std::int64_t time = x.sizes()[static_cast<std::size_t>(time_axis)];
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    const std::int64_t length = checked_length(lengths[k], time);
    const auto at = static_cast<std::int64_t>(k);
    const Array from = x.sliced(batch_axis, at, 1, 1);
    Array to = ctx.out().sliced(batch_axis, at, 1, 1);
    to.sliced(time_axis, length, time - length, 1).assign(from.sliced(time_axis, length, time - length, 1));
    if (length == 0) continue;
    to.sliced(time_axis, 0, length, 1).assign(from.sliced(time_axis, length - 1, length, -1));
  }
}

// Turned twice everything stands as before.
void gradient(GradientContext& ctx) { ctx.set(0, add_op("ReverseSequence", {ctx.grad(), ctx.in(1)}, ctx.attrs())); }

std::vector<Sample> samples() {
  const Attrs batch_first = {{"batch_axis", 0}, {"time_axis", 1}};
  return {
      {.name = "batch_first",
       .inputs = {in_exact(Array::of<double>({2, 3}, {1, 2, 3, 4, 5, 6})), in_ints({2}, {2, 3})},
       .attrs = batch_first,
       .expected = {Array::of<double>({2, 3}, {2, 1, 3, 6, 5, 4})}},
      {.name = "time_first",
       .inputs = {in_exact(Array::of<double>({3, 2}, {1, 4, 2, 5, 3, 6})), in_ints({2}, {2, 3})},
       .expected = {Array::of<double>({3, 2}, {2, 6, 1, 5, 3, 4})}},
      {.name = "features", .inputs = {in({4, 3, 2}), in_ints({3}, {4, 1, 2})}},
      {.name = "features_batch_first", .inputs = {in({3, 4, 2}), in_ints({3}, {0, 4, 3})}, .attrs = batch_first},
      {.name = "no_sequences", .inputs = {in({3, 0}), in_ints({0}, {})}, .gradient = false},
  };
}

std::vector<BadSample> bad_samples() {
  return {
      {.name = "too_long",
       .inputs = {in({2, 1}), in_ints({1}, {3})},
       .code = ErrorCode::computation_error,
       .contains = "a length from 0 to 2"},
      {.name = "other_count", .inputs = {in({2, 3}), in_ints({2}, {1, 1})}, .code = ErrorCode::bad_shape},
      {.name = "vector", .inputs = {in({3}), in_ints({1}, {1})}, .code = ErrorCode::bad_shape, .contains = "two axes"},
      {.name = "one_axis_first",
       .inputs = {in({2, 3}), in_ints({2}, {1, 1})},
       .attrs = {{"batch_axis", 0}, {"time_axis", 0}},
       .code = ErrorCode::bad_attribute,
       .contains = "two different axes"},
      {.name = "one_axis_second",
       .inputs = {in({2, 3}), in_ints({3}, {1, 1, 1})},
       .attrs = {{"batch_axis", 1}, {"time_axis", 1}},
       .code = ErrorCode::bad_attribute},
  };
}

AttrSpec axis(std::string_view name, std::int64_t fallback, Words words) {
  return {.name = name, .kind = AttrKind::integer, .fallback = fallback, .choices = {0, 1}, .words = words};
}

}  // namespace

OpCard card_reverse_sequence() {
  return {
      .name = "ReverseSequence",
      .category = Category::shape,
      .inputs = {{.name = "x",
                  .dtypes = kAnyType,
                  .words = {"a batch of sequences, padded at their ends",
                            "пакет последовательностей, дополненных в конце"}},
                 {.name = "sequence_lens",
                  .dtypes = kInt64,
                  .type = "",
                  .words = {"the length of each sequence", "длина каждой последовательности"},
                  .differentiable = false}},
      .outputs = {{.name = "y",
                   .dtypes = kAnyType,
                   .words = {"each sequence from its end to its beginning, the padding where it was",
                             "каждая последовательность от конца к началу, заполнитель на своём месте"}}},
      .attributes = {axis("batch_axis", 1, {"the axis of the sequences", "ось последовательностей"}),
                     axis("time_axis", 0,
                          {"the axis along which each of them runs", "ось, вдоль которой идёт каждая из них"})},
      .infer = infer,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = ops::cost_per_output(0),
      .onnx = {{.op = "ReverseSequence", .since = 10}},
      .torch = "torch.flip",
      .tolerance = ops::kExact,
      .words =
          {.what = {"Reverses the beginning of every sequence, as many elements as its own length says, and leaves the "
                    "padding behind them alone. [1, 2, 3, 0] with length 3 becomes [3, 2, 1, 0]; a length beyond the "
                    "time axis is an error.",
                    "Переворачивает начало каждой последовательности — столько элементов, какова её собственная длина, "
                    "— и не трогает заполнитель за ними. [1, 2, 3, 0] при длине 3 становится [3, 2, 1, 0]; длина "
                    "больше оси времени — ошибка."},
           .formula =
               R"(y_{t b} = \begin{cases} x_{l_b - 1 - t, \, b} & t < l_b \\ x_{t b} & \text{otherwise} \end{cases})",
           .why = {"A bidirectional recurrent layer reads a sentence from both ends. The backward reader must begin "
                   "with the last word of each sentence and not with padding, so the words are reversed and the "
                   "padding is not.",
                   "Двунаправленный рекуррентный слой читает предложение с обоих концов. Обратное чтение должно "
                   "начинаться с последнего слова предложения, а не с заполнителя, поэтому слова переворачивают, а "
                   "заполнитель нет."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
