#include <algorithm>

#include "backend/cpu/tile_plan_builder.h"

namespace asg::cpu {

// What is the same in all tiles is computed once.
void PlanBuilder::build_prologue() {
  std::vector<int> members;
  for (std::size_t k = 0; k < kernel_.instructions.size(); ++k) {
    const Level level = plan_.values[k].level;
    if (needed_[k] && (level == Level::uniform || level == Level::column)) members.push_back(static_cast<int>(k));
  }
  append_steps(members, plan_.prologue);
}

void PlanBuilder::build_passes() {
  if (plan_.staged) return build_staged_passes();
  std::vector<int> members;
  for (std::size_t k = 0; k < kernel_.instructions.size(); ++k) {
    const Level level = plan_.values[k].level;
    if (needed_[k] && (level == Level::row || level == Level::element)) members.push_back(static_cast<int>(k));
  }
  plan_.passes.resize(1);
  append_steps(members, plan_.passes.front().steps);
}

// Pass p computes the reductions that need p others before them; the last one stores, or the first where elements need
// no reduction. Each computes again, from the loads, the elements that it needs.
void PlanBuilder::build_staged_passes() {
  const std::size_t count = kernel_.instructions.size();
  int stages = 0;
  for (std::size_t k = 0; k < count; ++k) {
    if (needed_[k]) stages = std::max(stages, stage_[k]);
  }
  for (int stage = 0; stage <= stages; ++stage) {
    PlannedPass pass;
    std::vector<int> of_rows;
    std::vector<bool> wanted(count, false);
    for (std::size_t k = 0; k < count; ++k) {
      if (!needed_[k] || plan_.values[k].level != Level::row) continue;
      const KernelInstruction& made = kernel_.instructions[k];
      if (made.kind != Kind::reduce) {
        if (stage_[k] == stage) of_rows.push_back(static_cast<int>(k));
      } else if (stage_[k] == stage + 1) {
        wanted[k] = true;
      }
    }
    if (stage == (elements_first_ ? 0 : stages)) {
      for (const KernelStore& store : kernel_.stores) {
        if (value(store.value).level == Level::element) wanted[static_cast<std::size_t>(store.value)] = true;
      }
    }
    std::vector<int> of_tiles;
    for (std::size_t k = count; k-- > 0;) {
      if (!wanted[k]) continue;
      of_tiles.push_back(static_cast<int>(k));
      for (const int operand : kernel_.instructions[k].operands) {
        if (operand >= 0 && value(operand).level == Level::element) wanted[static_cast<std::size_t>(operand)] = true;
      }
    }
    std::reverse(of_tiles.begin(), of_tiles.end());
    append_steps(of_rows, pass.row_steps);
    append_steps(of_tiles, pass.steps);
    plan_.passes.push_back(std::move(pass));
  }
}

void PlanBuilder::add_store(const KernelStore& store) {
  PlannedStore planned;
  planned.argument = store.argument;
  planned.value = {store.value, value(store.value).level == Level::uniform};
  planned.sum = store.sum_over_leading;
  const Level level = value(store.value).level;
  planned.pass = level == Level::element ? storing_pass() : plan_.passes.size() - 1;
  if (planned.sum) {
    planned.sum_count = level == Level::element || level == Level::column ? plan_.row_length : 1;
    planned.sum_offset = plan_.block_sum_bytes;
    plan_.block_sum_bytes += aligned(planned.sum_count * 8);
  }
  plan_.stores.push_back(planned);
}

// A store may overwrite what another store still has to read in place (an input, as it is): sums come first.
void PlanBuilder::build_stores() {
  for (const bool sums : {true, false}) {
    for (const KernelStore& store : kernel_.stores) {
      if (store.sum_over_leading == sums) add_store(store);
    }
  }
  for (std::size_t k = 0; k < plan_.passes.size(); ++k) {
    PlannedPass& pass = plan_.passes[k];
    pass.covers_row =
        !pass.steps.empty() || std::any_of(plan_.stores.begin(), plan_.stores.end(), [&](const PlannedStore& store) {
          const TileAccess& access = plan_.accesses[static_cast<std::size_t>(store.argument)];
          return store.pass == k && access.moves_along_row();
        });
  }
}

}  // namespace asg::cpu
