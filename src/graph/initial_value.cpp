#include <algorithm>
#include <cmath>

#include "asg/graph/variable.h"
#include "orthogonal.h"
#include "printing.h"

namespace asg {
namespace {

using DrawKind = Initializer::Kind;

constexpr std::string_view kStreamName = "initial value";  // part of every stream, so it never changes

std::string name_and_type(const Variable& variable) {
  return as_quoted(variable.name) + " : " + variable.type.to_string();
}

std::string initializer_of(const Variable& variable) {
  return variable.init.to_string() + " for the variable " + name_and_type(variable);
}

// Works only on floats: a rounded random integer is hardly ever what is meant.
bool needs_float(DrawKind kind) {
  return kind != DrawKind::zeros && kind != DrawKind::ones && kind != DrawKind::constant && kind != DrawKind::given;
}

// How many inputs one output sums over, and how many outputs one input reaches.
struct Fans {
  double in = 1;
  double out = 1;
};

Fans fans_of(const Sizes& sizes) {
  if (sizes.empty()) return {};
  const auto length = [&](std::size_t axis) { return static_cast<double>(sizes[axis]); };
  if (sizes.size() == 1) return {length(0), length(0)};
  if (sizes.size() == 2) return {length(0), length(1)};  // Linear: [in, out]
  double kernel = 1;                                     // Conv: [out, in / groups, kernel…]
  for (std::size_t axis = 2; axis < sizes.size(); ++axis) kernel *= length(axis);
  return {length(1) * kernel, length(0) * kernel};
}

double gain_of(const Initializer& init) {
  if (init.a != 0) return init.a;
  const bool kaiming = init.kind == DrawKind::kaiming_uniform || init.kind == DrawKind::kaiming_normal;
  return kaiming ? std::sqrt(2.0) : 1.0;  // of ReLU; of a linear function
}

// Standard deviation that keeps the size of activations (Kaiming), or of activations and gradients both (Xavier).
double deviation_of(const Initializer& init, const Sizes& sizes) {
  const Fans fans = fans_of(sizes);
  const bool xavier = init.kind == DrawKind::xavier_uniform || init.kind == DrawKind::xavier_normal;
  const double kaiming_fan = init.b == 0 ? fans.in : fans.out;
  return gain_of(init) * std::sqrt(xavier ? 2 / (fans.in + fans.out) : 1 / kaiming_fan);
}

void check_numbers(const Variable& variable) {
  const Initializer& init = variable.init;
  if (init.kind == DrawKind::constant || init.kind == DrawKind::given) return;
  bool fits = std::isfinite(init.a) && std::isfinite(init.b);
  if (init.kind == DrawKind::uniform) fits = fits && init.a <= init.b && std::isfinite(init.b - init.a);
  if (init.kind == DrawKind::normal || init.kind == DrawKind::truncated_normal) fits = fits && init.b >= 0;
  if (!fits) {
    fail(ErrorCode::bad_attribute, initializer_of(variable),
         "finite numbers; for uniform a lower end that is not above the upper, for normal a deviation of at least 0");
  }
}

// Fills an f64 array with drawn numbers; the same position always gets the same one.
class Draw {
 public:
  Draw(const Variable& variable, std::uint64_t seed)
      : seed_(seed), stream_(combine(combine(StreamKey{0}, kStreamName), variable.id.number)), random_(seed, stream_) {}

  void uniform(Array& values, double low, double high) const {
    fill(values, [&](std::uint64_t position) { return low + (high - low) * random_.uniform(position); });
  }
  void normal(Array& values, double mean, double deviation) const {
    fill(values, [&](std::uint64_t position) { return mean + deviation * random_.normal(position); });
  }
  void truncated_normal(Array& values, double mean, double deviation) const {
    fill(values, [&](std::uint64_t position) { return mean + deviation * within_two(position); });
  }
  void orthogonal(Array& values, double gain) const {
    const std::int64_t rows = values.sizes()[0];
    const std::int64_t columns = rows == 0 ? 0 : values.count() / rows;
    const std::vector<double> matrix = random_orthogonal(rows, columns, seed_, stream_);
    fill(values, [&](std::uint64_t position) { return gain * matrix[static_cast<std::size_t>(position)]; });
  }

 private:
  template <class Function>
  static void fill(Array& values, const Function& value_at) {
    auto out = values.mutable_data<double>();
    for (std::size_t position = 0; position < out.size(); ++position) out[position] = value_at(position);
  }

