// Any bytes are read as a table, an IDX file, an NPZ archive, a gzip file, a picture, CIFAR or a confusion matrix, or
// refused with a UserError. The first byte chooses the reader.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include "asg/core/error.h"
#include "asg/core/limits.h"
#include "asg/data/cifar.h"
#include "asg/data/csv.h"
#include "asg/data/idx.h"
#include "asg/data/image.h"
#include "asg/io/inflate.h"
#include "asg/io/npz.h"
#include "asg/metrics/confusion.h"

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
  switch (reader % 8) {
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
      asg::io::gunzip(text);
      break;
    case 4:
      asg::data::read_image(text);
      break;
    case 5:
      asg::data::read_cifar10("fuzz", text);
      break;
    case 6:
      asg::data::read_cifar100("fuzz", text);
      break;
    default:
      asg::metrics::confusion_from_csv(std::string(text));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bool kReady = [] {
    asg::set_limit(asg::Limit::unpacked_bytes, 1 << 24);
    asg::set_limit(asg::Limit::pixels, 1 << 18);
    return true;
  }();
  if (!kReady || size == 0) return 0;
  try {
    read(data[0], {reinterpret_cast<const char*>(data) + 1, size - 1});
  } catch (const asg::UserError& error) {
    demand(!error.detail().given.empty());
  }
  return 0;
}
