#include "backend/cpu/tile_plan_builder.h"

namespace asg::cpu {

void PlanBuilder::find_needed() {
  needed_.assign(kernel_.instructions.size(), false);
  for (const KernelStore& store : kernel_.stores) needed_[static_cast<std::size_t>(store.value)] = true;
  for (std::size_t k = kernel_.instructions.size(); k-- > 0;) {
    if (!needed_[k]) continue;
    for (const int operand : kernel_.instructions[k].operands) {
      if (operand >= 0) needed_[static_cast<std::size_t>(operand)] = true;
    }
  }
}

void PlanBuilder::find_levels() {
  // What is the same in all rows is computed once, before the first tile, where there are several. One row gains
  // nothing by it, and the call that an epilogue belongs to has not made the whole of its row by then.
  const bool is_shared = plan_.columns == plan_.row_length && plan_.rows > 1;
  for (std::size_t k = 0; k < kernel_.instructions.size(); ++k) {
    const KernelInstruction& made = kernel_.instructions[k];
    bool with_rows = false;
    bool along_row = false;
    for (const int operand : made.operands) {
      if (operand < 0) continue;
      const Level level = value(operand).level;
      with_rows = with_rows || level == Level::row || level == Level::element;
      along_row = along_row || level == Level::column || level == Level::element;
    }
    if (made.kind == Kind::load || made.kind == Kind::position) {
      const int access = made.kind == Kind::load ? made.argument : plan_.position_access[k];
      with_rows = with_rows || plan_.accesses[static_cast<std::size_t>(access)].moves_with_rows();
      along_row = along_row || plan_.accesses[static_cast<std::size_t>(access)].moves_along_row();
    }
    if (made.kind == Kind::reduce) {
      // Even of what is the same in all rows: a reduction needs a tile, which the start of a run does not have.
      with_rows = true;
      along_row = false;
    }
    Level level = with_rows ? Level::row : Level::uniform;
    if (along_row) level = with_rows || !is_shared ? Level::element : Level::column;
    plan_.values[k].dtype = made.dtype;
    plan_.values[k].level = level;
  }
}

bool PlanBuilder::is_in_place(const TileAccess& access, Level level) const {
  if (!access.has_unit_runs(plan_.run_length)) return false;
  if (plan_.group == 1) return level == Level::element || level == Level::column;
  return level == Level::element && access.has_adjacent_rows();
}

// Whether a loaded value is stored unchanged while another store could overwrite the memory it was loaded from.
bool PlanBuilder::is_copied_beside_others(int load) const {
  std::size_t stores = 0;
  bool is_copied = false;
  for (const KernelStore& store : kernel_.stores) {
    if (store.sum_over_leading) continue;
    ++stores;
    is_copied = is_copied || store.value == load;
  }
  return is_copied && stores > 1;
}

// Loads that tiles can read directly from the argument take no step.
void PlanBuilder::place_loads() {
  for (std::size_t k = 0; k < kernel_.instructions.size(); ++k) {
    const KernelInstruction& load = kernel_.instructions[k];
    if (load.kind != Kind::load || load.operands[0] >= 0 || !is_lane_itself(load.dtype)) continue;
    if (!is_in_place(plan_.accesses[static_cast<std::size_t>(load.argument)], plan_.values[k].level)) continue;
    if (is_copied_beside_others(static_cast<int>(k))) continue;
    plan_.values[k].place = PlannedValue::Place::argument;
    plan_.values[k].argument = load.argument;
  }
}

}  // namespace asg::cpu
