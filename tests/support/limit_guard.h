#pragma once

#include "asg/core/limits.h"

namespace asg::test {

// Another limit while it lives.
class LimitGuard {
 public:
  LimitGuard(Limit limit, std::int64_t most) : limit_(limit), before_(limit_of(limit)) { set_limit(limit, most); }
  ~LimitGuard() { set_limit(limit_, before_); }
  LimitGuard(const LimitGuard&) = delete;
  LimitGuard& operator=(const LimitGuard&) = delete;

 private:
  Limit limit_;
  std::int64_t before_;
};

}  // namespace asg::test
