// Any bytes are read as the history of a checkpoint or refused with a UserError. What is accepted is written and read
// again as the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "asg/core/error.h"
#include "train/history_json.h"

namespace {

void demand(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace asg;
  const auto array_of = [](const std::string&) { return Array(DType::f32, {2}); };
  const auto name_of = [](const Array&) { return std::string("0"); };
  try {
    const train::History history = train::history_from_json({reinterpret_cast<const char*>(data), size}, array_of);
    const std::string text = train::to_json(history, name_of);
    demand(train::to_json(train::history_from_json(text, array_of), name_of) == text);
  } catch (const UserError& error) {
    demand(!error.detail().given.empty());
  }
  return 0;
}
