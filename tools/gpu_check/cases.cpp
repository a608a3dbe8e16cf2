#include "cases.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "asg/core/random.h"

namespace asg::gpu_check {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Normal numbers; integers from -4 to 4, so that they can be indices.
Array filled(const Kernel& kernel, std::size_t number) {
  Array result(kernel.arguments[number].dtype, {elements_of(kernel, number)});
  if (kernel.arguments[number].output) return result;
  const RandomStream stream(number, 2024);
  for (std::int64_t k = 0; k < result.count(); ++k) {
    const auto position = static_cast<std::uint64_t>(k);
    if (is_integer(result.dtype())) {
      result.set_i64(k, static_cast<std::int64_t>(stream.below(position, 9)) - 4);
    } else {
      result.set(k, stream.normal(position));
    }
  }
  return result;
}

}  // namespace

std::int64_t elements_of(const Kernel& kernel, std::size_t number) {
  const KernelArgument& argument = kernel.arguments[number];
  std::int64_t last = argument.offset;
  for (std::size_t axis = 0; axis < kernel.space.size(); ++axis) {
    last += std::max<std::int64_t>(0, (kernel.space[axis] - 1) * argument.strides[axis]);
  }
  for (const KernelInstruction& instruction : kernel.instructions) {
    const bool gathers = instruction.argument == static_cast<int>(number) && instruction.gather_length > 0;
    if (gathers) last += (instruction.gather_length - 1) * instruction.gather_stride;
  }
  return last + 1;
}

std::vector<Case> cases_in(const std::string& folder) {
  std::vector<fs::path> paths;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".kernel") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<Case> cases;
  for (const fs::path& path : paths) {
    Case made{
        .name = path.stem().string(), .kernel = kernel_from_text(read_text(path)), .arguments = {}, .expected = {}};
    for (std::size_t k = 0; k < made.kernel.arguments.size(); ++k) {
      made.arguments.push_back(filled(made.kernel, k));
      made.expected.push_back(made.arguments.back().copy());
    }
    run_kernel_reference(made.kernel, made.expected);
    cases.push_back(std::move(made));
  }
  return cases;
}

double difference(const Array& expected, const Array& given) {
  double largest = 0;
  double apart = 0;
  for (std::int64_t k = 0; k < expected.count(); ++k) {
    const double wanted = expected.get(k);
    const double found = given.get(k);
    if (std::isfinite(wanted)) largest = std::max(largest, std::abs(wanted));
    if (wanted == found || (std::isnan(wanted) && std::isnan(found))) continue;
    if (!std::isfinite(wanted) || !std::isfinite(found)) return INFINITY;
    apart = std::max(apart, std::abs(wanted - found));
  }
  return apart == 0 ? 0 : apart / largest;
}

double tolerance_of(DType dtype) {
  if (dtype == DType::f32 || dtype == DType::f64) return 1e-5;  // f64 is computed from f32 here and there
  if (dtype == DType::f16) return 5e-3;
  if (dtype == DType::bf16) return 4e-2;
  return 0;
}

}  // namespace asg::gpu_check
