#include <algorithm>

#include <nlohmann/json.hpp>

#include "asg/core/error.h"
#include "asg/io/onnx_check.h"

namespace asg::io {

std::string_view name_of(CaseStatus status) {
  switch (status) {
    case CaseStatus::passed:
      return "passed";
    case CaseStatus::failed:
      return "failed";
    case CaseStatus::skipped:
      return "skipped";
  }
  fail_internal("a status without a name");
}

std::int64_t OnnxReport::count(CaseStatus status) const {
  return std::count_if(cases.begin(), cases.end(), [&](const OnnxCase& test) { return test.status == status; });
}

std::map<std::string, std::int64_t> OnnxReport::missing_ops() const {
  std::map<std::string, std::int64_t> counts;
  for (const OnnxCase& test : cases) {
    for (const std::string& op : test.missing_ops) ++counts[op];
  }
  return counts;
}

std::string OnnxReport::to_json() const {
  nlohmann::ordered_json out = {{"passed", count(CaseStatus::passed)},
                                {"failed", count(CaseStatus::failed)},
                                {"skipped", count(CaseStatus::skipped)},
                                {"cases", nlohmann::ordered_json::array()}};
  for (const OnnxCase& test : cases) {
    out["cases"].push_back({{"name", test.name}, {"status", name_of(test.status)}, {"reason", test.reason}});
  }
  // Reasons may quote bytes of a file that are no text.
  return out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string OnnxReport::to_text() const {
  std::string text;
  for (const OnnxCase& test : cases) {
    if (test.status != CaseStatus::failed) continue;
    std::string reason = test.reason;
    std::replace(reason.begin(), reason.end(), '\n', ' ');
    text += "failed  " + test.name + ": " + reason + "\n";
  }
  const auto missing = missing_ops();
  if (!missing.empty()) text += "missing ops, and how many tests ask for each:\n";
  for (const auto& [op, tests] : missing) text += "  " + op + " " + std::to_string(tests) + "\n";
  return text + std::to_string(count(CaseStatus::passed)) + " passed, " + std::to_string(count(CaseStatus::failed)) +
         " failed, " + std::to_string(count(CaseStatus::skipped)) + " skipped\n";
}

}  // namespace asg::io
