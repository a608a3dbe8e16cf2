#include "asg/graph/card.h"
#include "ops/support/cost.h"
#include "ops/support/kernels.h"
#include "ops/support/ports.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  const Shape& indices = ctx.shape(0);
  const int axis = normalize_axis(ctx.integer("axis"), indices.rank() + 1);
  std::vector<Dim> dims = indices.dims();
  dims.insert(dims.begin() + axis, Dim(ctx.integer("depth")));
  ctx.output({ctx.dtype_attr("dtype"), Shape(std::move(dims))});
}

void kernel(KernelContext& ctx) {
  Array& out = ctx.out();
  const auto lanes = ops::lanes_of(out.sizes(), normalize_axis(ctx.integer("axis"), out.rank()));
  const std::int64_t* index = ctx.in(0).data<std::int64_t>().data();
  ops::dispatch_any(out, [&]<class T>() {
    T* to = out.mutable_data<T>().data();
    for (std::int64_t before = 0; before < lanes.before_count; ++before) {
      for (std::int64_t after = 0; after < lanes.after_count; ++after) {
        const std::int64_t place = *index < 0 ? *index + lanes.length : *index;
        ++index;
        if (place < 0 || place >= lanes.length) continue;
        to[(before * lanes.length + place) * lanes.after_count + after] = T{1};
      }
    }
  });
}

std::vector<Sample> samples() {
  std::vector<Sample> samples = {
      {.name = "labels",
       .inputs = {in_ints({3}, {2, 0, 1})},
       .attrs = {{"depth", 3}, {"dtype", DType::f64}},
       .expected = {Array::of<double>({3, 3}, {0, 0, 1, 1, 0, 0, 0, 1, 0})}},
      {.name = "negative_and_outside",
       .inputs = {in_ints({4}, {-1, -3, 2, 5})},
       .attrs = {{"depth", 2}, {"dtype", DType::i64}},
       .expected = {Array::of<std::int64_t>({4, 2}, {0, 1, 0, 0, 0, 0, 0, 0})}},
      {.name = "first_axis", .inputs = {in_ints({2, 3}, {0, 1, 2, 3, 3, 0})}, .attrs = {{"depth", 4}, {"axis", 0}}},
      {.name = "middle_axis",
       .inputs = {in_ints({2, 3}, {0, 1, 2, 3, 3, 0})},
       .attrs = {{"depth", 4}, {"axis", 1}, {"dtype", DType::boolean}}},
      {.name = "default_axis", .inputs = {in_ints({2, 4}, {0, 1, 2, 2, 1, 0, 1, 0})}, .attrs = {{"depth", 3}}},
      {.name = "scalar", .inputs = {in_ints({}, {1})}, .attrs = {{"depth", 3}}},
      {.name = "empty", .inputs = {in_ints({0, 2}, {})}, .attrs = {{"depth", 3}}},
      {.name = "rank_3",
       .inputs = {in_ints({2, 3, 4}, {0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3})},
       .attrs = {{"depth", 5}, {"axis", -2}}},
  };
  for (DType dtype : all_dtypes()) {
    for (std::int64_t axis : {-1, 0}) {
      samples.push_back({.name = std::string(name_of(dtype)) + (axis == 0 ? "_first_axis" : "_last_axis"),
                         .inputs = {in_ints({3}, {1, 0, 2})},
                         .attrs = {{"depth", 3}, {"axis", axis}, {"dtype", dtype}}});
    }
  }
  return samples;
}

std::vector<BadSample> bad_samples() {
  return {
      {.name = "no_depth", .inputs = {in_ints({2}, {0, 1})}, .code = ErrorCode::missing_attribute, .contains = "depth"},
      {.name = "depth_zero",
       .inputs = {in_ints({2}, {0, 1})},
       .attrs = {{"depth", 0}},
       .code = ErrorCode::bad_attribute,
       .contains = "at least 1"},
      {.name = "no_such_axis",
       .inputs = {in_ints({2}, {0, 1})},
       .attrs = {{"depth", 2}, {"axis", 2}},
       .code = ErrorCode::bad_index},
      {.name = "real_indices", .inputs = {in({2})}, .attrs = {{"depth", 2}}, .code = ErrorCode::bad_dtype},
  };
}

}  // namespace

OpCard card_one_hot() {
  return {
      .name = "OneHot",
      .category = Category::indexing,
      .inputs = {{.name = "indices",
                  .dtypes = kIndex,
                  .type = "I",
                  .words = {"class numbers of any shape; negative ones count from the end",
                            "номера классов, тензор любой формы; отрицательные считаются с конца"},
                  .differentiable = false}},
      .outputs = {{.name = "y",
                   .dtypes = kAnyType,
                   .type = "",
                   .words = {"1 at the place of the index, else 0", "1 на месте индекса, иначе 0"},
                   .differentiable = false}},
      .attributes = {{.name = "depth",
                      .kind = AttrKind::integer,
                      .least = 1,
                      .words = {"the number of classes", "число классов"}},
                     {.name = "axis",
                      .kind = AttrKind::integer,
                      .fallback = -1,
                      .words = {"where the new axis stands in the result; -1 is the last place",
                                "место новой оси в результате; -1 — последнее"}},
                     {.name = "dtype",
                      .kind = AttrKind::dtype,
                      .fallback = DType::f32,
                      .words = {"the type of the result", "тип результата"}}},
      .infer = infer,
      .kernel = kernel,
      .gradient_kind = GradientKind::zero,
      .gradient_reason = "the indices are integers, and between them the result does not change",
      .cost = ops::cost_per_output(0),
      .onnx = {{.op = "OneHot", .since = 11}},
      .torch = "torch.nn.functional.one_hot",
      .tolerance = ops::kExact,
      .words =
          {.what =
               {"Turns each class number into a vector of `depth` numbers: 1 at the place of the class, 0 "
                "elsewhere. A number outside -depth to depth - 1 gives zeros only, which serves as an \"ignore "
                "this\" label.",
                "Превращает каждый номер класса в вектор из `depth` чисел: 1 на месте класса, 0 на остальных. Номер "
                "вне промежутка от -depth до depth - 1 даёт одни нули и годится как метка «не учитывать»."},
           .formula = R"(y_{j c} = \begin{cases} 1 & c = I_j \\ 0 & \text{otherwise} \end{cases})",
           .why = {"Class numbers have no order that means anything: class 7 is not more than class 3. As one-hot "
                   "vectors all classes are equally far apart, and cross-entropy can compare them with predicted "
                   "probabilities place by place.",
                   "Порядок номеров классов ничего не значит: класс 7 не больше класса 3. В виде one-hot-векторов все "
                   "классы равноудалены, и перекрёстная энтропия может сравнивать их с предсказанными вероятностями "
                   "место за местом."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
