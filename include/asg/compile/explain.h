#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "asg/compile/memory_plan.h"
#include "asg/compile/pass.h"
#include "asg/compile/program.h"

namespace asg {

// What people call a step.
enum class StepKind : std::uint8_t {
  elementwise,  // a fused kernel in which every element stands for itself
  rows,         // a fused kernel with reductions along rows
  sums,         // a fused kernel with sums over the leading axes only
  rearranging,  // a fused kernel that computes nothing: elements change their places
  product,      // matrix products
  convolution,  // and their gradients
  pooling,
  attention,
  other,  // another op, computed as a whole
  copy
};
inline constexpr StepKind kAllStepKinds[] = {
    StepKind::elementwise, StepKind::rows,    StepKind::sums,      StepKind::rearranging, StepKind::product,
    StepKind::convolution, StepKind::pooling, StepKind::attention, StepKind::other,       StepKind::copy};
std::string_view name_of(StepKind kind);
StepKind kind_of(const Step& step);

// The ops of a step in few words: "Mul ×2, Add, Relu"; of a copy "copy".
std::string title_of(const Program& program, const Step& step);

// Whose work a step mostly is.
Role role_of(const Program& program, const Step& step);

// What a step has to do, as its ops and its memory tell; not what a device makes of it.
struct StepCost {
  double flops = 0;                // by the cards
  std::int64_t bytes_read = 0;     // each element once, however often it is used
  std::int64_t bytes_written = 0;  // the same

  std::int64_t bytes() const { return bytes_read + bytes_written; }
};
StepCost cost_of(const Program& program, const Step& step);
double flops_of(const Graph& graph, const Node& node);  // by its card; without a rule one for each element

struct StageTime {
  std::string name;
  double seconds = 0;
};

// What became of a graph on its way to a device, for one set of input sizes.
struct Explanation {
  std::vector<PassReport> passes = {};  // lower, specialise, then those over graphs and over programs
  std::vector<StageTime> stages = {};   // beside them: emit (layouts and kernels), plan, prepare
  Program program;
  MemoryPlan plan;
  std::int64_t scratch_bytes = 0;      // beside the arena, for calls
  std::vector<std::string> ways = {};  // of each step, how the device does it: "tiles", "library call" …

  double compile_seconds() const;  // of all passes and stages
  // How much larger the arena is than what lives in it at most: 0.05 is 5 %.
  double waste() const;
  std::int64_t variable_bytes() const;
  // The bytes of the arena that are alive in each step.
  std::vector<std::int64_t> alive_by_step() const;
};

// "1.5 MiB", "640 B".
std::string bytes_text(std::int64_t bytes);

// The memory plan as a picture: steps from left to right, places in the arena from the bottom up, a rectangle for each
// buffer while it is alive. Tells more of each where the mouse rests on it.
std::string lifetimes_svg(const Explanation& explanation);

}  // namespace asg
