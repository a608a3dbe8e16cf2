// Renders kernels as CUDA C++, runs them and compares what they give with the reference; measures how fast they are.
//   asg_gpu_check correct <tools/gpu_check> <scratch folder>      all kernels and drawn ones, on the GPU
//   asg_gpu_check shim <tools/gpu_check> <scratch folder>         the same on the CPU, under the shim
//   asg_gpu_check compile <tools/gpu_check> <scratch folder>      compiles them with NVRTC, without a GPU
//   asg_gpu_check speed <tools/gpu_check> <scratch folder>        time of large kernels beside what memory allows, and
//                                                                 of attention
//   asg_gpu_check show FILE.kernel                                plan and text of a kernel
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "asg/compile/render_cuda.h"
#include "cases.h"
#include "checks.h"
#include "cuda_machine.h"

namespace asg::gpu_check {
namespace {

void show(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  const GpuPlan plan = plan_gpu(kernel_from_text(text.str()));
  std::cout << to_text(plan) << '\n' << render_cuda(plan, "kernel").text;
}

bool all_correct(Machine& machine, const std::string& folder, int drawn, bool all_sizes) {
  const bool usual = check_correct(machine, folder, drawn);
  const bool small = check_correct(machine, folder, drawn, small_limits());
  const bool sizes = check_sizes(machine, all_sizes);
  return check_attention(machine) && usual && small && sizes;
}

int run(const std::vector<std::string>& words) {
  if (words.size() == 2 && words[0] == "show") {
    show(words[1]);
    return 0;
  }
  if (words.size() != 3) {
    fail(ErrorCode::bad_command, std::to_string(words.size()) + " arguments",
         "correct, shim, compile or speed and two folders");
  }
  std::filesystem::create_directories(words[2]);
  if (words[0] == "compile") return check_compiles(words[1]) ? 0 : 1;
  if (words[0] == "shim") return all_correct(*shim_machine(words[1] + "/shim", words[2]), words[1], 150, false) ? 0 : 1;
  const std::unique_ptr<CudaMachine> machine = cuda_machine();
  if (machine == nullptr) return 0;
  if (words[0] == "correct") return all_correct(*machine, words[1], 400, true) ? 0 : 1;
  check_speed(*machine, words[1]);
  check_attention_speed(*machine);
  return 0;
}

}  // namespace
}  // namespace asg::gpu_check

int main(int argument_count, char** arguments) {
  try {
    return asg::gpu_check::run({arguments + 1, arguments + argument_count});
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
