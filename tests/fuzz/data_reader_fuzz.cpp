// Any bytes are read as a table, an IDX file, an NPZ archive, a gzip file or a picture, or refused with a UserError.
// The first byte chooses the reader.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

#include "asg/core/error.h"
#include "asg/data/csv.h"
#include "asg/data/idx.h"
#include "asg/data/image.h"
#include "asg/io/inflate.h"
#include "asg/io/npz.h"

namespace {

void demand(bool holds) {
  if (!holds) std::abort();
}

void read_table(std::string_view text) {
  const asg::data::Dataset table = asg::data::read_csv("fuzz", text, {.header = false, .label = "0", .missing = 0});
  demand(table.count() > 0 && table.classes() > 0);
  demand(table.column("labels").count() == table.count());
}

void read(unsigned reader, std::string_view text) {
  switch (reader % 5) {
    case 0:
      read_table(text);
      break;
    case 1:
      asg::data::read_idx(std::as_bytes(std::span(text)));
      break;
    case 2:
      asg::io::read_npz(text);
      break;
    case 3:
      asg::io::gunzip(text, 1 << 24);
      break;
    default:
      asg::data::read_image(text);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  try {
    read(data[0], {reinterpret_cast<const char*>(data) + 1, size - 1});
  } catch (const asg::UserError& error) {
    demand(!error.detail().given.empty());
  }
  return 0;
}
