// A tiny training keeps its promises whatever messages it gets. The first byte chooses model and optimizer. What
// follows is a script, a message on each line; without a line that begins as one it is the seed of random messages.
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "asg/core/log.h"
#include "asg/edit_check/edit_check.h"

namespace {

using namespace asg::edit_check;

constexpr std::size_t kMostLines = 12;
constexpr int kMessages = 10;

// Models of any size and runs of any length would be tried else: numbers of three digits and more are left out.
bool is_small(std::string_view line) {
  int digits = 0;
  for (const char letter : line) {
    digits = std::isdigit(static_cast<unsigned char>(letter)) != 0 ? digits + 1 : 0;
    if (digits > 2) return false;
  }
  return line.find("e+") == std::string_view::npos;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty() && lines.size() < kMostLines) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    if (!line.empty() && is_small(line)) lines.emplace_back(line);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return lines;
}

std::uint64_t number_of(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes.substr(0, 8)) number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  asg::set_log_sink([](asg::LogLevel, std::string_view) {});
  if (size < 2) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::vector<std::string>& models = model_names();
  const std::vector<std::string>& optimizers = optimizer_names();
  const Setup setup{models[data[0] % models.size()], optimizers[data[0] / models.size() % optimizers.size()]};
  const Trial trial = text.find('{') == std::string_view::npos
                          ? run_trial(number_of(text), data[0], {.messages = kMessages})
                          : replay(setup, lines_of(text));
  for (const Failure& failure : trial.failures) {
    std::fprintf(stderr, "%s by %s: %s failed: %s\n", trial.setup.model.c_str(), trial.setup.optimizer.c_str(),
                 std::string(name_of(failure.promise)).c_str(), failure.detail.c_str());
    for (const std::string& line : trial.lines) std::fprintf(stderr, "%s\n", line.c_str());
  }
  if (!trial.failures.empty()) std::abort();
  return 0;
}
