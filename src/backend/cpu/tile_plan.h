#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "asg/compile/kernel.h"
#include "backend/cpu/tile_access.h"
#include "backend/cpu/tile_chain.h"
#include "backend/cpu/tile_lane.h"

// How a kernel is computed tile by tile: what make_tile_plan decides once and TileRun follows.
namespace asg::cpu {

// What a value depends on, and so how many elements of it a tile has.
enum class Level : std::uint8_t {
  uniform,  // on nothing: one element, computed once
  row,      // on the row: one for each row of the tile
  column,   // on the place in the row: a whole tile, computed once because all tiles hold whole rows
  element   // on both
};

// A value, and whether its one element serves for all elements of the step.
struct PlannedOperand {
  int value = -1;
  bool single = false;
};

struct PlannedValue {
  enum class Place : std::uint8_t {
    nowhere,  // inside a chain, or not needed
    slot,     // in scratch memory
    argument  // where an argument has it: a load without a copy, or a store without one
  };
  DType dtype = DType::f32;
  Level level = Level::element;
  Place place = Place::nowhere;
  std::int64_t offset = 0;  // of the slot, in bytes
  int argument = -1;
};

struct PlannedLink {
  ChainCode code = ChainCode::add;
  ChainOperand kind = ChainOperand::none;
  PlannedOperand operand = {};
  PlannedOperand condition = {};
};

struct PlannedStep {
  enum class Kind : std::uint8_t {
    constant,
    load,
    gather,
    position,
    random,
    chain,
    elementary,
    power,
    compare,
    logic,
    integer,
    cast,
    choose,
    reduce,
    expand  // a value with fewer elements, repeated to a tile
  };
  Kind kind = Kind::constant;
  Level level = Level::element;
  int result = -1;
  int instruction = -1;                         // of the kernel; -1 of an expand
  std::array<PlannedOperand, 3> operands = {};  // of a chain: what enters it
  std::vector<PlannedLink> links = {};
};

// Steps over the tiles of a row, and what must be known of the row before them. Kernels whose rows fit into a tile
// have one pass; longer rows are read once for each stage of reductions. Where no element depends on a reduction, all
// elements are done in the first pass.
struct PlannedPass {
  std::vector<PlannedStep> row_steps = {};
  std::vector<PlannedStep> steps = {};
  bool covers_row = true;  // else nothing is left to do but stores of whole rows
};

struct PlannedStore {
  int argument = -1;
  PlannedOperand value = {};
  bool sum = false;
  bool done = false;            // the step that makes the value writes it in place
  std::size_t pass = 0;         // after whose steps it is stored
  std::int64_t sum_offset = 0;  // of a sum, within the partial sums of a block
  std::int64_t sum_count = 0;
};

struct TilePlan {
  // The space as rows; where nothing is reduced this need not be the kernel's own split.
  std::int64_t rows = 0;
  std::int64_t row_length = 0;
  std::int64_t kernel_row_length = 1;
  std::vector<TileAccess> accesses = {};  // of the arguments, then of the positions
  std::vector<int> position_access = {};  // of each instruction; -1 of others

  // A tile is `group` whole rows, or one part of a row of `columns` elements.
  std::int64_t group = 1;
  std::int64_t columns = 0;
  std::int64_t run_length = 0;  // of a staged row: tiles end where the arguments' runs do, after each so many elements
  bool staged = false;          // rows with reductions that are longer than a tile
  bool by_rows = false;         // tiles begin at the start of a row

  std::vector<PlannedValue> values = {};  // of the instructions, then of the expanded copies
  std::vector<PlannedStep> prologue = {};
  std::vector<PlannedPass> passes = {};
  std::vector<PlannedStore> stores = {};

  std::int64_t thread_bytes = 0;  // scratch of one thread
  std::int64_t block_points = 0;  // points of a block, the unit that threads share out
  std::int64_t blocks = 0;
  std::int64_t block_sum_bytes = 0;  // partial sums of one block
};

// Whether tiles can hold what the kernel computes: not where it has u64, which i64 lanes cannot hold.
bool tiles_support(const Kernel& kernel);

TilePlan make_tile_plan(const Kernel& kernel);

constexpr std::int64_t kScratchAlignment = 64;
inline std::int64_t aligned(std::int64_t bytes) {
  return (bytes + kScratchAlignment - 1) / kScratchAlignment * kScratchAlignment;
}

}  // namespace asg::cpu
