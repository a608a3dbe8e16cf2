#include <cstdio>

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

}  // namespace

GpuLimits small_limits() { return {.block_threads = 64, .shared_bytes = 12 * 1024, .blocks = 12}; }

bool check_correct(Machine& machine, const std::string& folder, int drawn, const GpuLimits& limits) {
  std::printf("gpu-check on %s\n", machine.name().c_str());
  std::vector<Case> cases = cases_in(folder + "/kernels");
  const std::size_t described = cases.size();
  for (int seed = 0; seed < drawn; ++seed) {
    cases.push_back(drawn_case(static_cast<std::uint32_t>(seed)));
    cases.back().name = "drawn_" + std::to_string(seed);
  }
  std::vector<CudaKernel> kernels;
  for (const Case& test : cases) kernels.push_back(render_cuda(plan_gpu(test.kernel, limits), test.name));
  const std::size_t first = machine.load(kernels);
  int wrong = 0;
  for (std::size_t k = 0; k < cases.size(); ++k)
    wrong += agrees(machine, first + k, cases[k], limits, k < described) ? 0 : 1;
  std::printf("gpu-check: %zu kernels and %d drawn ones: %s\n", described, drawn,
              wrong == 0 ? "passed" : (std::to_string(wrong) + " FAILED").c_str());
  return wrong == 0;
}

}  // namespace asg::gpu_check
