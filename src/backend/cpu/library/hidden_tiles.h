#pragma once

#include <functional>
#include <optional>

namespace asg::cpu {

struct CpuLeaf {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
};

// A leaf of CPUID and one of its subleaves; nothing where the processor has no such leaf.
using ReadLeaf = std::function<std::optional<CpuLeaf>(unsigned leaf, unsigned subleaf)>;

std::optional<CpuLeaf> read_cpu_leaf(unsigned leaf, unsigned subleaf);

// Whether oneDNN is to be kept off tiles: CPUID claims them and does not tell their sizes, and the environment
// (ONEDNN_MAX_CPU_ISA, DNNL_MAX_CPU_ISA) chooses no instructions.
bool tiles_must_be_avoided(const ReadLeaf& read);

}  // namespace asg::cpu
