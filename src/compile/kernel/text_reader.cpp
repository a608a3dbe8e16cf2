#include <algorithm>
#include <optional>
#include <utility>

#include "asg/compile/kernel.h"
#include "compile/kernel/line_scanner.h"
#include "compile/kernel/rules.h"

namespace asg {
namespace {

using Kind = KernelInstruction::Kind;
using Part = KernelBreach::Part;

struct Line {
  std::string_view text;  // without remark
  std::size_t number = 0;
};

// The lines that are not empty; they are counted from 1.
std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view whole = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(whole.size() + 1, text.size()));
    const std::string_view said = whole.substr(0, whole.find('#'));
    if (said.find_first_not_of(" \t\r") != std::string_view::npos) lines.push_back({said, number});
  }
  return lines;
}

class Reader {
 public:
  Kernel read(std::string_view text) {
    const std::vector<Line> lines = lines_of(text);
    if (lines.empty()) LineScanner("", 1).refuse(R"("kernel [" with the lengths of the axes)");
    for (const Line& line : lines) {
      LineScanner scanner(line.text, line.number);
      if (&line == &lines.front()) {
        read_space(scanner);
        space_line_ = line;
      } else {
        read_part(scanner, line);
      }
      scanner.end();
    }
    check();
    return std::move(kernel_);
  }

 private:
  // "[2, 3 | 8]"; how many numbers stand after the bar is written to `row_axes`.
  static std::vector<std::int64_t> read_list(LineScanner& scanner, int& row_axes, bool with_words) {
    std::vector<std::int64_t> numbers;
    row_axes = 0;
    scanner.expect("[");
    const bool rows = with_words && scanner.skip("rows");
    const auto read_numbers = [&] {
      do {
        numbers.push_back(scanner.integer("an integer for each axis"));
      } while (scanner.skip(","));
    };
    if (!scanner.skip("|")) {
      if (!rows && scanner.skip("]")) return numbers;
      read_numbers();
      if (!rows && scanner.skip("]")) return numbers;
      if (!scanner.skip("|")) scanner.refuse(rows ? R"("|" between the leading axes and the row)" : R"("," or "]")");
    }
    if (rows) scanner.expect("row");
    const std::size_t leading = numbers.size();
    read_numbers();
    scanner.expect("]");
    row_axes = static_cast<int>(numbers.size() - leading);
    return numbers;
  }

  std::vector<std::int64_t> read_strides(LineScanner& scanner) const {
    int row_axes = 0;
    std::vector<std::int64_t> strides = read_list(scanner, row_axes, false);
    if (strides.size() != kernel_.space.size() || row_axes != kernel_.row_axes) {
      scanner.refuse("one stride for each axis of the space, with the bar in the same place");
    }
    return strides;
  }

  void read_space(LineScanner& scanner) {
    scanner.expect("kernel");
    kernel_.space = read_list(scanner, kernel_.row_axes, true);
  }

  void read_part(LineScanner& scanner, const Line& line) {
    if (scanner.skip("store")) {
      KernelStore store;
      store.sum_over_leading = scanner.skip("sum");
      store.value = read_value(scanner);
      scanner.expect("-");
      scanner.expect(">");
      store.argument = read_argument_number(scanner);
      kernel_.stores.push_back(store);
      store_lines_.push_back(line);
    } else if (line.text.find('=') != std::string_view::npos) {
      read_instruction(scanner);
      instruction_lines_.push_back(line);
    } else {
      read_argument(scanner);
      argument_lines_.push_back(line);
    }
  }

  static int read_value(LineScanner& scanner) { return scanner.numbered("%", "a value such as %0"); }
  static int read_argument_number(LineScanner& scanner) { return scanner.numbered("arg", "an argument such as arg0"); }

  static DType read_dtype(LineScanner& scanner) {
    const LineScanner before = scanner;
    const std::optional<DType> dtype = parse_dtype(scanner.word("a dtype such as f32"));
    if (!dtype) before.refuse("a dtype such as f32");
    return *dtype;
  }

  void read_argument(LineScanner& scanner) {
    const LineScanner before = scanner;
    const int number = read_argument_number(scanner);
    if (static_cast<std::size_t>(number) != kernel_.arguments.size()) {
      before.refuse("arg" + std::to_string(kernel_.arguments.size()) + ", since arguments are numbered in order");
    }
    scanner.expect(":");
    KernelArgument argument;
    argument.dtype = read_dtype(scanner);
    argument.output = scanner.skip("out");
    if (!argument.output && !scanner.skip("in")) scanner.refuse("in or out");
    argument.strides = read_strides(scanner);
    if (scanner.skip("at")) argument.offset = scanner.integer("the number of elements before the first");
    kernel_.arguments.push_back(std::move(argument));
  }

