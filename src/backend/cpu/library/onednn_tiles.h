#pragma once

namespace asg::cpu {

// oneDNN multiplies bf16 by tiles (AMX) where CPUID claims them, and cuts them by the sizes that leaf 0x1D tells. Some
// virtual machines pass the claim on and hide the leaf: then its tiles have no size, and the first instruction on one
// ends the process (seen with 2.6.3). This keeps it from them; vectors multiply bf16 too. It must come before anything
// else of oneDNN, whose first call fixes the instructions that it uses. A choice in the environment
// (ONEDNN_MAX_CPU_ISA) is left alone.
void keep_off_hidden_tiles();

}  // namespace asg::cpu
