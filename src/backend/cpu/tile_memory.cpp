// How tiles come from the arguments and go back to them.

#include <algorithm>

#include "asg/core/random.h"
#include "backend/cpu/tile_convert.h"
#include "backend/cpu/tile_reduce.h"
#include "backend/cpu/tile_run.h"

namespace asg::cpu {

void TileRun::run_load(const PlannedStep& step, const TileBox& box) {
  const int argument = instruction(step).argument;
  const DType dtype = kernel_.arguments[static_cast<std::size_t>(argument)].dtype;
  const std::byte* base = arguments_[static_cast<std::size_t>(argument)];
  const std::int64_t width = bytes_of(lane_of(dtype));
  std::byte* to = address(step.result, box);
  const auto load = [&](std::int64_t place, std::int64_t stride, std::int64_t count) {
    load_run(dtype, base + place * bytes_of(dtype), stride, to, static_cast<std::size_t>(count));
    to += count * width;
  };
  if (step.level == Level::uniform) return load(access(argument).place(0, 0), 0, 1);
  if (step.level == Level::row) return access(argument).for_each_row_run(box.row, box.rows, load);
  if (access(argument).has_unit_rows() && access(argument).has_adjacent_rows()) {
    return load(access(argument).place(box.row, box.column), 1, box.count());
  }
  for (std::int64_t row = 0; row < box.rows; ++row) {
    access(argument).for_each_run(box.row + row, box.column, box.columns, load);
  }
}

std::int64_t TileRun::checked_index(std::int64_t index, std::int64_t length) {
  if (index < -length || index >= length) {
    faults_ |= kIndexOutOfRange;
    return 0;
  }
  return index < 0 ? index + length : index;
}

void TileRun::run_gather(const PlannedStep& step, const TileBox& box) {
  const KernelInstruction& made = instruction(step);
  const TileAccess& from = access(made.argument);
  const DType dtype = kernel_.arguments[static_cast<std::size_t>(made.argument)].dtype;
  const std::byte* base = arguments_[static_cast<std::size_t>(made.argument)];
  const std::int64_t width = bytes_of(lane_of(dtype));
  const int index_value = step.operands[0].value;
  const auto* index = reinterpret_cast<const std::int64_t*>(address(index_value, box));
  const Level index_level = value(index_value).level;
  std::byte* to = address(step.result, box);
  if (made.gather_length == 0) {
    faults_ |= kIndexOutOfRange;
    return;
  }

  // Each element by its own index, or runs moved by the index of their row.
  const bool by_element = index_level == Level::element || index_level == Level::column;
  std::int64_t moved = 0;
  const auto load = [&](std::int64_t place, std::int64_t stride, std::int64_t count) {
    if (!by_element) {
      load_run(dtype, base + (place + moved) * bytes_of(dtype), stride, to, static_cast<std::size_t>(count));
      to += count * width;
      return;
    }
    for (std::int64_t k = 0; k < count; ++k) {
      const std::int64_t at = place + k * stride + checked_index(*index++, made.gather_length) * made.gather_stride;
      load_run(dtype, base + at * bytes_of(dtype), 0, to, 1);
      to += width;
    }
  };
  const std::int64_t rows = step.level == Level::uniform ? 1 : box.rows;
  for (std::int64_t row = 0; row < rows; ++row) {
    if (!by_element) {
      moved = checked_index(index[index_level == Level::row ? row : 0], made.gather_length) * made.gather_stride;
    }
    if (step.level == Level::uniform || step.level == Level::row) {
      load(from.place(step.level == Level::row ? box.row + row : 0, 0), 0, 1);
    } else {
      from.for_each_run(box.row + row, box.column, box.columns, load);
    }
  }
}

void TileRun::run_position(const PlannedStep& step, const TileBox& box) {
  const TileAccess& from = access(plan_.position_access[static_cast<std::size_t>(step.instruction)]);
  auto* to = result<std::int64_t>(step, box);
  const auto count_up = [&](std::int64_t place, std::int64_t stride, std::int64_t count) {
    for (std::int64_t k = 0; k < count; ++k) *to++ = place + k * stride;
  };
  if (step.level == Level::uniform) return count_up(from.place(0, 0), 0, 1);
  if (step.level == Level::row) return from.for_each_row_run(box.row, box.rows, count_up);
  for (std::int64_t row = 0; row < box.rows; ++row) {
    from.for_each_run(box.row + row, box.column, box.columns, count_up);
  }
}

void TileRun::run_random(const PlannedStep& step, const TileBox& box) {
  const KernelInstruction& made = instruction(step);
  const auto seed = operand<std::int64_t>(step.operands[0], box);
  const auto count_of_steps = operand<std::int64_t>(step.operands[1], box);
  const auto position = operand<std::int64_t>(step.operands[2], box);
  const auto stream_at = [&](std::size_t k) {
    return RandomStream(static_cast<std::uint64_t>(seed[k]), made.stream,
                        static_cast<std::uint64_t>(count_of_steps[k]));
  };
  const std::size_t count = count_of(step.level, box);
  const bool one_stream = seed.step == 0 && count_of_steps.step == 0;
  RandomStream stream = stream_at(0);
  const auto draw = [&](auto* to) {
    for (std::size_t k = 0; k < count; ++k) {
      if (!one_stream) stream = stream_at(k);
      const auto at = static_cast<std::uint64_t>(position[k]);
      const double drawn = made.kind == KernelInstruction::Kind::uniform ? stream.uniform(at) : stream.normal(at);
      to[k] = static_cast<std::remove_reference_t<decltype(*to)>>(drawn);
    }
  };
  if (lane_of(made.dtype) == Lane::f64) return draw(result<double>(step, box));
  if (made.dtype == DType::f32) return draw(result<float>(step, box));
  // Rounded once, from f64.
  auto* to = result<float>(step, box);
  for (std::size_t k = 0; k < count; ++k) {
    if (!one_stream) stream = stream_at(k);
    const auto at = static_cast<std::uint64_t>(position[k]);
    const double drawn = made.kind == KernelInstruction::Kind::uniform ? stream.uniform(at) : stream.normal(at);
    cast_tile(DType::f64, reinterpret_cast<const std::byte*>(&drawn), made.dtype, reinterpret_cast<std::byte*>(to + k),
              1);
  }
}

void TileRun::store_all(std::size_t pass, const TileBox& box) {
  for (const PlannedStore& each : plan_.stores) {
    if (each.pass != pass) continue;
    if (each.sum) {
      add_to_sums(each, box);
    } else if (!each.done) {
      store(each, box);
    }
  }
}

void TileRun::store(const PlannedStore& each, const TileBox& box) {
  const DType dtype = kernel_.arguments[static_cast<std::size_t>(each.argument)].dtype;
  std::byte* base = arguments_[static_cast<std::size_t>(each.argument)];
  const TileAccess& to = access(each.argument);
  const Level level = value(each.value.value).level;
  const std::byte* from = address(each.value.value, box);
  const std::int64_t width = bytes_of(lane_of(value(each.value.value).dtype));
  const bool by_element = level == Level::element || level == Level::column;
  const auto put = [&](std::int64_t place, std::int64_t stride, std::int64_t count) {
    store_run(dtype, from, by_element ? 1 : 0, base + place * bytes_of(dtype), stride, static_cast<std::size_t>(count));
    if (by_element) from += count * width;
  };
  if (by_element && to.has_unit_rows() && to.has_adjacent_rows()) {
    return put(to.place(box.row, box.column), 1, box.count());
  }
  for (std::int64_t row = 0; row < box.rows; ++row) {
    if (by_element || to.moves_along_row()) {
      to.for_each_run(box.row + row, box.column, box.columns, put);
    } else if (box.column == 0) {
      put(to.place(box.row + row, 0), 0, 1);  // once per row
    }
    if (level == Level::row) from += width;
  }
}

void TileRun::add_to_sums(const PlannedStore& each, const TileBox& box) {
  const Level level = value(each.value.value).level;
  const bool by_element = level == Level::element || level == Level::column;
  if (!by_element && box.column != 0) return;
  const std::byte* from = address(each.value.value, box);
  std::byte* sums = sums_ + each.sum_offset + (by_element ? box.column * 8 : 0);
  const auto columns = by_element ? static_cast<std::size_t>(box.columns) : std::size_t{1};
  const auto add = [&]<class T, class Wide>(const T* values, Wide* totals) {
    if (level != Level::uniform) return add_rows(values, static_cast<std::size_t>(box.rows), columns, totals);
    for (std::int64_t row = 0; row < box.rows; ++row) add_rows(values, 1, columns, totals);
  };
  switch (lane_of(value(each.value.value).dtype)) {
    case Lane::f32:
      return add(reinterpret_cast<const float*>(from), reinterpret_cast<double*>(sums));
    case Lane::f64:
      return add(reinterpret_cast<const double*>(from), reinterpret_cast<double*>(sums));
    default:
      return add(reinterpret_cast<const std::int64_t*>(from), reinterpret_cast<std::int64_t*>(sums));
  }
}

void TileRun::finish_sums(const std::byte* sums, std::int64_t blocks) {
  for (const PlannedStore& each : plan_.stores) {
    if (!each.sum) continue;
    const DType dtype = kernel_.arguments[static_cast<std::size_t>(each.argument)].dtype;
    const bool is_integer = lane_of(dtype) == Lane::i64;
    std::byte* base = arguments_[static_cast<std::size_t>(each.argument)];
    const auto total_at = [&](std::int64_t column, std::byte* lane) {
      const std::byte* part = sums + each.sum_offset + (each.sum_count == 1 ? 0 : column * 8);
      double real = 0;
      std::int64_t whole = 0;
      for (std::int64_t block = 0; block < blocks; ++block, part += plan_.block_sum_bytes) {
        if (is_integer) {
          whole = combine(Reduction::sum, whole, *reinterpret_cast<const std::int64_t*>(part));
        } else {
          real += *reinterpret_cast<const double*>(part);
        }
      }
      const auto* total =
          is_integer ? reinterpret_cast<const std::byte*>(&whole) : reinterpret_cast<const std::byte*>(&real);
      cast_tile(is_integer ? DType::i64 : DType::f64, total, dtype, lane, 1);
    };
    std::int64_t column = 0;
    const auto put = [&](std::int64_t place, std::int64_t stride, std::int64_t count) {
      for (std::int64_t k = 0; k < count; ++k) {
        alignas(8) std::byte lane[8];
        total_at(column++, lane);
        store_run(dtype, lane, 0, base + (place + k * stride) * bytes_of(dtype), 0, 1);
      }
    };
    if (each.sum_count == 1 && !access(each.argument).moves_along_row()) {
      put(access(each.argument).place(0, 0), 0, 1);
    } else {
      access(each.argument).for_each_run(0, 0, plan_.row_length, put);
    }
  }
}

}  // namespace asg::cpu