  // Draws anew, from the stream of the next step, until the number is near enough.
  double within_two(std::uint64_t position) const {
    double drawn = random_.normal(position);
    for (std::uint64_t attempt = 1; std::abs(drawn) > 2; ++attempt) {
      drawn = RandomStream(seed_, stream_, attempt).normal(position);
    }
    return drawn;
  }

  std::uint64_t seed_;
  StreamKey stream_;
  RandomStream random_;
};

Array random_value(const Variable& variable, const Sizes& sizes, std::uint64_t seed) {
  const Initializer& init = variable.init;
  const Draw draw(variable, seed);
  Array values(DType::f64, sizes);
  switch (init.kind) {
    case DrawKind::uniform:
      draw.uniform(values, init.a, init.b);
      break;
    case DrawKind::normal:
      draw.normal(values, init.a, init.b);
      break;
    case DrawKind::truncated_normal:
      draw.truncated_normal(values, init.a, init.b);
      break;
    case DrawKind::xavier_uniform:
    case DrawKind::kaiming_uniform: {
      const double bound = std::sqrt(3.0) * deviation_of(init, sizes);
      draw.uniform(values, -bound, bound);
      break;
    }
    case DrawKind::xavier_normal:
    case DrawKind::kaiming_normal:
      draw.normal(values, 0, deviation_of(init, sizes));
      break;
    case DrawKind::orthogonal: {
      if (sizes.size() < 2) {
        fail(ErrorCode::bad_shape, initializer_of(variable), "at least two axes", "use normal or uniform");
      }
      draw.orthogonal(values, gain_of(init));
      break;
    }
    default:
      fail_internal("an initialiser that draws nothing");
  }
  return values.cast(variable.type.dtype);
}

Array identity_value(const Variable& variable, const Sizes& sizes) {
  if (sizes.size() != 2) fail(ErrorCode::bad_shape, initializer_of(variable), "a matrix: two axes");
  Array values(variable.type.dtype, sizes);
  for (std::int64_t k = 0; k < std::min(sizes[0], sizes[1]); ++k) values.set(k * sizes[1] + k, 1);
  return values;
}

Array constant_value(const Variable& variable, const Sizes& sizes, double value) {
  const Array scalar = Array::scalar(DType::f64, value).cast(variable.type.dtype);
  if (!is_float(variable.type.dtype) && scalar.get(0) != value) {
    fail(ErrorCode::bad_attribute, initializer_of(variable), "a number that this dtype can hold",
         "choose another constant, or a float dtype");
  }
  return scalar.broadcast_to(sizes).copy();
}

Array given_value(const Variable& variable, const Sizes& sizes) {
  const ArrayPtr& value = variable.init.value;
  if (value == nullptr) {
    fail(ErrorCode::missing_value, initializer_of(variable), "an array", "make it with Initializer::given(array)");
  }
  if (value->sizes() != sizes) {
    fail(ErrorCode::bad_shape, initializer_of(variable), "an array of the variable's shape",
         "give an array of this shape, or choose another initialiser");
  }
  return value->copy().cast(variable.type.dtype);  // never the memory of the user's own array
}

}  // namespace

Array initial_value(const Variable& variable, std::uint64_t seed) {
  if (!variable.type.shape.is_known()) {
    fail(ErrorCode::bad_dim, "the variable " + name_and_type(variable), "a shape in which every length is a number",
         "state begins with a value, so its shape cannot depend on the input");
  }
  const DrawKind kind = variable.init.kind;
  if (needs_float(kind) && !is_float(variable.type.dtype)) {
    fail(ErrorCode::bad_dtype, initializer_of(variable), "a float dtype",
         "integers and booleans start as zeros, ones, constant or given");
  }
  check_numbers(variable);
  const Sizes sizes = variable.type.shape.sizes();
  switch (kind) {
    case DrawKind::zeros:
      return Array(variable.type.dtype, sizes);
    case DrawKind::ones:
      return constant_value(variable, sizes, 1);
    case DrawKind::constant:
      return constant_value(variable, sizes, variable.init.a);
    case DrawKind::identity:
      return identity_value(variable, sizes);
    case DrawKind::given:
      return given_value(variable, sizes);
    default:
      return random_value(variable, sizes, seed);
  }
}

}  // namespace asg
