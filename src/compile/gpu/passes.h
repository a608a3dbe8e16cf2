#pragma once

#include <cstddef>
#include <vector>

#include "asg/compile/kernel.h"

// Passes over a row: one for each level of reductions, and a last one that stores.
namespace asg::gpu {

// A number as a place in a list.
inline std::size_t place(int number) { return static_cast<std::size_t>(number); }

// Whether a store writes one value per row, not one per element of it.
bool stores_once(const Kernel& kernel, const KernelStore& store);

// Everything that the stores depend on.
std::vector<bool> needed_values(const Kernel& kernel);

// How many reductions must be finished, one after the other, before each value is known.
std::vector<int> levels_of(const Kernel& kernel);

// Values that are the same along the row belong to no pass.
struct Pass {
  std::vector<int> reductions;  // that this pass makes, in order
  std::vector<int> values;      // of elements, that it computes, in order
  std::vector<int> reads;       // values of elements that earlier passes left
};

// `kept` values are computed by the first pass that needs them and read by later ones; all others are computed again in
// each pass.
std::vector<Pass> passes_of(const Kernel& kernel, const std::vector<int>& kept);

// Values of the row that depend on a gather, before all reductions, and that the pass does without: what it reads need
// not wait for them.
std::vector<bool> late_values(const Kernel& kernel, const Pass& first);

// Values of elements that more than one pass needs, each of which is worth a place; and how many words of 32 bits
// an element takes where most of them are alive.
struct Keepers {
  std::vector<int> values;
  int words = 0;
};
Keepers values_to_keep(const Kernel& kernel);

// Loads among them that more than one pass reads when nothing is kept.
std::vector<int> loads_to_keep(const Kernel& kernel);

}  // namespace asg::gpu
