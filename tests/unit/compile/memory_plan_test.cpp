// Places of buffers in the arena, against a plain search through all that were placed before.
#include "asg/compile/memory_plan.h"

#include <algorithm>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace asg::test {
namespace {

bool live_together(const Lifetime& a, const Lifetime& b) { return a.last >= b.first && a.first <= b.last; }

// Buffers of various sizes, each written by a step and read by some later ones; a few are kept for long.
Program random_program(std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto upto = [&](int most) { return static_cast<int>(random() % static_cast<std::uint32_t>(most + 1)); };
  const int steps = 1 + upto(120);
  Program program;
  program.steps.resize(static_cast<std::size_t>(steps));
  for (int step = 0; step < steps; ++step) {
    for (int made = upto(3); made > 0; --made) {
      const int number = static_cast<int>(program.buffers.size());
      program.buffers.push_back({.count = upto(4) == 0 ? upto(400) : 16 << upto(6)});
      program.steps[static_cast<std::size_t>(step)].outputs.push_back({.buffer = number});
      const int last = std::min(steps - 1, step + (upto(5) == 0 ? upto(steps) : upto(4)));
      program.steps[static_cast<std::size_t>(last)].inputs.push_back({.buffer = number});
      if (upto(20) == 0) program.results.push_back({.buffer = number});
    }
  }
  return program;
}

// The smallest gap among those that live at the same time, the lowest of several; else their end.
std::int64_t searched_offset(const Program& program, const std::vector<Lifetime>& placed, const Lifetime& life) {
  std::vector<std::pair<std::int64_t, std::int64_t>> taken;
  for (const Lifetime& other : placed) {
    const std::int64_t offset = program.buffers[static_cast<std::size_t>(other.buffer)].offset;
    if (live_together(life, other)) taken.emplace_back(offset, offset + other.bytes);
  }
  std::sort(taken.begin(), taken.end());
  std::int64_t free_from = 0;
  std::int64_t best = -1;
  std::int64_t best_size = std::numeric_limits<std::int64_t>::max();
  for (const auto& [begin, end] : taken) {
    if (begin - free_from >= life.bytes && begin - free_from < best_size) {
      best = free_from;
      best_size = begin - free_from;
    }
    free_from = std::max(free_from, end);
  }
  return best >= 0 ? best : free_from;
}

TEST(MemoryPlan, PutsTheLargestFirstEachIntoTheSmallestGap) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Program program = random_program(seed);
    const MemoryPlan plan = plan_memory(program);
    std::vector<Lifetime> by_size = plan.lifetimes;
    std::sort(by_size.begin(), by_size.end(), [](const Lifetime& a, const Lifetime& b) {
      return a.bytes != b.bytes ? a.bytes > b.bytes : a.buffer < b.buffer;
    });
    std::vector<Lifetime> placed;
    std::int64_t end = 0;
    for (const Lifetime& life : by_size) {
      const std::int64_t offset = program.buffers[static_cast<std::size_t>(life.buffer)].offset;
      ASSERT_EQ(offset, searched_offset(program, placed, life)) << "buffer " << life.buffer;
      placed.push_back(life);
      end = std::max(end, offset + life.bytes);
    }
    EXPECT_EQ(plan.arena_bytes, end);
    EXPECT_GE(plan.arena_bytes, plan.live_bytes);
  }
}

TEST(MemoryPlan, GivesAChainOfBuffersThatShareMemoryOnePlace) {
  constexpr int kBuffers = 2000;
  Program program;
  program.steps.resize(kBuffers);
  for (int k = 0; k < kBuffers; ++k) {
    program.buffers.push_back({.count = 16, .shares = k - 1});
    program.steps[static_cast<std::size_t>(k)].outputs.push_back({.buffer = k});
    if (k > 0) program.steps[static_cast<std::size_t>(k)].inputs.push_back({.buffer = k - 1});
  }
  const MemoryPlan plan = plan_memory(program);
  EXPECT_EQ(plan.lifetimes.size(), 1U);
  EXPECT_EQ(plan.arena_bytes, 64);
  EXPECT_TRUE(std::all_of(program.buffers.begin(), program.buffers.end(),
                          [](const Buffer& buffer) { return buffer.offset == 0; }));
}

}  // namespace
}  // namespace asg::test
