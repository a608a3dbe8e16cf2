#include <algorithm>
#include <functional>

#include "backend/cpu/tile_plan_builder.h"

namespace asg::cpu {
namespace {

using Place = PlannedValue::Place;

// Calls visit(value) for all that a step reads.
template <class Visit>
void for_each_read(const PlannedStep& step, Visit visit) {
  for (const PlannedOperand& operand : step.operands) {
    if (operand.value >= 0) visit(operand.value);
  }
  for (const PlannedLink& link : step.links) {
    if (link.operand.value >= 0) visit(link.operand.value);
    if (link.condition.value >= 0) visit(link.condition.value);
  }
}

}  // namespace

std::int64_t PlanBuilder::element_count(Level level) const {
  switch (level) {
    case Level::uniform:
      return 1;
    case Level::row:
      return plan_.group;
    case Level::column:
    case Level::element:
      break;
  }
  return plan_.group * plan_.columns;
}

std::int64_t PlanBuilder::allocate(std::int64_t bytes) {
  const std::int64_t offset = plan_.thread_bytes;
  plan_.thread_bytes += aligned(bytes);
  return offset;
}

// Values of rows and of the start are small or few, and live throughout.
void PlanBuilder::place_kept(std::vector<PlannedStep>& steps) {
  for (const PlannedStep& step : steps) {
    PlannedValue& made = value(step.result);
    if (made.level == Level::element) continue;
    made.place = Place::slot;
    // A reduction over parts of a row keeps its running value, which is wider, in the same place.
    made.offset = allocate(element_count(made.level) * 8);
  }
}

// Whether a pass before the one that stores makes the value too: written to an output, it would spoil the inputs that
// later passes read again.
bool PlanBuilder::is_made_earlier(int number) const {
  for (std::size_t k = 0; k < storing_pass(); ++k) {
    for (const PlannedStep& step : plan_.passes[k].steps) {
      if (step.result == number) return true;
    }
  }
  return false;
}

// The last step that reads what the output may have been placed over: anything read directly from an argument, and
// loads with the strides of the output. `steps.size()` where a store does.
std::size_t PlanBuilder::last_reader(const std::vector<PlannedStep>& steps, const KernelArgument& output) const {
  const auto is_input = [&](int number) {
    const PlannedValue& read = value(number);
    return read.place == Place::argument && !kernel_.arguments[static_cast<std::size_t>(read.argument)].output;
  };
  const bool is_stored = std::any_of(plan_.stores.begin(), plan_.stores.end(),
                                     [&](const PlannedStore& store) { return is_input(store.value.value); });
  if (is_stored) return steps.size();
  std::size_t last = 0;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    for_each_read(steps[k], [&](int read) {
      if (is_input(read)) last = k;
    });
    if (steps[k].kind != PlannedStep::Kind::load) continue;
    const KernelArgument& loaded =
        kernel_.arguments[static_cast<std::size_t>(instruction(steps[k].instruction).argument)];
    if (loaded.offset == output.offset && loaded.strides == output.strides &&
        bytes_of(loaded.dtype) == bytes_of(output.dtype)) {
      last = k;
    }
  }
  return last;
}

// The step that makes a value may write it directly to where it is stored, unless a later step still reads what the
// output may have been placed over.
void PlanBuilder::write_in_place(std::vector<PlannedStep>& steps) {
  for (PlannedStore& store : plan_.stores) {
    PlannedValue& stored = value(store.value.value);
    const TileAccess& access = plan_.accesses[static_cast<std::size_t>(store.argument)];
    const KernelArgument& output = kernel_.arguments[static_cast<std::size_t>(store.argument)];
    if (store.sum || stored.level != Level::element || stored.place != Place::nowhere) continue;
    if (!is_lane_itself(output.dtype) || output.dtype != stored.dtype || !is_in_place(access, Level::element)) continue;
    const auto maker = std::find_if(steps.begin(), steps.end(),
                                    [&](const PlannedStep& step) { return step.result == store.value.value; });
    const auto made = static_cast<std::size_t>(maker - steps.begin());
    if (made < last_reader(steps, output) || is_made_earlier(store.value.value)) continue;
    stored.place = Place::argument;
    stored.argument = store.argument;
    store.done = true;
  }
}

// Tiles share slots: one is free again after the last step that reads it. Returns the bytes of all slots.
std::int64_t PlanBuilder::place_tiles(const std::vector<PlannedStep>& steps, bool with_stores) {
  std::vector<std::size_t> last_read(plan_.values.size(), 0);
  for (std::size_t k = 0; k < steps.size(); ++k) {
    for_each_read(steps[k], [&](int read) { last_read[static_cast<std::size_t>(read)] = k; });
  }
  if (with_stores) {
    for (const PlannedStore& store : plan_.stores)
      last_read[static_cast<std::size_t>(store.value.value)] = steps.size();
  }

  struct Slot {
    std::int64_t width;
    std::int64_t offset;
    bool free;
  };
  std::vector<Slot> slots;
  std::int64_t bytes = 0;
  std::vector<std::size_t> slot_of(plan_.values.size(), 0);
  for (std::size_t k = 0; k < steps.size(); ++k) {
    // First what is read here for the last time: the result may take its place, element by element. Where several
    // passes make the same value it has one place in all of them, and keeps it.
    for_each_read(steps[k], [&](int read) {
      if (plan_.staged && !elements_first_) return;
      const PlannedValue& operand = value(read);
      const bool in_tile_slot = operand.level == Level::element && operand.place == Place::slot;
      if (in_tile_slot && last_read[static_cast<std::size_t>(read)] == k) {
        slots[slot_of[static_cast<std::size_t>(read)]].free = true;
      }
    });
    PlannedValue& made = value(steps[k].result);
    if (made.level != Level::element || made.place != Place::nowhere) continue;
    const std::int64_t width = bytes_of(lane_of(made.dtype));
    auto slot =
        std::find_if(slots.begin(), slots.end(), [&](const Slot& each) { return each.free && each.width == width; });
    if (slot == slots.end()) {
      slots.push_back({width, bytes, false});
      slot = slots.end() - 1;
      bytes += aligned(width * element_count(Level::element));
      bytes_per_point_ += width;
    }
    slot->free = false;
    slot_of[static_cast<std::size_t>(steps[k].result)] = static_cast<std::size_t>(slot - slots.begin());
    made.place = Place::slot;
    made.offset = plan_.thread_bytes + slot->offset;
  }
  return bytes;
}

void PlanBuilder::place_values() {
  place_kept(plan_.prologue);
  for (PlannedPass& pass : plan_.passes) {
    place_kept(pass.row_steps);
    place_kept(pass.steps);
  }
  write_in_place(plan_.passes[storing_pass()].steps);
  for (std::size_t k = 0; k < plan_.passes.size(); ++k) {
    plan_.thread_bytes += place_tiles(plan_.passes[k].steps, k == storing_pass());
  }
  for (const PlannedValue& each : plan_.values) {
    if (each.place == Place::argument) bytes_per_point_ += bytes_of(lane_of(each.dtype));
  }
}

}  // namespace asg::cpu
