#include <algorithm>

#include "asg/core/error.h"
#include "backend/cpu/tile_chain_plan.h"
#include "backend/cpu/tile_maths.h"
#include "backend/cpu/tile_plan_builder.h"

namespace asg::cpu {
namespace {

// Longer chains are cut: the links of one are put together on the stack.
constexpr std::size_t kMostMembers = 24;

bool is_comparison(ScalarOp op) {
  return op == ScalarOp::is_nan || (op >= ScalarOp::equal && op <= ScalarOp::greater_or_equal);
}

bool is_logic(ScalarOp op) {
  return op == ScalarOp::logical_not || (op >= ScalarOp::logical_and && op <= ScalarOp::logical_xor);
}

}  // namespace

// A chain is found from its last instruction backwards and computed there: all that it reads is known by then, and what
// it leaves on the way nobody else reads.
void PlanBuilder::find_chains(const std::vector<int>& members) {
  const std::size_t count = kernel_.instructions.size();
  sole_user_.assign(count, -1);
  std::vector<int> users(count, 0);
  std::vector<bool> is_member(count, false);
  for (const int member : members) is_member[static_cast<std::size_t>(member)] = true;
  for (std::size_t k = 0; k < count; ++k) {
    if (!needed_[k]) continue;
    const auto& operands = kernel_.instructions[k].operands;
    for (std::size_t place = 0; place < operands.size(); ++place) {
      const int operand = operands[place];
      const auto* const earlier = operands.data() + place;
      if (operand < 0 || std::find(operands.data(), earlier, operand) != earlier) continue;
      ++users[static_cast<std::size_t>(operand)];
      sole_user_[static_cast<std::size_t>(operand)] = static_cast<int>(k);
    }
  }
  for (const KernelStore& store : kernel_.stores) users[static_cast<std::size_t>(store.value)] += 2;

  before_.assign(count, -1);
  absorbed_.assign(count, false);
  for (std::size_t place = members.size(); place-- > 0;) {
    const int tail = members[place];
    if (absorbed_[static_cast<std::size_t>(tail)] || !is_chainable(instruction(tail), kernel_)) continue;
    int current = tail;
    for (std::size_t length = 1; length < kMostMembers; ++length) {
      int found = -1;
      for (std::size_t k = 0; k < 3; ++k) {
        const int operand = instruction(current).operands[k];
        if (operand <= found || (k == 0 && instruction(current).op == ScalarOp::select)) continue;
        const auto index = static_cast<std::size_t>(operand);
        const bool joins = is_member[index] && users[index] == 1 && sole_user_[index] == current &&
                           is_chainable(instruction(operand), kernel_) && !absorbed_[index] &&
                           value(operand).level == value(tail).level &&
                           lane_of(instruction(operand).dtype) == lane_of(instruction(tail).dtype);
        if (joins) found = operand;
      }
      if (found < 0) break;
      // A condition of the current instruction cannot be the one that runs through it: it is no float.
      before_[static_cast<std::size_t>(current)] = found;
      absorbed_[static_cast<std::size_t>(found)] = true;
      current = found;
    }
  }
}

int PlanBuilder::expanded(int number, std::vector<PlannedStep>& steps) {
  int& copy = expanded_[static_cast<std::size_t>(number)];
  if (copy >= 0) return copy;
  copy = static_cast<int>(plan_.values.size());
  PlannedValue made = value(number);
  made.level = Level::element;
  made.place = PlannedValue::Place::nowhere;
  plan_.values.push_back(made);
  PlannedStep step;
  step.kind = StepKind::expand;
  step.level = Level::element;
  step.result = copy;
  step.operands[0] = {number, value(number).level == Level::uniform};
  steps.push_back(std::move(step));
  return copy;
}

PlannedOperand PlanBuilder::operand_for(int number, Level level, std::vector<PlannedStep>& steps) {
  const Level own = value(number).level;
  if (own == Level::uniform) return {number, true};
  if (own == Level::row && level == Level::element) {
    if (plan_.group == 1) return {number, true};
    return {expanded(number, steps), false};
  }
  return {number, false};
}

PlannedStep PlanBuilder::chain_of(int tail, std::vector<PlannedStep>& steps) {
  std::vector<int> members = {tail};
  while (before_[static_cast<std::size_t>(members.back())] >= 0) {
    members.push_back(before_[static_cast<std::size_t>(members.back())]);
  }
  std::reverse(members.begin(), members.end());

  const Level level = value(tail).level;
  const auto operand_of = [&](int number) { return operand_for(number, level, steps); };
  const KernelInstruction& head = instruction(members.front());
  const std::size_t first = head.op == ScalarOp::select ? 1 : 0;
  PlannedStep step;
  step.kind = StepKind::chain;
  step.operands[0] = operand_of(head.operands[first]);
  int previous = head.operands[first];
  for (const int member : members) {
    append_links(instruction(member), previous, kernel_, operand_of, step.links);
    previous = member;
  }
  return step;
}

PlannedStep PlanBuilder::step_of(int number, std::vector<PlannedStep>& steps) {
  const KernelInstruction& made = instruction(number);
  PlannedStep step;
  const Level level = value(number).level;
  const auto take_operands = [&] {
    for (std::size_t k = 0; k < 3; ++k) {
      if (made.operands[k] >= 0) step.operands[k] = operand_for(made.operands[k], level, steps);
    }
  };
  switch (made.kind) {
    case Kind::constant:
      step.kind = StepKind::constant;
      break;
    case Kind::position:
      step.kind = StepKind::position;
      break;
    case Kind::load:
      step.kind = made.operands[0] >= 0 ? StepKind::gather : StepKind::load;
      // An index of a whole row moves the row; it need not be repeated.
      step.operands[0] = {made.operands[0], false};
      break;
    case Kind::uniform:
    case Kind::normal:
      step.kind = StepKind::random;
      take_operands();
      break;
    case Kind::reduce: {
      step.kind = StepKind::reduce;
      const int from = made.operands[0];
      const bool is_tile = value(from).level == Level::element || value(from).level == Level::column;
      step.operands[0] = {is_tile ? from : expanded(from, steps), false};
      break;
    }
    case Kind::compute:
      if (is_chainable(made, kernel_)) return chain_of(number, steps);
      take_operands();
      if (made.op == ScalarOp::cast) {
        step.kind = StepKind::cast;
      } else if (is_elementary(made.op)) {
        step.kind = StepKind::elementary;
      } else if (made.op == ScalarOp::select) {
        step.kind = StepKind::choose;
      } else if (is_comparison(made.op)) {
        step.kind = StepKind::compare;
      } else if (is_logic(made.op)) {
        step.kind = StepKind::logic;
      } else {
        step.kind = is_float(made.dtype) ? StepKind::power : StepKind::integer;
      }
      break;
  }
  return step;
}

void PlanBuilder::append_steps(const std::vector<int>& members, std::vector<PlannedStep>& steps) {
  find_chains(members);
  expanded_.assign(kernel_.instructions.size(), -1);
  for (const int member : members) {
    if (absorbed_[static_cast<std::size_t>(member)]) continue;
    if (value(member).place == PlannedValue::Place::argument && instruction(member).kind == Kind::load) continue;
    PlannedStep step = step_of(member, steps);
    step.level = value(member).level;
    step.result = member;
    step.instruction = member;
    steps.push_back(std::move(step));
  }
}

}  // namespace asg::cpu
