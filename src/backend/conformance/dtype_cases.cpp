// Every primitive in every dtype, on numbers that all dtypes hold exactly.
#include <set>

#include "asg/graph/registry.h"
#include "backend/conformance/suite.h"

namespace asg::conformance {
namespace {

// Whether the card allows the op on operands of these dtypes.
bool takes(const Case& entry) {
  const std::vector<Port>& ports = Registry::global().get(entry.op).inputs;
  for (std::size_t index = 0; index < entry.operands.size(); ++index) {
    const Operand& operand = entry.operands[index];
    const Port& port = ports[std::min(index, ports.size() - 1)];
    if (operand.kind == Operand::Kind::tensor && !port.dtypes.contains(operand.array.dtype())) return false;
  }
  return true;
}

double tolerance_of(DType dtype) {
  if (!is_float(dtype)) return 0;
  return bits_of(dtype) == 16 ? 1e-2 : 1e-5;
}

// Adds cases to those that the op's card allows in the dtype.
class DtypeCases {
 public:
  DtypeCases(DType dtype, Cases& cases) : dtype_(dtype), cases_(cases) {}

  Array x(Sizes sizes, const std::vector<double>& values) const { return reals(std::move(sizes), values, dtype_); }
  std::string name() const { return "in " + std::string(name_of(dtype_)); }

  void add(Case entry) {
    if (!takes(entry)) return;
    entry.tolerance = tolerance_of(dtype_);
    cases_.push_back(std::move(entry));
  }

 private:
  DType dtype_;
  Cases& cases_;
};

void add_numeric(DtypeCases& in) {
  const Array a = in.x({2, 2}, {2, 6, 8, 4});
  const Array b = in.x({2, 2}, {1, 2, 4, 4});
  in.add(binary_case("Add", in.name(), a, b, in.x({2, 2}, {3, 8, 12, 8})));
  in.add(binary_case("Sub", in.name(), a, b, in.x({2, 2}, {1, 4, 4, 0})));
  in.add(binary_case("Mul", in.name(), a, b, in.x({2, 2}, {2, 12, 32, 16})));
  in.add(binary_case("Div", in.name(), a, b, in.x({2, 2}, {2, 3, 2, 1})));
  in.add(binary_case("Pow", in.name(), a, in.x({}, {2}), in.x({2, 2}, {4, 36, 64, 16})));
  in.add(binary_case("MatMul", in.name(), a, b, in.x({2, 2}, {26, 28, 24, 32})));
  in.add(unary_case("Neg", in.name(), in.x({2}, {3, 0}), in.x({2}, {-3, 0})));
  in.add(unary_case("Abs", in.name(), in.x({2}, {3, 0}), in.x({2}, {3, 0})));
  in.add(unary_case("Sqrt", in.name(), in.x({3}, {1, 4, 16}), in.x({3}, {1, 2, 4})));
  in.add(unary_case("Exp", in.name(), in.x({2}, {0, 0}), in.x({2}, {1, 1})));
  in.add(unary_case("Log", in.name(), in.x({2}, {1, 1}), in.x({2}, {0, 0})));
  in.add(reduction_case("ReduceSum", in.name(), a, {1}, false, in.x({2}, {8, 12})));
  in.add(reduction_case("ReduceMean", in.name(), a, {1}, false, in.x({2}, {4, 6})));
  in.add(reduction_case("ReduceMax", in.name(), a, {0}, true, in.x({1, 2}, {8, 6})));
  in.add(reduction_case("ReduceMin", in.name(), a, {0}, true, in.x({1, 2}, {2, 4})));
  const Array c = in.x({2, 2}, {2, 2, 9, 4});
  in.add(binary_case("Equal", in.name(), a, c, flags({2, 2}, {1, 0, 0, 1})));
  in.add(binary_case("Greater", in.name(), a, c, flags({2, 2}, {0, 1, 0, 0})));
  in.add(binary_case("Less", in.name(), a, c, flags({2, 2}, {0, 0, 1, 0})));
}

// Ops that move elements, on 0 and 1, which bools hold too.
void add_moving(DtypeCases& in) {
  const Array a = in.x({2, 2}, {1, 0, 0, 0});
  const Array row = in.x({1, 2}, {0, 1});
  in.add(reshape_case("Reshape", in.name(), a, {4}, in.x({4}, {1, 0, 0, 0})));
  in.add(reshape_case("Squeeze", in.name(), row, {0}, in.x({2}, {0, 1})));
  in.add(reshape_case("Unsqueeze", in.name(), row, {0}, in.x({1, 1, 2}, {0, 1})));
  in.add(transpose_case(in.name(), row, {1, 0}, in.x({2, 1}, {0, 1})));
  in.add(concat_case(in.name(), {a, row}, 0, in.x({3, 2}, {1, 0, 0, 0, 0, 1})));
  in.add(slice_case(in.name(), row, {{1}, {2}, {1}, {}}, in.x({1, 1}, {1})));
  in.add(split_case(in.name(), row, 1, {1, 1}, 0, {in.x({1, 1}, {0}), in.x({1, 1}, {1})}));
  in.add(gather_case(in.name(), row, longs({2}, {1, 0}), 1, in.x({1, 2}, {1, 0})));
  in.add(unary_case("Identity", in.name(), a, a));
  in.add(where_case(in.name(), flags({1, 2}, {1, 0}), a, row, in.x({2, 2}, {1, 1, 0, 1})));
}

}  // namespace

Cases dtype_cases(DTypeSet dtypes) {
  Cases cases;
  for (DType dtype : all_dtypes()) {
    if (!dtypes.contains(dtype)) continue;
    DtypeCases in(dtype, cases);
    if (dtype != DType::boolean) add_numeric(in);
    add_moving(in);
    cases.push_back(constant_case(in.name(), in.x({3}, {1, 0, 1})));
    cases.push_back(
        cast_case("from " + std::string(name_of(dtype)), in.x({3}, {1, 0, 1}), DType::f32, reals({3}, {1, 0, 1})));
    cases.push_back(cast_case("to " + std::string(name_of(dtype)), reals({3}, {1, 0, 1}), dtype, in.x({3}, {1, 0, 1})));
  }
  cases.push_back(binary_case("Equal", "in bool", flags({2}, {1, 0}), flags({2}, {1, 1}), flags({2}, {1, 0})));
  cases.push_back(binary_case("Add", "wraps around in u8", Array::of<std::uint8_t>({1}, {200}),
                              Array::of<std::uint8_t>({1}, {100}), Array::of<std::uint8_t>({1}, {44})));
  return cases;
}

// One case of each op, on memory with gaps and in column order.
Cases strided_cases() {
  Cases strided;
  std::set<std::string> seen;
  for (const Cases& group : {arithmetic_cases(), maths_cases(), matmul_cases(), reduction_cases(), shape_cases(),
                             slice_cases(), choice_cases()}) {
    for (Case entry : group) {
      const bool suits = !entry.operands.empty() && entry.operands.front().array.count() > 1;
      if (!suits || !seen.insert(entry.op).second) continue;
      entry.name = entry.op + " on strided memory";
      entry.strided = true;
      strided.push_back(std::move(entry));
    }
  }
  return strided;
}

}  // namespace asg::conformance
