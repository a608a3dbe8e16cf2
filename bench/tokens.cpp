// How fast texts become tokens.
//   demanded: at least the rate of Hugging Face's `tokenizers`, which `make peers` runs beside it
//   bench_tokens [--json] [TOKENIZER TEXT]; without files a vocabulary is learnt from a text that is made up
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "asg/core/platform.h"
#include "asg/io/tokenizer.h"

namespace {

// Words of one to three syllables, frequent ones first, as in a language.
std::string made_up_text(std::size_t bytes) {
  const char* const syllables[] = {"ka", "lo", "mi", "ren", "tu", "sha", "vor", "el", "qui", "ber", "ost", "an"};
  std::string text;
  std::uint64_t state = 1;
  const auto next = [&state](std::uint64_t below) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    const std::uint64_t drawn = state >> 33;
    return drawn % (1 + drawn / 7 % below);
  };
  while (text.size() < bytes) {
    for (std::uint64_t k = 0; k <= next(3); ++k) text += syllables[next(12)];
    text += next(12) == 11 ? ".\n" : " ";
  }
  return text;
}

int run(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  const bool json = !words.empty() && words.front() == "--json";
  if (json) words.erase(words.begin());
  const bool given = words.size() == 2;
  const std::string text = given ? asg::platform::read_file(words[1]) : made_up_text(1'000'000);
  const asg::io::Tokenizer tokenizer =
      given ? asg::io::load_tokenizer(words[0]) : asg::io::train_byte_pair(text, {.vocabulary_size = 2000});
  double best = 1e9;
  std::size_t tokens = 0;
  for (int repeat = 0; repeat < 7; ++repeat) {
    const auto begin = std::chrono::steady_clock::now();
    tokens = tokenizer.encode(text).size();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  if (json) {
    std::printf("{\"tokens\": %zu, \"milliseconds\": %.4f}\n", tokens, best * 1e3);
  } else {
    std::printf("%zu bytes to %zu tokens: %.2f ms, %.0f MB/s\n", text.size(), tokens, best * 1e3,
                static_cast<double>(text.size()) / best / 1e6);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
