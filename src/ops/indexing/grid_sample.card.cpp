#include <string>

#include "asg/graph/graph.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/indexing.h"
#include "ops/support/pairs.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  const Shape& x = ctx.shape(0);
  const Shape& grid = ctx.shape(1);
  if (x.rank() != 4 || grid.rank() != 4 || grid[3] != Dim(2) || ops::surely_differ(x[0], grid[0])) {
    fail(ErrorCode::bad_shape, "pictures of shape " + x.to_string() + " and a grid of shape " + grid.to_string(),
         "[batch, channels, height, width] and [batch, new height, new width, 2]");
  }
  ctx.output({ctx.dtype(0), {x[0], x[1], grid[1], grid[2]}});
}

// One axis of the pictures, and the places on it that the grid names, [batch, new height, new width].
struct Axis {
  Tensor length;  // a float scalar
  Tensor last;    // length - 1
  Tensor places;
};

// A place that counts for an interpolation: a whole number as a float, and its weight.
struct Tap {
  Tensor place;
  Tensor weight;  // none: 1
};

Axis axis_of(const Tensor& x, const Tensor& grid, int axis, bool align) {
  Graph& graph = x.graph();
  Axis result;
  const Tensor length = add_op("Gather", {ops::shape_of(x), graph.constant(Array::scalar_i64(axis))});
  result.length = add_op("Cast", {length}, {{"to", x.dtype()}});
  result.last = result.length - 1.0;
  // The grid names width before height, in numbers from -1 to 1.
  const Tensor given = add_op("Gather", {grid, graph.constant(Array::scalar_i64(3 - axis))}, {{"axis", 3}});
  const Tensor from_zero = given + 1.0;
  result.places = align ? from_zero * result.last * 0.5 : (from_zero * result.length - 1.0) * 0.5;
  return result;
}

Tensor clipped(const Axis& axis, const Tensor& places) {
  return add_op("Clip", {places, ops::scalar_like(places, 0), axis.last});
}

Tensor is_odd(const Tensor& whole) {
  const Tensor half = add_op("Floor", {whole * 0.5});
  return add_op("Greater", {whole - half * 2.0, ops::scalar_like(whole, 0.5)});
}

// Beyond the border the picture is mirrored: at the middle of the last pixel (aligned) or at its edge.
Tensor reflected(const Axis& axis, const Tensor& places, bool align) {
  const double low = align ? 0 : -0.5;
  const Tensor one = ops::scalar_like(places, 1);
  const Tensor span = add_op("Max", {align ? axis.last : axis.length, one});
  const Tensor distance = add_op("Abs", {places - low});
  const Tensor turns = add_op("Floor", {distance / span});
  const Tensor rest = distance - turns * span;
  const Tensor back = span - rest;
  return clipped(axis, ops::choose(is_odd(turns), back, rest) + low);
}

// Brings places beyond the border inside, unless zeros stand there.
Tensor padded(const AttrReader& attributes, const Axis& axis, const Tensor& places) {
  const std::string& mode = attributes.text("padding_mode");
  if (mode == "border") return clipped(axis, places);
  return mode == "reflection" ? reflected(axis, places, attributes.boolean("align_corners")) : places;
}

// Keys' cubic with a = -0.75 at distances 1 + t, t, 1 - t and 2 - t.
std::vector<Tensor> cubic_weights(const Tensor& t) {
  const double a = -0.75;
  const auto near = [&](const Tensor& d) { return (d * (a + 2) - (a + 3)) * d * d + 1.0; };
  const auto far = [&](const Tensor& d) { return ((d * a - 5 * a) * d + 8 * a) * d - 4 * a; };
  const Tensor rest = 1.0 - t;
  const Tensor first = far(t + 1.0);
  const Tensor second = near(t);
  const Tensor third = near(rest);
  return {first, second, third, far(rest + 1.0)};
}

// Half a pixel goes to the even neighbour.
Tensor rounded(const Tensor& places) {
  const Tensor up = places + 0.5;
  const Tensor whole = add_op("Floor", {up});
  const Tensor tie = add_op("Equal", {up, whole});
  const Tensor odd_tie = add_op("And", {tie, is_odd(whole)});
  return whole - ops::as_numbers(odd_tie, places);
}

