#pragma once

// Included before every source with mutants. A mutated expression is `::asg_mutant::on(7) ? mutated : original`.
namespace asg_mutant {

extern int active;           // from ASG_MUTANT; -1: none
extern unsigned char* seen;  // where ASG_MUTANT_TRACE is set: which mutants were reached

inline __attribute__((always_inline)) bool on(int number) {
  if (seen != nullptr) seen[number] = 1;
  return number == active;
}

}  // namespace asg_mutant
