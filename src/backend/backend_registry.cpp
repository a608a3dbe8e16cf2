#include "asg/backend/backend_registry.h"

#include "asg/backend/cpu.h"
#include "asg/backend/interpreter.h"

namespace asg {

BackendRegistry::BackendRegistry() {
  entries_["interp"] = {{"interp", "reference interpreter in host memory; exact and slow"},
                        [] { return std::make_unique<Interpreter>(); }};
  entries_["cpu"] = {{"cpu", "engine for the processor: fused kernels and library calls over one planned arena"},
                     [] { return std::make_unique<CpuBackend>(); }};
}

BackendRegistry& BackendRegistry::global() {
  static BackendRegistry registry;
  return registry;
}

void BackendRegistry::add(BackendInfo info, BackendFactory make) {
  if (info.name.empty()) fail(ErrorCode::bad_name, "a backend without a name", "a name by which it is found");
  const std::unique_ptr<Backend> probe = make();
  if (!overrides_a_side(*probe)) {
    fail(ErrorCode::no_side_overridden, "backend '" + info.name + "', which overrides neither side of the contract",
         "a backend that overrides the per-op side or `execute`",
         "with kernels, override the methods of the primitives (or run_primitive) and run_op; with an engine for whole "
         "graphs, override execute");
  }
  const std::lock_guard lock(mutex_);
  std::string name = info.name;
  const bool added = entries_.try_emplace(std::move(name), Entry{info, std::move(make)}).second;
  if (!added) {
    fail(ErrorCode::duplicate_name, "a second backend named '" + info.name + "'", "a name that is free",
         "choose another name");
  }
}

std::unique_ptr<Backend> BackendRegistry::make(std::string_view name) const {
  BackendFactory make;
  std::vector<std::string> names;
  {
    const std::lock_guard lock(mutex_);
    const auto entry = entries_.find(name);
    if (entry != entries_.end()) make = entry->second.make;
    for (const auto& [other, unused] : entries_) names.push_back(other);
  }
  if (make) return make();
  std::string listed;
  for (const std::string& other : names) listed += (listed.empty() ? "" : ", ") + other;
  const std::string nearest = nearest_name(name, names);
  fail(ErrorCode::no_such_device, "backend '" + std::string(name) + "'", "one of those that there are: " + listed,
       nearest.empty() ? "`asg devices` lists them" : "did you mean '" + nearest + "'?");
}

std::vector<BackendInfo> BackendRegistry::list() const {
  const std::lock_guard lock(mutex_);
  std::vector<BackendInfo> infos;
  for (const auto& [name, entry] : entries_) infos.push_back(entry.info);
  return infos;
}

}  // namespace asg
