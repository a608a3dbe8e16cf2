// Any bytes are read as an NPY file or refused with a UserError. What is accepted can be written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "asg/core/error.h"
#include "asg/io/npy.h"

namespace {

void demand(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::optional<asg::Array> array;
  try {
    array = asg::io::read_npy(std::string_view(reinterpret_cast<const char*>(data), size));
  } catch (const asg::UserError& error) {
    demand(!error.detail().given.empty());
    return 0;
  }
  demand(bit_equal(asg::io::read_npy(asg::io::to_npy(*array)), *array));
  return 0;
}
