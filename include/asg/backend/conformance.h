#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "asg/backend/backend.h"

namespace asg {

// One thing that the contract asks of a backend, tried through one of its surfaces.
struct ConformanceRow {
  std::string group;    // "reduction"
  std::string name;     // "ReduceSum over the last axis"
  std::string surface;  // "typed", "run_op", "single", "execute", "run", "compile", "submit"; "" where it is not of one
  bool passed = false;
  std::string detail;  // of a failure: what came and what was expected
};

struct ConformanceReport {
  std::string backend;
  std::vector<ConformanceRow> rows;

  bool passed() const { return failures() == 0; }
  std::size_t failures() const;
  // Whether a row whose name contains this text failed.
  bool failed(std::string_view name) const;
  // A table of groups and surfaces with the numbers of checks that passed, then every failure.
  std::string to_text() const;
};

// Everything that the contract promises, on any backend: each primitive through every surface and in all dtypes that it
// claims, broadcasting, scalars, empty tensors, NaN and infinity, negative axes and indices, strided memory, state,
// caches, and the errors. Expected values are written down or computed by plain loops, never by kernels of this
// library. Never throws: what a backend throws is a failure in the report.
ConformanceReport check_backend(Backend& backend);

}  // namespace asg
