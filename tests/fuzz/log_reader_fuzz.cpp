// Any bytes are read as logs in JSON lines and CSV, or refused with a UserError. A record that is accepted can be
// written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "asg/core/error.h"
#include "train/log/record_text.h"

namespace {

using namespace asg::train;

void demand(bool holds) {
  if (!holds) std::abort();
}

template <class Call>
void attempt(const Call& call) {
  try {
    call();
  } catch (const asg::UserError& error) {
    demand(!error.detail().given.empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  attempt([&] {
    const LogRecord record = record_from_json(text);
    demand(record_from_json(json_line(record)).value.index() == record.value.index());
  });
  attempt([&] {
    for (const LogRecord& record : records_from_csv(text)) {
      const std::string file = std::string(kCsvHeader) + "\n" + csv_line(record).value() + "\n";
      demand(records_from_csv(file).size() == 1);
    }
  });
  return 0;
}
