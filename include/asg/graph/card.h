#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asg/core/dtype.h"
#include "asg/core/error.h"
#include "asg/graph/attributes.h"
#include "asg/graph/contexts.h"
#include "asg/graph/samples.h"
#include "asg/graph/scalar_op.h"

namespace asg {

// A set of dtypes.
struct DTypeSet {
  std::uint32_t bits = 0;

  constexpr DTypeSet() = default;
  constexpr DTypeSet(std::initializer_list<DType> dtypes) {
    for (DType dtype : dtypes) bits |= 1u << static_cast<unsigned>(dtype);
  }
  constexpr bool contains(DType dtype) const { return (bits >> static_cast<unsigned>(dtype) & 1u) != 0; }
  constexpr DTypeSet operator|(DTypeSet other) const {
    DTypeSet result;
    result.bits = bits | other.bits;
    return result;
  }
  std::string to_string() const;
};

inline constexpr DTypeSet kFloats = {DType::f32, DType::f64, DType::f16, DType::bf16};
inline constexpr DTypeSet kSignedInts = {DType::i8, DType::i16, DType::i32, DType::i64};
inline constexpr DTypeSet kUnsignedInts = {DType::u8, DType::u16, DType::u32, DType::u64};
inline constexpr DTypeSet kInts = kSignedInts | kUnsignedInts;
inline constexpr DTypeSet kSigned = kFloats | kSignedInts;
inline constexpr DTypeSet kNumbers = kFloats | kInts;
inline constexpr DTypeSet kBool = {DType::boolean};
inline constexpr DTypeSet kAnyType = kNumbers | kBool;
inline constexpr DTypeSet kIndex = {DType::i32, DType::i64};
inline constexpr DTypeSet kInt64 = {DType::i64};

enum class PortKind : std::uint8_t { required, optional, variadic };

// A text in the two languages of the product.
struct Words {
  std::string_view en;
  std::string_view ru;
};

// An input or output. Ports with the same non-empty `type` letter have the same dtype.
struct Port {
  std::string_view name;
  DTypeSet dtypes = kFloats;
  std::string_view type = "T";
  PortKind kind = PortKind::required;
  Words words = {};
  bool differentiable = true;  // false: indices, shapes, conditions
};

// An attribute. Without a default it is required. `choices` (texts, integers) limits the values.
struct AttrSpec {
  std::string_view name;
  AttrKind kind = AttrKind::integer;
  std::optional<Attr> fallback = {};  // the default
  std::vector<Attr> choices = {};
  std::optional<double> least = {};  // smallest allowed number (each element of a list)
  std::optional<double> most = {};
  Words words = {};
};

enum class Category : std::uint8_t {
  leaf,
  arithmetic,
  maths,
  activation,
  comparison,
  logic,
  reduction,
  linear_algebra,
  convolution,
  pooling,
  normalization,
  shape,
  indexing,
  random,
  control_flow,
  recurrent,
  attention,
  embedding,
  container,
  loss,
  gradient
};
std::string_view name_of(Category category);
Words words_of(Category category);

struct Traits {
  bool elementwise = false;    // each output element depends on the input elements at its (broadcast) place
  bool reduction = false;      // reduces along axes
  bool view = false;           // rearranges elements without computing
  bool random = false;         // draws random numbers; takes (seed, step) and the node's stream
  bool leaf = false;           // has no inputs: Input, Constant, Variable, External
  bool commutative = false;    // of its first two inputs
  bool gradient_only = false;  // appears in gradients, not in palettes
};

enum class GradientKind : std::uint8_t {
  rule,  // `gradient` builds it
  body,  // differentiate the body instead
  zero,  // zero by definition, `gradient_reason` says why (Floor, comparisons)
  none   // asking for it is an error, `gradient_reason` says why
};

struct Cost {
  double flops = 0;
  double bytes = 0;
  bool compute_bound = false;
};

// Largest allowed difference from the reference, relative to the largest magnitude of the tensor.
struct Tolerance {
  double f64 = 1e-12;
  double f32 = 1e-5;
  double f16 = 5e-3;
  double bf16 = 4e-2;
};

// How closely central differences must confirm the gradient: max|a − n| / max(1, max|n|) of each tensor, in f64. A card
// that asks for more room, or whose gradient cannot be differentiated again, says why.
struct GradientBounds {
  double first = 1e-6;
  double second = 1e-5;
  bool twice = true;  // whether the gradient has a gradient
  std::string_view reason = {};
};

struct OnnxMapping {
  std::string_view op;
  int since = 1;  // first opset in which the card's semantics hold
  std::string_view domain = "";
};

// Samples on which the op is defined otherwise than its peer in PyTorch, and why. `make peers` lets exactly these
// differ, and fails on an entry that no longer does.
struct PeerDifference {
  std::vector<std::string_view> samples;
  std::string_view reason;
};

// What a learner reads. Two or three concrete sentences each. The formula is in the LaTeX subset of
// docs/formulas.md.
struct OpWords {
  Words what;
  std::string_view formula;
  Words why;
};

// Everything the system knows of an op, in one place. Plain data and functions: builders, docs, palette,
// support tables and tests are made from it; there is no second list of ops anywhere.
struct OpCard {
  std::string name = {};  // "Add"; layers carry a prefix: "nn.Linear"
  int version = 1;        // rises when the meaning changes
  Category category = Category::arithmetic;
  std::vector<Port> inputs = {};
  std::vector<Port> outputs = {};
  std::vector<AttrSpec> attributes = {};
  Traits traits = {};
  ScalarOp scalar = ScalarOp::none;  // the instruction of fused kernels that this op is

  // Types of the outputs. Optional where there is a body: then they are read off the body.
  std::function<void(InferContext&)> infer = {};
  // The op in smaller ops. For layers it also declares their parameters.
  std::function<void(BodyContext&)> body = {};
  bool composite = false;  // a layer: expanded before differentiation and compilation
  // Reference kernel; computes in f64, i64, u64 or bool.
  std::function<void(KernelContext&)> kernel = {};

  GradientKind gradient_kind = GradientKind::none;
  std::function<void(GradientContext&)> gradient = {};
  std::string_view gradient_reason = {};
  GradientBounds gradient_bounds = {};

  std::function<Cost(const CostContext&)> cost = {};  // empty: one FLOP per output element
  std::vector<OnnxMapping> onnx = {};
  // The peer in PyTorch by its dotted name; "" where there is none. `make peers` calls it with the inputs in order and
  // the attributes by name, or through an adapter in tools/peers; without a peer it needs a NumPy formula there.
  std::string_view torch = {};
  std::vector<PeerDifference> peer_differences = {};
  Tolerance tolerance = {};
  OpWords words = {};
  std::vector<Sample> samples = {};
  std::vector<BadSample> bad_samples = {};

  const AttrSpec* find_attribute(std::string_view attribute) const;
  // Number of inputs that must be given, and the most that may be (-1: no limit).
  int least_inputs() const;
  int most_inputs() const;
  // Whether a node of this op has a random stream: random ops and layers do. A block, whose body comes with its node,
  // does not: its nodes keep theirs, so that grouping changes no random number.
  bool needs_stream() const { return traits.random || (composite && body); }
};

}  // namespace asg
