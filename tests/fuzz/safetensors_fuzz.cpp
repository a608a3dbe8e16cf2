// Any bytes are read as a safetensors file or refused with a UserError. What is accepted can be read whole, and written
// and read again without a change.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "asg/core/error.h"
#include "asg/io/safetensors.h"

namespace {

void demand(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace asg::io;
  std::optional<Safetensors> file;
  try {
    file = Safetensors::from_bytes(std::string(reinterpret_cast<const char*>(data), size));
  } catch (const asg::UserError& error) {
    demand(!error.detail().given.empty() && !error.detail().needed.empty());
    return 0;
  }
  const Tensors tensors = file->read_all();
  std::string bytes;
  write_safetensors(tensors, file->metadata(), [&](std::string_view piece) { bytes += piece; });
  const Safetensors again = Safetensors::from_bytes(bytes);
  demand(again.metadata() == file->metadata() && again.tensors().size() == tensors.size());
  for (const auto& [name, array] : tensors) demand(bit_equal(again.read(name), array));
  return 0;
}
