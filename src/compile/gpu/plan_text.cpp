#include "asg/compile/gpu_plan.h"

namespace asg {

std::string_view name_of(GpuPhase::Work work) {
  switch (work) {
    case GpuPhase::Work::points:
      return "points";
    case GpuPhase::Work::rows:
      return "rows";
    case GpuPhase::Work::columns:
      return "columns";
    case GpuPhase::Work::finish:
      return "finish";
    case GpuPhase::Work::reduce:
      return "reduce";
    case GpuPhase::Work::store:
      return "store";
    case GpuPhase::Work::store_once:
      break;
  }
  return "store_once";
}

std::string_view name_of(GpuPlan::Shape shape) {
  switch (shape) {
    case GpuPlan::Shape::points:
      return "points";
    case GpuPlan::Shape::warp_rows:
      return "warp_rows";
    case GpuPlan::Shape::block_rows:
      return "block_rows";
    case GpuPlan::Shape::split_rows:
      return "split_rows";
    case GpuPlan::Shape::split_columns:
      break;
  }
  return "split_columns";
}

namespace {

std::string_view name_of(GpuPlan::Access access) {
  if (access == GpuPlan::Access::vector) return "vector";
  return access == GpuPlan::Access::uniform ? "uniform" : "element";
}

std::string counted(std::int64_t count, const std::string& what) {
  return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}

std::string kept_text(const GpuPlan& plan) {
  if (plan.keep == GpuPlan::Keep::nothing) return "";
  std::string text = "  keep in ";
  text += plan.keep == GpuPlan::Keep::registers ? "registers:" : "shared memory:";
  for (const int value : plan.kept) text += " %" + std::to_string(value);
  return text + (plan.ahead ? ", copied ahead\n" : "\n");
}

}  // namespace

std::string to_text(const GpuPlan& plan) {
  std::string text = "plan " + std::string(name_of(plan.shape)) + ", " + (plan.wide_index ? "64" : "32") +
                     "-bit index, vectors of " + std::to_string(plan.vector) + (plan.shifted ? ", shifted" : "") + '\n';
  if (plan.shape != GpuPlan::Shape::points) {
    text += "  " + counted(plan.row_threads, "thread") + " × " + counted(plan.vectors, "vector") + " for a row, " +
            counted(plan.block_rows, "row") + " in a block" + (plan.across ? ", across" : "") + '\n';
  }
  text += kept_text(plan);
  for (std::size_t k = 0; k < plan.access.size(); ++k) {
    text += "  arg" + std::to_string(k) + ": " + std::string(name_of(plan.access[k])) + '\n';
  }
  for (const GpuPhase& phase : plan.phases) {
    text += "  phase " + std::string(name_of(phase.work)) + (phase.level > 0 ? ' ' + std::to_string(phase.level) : "") +
            ": " + counted(phase.blocks, "block") + " of " + counted(phase.threads, "thread");
    if (phase.shared_bytes > 0) text += ", " + counted(phase.shared_bytes, "byte") + " shared";
    text += '\n';
  }
  if (plan.workspace_bytes > 0) text += "  workspace: " + counted(plan.workspace_bytes, "byte") + '\n';
  return text;
}

}  // namespace asg
