#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "asg/core/array.h"
#include "asg/core/random.h"
#include "asg/graph/scalar_op.h"

namespace asg {

// A fused kernel, as a description of what it computes and never of how: each device makes its own loops of it.
//
// The index space is a box. Its leading axes are walked in any order and in parallel; the trailing `row_axes` of them
// form a row, along which values may be reduced and then used again at every element of that row (softmax, norms). A
// kernel without reductions has no need of rows.
//
// An output may share the memory of an input that it overwrites element by element. For that every device keeps one
// order: at each point it performs all loads, and adds to sums over the leading axes, before it stores anything; in a
// kernel with reductions a row counts as one point where loads and stores that are the same along it are concerned.
// Sums over the leading axes are stored after the last point.
//
//   kernel [rows 4 | row 8]      # y = softmax(x) along the row
//     arg0: f32 in  [8 | 1]
//     arg1: f32 out [8 | 1]
//     %0 = load arg0     : f32
//     %1 = reduce max %0 : f32 per row
//     %2 = sub %0 %1     : f32
//     %3 = exp %2        : f32
//     %4 = reduce sum %3 : f32 per row
//     %5 = div %3 %4     : f32
//     store %5 -> arg1
//
// The other forms of a line:
//
//   kernel [2, 3]                # no rows; the strides of its arguments are written [3, 1]
//     arg0: f32 in  [3, 1] at 6                # an offset
//     %0 = load arg0 at %3 step 8 of 100 : f32 # an index, its gather_stride and its gather_length
//     %1 = constant -0.5                 : f32 # or inf, nan; true and false of a boolean
//     %2 = position [3, 1]               : i64
//     %3 = uniform %0 %1 %2 stream 7     : f32 # seed, step, position
//     store sum %3 -> arg1                     # sum_over_leading

enum class Reduction : std::uint8_t { sum, prod, max, min };
std::string_view name_of(Reduction reduction);

// One array that a kernel reads or writes. The element of a point of the space lies at offset + Σ index · stride; a
// stride of 0 broadcasts. Offsets and strides count elements.
struct KernelArgument {
  DType dtype = DType::f32;
  bool output = false;
  std::int64_t offset = 0;
  std::vector<std::int64_t> strides = {};  // one for each axis of the space

  friend bool operator==(const KernelArgument&, const KernelArgument&) = default;
};

// One value in single assignment form; its number is its place in the list. Operands come before their users. Fields
// that a kind does not use keep their defaults.
struct KernelInstruction {
  enum class Kind : std::uint8_t {
    load,      // argument, at the point; with operand 0: moved by that many (an index, see `gather_*`)
    constant,  // number
    position,  // Σ index · strides: which element of some dense tensor this point is; i64
    uniform,   // operands seed, step, position (i64): RandomStream(seed, stream, step).uniform(position)
    normal,    // the same, with the normal distribution
    compute,   // op of operands, all but a `select`'s condition and a `cast`'s operand of this dtype
    reduce     // reduction of operand 0 along the row; one value per row; of an empty row what changes nothing: 0, 1,
               // the least and the greatest number
  };
  Kind kind = Kind::compute;
  ScalarOp op = ScalarOp::none;
  Reduction reduction = Reduction::sum;
  DType dtype = DType::f32;                    // of the value; of comparisons: boolean, whatever their operands are
  std::array<int, 3> operands = {-1, -1, -1};  // numbers of values; -1: none
  int argument = -1;
  double number = 0;         // of a constant of a float dtype, which it is rounded to
  std::int64_t integer = 0;  // of an integer constant, which a double may not hold (u64: its bits), and of a boolean
  StreamKey stream = 0;
  std::vector<std::int64_t> strides = {};  // of a position
  // A load with an index: the index counts steps of `gather_stride` elements. Negative ones count from the end;
  // one outside [-gather_length, gather_length) is an error of the run.
  std::int64_t gather_stride = 0;
  std::int64_t gather_length = 0;

  friend bool operator==(const KernelInstruction&, const KernelInstruction&) = default;
};

// A value that leaves the kernel. One that is the same along the row is stored once per row.
struct KernelStore {
  int argument = -1;
  int value = -1;
  // Summed over the leading axes instead: the argument has stride 0 along them (the gradient of a bias).
  bool sum_over_leading = false;

  friend bool operator==(const KernelStore&, const KernelStore&) = default;
};

struct Kernel {
  std::vector<std::int64_t> space = {};
  int row_axes = 0;
  std::vector<KernelArgument> arguments = {};
  std::vector<KernelInstruction> instructions = {};
  std::vector<KernelStore> stores = {};

  std::int64_t rows() const;        // points of the leading axes
  std::int64_t row_length() const;  // points of the row; 1 of no axes

  friend bool operator==(const Kernel&, const Kernel&) = default;
};

// Whether each value is the same along the row (reductions, constants, and what depends on those and on loads that do
// not move along it only). Of a kernel without rows, whose points are rows of one element each, all are.
std::vector<bool> values_per_row(const Kernel& kernel);

// Throws InternalError where the description breaks its rules, naming the argument, instruction or store:
//   - every argument and position has a stride for each axis, and offsets stay within what 64 bits count;
//   - operands exist, come before their users and have the dtypes that the op asks for; arithmetic is not for booleans;
//   - loads read inputs; reductions need a row;
//   - every output is stored exactly once, and no two points store into one place: where a stored value differs, the
//     argument moves. A value that is the same along the row may be stored once or at every element of the row.
void check_kernel(const Kernel& kernel);

// The text form above, and back: the kernel that is read equals the one that was written. `#` begins a remark. Reading
// throws UserError bad_command with the line, also of a kernel that breaks the rules.
std::string to_text(const Kernel& kernel);
Kernel kernel_from_text(std::string_view text);

// The same function with as few axes as possible: neighbours that every argument walks as one become one, axes of
// length 1 go. Rows stay rows.
Kernel with_merged_axes(const Kernel& kernel);

// What it computes in f64, i64, u64 or bool, each value rounded to its dtype, sums in the order of the points: the
// oracle for all devices. Dense arrays in the order of the arguments, of whatever shape, that hold all that is
// addressed; outputs are written. Throws computation_error for an index outside its range and for an integer division
// by 0.
void run_kernel_reference(const Kernel& kernel, const std::vector<Array>& arguments);

}  // namespace asg
