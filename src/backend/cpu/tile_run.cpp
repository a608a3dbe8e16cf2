#include "backend/cpu/tile_run.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "backend/cpu/tile_convert.h"
#include "backend/cpu/tile_integer.h"
#include "backend/cpu/tile_maths.h"
#include "backend/cpu/tile_reduce.h"

namespace asg::cpu {
namespace {

// What the reduction of no integers of a dtype gives.
std::int64_t empty_integer(Reduction reduction, DType dtype) {
  const std::int64_t upper = std::numeric_limits<std::int64_t>::max() >> (64 - bits_of(dtype));
  switch (reduction) {
    case Reduction::sum:
      return 0;
    case Reduction::prod:
      return 1;
    case Reduction::max:
      return is_signed_int(dtype) ? -upper - 1 : 0;
    case Reduction::min:
      break;
  }
  return is_signed_int(dtype) ? upper : 2 * upper + 1;
}

}  // namespace

std::size_t TileRun::count_of(Level level, const TileBox& box) {
  switch (level) {
    case Level::uniform:
      return 1;
    case Level::row:
      return static_cast<std::size_t>(box.rows);
    case Level::column:
    case Level::element:
      break;
  }
  return static_cast<std::size_t>(box.count());
}

std::byte* TileRun::address(int number, const TileBox& box) const {
  const PlannedValue& from = value(number);
  if (from.place == PlannedValue::Place::argument) {
    const DType dtype = kernel_.arguments[static_cast<std::size_t>(from.argument)].dtype;
    return arguments_[static_cast<std::size_t>(from.argument)] +
           access(from.argument).place(box.row, box.column) * bytes_of(dtype);
  }
  // What is the same in all rows was computed from column 0 on.
  const std::int64_t column = from.level == Level::column ? box.column : 0;
  return scratch_ + from.offset + column * bytes_of(lane_of(from.dtype));
}

void TileRun::start() {
  const TileBox box{.row = 0, .rows = plan_.group, .column = 0, .columns = plan_.columns};
  for (const PlannedStep& step : plan_.prologue) run_step(step, box);
}

void TileRun::run_points(std::int64_t first, std::int64_t last) {
  const std::int64_t length = plan_.row_length;
  while (first < last) {
    TileBox box{.row = first / length, .rows = 1, .column = first % length, .columns = 0};
    if (plan_.staged) {
      run_staged_row(box.row);
      first += length;
      continue;
    }
    if (box.column == 0 && last - first >= length && plan_.columns == length) {
      box.rows = std::min(plan_.group, (last - first) / length);
    }
    box.columns = std::min({plan_.columns, length - box.column, last - first});
    run_tile(box);
    first += box.count();
  }
}

void TileRun::run_empty_rows(std::int64_t first, std::int64_t last) {
  for (; first < last; first += plan_.group) {
    run_tile({.row = first, .rows = std::min(plan_.group, last - first), .column = 0, .columns = 0});
  }
}

void TileRun::run_tile(const TileBox& box) {
  for (const PlannedStep& step : plan_.passes.front().steps) run_step(step, box);
  store_all(0, box);
}

void TileRun::run_staged_row(std::int64_t row) {
  for (std::size_t number = 0; number < plan_.passes.size(); ++number) {
    const PlannedPass& pass = plan_.passes[number];
    TileBox box{.row = row, .rows = 1, .column = 0, .columns = std::min(plan_.columns, plan_.row_length)};
    for (const PlannedStep& step : pass.row_steps) run_step(step, box);
    if (!pass.covers_row) {
      store_all(number, box);
      continue;
    }
    for (; box.column < plan_.row_length; box.column += box.columns) {
      const std::int64_t run = plan_.run_length - box.column % plan_.run_length;
      box.columns = std::min({plan_.columns, run, plan_.row_length - box.column});
      first_part_ = box.column == 0;
      for (const PlannedStep& step : pass.steps) run_step(step, box);
      store_all(number, box);
    }
    // The running values of reductions become values.
    for (const PlannedStep& step : pass.steps) {
      if (step.kind != PlannedStep::Kind::reduce || lane_of(value(step.result).dtype) != Lane::f32) continue;
      std::byte* slot = address(step.result, box);
      cast_tile(DType::f64, slot, value(step.result).dtype, slot, 1);
    }
  }
}

void TileRun::run_step(const PlannedStep& step, const TileBox& box) {
  using Kind = PlannedStep::Kind;
  const std::size_t count = count_of(step.level, box);
  switch (step.kind) {
    case Kind::constant:
      return run_constant(step);
    case Kind::load:
      return run_load(step, box);
    case Kind::gather:
      return run_gather(step, box);
    case Kind::position:
      return run_position(step, box);
    case Kind::random:
      return run_random(step, box);
    case Kind::chain:
      return run_chain_step(step, box);
    case Kind::elementary:
    case Kind::power:
      return run_elementary(step, box);
    case Kind::compare:
      return run_compare(step, box);
    case Kind::logic: {
      const PlannedOperand second = step.operands[1].value < 0 ? step.operands[0] : step.operands[1];
      return join_flags(instruction(step).op, operand<std::uint8_t>(step.operands[0], box),
                        operand<std::uint8_t>(second, box), result<std::uint8_t>(step, box), count);
    }
    case Kind::integer: {
      const PlannedOperand second = step.operands[1].value < 0 ? step.operands[0] : step.operands[1];
      faults_ |=
          compute_integers(instruction(step).op, instruction(step).dtype, operand<std::int64_t>(step.operands[0], box),
                           operand<std::int64_t>(second, box), result<std::int64_t>(step, box), count);
      return;
    }
    case Kind::cast:
      return cast_tile(value(step.operands[0].value).dtype, address(step.operands[0].value, box),
                       instruction(step).dtype, address(step.result, box), count);
    case Kind::choose:
      return run_choose(step, box);
    case Kind::reduce:
      return run_reduce(step, box);
    case Kind::expand:
      return run_expand(step, box);
  }
}

void TileRun::run_constant(const PlannedStep& step) {
  const KernelInstruction& made = instruction(step);
  std::byte* to = scratch_ + value(step.result).offset;
  if (is_float(made.dtype)) {
    cast_tile(DType::f64, reinterpret_cast<const std::byte*>(&made.number), made.dtype, to, 1);
  } else {
    cast_tile(DType::i64, reinterpret_cast<const std::byte*>(&made.integer), made.dtype, to, 1);
  }
}

void TileRun::run_chain_step(const PlannedStep& step, const TileBox& box) {
  constexpr std::size_t kMostLinks = 48;  // two for each member of a chain
  ChainLink links[kMostLinks];
  std::size_t used = 0;
  for (const PlannedLink& planned : step.links) {
    ChainLink& link = links[used++];
    link = {.code = planned.code, .kind = planned.kind};
    if (planned.operand.value >= 0) link.operand = address(planned.operand.value, box);
    if (planned.condition.value >= 0) {
      link.condition = reinterpret_cast<const std::uint8_t*>(address(planned.condition.value, box));
      link.condition_step = planned.condition.single ? 0 : 1;
    }
  }
  const std::span<const ChainLink> all(links, used);
  const std::size_t count = count_of(step.level, box);
  if (lane_of(value(step.result).dtype) == Lane::f32) {
    const auto from = operand<float>(step.operands[0], box);
    run_chain(from.values, from.step, all, result<float>(step, box), count);
  } else {
    const auto from = operand<double>(step.operands[0], box);
    run_chain(from.values, from.step, all, result<double>(step, box), count);
  }
}

void TileRun::round_result(const PlannedStep& step, std::size_t count, const TileBox& box) {
  const DType dtype = value(step.result).dtype;
  if (dtype == DType::f32 || dtype == DType::f64) return;
  const ChainLink link{.code = dtype == DType::f16 ? ChainCode::to_f16 : ChainCode::to_bf16};
  auto* tile = result<float>(step, box);
  run_chain(tile, 1, std::span(&link, 1), tile, count);
}

void TileRun::run_elementary(const PlannedStep& step, const TileBox& box) {
  const std::size_t count = count_of(step.level, box);
  const ScalarOp op = instruction(step).op;
  const auto compute = [&]<class T>(T* to) {
    const auto from = operand<T>(step.operands[0], box);
    if (step.kind == PlannedStep::Kind::elementary) return apply_elementary(op, from.values, to, count);
    const auto exponent = operand<T>(step.operands[1], box);
    apply_pow(from.values, from.step, exponent.values, exponent.step, to, count);
  };
  if (lane_of(value(step.result).dtype) == Lane::f64) return compute(result<double>(step, box));
  compute(result<float>(step, box));
  round_result(step, count, box);
}

void TileRun::run_compare(const PlannedStep& step, const TileBox& box) {
  const PlannedOperand first = step.operands[0];
  const PlannedOperand second = step.operands[1].value < 0 ? first : step.operands[1];
  const auto compare = [&]<class T>(T) {
    compare_tiles(instruction(step).op, operand<T>(first, box), operand<T>(second, box),
                  result<std::uint8_t>(step, box), count_of(step.level, box));
  };
  switch (lane_of(value(first.value).dtype)) {
    case Lane::f32:
      return compare(float{});
    case Lane::f64:
      return compare(double{});
    case Lane::i64:
      return compare(std::int64_t{});
    case Lane::boolean:
      return compare(std::uint8_t{});
  }
}

void TileRun::run_choose(const PlannedStep& step, const TileBox& box) {
  const auto choose = [&]<class T>(T) {
    choose_tiles(operand<std::uint8_t>(step.operands[0], box), operand<T>(step.operands[1], box),
                 operand<T>(step.operands[2], box), result<T>(step, box), count_of(step.level, box));
  };
  // Floats are chosen in chains.
  if (lane_of(value(step.result).dtype) == Lane::boolean) return choose(std::uint8_t{});
  choose(std::int64_t{});
}

void TileRun::run_expand(const PlannedStep& step, const TileBox& box) {
  const Lane lane = lane_of(value(step.result).dtype);
  const std::byte* from = address(step.operands[0].value, box);
  std::byte* to = address(step.result, box);
  const std::int64_t width = bytes_of(lane);
  for (std::int64_t row = 0; row < box.rows; ++row) {
    fill_tile(lane, from + (step.operands[0].single ? 0 : row * width), to + row * box.columns * width,
              static_cast<std::size_t>(box.columns));
  }
}

// In a staged row the slot holds the running f64 or i64 value until the row is done.
void TileRun::run_reduce(const PlannedStep& step, const TileBox& box) {
  const Reduction reduction = instruction(step).reduction;
  const auto columns = static_cast<std::size_t>(box.columns);
  const DType dtype = value(step.result).dtype;
  const auto reduce_rows = [&]<class T, class Wide>(const T* from, Wide* to, DType wide) {
    for (std::int64_t row = 0; row < box.rows; ++row) {
      Wide total = reduce_run(reduction, from + row * box.columns, columns);
      if constexpr (std::is_same_v<Wide, std::int64_t>) {
        if (columns == 0) total = empty_integer(reduction, dtype);
      }
      if (plan_.staged) {
        *to = first_part_ ? total : combine(reduction, *to, total);
        if (wide == DType::i64) wrap_tile(dtype, reinterpret_cast<std::int64_t*>(to), 1);
        continue;
      }
      std::byte* slot = address(step.result, box) + row * bytes_of(lane_of(dtype));
      cast_tile(wide, reinterpret_cast<const std::byte*>(&total), dtype, slot, 1);
    }
  };
  const std::byte* from = address(step.operands[0].value, box);
  switch (lane_of(dtype)) {
    case Lane::f32:
      return reduce_rows(reinterpret_cast<const float*>(from), result<double>(step, box), DType::f64);
    case Lane::f64:
      return reduce_rows(reinterpret_cast<const double*>(from), result<double>(step, box), DType::f64);
    default:
      return reduce_rows(reinterpret_cast<const std::int64_t*>(from), result<std::int64_t>(step, box), DType::i64);
  }
}

}  // namespace asg::cpu
