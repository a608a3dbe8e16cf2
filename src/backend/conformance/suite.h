#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "asg/backend/conformance.h"

// The suite's own parts. A case is a row of data: an op, its operands, what must come out, and how its typed method is
// called. Each case goes through all surfaces.
namespace asg::conformance {

using Integers = std::vector<std::int64_t>;

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Operand {
  enum class Kind { tensor, integers, absent } kind = Kind::tensor;
  Array array = {};
};
Operand tensor(Array array);
Operand integers(Integers values);
Operand integers_or_absent(Integers values);  // an empty list is an absent operand

// A call of the typed method; `x` holds the operands that are tensors.
using Typed = std::function<DeviceArrays(Backend&, const DeviceArrays& x)>;

struct Case {
  std::string group;
  std::string name;
  std::string op;
  std::vector<Operand> operands;
  Attrs attrs;
  std::vector<Array> expected;
  Typed typed;
  double tolerance = 0;  // relative to the largest magnitude; 0: exact
  bool strided = false;  // tensors are given as foreign memory with gaps, in column order
};

using Cases = std::vector<Case>;

// f32 unless said otherwise.
Array reals(Sizes sizes, const std::vector<double>& values, DType dtype = DType::f32);
Array flags(Sizes sizes, const std::vector<int>& values);
Array longs(Sizes sizes, const Integers& values);

// Cases of ops that are called alike.
Case unary_case(std::string op, std::string name, Array x, Array expected, double tolerance = 0);
Case binary_case(std::string op, std::string name, Array a, Array b, Array expected, double tolerance = 0);
Case reduction_case(std::string op, std::string name, Array x, Integers axes, bool keepdims, Array expected);
Case reshape_case(std::string op, std::string name, Array x, Integers values, Array expected);
Case transpose_case(std::string name, Array x, Integers perm, Array expected);
Case concat_case(std::string name, std::vector<Array> inputs, std::int64_t axis, Array expected);
struct SliceOf {
  Integers starts;
  Integers ends;
  Integers axes;
  Integers steps;
};
Case slice_case(std::string name, Array x, SliceOf slice, Array expected);
Case split_case(std::string name, Array x, std::int64_t axis, Integers sizes, std::int64_t parts,
                std::vector<Array> expected);
Case cast_case(std::string name, Array x, DType to, Array expected);
Case where_case(std::string name, Array condition, Array a, Array b, Array expected);
Case constant_case(std::string name, Array value);
Case gather_case(std::string name, Array x, Array indices, std::int64_t axis, Array expected);

// The cases by group.
Cases arithmetic_cases();
Cases maths_cases();
Cases matmul_cases();
Cases reduction_cases();
Cases shape_cases();
Cases slice_cases();
Cases choice_cases();
Cases strided_cases();
Cases dtype_cases(DTypeSet dtypes);

bool claims(DTypeSet dtypes, const Case& entry);  // whether all dtypes of a case are among these
// "" when `actual` is what was expected, else what is wrong.
std::string difference(const Array& actual, const Array& expected, double tolerance);

// Collects rows. A check returns "" or what is wrong; whatever it throws is wrong too.
class Checks {
 public:
  explicit Checks(Backend& under_test) : backend(under_test) { report.backend = under_test.name(); }

  void check(std::string group, std::string name, std::string surface, const std::function<std::string()>& run);

  Backend& backend;
  ConformanceReport report;
};

void check_case(Checks& checks, const Case& entry);  // through all surfaces
void check_data(Checks& checks);                     // upload, download, foreign memory
void check_graphs(Checks& checks);                   // whole graphs, state, events
void check_caches(Checks& checks);                   // run, forward then gradient
void check_walk_errors(Checks& checks);
void check_run_errors(Checks& checks);

}  // namespace asg::conformance
