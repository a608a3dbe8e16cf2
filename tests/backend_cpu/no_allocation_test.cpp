// A run allocates nothing: this program counts what operator new gives out.

#include <atomic>
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include "backend/cpu/tile_runner.h"
#include "kernel_maker.h"

namespace {

std::atomic<int> allocations{0};

void* counted(std::size_t bytes) {
  allocations.fetch_add(1);
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t bytes) { return counted(bytes); }
void* operator new[](std::size_t bytes) { return counted(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace asg::tests {
namespace {

TEST(NoAllocation, in_a_run) {
  KernelMaker make({300, 200}, 1);
  const int x = make.load(DType::f32);
  const int index = make.load(DType::i64, {1, 0});
  const int gathered = make.gather(DType::f32, {0, 1}, make.compute(ScalarOp::abs, DType::i64, {index}), 200, 101);
  const int shifted = make.compute(ScalarOp::sub, DType::f32, {x, make.reduce(Reduction::max, x)});
  const int powers = make.compute(ScalarOp::exp, DType::f32, {shifted});
  const int drawn = make.random(false, DType::f32, make.constant(DType::i64, 1), make.constant(DType::i64, 2),
                                make.position({200, 1}));
  make.store(make.compute(ScalarOp::mul, DType::f32, {powers, drawn}));
  make.store(make.compute(ScalarOp::cast, DType::bf16, {make.compute(ScalarOp::add, DType::f32, {gathered, x})}));
  make.sum(powers);
  const std::vector<Array> arguments = make_arguments(make.kernel, 1, false);
  std::vector<std::byte*> addresses;
  for (Array argument : arguments) addresses.push_back(argument.raw());
  const cpu::TileRunner runner(make.kernel);
  ThreadPool pool(2);
  Array scratch(DType::u8, {runner.scratch_bytes(2)});
  std::byte* memory = scratch.raw();
  runner.run(addresses, memory, pool);  // the pool may grow its list of jobs once
  const int before = allocations.load();
  for (int k = 0; k < 10; ++k) runner.run(addresses, memory, pool);
  EXPECT_EQ(allocations.load(), before);
}

}  // namespace
}  // namespace asg::tests
