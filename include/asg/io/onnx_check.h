#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "asg/backend/backend.h"

// Runs the official test data of ONNX: a folder per test, with a model, inputs and expected outputs.
namespace asg::io {

enum class CaseStatus : std::uint8_t { passed, failed, skipped };
std::string_view name_of(CaseStatus status);

struct OnnxCase {
  std::string name;  // of the test's folder
  CaseStatus status = CaseStatus::passed;
  std::string reason;                         // why it failed or was skipped
  std::vector<std::string> missing_ops = {};  // those that no card has
};

struct OnnxReport {
  std::vector<OnnxCase> cases;  // by name

  std::int64_t count(CaseStatus status) const;
  std::map<std::string, std::int64_t> missing_ops() const;  // and how many tests ask for each
  std::string to_json() const;
  std::string to_text() const;  // failures, missing ops, and the line "N passed, N failed, N skipped"
};

struct OnnxCheckOptions {
  std::string only;  // run the tests whose name contains this
  std::function<void(std::int64_t done, std::int64_t total, const std::string& name)> progress = {};
};

// Every test of the folder on the backend. A test is skipped when it needs an op that is not here, when it is about
// strings, sequences or optionals, and when it draws random numbers, which nobody can foretell; everything else passes
// or fails. Throws io_error when the folder holds no test.
OnnxReport check_onnx(const std::string& folder, Backend& backend, const OnnxCheckOptions& options = {});

// One test.
OnnxCase check_onnx_case(const std::string& folder, Backend& backend);

}  // namespace asg::io
