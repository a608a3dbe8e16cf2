#pragma once

#include <map>
#include <string>

#include "asg/backend/backend.h"
#include "asg/check/compiler_check.h"

namespace asg {

inline constexpr const char* kSecondRun = " of the second run";

// Outputs of one or two runs, "committed" of each, and the variables after them, by name.
NamedArrays results_of(Executable& executable, const GraphCase& program, int runs);

// What the interpreter says of a program, and how sure that is. Of a second run only where it differs: where variables
// are updated.
class ProgramOracle {
 public:
  explicit ProgramOracle(const GraphCase& program);

  // The difference of a result from the interpreter's, as a share of what is allowed.
  struct Judgement {
    bool agrees = true;
    bool proves_something = true;  // false: rounding before moves the result too far
    double share = 0;              // of the tolerance of the output alone
    std::string words;             // of a difference
  };
  Judgement judge(const std::string& name, const Array& actual);
  const NamedArrays& expected() const { return expected_; }

 private:
  struct Spread {
    double movement = 0;  // the largest of any element
    bool finite = true;   // the same elements are finite in all runs
    void add(const Array& exact, const Array& moved);
  };
  const Spread& spread_of(const std::string& name);

  const GraphCase& program_;
  int runs_;
  NamedArrays expected_;
  std::map<std::string, Spread> spreads_;
};

}  // namespace asg
