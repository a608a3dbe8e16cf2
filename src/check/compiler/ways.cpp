#include <algorithm>

#include "asg/check/compiler_check.h"
#include "asg/compile/pass.h"
#include "check/dice.h"

namespace asg {
namespace {

constexpr const char* kOneDnn = "onednn";

void switch_off(CompileWay& way, const std::string& name) {
  if (name == kOneDnn) {
    way.onednn = false;
  } else {
    way.off.push_back(name);
  }
}

}  // namespace

std::vector<std::string> compiler_switches() {
  std::vector<std::string> names;
  for (const Pass& pass : graph_passes()) names.emplace_back(pass.name);
  for (const ProgramPass& pass : program_passes()) names.emplace_back(pass.name);
  names.emplace_back(kOneDnn);
  return names;
}

CompileWay way_without(const std::string& name) {
  const std::vector<std::string> names = compiler_switches();
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    std::string all;
    for (const std::string& each : names) all += (all.empty() ? "" : ", ") + each;
    fail(ErrorCode::bad_command, "a switch '" + name + "'", "one of " + all);
  }
  CompileWay way;
  way.name = "without " + name;
  switch_off(way, name);
  return way;
}

CompileWay drawn_way(std::uint64_t seed, std::uint64_t number) {
  Dice dice(seed, combine(StreamKey{13}, number));
  CompileWay way;
  way.name = "drawn";
  way.threads = 1 + dice.pick(2);
  // Few are off, or many: what a pass does wrong may need another one, or the absence of one.
  const int chances = 2 + dice.pick(4);
  for (const std::string& name : compiler_switches()) {
    if (dice.one_in(chances)) switch_off(way, name);
  }
  return way;
}

WaysOf usual_ways(std::uint64_t seed) {
  return [seed](std::uint64_t number) { return std::vector{CompileWay{}, drawn_way(seed, number)}; };
}

WaysOf switched_ways(const std::vector<std::string>& switches) {
  std::vector<CompileWay> ways = {CompileWay{}};
  for (const std::string& name : switches) ways.push_back(way_without(name));
  return [ways](std::uint64_t /*number*/) { return ways; };
}

}  // namespace asg