std::vector<Tap> taps_of(const AttrReader& attributes, const Axis& axis) {
  const std::string& mode = attributes.text("mode");
  if (mode == "bicubic") {
    const Tensor whole = add_op("Floor", {axis.places});
    const std::vector<Tensor> weights = cubic_weights(axis.places - whole);
    std::vector<Tap> taps;
    for (std::size_t k = 0; k < weights.size(); ++k) {
      const Tensor place = whole + (static_cast<double>(k) - 1);
      taps.push_back({padded(attributes, axis, place), weights[k]});
    }
    return taps;
  }
  const Tensor places = padded(attributes, axis, axis.places);
  if (mode == "nearest") return {{rounded(places), {}}};
  const Tensor whole = add_op("Floor", {places});
  const Tensor fraction = places - whole;
  const Tensor rest = 1.0 - fraction;
  return {{whole, rest}, {whole + 1.0, fraction}};
}

Tensor is_inside(const Axis& axis, const Tensor& places) {
  const Tensor before = add_op("Less", {places, ops::scalar_like(places, 0)});
  const Tensor after = add_op("Greater", {places, axis.last});
  return add_op("Not", {add_op("Or", {before, after})});
}

// Picks x [batch, channels, pixels] at one place for each element of the grid; 0 outside.
Tensor picked(const Tensor& pixels, const Axis& high, const Axis& wide, const Tap& row, const Tap& column) {
  Graph& graph = pixels.graph();
  const Tensor inside_rows = is_inside(high, row.place);
  const Tensor inside = add_op("And", {inside_rows, is_inside(wide, column.place)});
  const Tensor y = clipped(high, row.place);
  const Tensor row_start = y * wide.length;
  const Tensor place = row_start + clipped(wide, column.place);
  const Tensor index = add_op("Cast", {place}, {{"to", DType::i64}});
  const Tensor flat = add_op("Reshape", {index, ops::ints(graph, {0, 1, -1})});
  const Tensor shape = add_op("Shape", {pixels});
  const Tensor outer = add_op("Slice", {shape, ops::ints(graph, {0}), ops::ints(graph, {2})});
  const Tensor target = add_op("Concat", {outer, ops::length_of(flat, 2)}, {{"axis", 0}});
  const Tensor values = add_op("GatherElements", {pixels, add_op("Expand", {flat, target})}, {{"axis", 2}});
  Tensor weight = ops::as_numbers(inside, pixels);
  if (row.weight.valid()) weight = weight * row.weight * column.weight;
  return values * add_op("Reshape", {weight, ops::ints(graph, {0, 1, -1})});
}

void body(BodyContext& ctx) {
  Graph& graph = ctx.graph();
  const Tensor& x = ctx.in(0);
  const Tensor& grid = ctx.in(1);
  const bool align = ctx.boolean("align_corners");
  const Axis high = axis_of(x, grid, 2, align);
  const Axis wide = axis_of(x, grid, 3, align);
  const Tensor pixels = add_op("Reshape", {x, ops::ints(graph, {0, 0, -1})});
  const std::vector<Tap> rows = taps_of(ctx, high);
  const std::vector<Tap> columns = taps_of(ctx, wide);
  Tensor sum;
  for (const Tap& row : rows) {
    for (const Tap& column : columns) {
      const Tensor part = picked(pixels, high, wide, row, column);
      sum = sum.valid() ? sum + part : part;
    }
  }
  const Tensor shape = ops::shape_of(x);
  const Tensor outer = add_op("Slice", {shape, ops::ints(graph, {0}), ops::ints(graph, {2})});
  const Tensor grid_shape = ops::shape_of(grid);
  const Tensor inner = add_op("Slice", {grid_shape, ops::ints(graph, {1}), ops::ints(graph, {3})});
  ctx.output(add_op("Reshape", {sum, add_op("Concat", {outer, inner}, {{"axis", 0}})}));
}

std::vector<Sample> samples() {
  const auto grid = in_exact(Array::of<double>({1, 1, 3, 2}, {-1, 0, 0, -1, 2, 0.5}));
  const auto x = in_exact(Array::of<double>({1, 1, 2, 3}, {1, 2, 3, 4, 5, 6}));
  std::vector<Sample> samples = {
      {.name = "exact",
       .inputs = {x, grid},
       .gradient = false,
       .expected = {Array::of<double>({1, 1, 1, 3}, {1.25, 1, 0})}},
      {.name = "exact_aligned",
       .inputs = {x, grid},
       .attrs = {{"align_corners", true}, {"padding_mode", "border"}},
       .gradient = false,
       .expected = {Array::of<double>({1, 1, 1, 3}, {2.5, 2, 5.25})}},
      {.name = "different_lengths", .inputs = {in({2, 3, 4, 5}), in({2, 2, 3, 2})}},
      {.name = "no_pictures", .inputs = {in({0, 2, 3, 3}), in({0, 2, 2, 2})}, .gradient = false},
  };
  // Places inside and outside, none so close to a pixel or a middle that short types would choose another.
  const auto between = in_exact(Array::of<double>({1, 1, 3, 2}, {-0.6, 0.4, 0.1, -1.2, 0.9, 0.6}));
  const std::vector<ops::AttrValues> values = {
      {"mode", {"bilinear", "nearest", "bicubic"}},
      {"padding_mode", {"zeros", "border", "reflection"}},
      {"align_corners", {false, true}},
  };
  for (const Attrs& attrs : ops::all_pairs(values)) {
    samples.push_back(
        {.name = "pairs_" + std::to_string(samples.size()), .inputs = {in({1, 2, 3, 4}), between}, .attrs = attrs});
  }
  return samples;
}

}  // namespace

