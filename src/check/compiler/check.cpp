#include <algorithm>

#include "asg/backend/cpu.h"
#include "asg/check/compiler_check.h"
#include "asg/check/reduce.h"
#include "asg/core/thread_pool.h"
#include "check/compiler/oracle.h"

namespace asg {
namespace {

// One program in one way after the other; the interpreter runs it once.
class ProgramChecker {
 public:
  explicit ProgramChecker(const GraphCase& program) : program_(program), oracle_(program) {}

  CaseCheck check(const CompileWay& way) {
    CaseCheck check{.verdict = Verdict::passed};
    const NamedArrays results = run(way, way.threads, true);
    for (const auto& [name, value] : oracle_.expected()) {
      const ProgramOracle::Judgement judgement = oracle_.judge(name, results.at(name));
      check.max_error = std::max(check.max_error, judgement.share);
      if (!judgement.agrees) {
        fail_with(check, judgement.words);
      } else if (!judgement.proves_something && check.verdict == Verdict::passed) {
        check.verdict = Verdict::dropped;
      }
    }
    compare_bits(check, results, run(way, 3 - way.threads, false), "differs between one thread and two");
    compare_runs(check, results);
    return check;
  }

 private:
  // Passes do not know how many threads there will be, so that verifying them once is enough.
  NamedArrays run(const CompileWay& way, int threads, bool verify) const {
    CpuBackend backend(CpuOptions{.threads = threads, .onednn = way.onednn});
    const CompileOptions options{.passes = {.off = way.off, .verify = verify}};
    return results_of(*backend.compile(program_.graph, options), program_, 2);
  }

  static void fail_with(CaseCheck& check, const std::string& detail) {
    check.verdict = Verdict::failed;
    check.detail += (check.detail.empty() ? "" : "\n") + detail;
  }

  static void compare_bits(CaseCheck& check, const NamedArrays& results, const NamedArrays& others,
                           const std::string& words) {
    for (const auto& [name, value] : results) {
      if (!bit_equal(value, others.at(name))) fail_with(check, std::string(name).append(" ").append(words));
    }
  }

  // Without updates a second run computes the same once more.
  void compare_runs(CaseCheck& check, const NamedArrays& results) const {
    if (!program_.graph.updates().empty()) return;
    for (const auto& [name, value] : results) {
      const auto second = results.find(name + kSecondRun);
      const bool same = second == results.end() || bit_equal(value, second->second);
      if (!same) fail_with(check, name + " differs between the first run and the second");
    }
  }

  const GraphCase& program_;
  ProgramOracle oracle_;
};

CaseCheck thrown(const std::exception& error) { return {Verdict::failed, 0, error.what(), true}; }

CaseCheck check_in(ProgramChecker& checker, const CompileWay& way) {
  try {
    return checker.check(way);
  } catch (const std::exception& error) {
    return thrown(error);
  }
}

}  // namespace

CaseCheck check_program(const GraphCase& program, const CompileWay& way) {
  try {
    ProgramChecker checker(program);
    return check_in(checker, way);
  } catch (const std::exception& error) {
    return thrown(error);
  }
}

void CompilerReport::add(const CompilerReport& other) {
  for (const auto& [way, count] : other.graphs) graphs[way] += count;
  programs += other.programs;
  dropped += other.dropped;
  largest_share = std::max(largest_share, other.largest_share);
  failures.insert(failures.end(), other.failures.begin(), other.failures.end());
}

CompilerReport check_compiler(std::uint64_t seed, std::uint64_t number, const WaysOf& ways) {
  CompilerReport report;
  const auto kept = ThreadPool::shared(2);  // that of the backends, which would end and begin with each
  const std::vector<CompileWay> all = ways(number);
  for (const CompileWay& way : all) ++report.graphs[way.name];
  std::string program_name = "the graph";
  try {
    for (const ProgramCase& program : programs_of(make_compiler_case(seed, number))) {
      program_name = program.name;
      ProgramChecker checker(program.made);
      for (const CompileWay& way : all) {
        const CaseCheck check = check_in(checker, way);
        ++report.programs;
        report.largest_share = std::max(report.largest_share, check.max_error);
        if (check.verdict == Verdict::dropped) ++report.dropped;
        if (check.verdict == Verdict::failed) report.failures.push_back({number, program.name, way, check.detail});
      }
    }
  } catch (const std::exception& error) {
    // Building, differentiating or interpreting failed, before any way.
    report.failures.push_back({number, program_name, all.front(), error.what()});
  }
  return report;
}

std::string reduced_as_test(std::uint64_t seed, const CompilerFailure& failure) {
  for (const ProgramCase& program : programs_of(make_compiler_case(seed, failure.number))) {
    if (program.name != failure.program) continue;
    const CaseCheck whole = check_program(program.made, failure.way);
    const StillFails fails = [&](const GraphCase& candidate) {
      const CaseCheck check = check_program(candidate, failure.way);
      return check.verdict == Verdict::failed && check.threw == whole.threw;
    };
    const GraphCase reduced = whole.verdict == Verdict::failed ? reduce_program(program.made, fails) : program.made;
    return program_as_test(reduced, failure.way, "Compiler", "Graph" + std::to_string(failure.number));
  }
  return {};
}

}  // namespace asg
