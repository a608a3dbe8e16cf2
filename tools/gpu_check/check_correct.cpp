#include <algorithm>
#include <cstdio>
#include <iterator>

#include "cases.h"
#include "checks.h"

namespace asg::gpu_check {
namespace {

bool agrees(Machine& machine, std::size_t number, const Case& test, const GpuLimits& limits, bool verbose) {
  const Ran first = machine.run(number, test.arguments);
  const Ran second = machine.run(number, test.arguments);
  bool passed = !first.failed;
  if (first.failed) std::printf("%s: reports that it failed\n", test.name.c_str());
  for (std::size_t k = 0; k < test.arguments.size(); ++k) {
    if (!test.kernel.arguments[k].output) continue;
    const DType dtype = test.arguments[k].dtype();
    const double apart = difference(test.expected[k], first.arguments[k]);
    const bool within = apart <= tolerance_of(dtype);
    const bool same = bit_equal(first.arguments[k], second.arguments[k]);
    if (verbose || !within || !same) {
      std::printf("%-32s arg%zu %-4s largest relative difference %.2e, at most %.0e%s%s\n", test.name.c_str(), k,
                  std::string(name_of(dtype)).c_str(), apart, tolerance_of(dtype), within ? "" : "  TOO FAR",
                  same ? "" : "  OTHER BITS IN THE SECOND RUN");
    }
    passed = passed && within && same;
  }
  if (!passed && !verbose)
    std::printf("%s%s", to_text(test.kernel).c_str(), to_text(plan_gpu(test.kernel, limits)).c_str());
  return passed;
}

// Runs all cases, the first `told` ones with a line each; how many are wrong.
int wrong_ones(Machine& machine, const std::vector<Case>& cases, const GpuLimits& limits, std::size_t told) {
  std::vector<CudaKernel> kernels;
  for (const Case& test : cases) kernels.push_back(render_cuda(plan_gpu(test.kernel, limits), test.name));
  const std::size_t first = machine.load(kernels);
  int wrong = 0;
  for (std::size_t k = 0; k < cases.size(); ++k)
    wrong += agrees(machine, first + k, cases[k], limits, k < told) ? 0 : 1;
  return wrong;
}

std::string verdict(int wrong) { return wrong == 0 ? "passed" : std::to_string(wrong) + " FAILED"; }

void append(std::vector<Case>& to, std::vector<Case> from) {
  std::move(from.begin(), from.end(), std::back_inserter(to));
}

}  // namespace

GpuLimits small_limits() { return {.block_threads = 64, .shared_bytes = 12 * 1024, .blocks = 12}; }

bool check_cases(Machine& machine, const std::vector<Case>& cases, const GpuLimits& limits) {
  const int wrong = wrong_ones(machine, cases, limits, 0);
  std::printf("gpu-check: %zu kernels of given sizes: %s\n", cases.size(), verdict(wrong).c_str());
  return wrong == 0;
}

bool check_sizes(Machine& machine, bool all) {
  std::vector<Case> shorter = sized_cases({0, 1, 7, 257}, 7);
  append(shorter, sized_cases({9}, 0));
  append(shorter, sized_cases({777, 2050}, 130));
  std::vector<Case> longer = sized_cases({33001}, 100);
  append(longer, sized_cases({20001}, 3));
  if (all) {
    append(shorter, sized_cases({2, 3, 8, 9, 31, 33, 255, 256, 1023, 1025}, 7));
    append(shorter, sized_cases({8}, 130));
    append(longer, sized_cases({8191, 8193, 50257}, 100));
  }
  const bool usual = check_cases(machine, shorter, {}) && check_cases(machine, longer, {});
  const bool small = check_cases(machine, shorter, small_limits());
  return check_cases(machine, longer, {.blocks = 12}) && usual && small;
}

bool check_correct(Machine& machine, const std::string& folder, int drawn, const GpuLimits& limits) {
  std::printf("gpu-check on %s\n", machine.name().c_str());
  std::vector<Case> cases = cases_in(folder + "/kernels");
  const std::size_t described = cases.size();
  for (int seed = 0; seed < drawn; ++seed) {
    cases.push_back(drawn_case(static_cast<std::uint32_t>(seed)));
    cases.back().name = "drawn_" + std::to_string(seed);
  }
  const int wrong = wrong_ones(machine, cases, limits, described);
  std::printf("gpu-check: %zu kernels and %d drawn ones: %s\n", described, drawn, verdict(wrong).c_str());
  return wrong == 0;
}

}  // namespace asg::gpu_check
