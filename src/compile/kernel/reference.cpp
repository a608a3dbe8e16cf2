#include <algorithm>
#include <cstddef>
#include <cstring>

#include "asg/compile/kernel.h"
#include "compile/kernel/scalar_reference.h"

namespace asg {
namespace {

using Kind = KernelInstruction::Kind;

std::size_t index_of(std::int64_t number) { return static_cast<std::size_t>(number); }

// Σ index · stride of the points of a kernel, which are numbered by their row and their place in it.
class Places {
 public:
  Places(const Kernel& kernel, const std::vector<std::int64_t>& strides)
      : sizes_(kernel.space), strides_(strides), leading_(sizes_.size() - index_of(kernel.row_axes)) {}

  std::int64_t of(std::int64_t row, std::int64_t element) const {
    return along(row, 0, leading_) + along(element, leading_, sizes_.size());
  }

 private:
  std::int64_t along(std::int64_t number, std::size_t first, std::size_t last) const {
    std::int64_t place = 0;
    for (std::size_t axis = last; axis-- > first && number > 0; number /= sizes_[axis]) {
      place += number % sizes_[axis] * strides_[axis];
    }
    return place;
  }

  const std::vector<std::int64_t>& sizes_;
  const std::vector<std::int64_t>& strides_;
  std::size_t leading_;
};

void copy_element(const Array& from, std::int64_t from_place, Array& to, std::int64_t to_place) {
  internal_check(from_place >= 0 && from_place < from.count() && to_place >= 0 && to_place < to.count(),
                 "a fused kernel reaches outside one of its arguments");
  const auto bytes = static_cast<std::ptrdiff_t>(bytes_of(from.dtype()));
  std::memcpy(to.raw() + static_cast<std::ptrdiff_t>(to_place) * bytes,
              from.raw() + static_cast<std::ptrdiff_t>(from_place) * bytes, static_cast<std::size_t>(bytes));
}

// A few rows at a time, instruction by instruction: each value is an array of its dtype with one element for each
// point of those rows, or one for each row.
class Run {
 public:
  Run(const Kernel& kernel, const std::vector<Array>& arguments)
      : kernel_(kernel),
        arguments_(arguments),
        per_row_(values_per_row(kernel)),
        row_length_(kernel.row_length()),
        values_(kernel.instructions.size()) {
    for (const KernelStore& store : kernel.stores) {
      const std::int64_t count = per_row_[index_of(store.value)] ? 1 : row_length_;
      const DType dtype = compute_dtype(kernel.instructions[index_of(store.value)].dtype);
      sums_.push_back(store.sum_over_leading ? Array(dtype, {count}) : Array());
    }
  }

  void run() {
    constexpr std::int64_t kPoints = 4096;
    const std::int64_t at_once = std::max<std::int64_t>(1, kPoints / std::max<std::int64_t>(1, row_length_));
    const std::int64_t rows = kernel_.rows();
    for (first_row_ = 0; first_row_ < rows; first_row_ += at_once) {
      rows_ = std::min(at_once, rows - first_row_);
      for (std::size_t k = 0; k < values_.size(); ++k) values_[k] = value_of(kernel_.instructions[k], per_row_[k]);
      for (std::size_t k = 0; k < kernel_.stores.size(); ++k) {
        if (kernel_.stores[k].sum_over_leading) {
          add_rows_reference(sums_[k], values_[index_of(kernel_.stores[k].value)]);
        } else {
          store(kernel_.stores[k], values_[index_of(kernel_.stores[k].value)], rows_);
        }
      }
    }
    first_row_ = 0;
    for (std::size_t k = 0; k < kernel_.stores.size(); ++k) {
      const KernelStore& sum = kernel_.stores[k];
      if (sum.sum_over_leading) store(sum, sums_[k].cast(arguments_[index_of(sum.argument)].dtype()), 1);
    }
  }

 private:
  // Where an element of a value lies.
  std::int64_t place_of(const Places& places, std::int64_t element, bool per_row) const {
    if (per_row) return places.of(first_row_ + element, 0);
    return places.of(first_row_ + element / row_length_, element % row_length_);
  }

  Array value_of(const KernelInstruction& instruction, bool per_row) {
    const std::int64_t count = rows_ * (per_row ? 1 : row_length_);
    switch (instruction.kind) {
      case Kind::load:
        return load(instruction, per_row, count);
      case Kind::constant:
        return constant(instruction, count);
      case Kind::position:
        return position(instruction, per_row, count);
      case Kind::uniform:
      case Kind::normal:
        return random(instruction, count);
      case Kind::compute: {
        std::vector<Array> operands;
        for (const int operand : instruction.operands) {
          if (operand >= 0) operands.push_back(values_[index_of(operand)]);
        }
        return compute_reference(instruction.op, instruction.dtype, operands, count);
      }
      case Kind::reduce:
        break;
    }
    return reduce_reference(instruction.reduction, values_[index_of(instruction.operands[0])], rows_, row_length_);
  }

