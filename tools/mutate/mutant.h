#pragma once

// Included before every source with mutants. A mutated expression is `::asg_mutant::on(7) ? mutated : original`.
namespace asg_mutant {

// From ASG_MUTANT; -1: none.
[[gnu::visibility("hidden")]] extern int active;
// Where ASG_MUTANT_TRACE is set: which mutants were reached.
[[gnu::visibility("hidden")]] extern unsigned char* seen;

inline __attribute__((always_inline)) bool on(int number) {
  if (seen != nullptr && seen[number] == 0) seen[number] = 1;
  return number == active;
}

}  // namespace asg_mutant
