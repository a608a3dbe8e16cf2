#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "asg/backend/backend.h"

namespace asg {

using BackendFactory = std::function<std::unique_ptr<Backend>()>;

struct BackendInfo {
  std::string name;
  std::string words;  // one line for people
};

// Backends by name. Built in: "interp" and "cpu". Thread-safe.
class BackendRegistry {
 public:
  BackendRegistry();  // holds those that are built in
  static BackendRegistry& global();

  // Tries the backend out: one that overrides neither side of the contract is refused. Throws no_side_overridden,
  // duplicate_name, bad_name.
  void add(BackendInfo info, BackendFactory make);
  std::unique_ptr<Backend> make(std::string_view name) const;  // throws no_such_device, naming what there is
  std::vector<BackendInfo> list() const;                       // by name

 private:
  struct Entry {
    BackendInfo info;
    BackendFactory make;
  };
  mutable std::mutex mutex_;
  std::map<std::string, Entry, std::less<>> entries_;
};

// Whether a per-op method or `execute` is overridden, found out by trying each primitive on one element.
bool overrides_a_side(Backend& backend);

}  // namespace asg