  void read_instruction(LineScanner& scanner) {
    const LineScanner before = scanner;
    const int number = read_value(scanner);
    if (static_cast<std::size_t>(number) != kernel_.instructions.size()) {
      before.refuse('%' + std::to_string(kernel_.instructions.size()) + ", since values are numbered in order");
    }
    scanner.expect("=");
    KernelInstruction instruction;
    const LineScanner at_constant = read_kind(scanner, instruction);
    scanner.expect(":");
    instruction.dtype = read_dtype(scanner);
    // What a constant is depends on its dtype, which comes last.
    if (instruction.kind == Kind::constant) read_constant(at_constant, instruction);
    const bool per_row = scanner.skip("per");
    if (per_row) scanner.expect("row");
    per_row_.push_back(per_row);
    kernel_.instructions.push_back(std::move(instruction));
  }

  static void read_operands(LineScanner& scanner, KernelInstruction& instruction, int count) {
    for (int k = 0; k < count; ++k) instruction.operands[static_cast<std::size_t>(k)] = read_value(scanner);
  }

  // Returns where the number of a constant stands.
  LineScanner read_kind(LineScanner& scanner, KernelInstruction& instruction) const {
    const LineScanner before = scanner;
    const std::string name = scanner.word("what the value is: load, constant, position, reduce or an op");
    LineScanner after = scanner;
    if (name == "load") {
      instruction.kind = Kind::load;
      instruction.argument = read_argument_number(scanner);
      if (scanner.skip("at")) read_gather(scanner, instruction);
    } else if (name == "constant") {
      instruction.kind = Kind::constant;
      scanner.word("a number");
    } else if (name == "position") {
      instruction.kind = Kind::position;
      instruction.strides = read_strides(scanner);
    } else if (name == "uniform" || name == "normal") {
      instruction.kind = name == "uniform" ? Kind::uniform : Kind::normal;
      read_operands(scanner, instruction, 3);
      scanner.expect("stream");
      instruction.stream = scanner.whole("the number of a stream");
    } else if (name == "reduce") {
      instruction.kind = Kind::reduce;
      instruction.reduction = read_reduction(scanner);
      read_operands(scanner, instruction, 1);
    } else {
      instruction.kind = Kind::compute;
      instruction.op = scalar_op_of(name);
      if (instruction.op == ScalarOp::none) before.refuse("load, constant, position, reduce or the name of an op");
      read_operands(scanner, instruction, operand_count(instruction.op));
    }
    return after;
  }

  static void read_gather(LineScanner& scanner, KernelInstruction& instruction) {
    read_operands(scanner, instruction, 1);
    scanner.expect("step");
    instruction.gather_stride = scanner.integer("the number of elements from one index to the next");
    scanner.expect("of");
    instruction.gather_length = scanner.integer("the number of indices");
  }

  static Reduction read_reduction(LineScanner& scanner) {
    for (const Reduction reduction : {Reduction::sum, Reduction::prod, Reduction::max, Reduction::min}) {
      if (scanner.skip(name_of(reduction))) return reduction;
    }
    scanner.refuse("sum, prod, max or min");
  }

  static void read_constant(LineScanner scanner, KernelInstruction& instruction) {
    if (is_float(instruction.dtype)) {
      instruction.number = scanner.number();
    } else if (instruction.dtype == DType::u64) {
      instruction.integer = static_cast<std::int64_t>(scanner.whole("an integer of u64"));
    } else if (instruction.dtype == DType::boolean) {
      instruction.integer = scanner.skip("true") ? 1 : 0;
      if (instruction.integer == 0 && !scanner.skip("false")) scanner.refuse("true or false");
    } else {
      instruction.integer = scanner.integer("an integer");
    }
  }

  void check() const {
    if (const auto breach = find_breach(kernel_)) {
      const Line line = breach->part == Part::space         ? space_line_
                        : breach->part == Part::argument    ? argument_lines_[breach->number]
                        : breach->part == Part::instruction ? instruction_lines_[breach->number]
                                                            : store_lines_[breach->number];
      refuse_whole(line, breach->rule);
    }
    const std::vector<bool> per_row = values_per_row(kernel_);
    for (std::size_t k = 0; k < per_row.size(); ++k) {
      if (per_row_[k] && !per_row[k]) {
        refuse_whole(instruction_lines_[k], R"(no "per row", since this value differs along the row)");
      }
    }
  }

  [[noreturn]] static void refuse_whole(const Line& line, std::string_view needed) {
    LineScanner(line.text, line.number).refuse_line(needed);
  }

  Kernel kernel_;
  std::vector<bool> per_row_;  // said of each value
  Line space_line_;
  std::vector<Line> argument_lines_;
  std::vector<Line> instruction_lines_;
  std::vector<Line> store_lines_;
};

}  // namespace

Kernel kernel_from_text(std::string_view text) { return Reader().read(text); }

}  // namespace asg
