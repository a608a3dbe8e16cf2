#!/bin/bash
# Compiles the kernels that build/asg_gpu_check renders, runs them on the GPU, compares and measures:
#   tools/gpu_check.sh <build>
# Says so and succeeds where there is no NVRTC or no GPU.
set -euo pipefail
cd "$(dirname "$0")/.."

build="$1"
"$build/asg_gpu_check" compile tools/gpu_check "$build/gpu_check"
"$build/asg_gpu_check" correct tools/gpu_check "$build/gpu_check"
"$build/asg_gpu_check" speed tools/gpu_check "$build/gpu_check"
