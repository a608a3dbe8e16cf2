#include <algorithm>
#include <array>
#include <cmath>

#include "backend/conformance/suite.h"

namespace asg {
namespace {

constexpr std::array<std::string_view, 8> kSurfaces = {"typed", "run_op",  "single", "execute",
                                                       "run",   "compile", "submit", ""};

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

// "12/12", or "" where nothing was tried.
std::string tally(const ConformanceReport& report, std::string_view group, std::string_view surface) {
  std::size_t tried = 0;
  std::size_t passed = 0;
  for (const ConformanceRow& row : report.rows) {
    if (row.group != group || row.surface != surface) continue;
    ++tried;
    passed += row.passed ? 1 : 0;
  }
  return tried == 0 ? "" : std::to_string(passed) + "/" + std::to_string(tried);
}

}  // namespace

std::size_t ConformanceReport::failures() const {
  return static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [](const ConformanceRow& row) { return !row.passed; }));
}

bool ConformanceReport::failed(std::string_view name) const {
  return std::any_of(rows.begin(), rows.end(), [&](const ConformanceRow& row) {
    return !row.passed && row.name.find(name) != std::string::npos;
  });
}

std::string ConformanceReport::to_text() const {
  constexpr std::size_t kNameWidth = 24;
  constexpr std::size_t kWidth = 10;
  std::string text = padded("backend " + backend, kNameWidth);
  for (std::string_view surface : kSurfaces) text += padded(std::string(surface.empty() ? "other" : surface), kWidth);
  text += '\n';
  std::vector<std::string> groups;
  for (const ConformanceRow& row : rows) {
    if (std::find(groups.begin(), groups.end(), row.group) == groups.end()) groups.push_back(row.group);
  }
  for (const std::string& group : groups) {
    text += padded(group, kNameWidth);
    for (std::string_view surface : kSurfaces) text += padded(tally(*this, group, surface), kWidth);
    text += '\n';
  }
  for (const ConformanceRow& row : rows) {
    if (row.passed) continue;
    text += "FAILED  " + row.group + ": " + row.name + (row.surface.empty() ? "" : " [" + row.surface + "]") +
            "\n        " + row.detail + '\n';
  }
  text += std::to_string(rows.size() - failures()) + " of " + std::to_string(rows.size()) + " checks passed\n";
  return text;
}

namespace conformance {
namespace {

bool close(double actual, double expected, double margin) {
  if (std::isnan(expected)) return std::isnan(actual);
  if (std::isinf(expected) || std::isinf(actual)) return actual == expected;
  return std::fabs(actual - expected) <= margin;
}

double largest_magnitude(const Array& array) {
  double largest = 0;
  for (std::int64_t position = 0; position < array.count(); ++position) {
    const double value = std::fabs(array.get(position));
    if (std::isfinite(value)) largest = std::max(largest, value);
  }
  return largest;
}

}  // namespace

std::string difference(const Array& actual, const Array& expected, double tolerance) {
  if (actual.dtype() != expected.dtype() || actual.sizes() != expected.sizes()) {
    return "gives " + actual.type_string() + ", not " + expected.type_string();
  }
  const bool exact = is_integer(expected.dtype());
  const double margin = tolerance * largest_magnitude(expected);
  for (std::int64_t position = 0; position < expected.count(); ++position) {
    const bool same = exact ? actual.get_i64(position) == expected.get_i64(position)
                            : close(actual.get(position), expected.get(position), margin);
    if (same) continue;
    return "gives " + actual.to_string() + ", not " + expected.to_string();
  }
  return "";
}

// Whether the backend claims all dtypes that a case needs.
bool claims(DTypeSet dtypes, const Case& entry) {
  auto claimed = [&](const Array& array) { return dtypes.contains(array.dtype()); };
  const auto& operands = entry.operands;
  return std::all_of(entry.expected.begin(), entry.expected.end(), claimed) &&
         std::all_of(operands.begin(), operands.end(), [&](const Operand& operand) {
           return operand.kind != Operand::Kind::tensor || claimed(operand.array);
         });
}

void Checks::check(std::string group, std::string name, std::string surface, const std::function<std::string()>& run) {
  ConformanceRow row{std::move(group), std::move(name), std::move(surface), false, ""};
  try {
    row.detail = run();
    row.passed = row.detail.empty();
  } catch (const std::exception& error) {
    row.detail = std::string("throws ") + error.what();
  } catch (...) {
    row.detail = "throws something that is no std::exception";
  }
  report.rows.push_back(std::move(row));
}

}  // namespace conformance

ConformanceReport check_backend(Backend& backend) {
  using namespace conformance;
  Checks checks(backend);
  const std::vector<std::pair<std::string, Cases>> groups = {{"arithmetic", arithmetic_cases()},
                                                             {"maths", maths_cases()},
                                                             {"matmul", matmul_cases()},
                                                             {"reduction", reduction_cases()},
                                                             {"shape", shape_cases()},
                                                             {"slice and gather", slice_cases()},
                                                             {"choice", choice_cases()},
                                                             {"strided", strided_cases()},
                                                             {"dtypes", dtype_cases(backend.capabilities().dtypes)}};
  for (const auto& [group, cases] : groups) {
    for (Case entry : cases) {
      if (!claims(backend.capabilities().dtypes, entry)) continue;
      entry.group = group;
      check_case(checks, entry);
    }
  }
  check_data(checks);
  check_graphs(checks);
  check_caches(checks);
  check_walk_errors(checks);
  check_run_errors(checks);
  return std::move(checks.report);
}

}  // namespace asg
