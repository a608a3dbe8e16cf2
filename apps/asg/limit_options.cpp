#include "limit_options.h"

#include <limits>
#include <string>

#include <CLI/CLI.hpp>

#include "asg/core/limits.h"

namespace asg::app {

void add_limit_options(CLI::App& app) {
  app.fallthrough();  // commands hand on what they do not know
  for (const LimitInfo& info : all_limits()) {
    CLI::Option* option = app.add_option_function<std::int64_t>(
        std::string(info.option), [limit = info.limit](std::int64_t most) { set_limit(limit, most); },
        std::string(info.words) + "; " + amount_text(info, info.fallback) + " by default");
    option->group("Limits on what files may make the program do (docs/limits.md)");
    option->check(CLI::Range(std::int64_t{1}, std::numeric_limits<std::int64_t>::max()));
    if (info.in_bytes) option->transform(CLI::AsSizeValue(false))->type_name("SIZE");
  }
}

}  // namespace asg::app
