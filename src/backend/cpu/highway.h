// The set of instruction sets that the CPU backend is compiled for. Sources with vector code include this first, before
// any header of Highway, so that all agree. SSSE3 alone is rare and compiles as slowly as the others; vectors of
// unknown size (SVE, RVV) cannot lie in the arrays that the loops keep them in.
#pragma once

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
