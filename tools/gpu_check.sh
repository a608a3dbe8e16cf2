#!/bin/bash
# Compiles the kernels that build/asg_gpu_check renders, runs them on the GPU and compares:  tools/gpu_check.sh <build>
# Says so and succeeds where there is no nvcc or no GPU. GPU_ARCH names another architecture to compile for.
set -euo pipefail
cd "$(dirname "$0")/.."

build="$1"
work="$build/gpu_check"
rm -rf "$work"
"$build/asg_gpu_check" tools/gpu_check/kernels "$work"

nvcc="$(PATH="$PATH:/usr/local/cuda/bin" command -v nvcc || true)"
if [ -z "$nvcc" ]; then
  echo "gpu-check: skipped: no nvcc (the kernels are rendered in $work)"
  exit 0
fi

if [ -z "${GPU_ARCH:-}" ]; then
  if nvidia-smi -L 2>/dev/null | grep -q GPU; then GPU_ARCH=native; else GPU_ARCH=sm_90; fi
fi
"$nvcc" -std=c++17 -O2 -arch="$GPU_ARCH" -I "$work" tools/gpu_check/run.cu "$work"/*.cu -o "$work/gpu_check"
"$work/gpu_check" "$work"
