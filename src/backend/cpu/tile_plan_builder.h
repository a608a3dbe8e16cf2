#pragma once

#include <cstdint>
#include <vector>

#include "backend/cpu/tile_plan.h"

namespace asg::cpu {

// Makes a plan for tiles of about `tile_points` points. How many are best is known only afterwards, from how many
// values live side by side: make_tile_plan builds twice.
class PlanBuilder {
 public:
  PlanBuilder(const Kernel& kernel, std::int64_t tile_points);

  TilePlan build();
  std::int64_t bytes_per_point() const { return bytes_per_point_; }  // that a tile keeps in the cache
  std::int64_t cost_per_point() const;                               // about one for each simple instruction

 private:
  using Kind = KernelInstruction::Kind;
  using StepKind = PlannedStep::Kind;

  // tile_plan.cpp: the shape of tiles and blocks.
  void find_stages();
  bool is_one_run(std::size_t first) const;
  void split_space();
  void choose_tile();
  void choose_blocks();
  void make_accesses();

  // tile_levels.cpp: what each value depends on, and where loads lie.
  void find_needed();
  void find_levels();
  void place_loads();
  bool is_copied_beside_others(int load) const;
  bool is_in_place(const TileAccess& access, Level level) const;

  // tile_steps.cpp: instructions become steps.
  void append_steps(const std::vector<int>& members, std::vector<PlannedStep>& steps);
  void find_chains(const std::vector<int>& members);
  PlannedStep step_of(int instruction, std::vector<PlannedStep>& steps);
  PlannedStep chain_of(int tail, std::vector<PlannedStep>& steps);
  PlannedOperand operand_for(int value, Level level, std::vector<PlannedStep>& steps);
  int expanded(int value, std::vector<PlannedStep>& steps);

  // tile_passes.cpp: which steps belong to the start, to rows and to tiles.
  void build_prologue();
  void build_passes();
  void build_staged_passes();
  void build_stores();
  void add_store(const KernelStore& store);
  std::size_t storing_pass() const { return elements_first_ ? 0 : plan_.passes.size() - 1; }  // of elements

  // tile_slots.cpp: where values live.
  void place_values();
  void place_kept(std::vector<PlannedStep>& steps);
  void write_in_place(std::vector<PlannedStep>& steps);
  std::size_t last_reader(const std::vector<PlannedStep>& steps, const KernelArgument& output) const;
  bool is_made_earlier(int number) const;
  std::int64_t place_tiles(const std::vector<PlannedStep>& steps, bool with_stores);
  std::int64_t element_count(Level level) const;
  std::int64_t allocate(std::int64_t bytes);

  const KernelInstruction& instruction(int number) const {
    return kernel_.instructions[static_cast<std::size_t>(number)];
  }
  PlannedValue& value(int number) { return plan_.values[static_cast<std::size_t>(number)]; }
  const PlannedValue& value(int number) const { return plan_.values[static_cast<std::size_t>(number)]; }

  const Kernel& kernel_;
  const std::int64_t tile_points_;
  std::int64_t bytes_per_point_ = 0;
  TilePlan plan_;
  std::vector<std::int64_t> sizes_;  // of the split space
  std::size_t leading_axes_ = 0;
  bool has_reductions_ = false;
  bool has_sums_ = false;
  bool has_row_stores_ = false;
  bool elements_first_ = false;  // no element that is stored or reduced depends on a reduction
  std::vector<bool> needed_;
  std::vector<int> stage_;  // how many reductions, one after the other, come before a value
  // While steps are appended:
  std::vector<int> sole_user_;  // the only member that uses a value; -1: none or several
  std::vector<int> before_;     // in a chain; -1 of its head
  std::vector<bool> absorbed_;  // in a chain and not its tail
  std::vector<int> expanded_;   // copies; -1: none
};

}  // namespace asg::cpu