OpCard card_grid_sample() {
  return {
      .name = "GridSample",
      .category = Category::indexing,
      .inputs = {{.name = "x",
                  .words = {"pictures, [batch, channels, height, width]",
                            "изображения, [пакет, каналы, высота, ширина]"}},
                 {.name = "grid",
                  .words = {"the places to look at, [batch, new height, new width, 2]: first the horizontal, then the "
                            "vertical coordinate, from -1 to 1 across the picture",
                            "места, куда смотреть, [пакет, новая высота, новая ширина, 2]: сначала горизонтальная, "
                            "затем вертикальная координата, от −1 до 1 от края до края изображения"}}},
      .outputs = {{.name = "y",
                   .words = {"what stands there, [batch, channels, new height, new width]",
                             "то, что там стоит, [пакет, каналы, новая высота, новая ширина]"}}},
      .attributes = {{.name = "mode",
                      .kind = AttrKind::text,
                      .fallback = "bilinear",
                      .choices = {"bilinear", "nearest", "bicubic"},
                      .words = {"how values between pixels are found: from four, one or sixteen of them",
                                "как находятся значения между пикселями: по четырём, одному или шестнадцати из них"}},
                     {.name = "padding_mode",
                      .kind = AttrKind::text,
                      .fallback = "zeros",
                      .choices = {"zeros", "border", "reflection"},
                      .words = {"what stands outside the picture: zeros, its last pixels, or its mirror image",
                                "что стоит вне изображения: нули, его крайние пиксели или зеркальное отражение"}},
                     {.name = "align_corners",
                      .kind = AttrKind::boolean,
                      .fallback = Attr(false),
                      .words = {"whether -1 and 1 are the middles of the corner pixels, or the edges of the picture",
                                "являются ли −1 и 1 серединами угловых пикселей или краями изображения"}}},
      .infer = infer,
      .body = body,
      .gradient_kind = GradientKind::body,
      .cost = ops::cost_per_output(30),
      .onnx = {{.op = "GridSample", .since = 16}},
      .torch = "torch.nn.functional.grid_sample",
      .peer_differences = {{{"exact_aligned"},
                            "on the border itself the slope is that of the picture; PyTorch takes the outside's, 0"}},
      // Places are rounded before they choose pixels.
      .tolerance = {.f64 = 1e-12, .f32 = 1e-5, .f16 = 0.1, .bf16 = 0.5},
      .words =
          {.what = {"Looks at a picture at the places that a grid names, also between pixels, and builds a new picture "
                    "of what it sees there. In the formula u and v are the places in pixels and k is the weight that "
                    "`mode` gives to a distance. Places get gradients too, so a network can learn where to look.",
                    "Смотрит на изображение в местах, которые называет сетка, в том числе между пикселями, и собирает "
                    "из увиденного новое изображение. В формуле u и v — места в пикселях, а k — вес, который `mode` "
                    "даёт расстоянию. Места тоже получают градиент, поэтому сеть может научиться, куда смотреть."},
           .formula = R"(y_{n c i j} = \sum_{h} \sum_{w} k(v_{n i j} - h) \, k(u_{n i j} - w) \, x_{n c h w})",
           .why = {"With it a network can rotate, straighten or warp what it sees. Spatial transformers, warping by "
                   "optical flow, the registration of medical pictures and the deformable attention of detectors are "
                   "built on it.",
                   "С её помощью сеть может повернуть, выпрямить или исказить то, что видит. На ней построены "
                   "пространственные трансформеры, сдвиг кадров по оптическому потоку, совмещение медицинских снимков "
                   "и деформируемое внимание детекторов."}},
      .samples = samples(),
      .bad_samples = {{.name = "grid_of_three_numbers",
                       .inputs = {in({1, 2, 3, 4}), in({1, 2, 2, 3})},
                       .code = ErrorCode::bad_shape,
                       .contains = "[batch, new height, new width, 2]"}},
  };
}

}  // namespace asg::cards
