// Any text from a client of the Lab is a request with limits, or a user's mistake that says what is needed.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "asg/core/error.h"
#include "lab/answer_json.h"
#include "lab/requests.h"

namespace {

void demand(bool holds) {
  if (!holds) std::abort();
}

void check(const asg::lab::Request& request, const std::optional<std::int64_t>& ask) {
  demand(request.training.number >= 1 && !request.name.empty() && request.ask == ask);
  demand(!ask || *ask >= 0);
  if (const auto* find = std::get_if<asg::lab::requests::Find>(&request.question)) {
    demand(find->limit >= 1 && find->limit <= 500);
  }
  if (const auto* subscribe = std::get_if<asg::lab::requests::Subscribe>(&request.question)) {
    demand(subscribe->values.size() <= 256 && subscribe->every >= 1);
  }
  if (const auto* tensor = std::get_if<asg::lab::requests::ReadTensor>(&request.question)) {
    demand(tensor->limit >= 1 && tensor->limit <= (std::int64_t{1} << 22));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::optional<std::int64_t> ask;
  try {
    check(asg::lab::request_from_json({reinterpret_cast<const char*>(data), size}, ask), ask);
  } catch (const asg::UserError& error) {
    demand(!error.detail().needed.empty());
    const std::string answer = asg::lab::failed_json(ask, "message", error.detail());
    demand(answer.front() == '{' && answer.back() == '}');
  }
  return 0;
}
