#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "asg/compile/kernel.h"

namespace asg {

// What a GPU allows, as far as plans depend on it. Never its number of multiprocessors: how sums are divided follows
// from the shape alone, so that the same kernel gives the same bits on every GPU with the same limits.
struct GpuLimits {
  int warp = 32;                           // threads that exchange values without shared memory; 1: none do
  int block_threads = 1024;                // at most, in a block
  std::int64_t shared_bytes = 224 * 1024;  // at most, of a block
  int access_bytes = 16;                   // the widest access of a thread
  bool copies_ahead = true;                // to shared memory, while threads compute
  std::int64_t blocks = 528;               // keep a large GPU busy: 4 on each of 132 multiprocessors
};

// A launch. Phases run one after the other; a later one reads what the earlier ones left in the workspace.
struct GpuPhase {
  enum class Work : std::uint8_t {
    points,      // computes and stores points
    rows,        // reduces rows and stores what depends on the reductions; leaves partial sums over the rows
    columns,     // sums over the rows: leaves one partial sum for each column and part of the rows
    finish,      // adds partial sums in order and stores the sums
    reduce,      // of divided rows: reduces parts of rows, level by level of `level`
    store,       // of divided rows: stores elements, once everything is reduced
    store_once,  // of divided rows: stores the values of which each row has one
  };
  Work work = Work::points;
  int level = 0;
  std::int64_t blocks = 1;
  int threads = 1;                // of a block
  std::int64_t shared_bytes = 0;  // for kept values; what reductions need comes on top

  friend bool operator==(const GpuPhase&, const GpuPhase&) = default;
};
std::string_view name_of(GpuPhase::Work work);

// How a GPU computes a kernel: everything that a renderer has to know besides the text of single instructions.
//
// A thread works on vectors of `vector` neighbouring elements. Arguments that are dense along a vector are read and
// written by one access each; arrays have to begin at multiples of `access_bytes`. Of rows, `row_threads` threads work
// on each of the `block_rows` rows that a block holds at a time; vector number e of thread t of a row is number
// e · row_threads + t of the row.
struct GpuPlan {
  enum class Shape : std::uint8_t {
    points,        // no reductions: a thread for each vector of points
    warp_rows,     // a warp, or a part of one, for each row
    block_rows,    // several warps for each row
    split_rows,    // sums over the rows without reductions: a block for some columns and a part of the rows
    split_columns  // few long rows: several blocks for each row
  };
  enum class Access : std::uint8_t {
    element,  // each element by itself
    vector,   // a whole vector at once
    uniform   // one element for the whole vector
  };
  enum class Keep : std::uint8_t { nothing, registers, shared };

  Kernel kernel;  // with merged axes; sums over all points have become a reduction of one row
  Shape shape = Shape::points;
  bool wide_index = false;  // 64-bit, where 32 bits do not count everything
  int vector = 1;
  bool shifted = false;        // rows begin anywhere in a vector: the first vector of a row begins before it
  std::vector<Access> access;  // of each argument

  // Rows.
  int row_threads = 1;
  int block_rows = 1;
  bool across = false;       // neighbouring threads work on neighbouring rows, not on neighbouring elements
  std::int64_t vectors = 1;  // of each thread in a row, or in its part of a row
  Keep keep = Keep::nothing;
  bool ahead = false;      // what is kept of the next row is copied while the last pass works on the row
  std::vector<int> kept;   // values that one pass over the row leaves for the next ones
  std::int64_t parts = 1;  // of the rows (split_rows, sums of rows) or of each row (split_columns)

  std::vector<GpuPhase> phases;
  std::int64_t workspace_bytes = 0;
};
std::string_view name_of(GpuPlan::Shape shape);

// A function of the description and the limits alone. Throws InternalError like check_kernel.
GpuPlan plan_gpu(const Kernel& kernel, const GpuLimits& limits = {});

// For people: the choices, a line for each of arguments and phases.
std::string to_text(const GpuPlan& plan);

}  // namespace asg
