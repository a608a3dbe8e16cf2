#include <algorithm>
#include <cmath>
#include <future>
#include <string>

#include "cases.h"

namespace asg::gpu_check {
namespace {

std::string shape(std::int64_t rows, std::int64_t length) {
  return "kernel [rows " + std::to_string(rows) + " | row " + std::to_string(length) + "]\n";
}

std::string dense(std::int64_t length) { return " [" + std::to_string(std::max<std::int64_t>(1, length)) + " | 1]\n"; }

// Loss and, where asked for, its gradient.
std::string cross_entropy(std::int64_t rows, std::int64_t length, const std::string& dtype, bool gradient) {
  std::string text = shape(rows, length);
  text += " arg0: " + dtype + " in" + dense(length) + " arg1: i64 in [1 | 0]\n";
  text += " arg2: " + dtype + " in [" + std::to_string(length) + " | 0]\n arg3: f32 out [1 | 0]\n";
  if (gradient) text += " arg4: " + dtype + " out" + dense(length);
  text += " %0 = load arg1 : i64 per row\n %1 = load arg0 : " + dtype + "\n %2 = cast %1 : f32\n";
  text += " %3 = load arg2 at %0 step 1 of " + std::to_string(length) + " : " + dtype + " per row\n";
  text +=
      " %4 = cast %3 : f32 per row\n %5 = reduce max %2 : f32 per row\n %6 = sub %2 %5 : f32\n %7 = exp %6 : f32\n"
      " %8 = reduce sum %7 : f32 per row\n %9 = log %8 : f32 per row\n %10 = sub %4 %5 : f32 per row\n"
      " %11 = sub %9 %10 : f32 per row\n";
  if (gradient) {
    text +=
        " %12 = div %7 %8 : f32\n %13 = position [0 | 1] : i64\n %14 = equal %13 %0 : bool\n"
        " %15 = constant 1 : f32 per row\n %16 = constant 0 : f32 per row\n %17 = select %14 %15 %16 : f32\n"
        " %18 = sub %12 %17 : f32\n %19 = cast %18 : " +
        dtype + "\n store %19 -> arg4\n";
  }
  return text + " store %11 -> arg3\n";
}

std::string softmax(std::int64_t rows, std::int64_t length, const std::string& dtype) {
  return shape(rows, length) + " arg0: " + dtype + " in" + dense(length) + " arg1: " + dtype + " out" + dense(length) +
         " %0 = load arg0 : " + dtype +
         "\n %1 = cast %0 : f32\n %2 = reduce max %1 : f32 per row\n %3 = sub %1 %2 : f32\n"
         " %4 = exp %3 : f32\n %5 = reduce sum %4 : f32 per row\n %6 = div %4 %5 : f32\n %7 = cast %6 : " +
         dtype + "\n store %7 -> arg1\n";
}

// Sums and sums of squares of columns.
std::string statistics(std::int64_t rows, std::int64_t length, const std::string& dtype) {
  return shape(rows, length) + " arg0: " + dtype + " in" + dense(length) +
         " arg1: f32 out [0 | 1]\n arg2: f32 out [0 | 1]\n %0 = load arg0 : " + dtype +
         "\n %1 = cast %0 : f32\n %2 = mul %1 %1 : f32\n store sum %1 -> arg1\n store sum %2 -> arg2\n";
}

std::string sum_of_squares(std::int64_t length, const std::string& dtype) {
  return "kernel [" + std::to_string(length) + "]\n arg0: " + dtype +
         " in [1]\n arg1: f32 out [0]\n %0 = load arg0 : " + dtype +
         "\n %1 = cast %0 : f32\n %2 = mul %1 %1 : f32\n store sum %2 -> arg1\n";
}

// Rows that begin with what arithmetic has to pass on.
void plant(Array& array, std::int64_t length) {
  const std::int64_t rows = length == 0 ? 0 : array.count() / length;
  const auto set = [&](std::int64_t row, std::int64_t place, double value) {
    if (row < rows) array.set(row * length + place, value);
  };
  set(1, length / 2, NAN);
  set(2, length - 1, INFINITY);
  set(3, 0, -INFINITY);
  for (std::int64_t k = 0; rows > 4 && k < length; ++k) {
    set(4, k, -INFINITY);
    array.set(5 % rows * length + k, 100 * array.get(5 % rows * length + k));
  }
}

Case made(const std::string& name, const std::string& text, std::int64_t length, bool special) {
  Case result{.name = name, .kernel = kernel_from_text(text), .arguments = {}, .expected = {}};
  const RandomStream stream(7, 11);
  for (std::size_t k = 0; k < result.kernel.arguments.size(); ++k) {
    const KernelArgument& argument = result.kernel.arguments[k];
    Array array(argument.dtype, {elements_of(result.kernel, k)});
    for (std::int64_t each = 0; !argument.output && each < array.count(); ++each) {
      if (is_integer(argument.dtype)) {
        array.set_i64(each, each * 7919 % length - (each % 3 == 0 ? length : 0));
      } else {
        array.set(each, stream.normal(static_cast<std::uint64_t>(each)));
      }
    }
    if (special && !argument.output && !is_integer(argument.dtype)) plant(array, length);
    result.arguments.push_back(array);
    result.expected.push_back(array.copy());
  }
  run_kernel_reference(result.kernel, result.expected);
  return result;
}

std::string name_of(const std::string& what, const std::string& dtype, std::int64_t rows, std::int64_t length) {
  return what + '_' + dtype + '_' + std::to_string(rows) + '_' + std::to_string(length);
}

}  // namespace

std::vector<Case> sized_cases(const std::vector<std::int64_t>& lengths, std::int64_t rows) {
  std::vector<std::future<Case>> cases;
  for (const std::string dtype : {"f32", "bf16", "f16"}) {
    const auto add = [&](const std::string& what, const std::string& text, std::int64_t length, bool special) {
      const std::string name = name_of(what, dtype, rows, length);
      cases.push_back(std::async(std::launch::async, [=] { return made(name, text, length, special); }));
    };
    for (const std::int64_t length : lengths) {
      if (length > 0) {
        add("cross_entropy", cross_entropy(rows, length, dtype, true), length, true);
        add("loss", cross_entropy(rows, length, dtype, false), length, true);
      }
      add("softmax", softmax(rows, length, dtype), length, true);
      add("statistics", statistics(rows, length, dtype), length, dtype == "f32");
      add("sum", sum_of_squares(rows * length, dtype), length, false);
    }
  }
  std::vector<Case> all;
  for (std::future<Case>& each : cases) all.push_back(each.get());
  return all;
}

}  // namespace asg::gpu_check
