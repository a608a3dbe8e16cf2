// In the library of the mutated build: which mutant is active, and which mutants a test reaches.
#include "mutant.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {

constexpr int kMost = 1 << 16;

int number_of(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr || *text == '\0' ? -1 : std::atoi(text);
}

// Shared with the processes that a test starts, which find the same file.
unsigned char* shared_bytes(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0 || ::ftruncate(file, kMost) != 0) return nullptr;
  void* memory = ::mmap(nullptr, kMost, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  return memory == MAP_FAILED ? nullptr : static_cast<unsigned char*>(memory);
}

unsigned char* map_seen() {
  const char* path = std::getenv("ASG_MUTANT_TRACE");
  return path == nullptr ? nullptr : shared_bytes(std::string(path) + ".seen");
}

}  // namespace

namespace asg_mutant {

int active = -1;
unsigned char* seen = nullptr;

// Sources with mutants may compute static values with them: this comes before.
__attribute__((constructor(101))) void begin() {
  active = number_of("ASG_MUTANT");
  seen = map_seen();
}

// Appends "<test> <result> <milliseconds> <numbers>" to the trace, and begins anew.
void note_test(const std::string& test, const char* result, double milliseconds) {
  if (seen == nullptr) return;
  std::FILE* file = std::fopen(std::getenv("ASG_MUTANT_TRACE"), "a");
  if (file == nullptr) return;
  std::fprintf(file, "%s %s %.1f", test.c_str(), result, milliseconds);
  for (int number = 0; number < kMost; ++number) {
    if (seen[number] != 0) std::fprintf(file, " %d", number);
  }
  std::fprintf(file, "\n");
  std::fclose(file);
  std::memset(seen, 0, kMost);
}

}  // namespace asg_mutant