  // An i64 operand of a value with `count` elements, at one of them.
  std::int64_t operand_at(int operand, std::int64_t element, std::int64_t count) const {
    const Array& values = values_[index_of(operand)];
    return values.get_i64(element / (count / values.count()));
  }

  Array load(const KernelInstruction& instruction, bool per_row, std::int64_t count) const {
    const KernelArgument& argument = kernel_.arguments[index_of(instruction.argument)];
    const Array& from = arguments_[index_of(instruction.argument)];
    const Places places(kernel_, argument.strides);
    Array result(instruction.dtype, {count});
    for (std::int64_t k = 0; k < count; ++k) {
      std::int64_t place = argument.offset + place_of(places, k, per_row);
      if (instruction.operands[0] >= 0) {
        place += moved_by(instruction, operand_at(instruction.operands[0], k, count));
      }
      copy_element(from, place, result, k);
    }
    return result;
  }

  static std::int64_t moved_by(const KernelInstruction& instruction, std::int64_t index) {
    const std::int64_t length = instruction.gather_length;
    if (index < -length || index >= length) {
      fail(ErrorCode::computation_error,
           "the index " + std::to_string(index) + " into an axis of length " + std::to_string(length),
           "indices from -" + std::to_string(length) + " to " + std::to_string(length - 1));
    }
    return (index < 0 ? index + length : index) * instruction.gather_stride;
  }

  static Array constant(const KernelInstruction& instruction, std::int64_t count) {
    Array result(instruction.dtype, {count});
    for (std::int64_t k = 0; k < count; ++k) {
      if (is_float(instruction.dtype)) {
        result.set(k, instruction.number);
      } else {
        result.set_i64(k, instruction.integer);
      }
    }
    return result;
  }

  Array position(const KernelInstruction& instruction, bool per_row, std::int64_t count) const {
    const Places places(kernel_, instruction.strides);
    Array result(DType::i64, {count});
    for (std::int64_t k = 0; k < count; ++k) result.set_i64(k, place_of(places, k, per_row));
    return result;
  }

  Array random(const KernelInstruction& instruction, std::int64_t count) const {
    Array result(instruction.dtype, {count});
    const auto operand = [&](std::size_t number, std::int64_t element) {
      return static_cast<std::uint64_t>(operand_at(instruction.operands[number], element, count));
    };
    for (std::int64_t k = 0; k < count; ++k) {
      const RandomStream stream(operand(0, k), instruction.stream, operand(1, k));
      const std::uint64_t drawn_at = operand(2, k);
      result.set(k, instruction.kind == Kind::uniform ? stream.uniform(drawn_at) : stream.normal(drawn_at));
    }
    return result;
  }

  // Writes the values of `rows` rows: once for a row along which neither the value nor the argument moves.
  void store(const KernelStore& store, const Array& values, std::int64_t rows) const {
    const KernelArgument& argument = kernel_.arguments[index_of(store.argument)];
    Array to = arguments_[index_of(store.argument)];
    const Places places(kernel_, argument.strides);
    const bool per_row = per_row_[index_of(store.value)];
    const bool once = per_row && std::all_of(argument.strides.end() - kernel_.row_axes, argument.strides.end(),
                                             [](std::int64_t stride) { return stride == 0; });
    const std::int64_t repeat = once ? 1 : row_length_;
    for (std::int64_t k = 0; k < rows * repeat; ++k) {
      copy_element(values, per_row ? k / repeat : k, to, argument.offset + place_of(places, k, once));
    }
  }

  const Kernel& kernel_;
  const std::vector<Array>& arguments_;
  std::vector<bool> per_row_;
  std::int64_t row_length_;
  std::int64_t first_row_ = 0;  // of those at work
  std::int64_t rows_ = 0;
  std::vector<Array> values_;
  std::vector<Array> sums_;  // of each store
};

}  // namespace

void run_kernel_reference(const Kernel& kernel, const std::vector<Array>& arguments) {
  check_kernel(kernel);
  internal_check(arguments.size() == kernel.arguments.size(), "a fused kernel got another number of arguments");
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    internal_check(arguments[k].dtype() == kernel.arguments[k].dtype,
                   "a fused kernel got an argument of another dtype");
    internal_check(arguments[k].is_dense(), "a fused kernel got an argument that is not dense");
  }
  Run(kernel, arguments).run();
}

}  // namespace asg
