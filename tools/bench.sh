#!/bin/bash
# Runs the benchmarks of a build and prints their figures:  tools/bench.sh build [a,d,scale,losses]
# Without names: every program bench/<name>.cpp, then all workloads of bench/engine beside other engines, with
# build/bench.json and docs/benchmarks.md as results, then the losses of 50 training steps, from several starts, beside
# PyTorch in f64.
set -euo pipefail
cd "$(dirname "$0")/.."

build="$1"
programs=()
workloads=()
losses=false
if [ "${2:-.}" = . ]; then
  losses=true
  for source in bench/*.cpp; do programs+=("$(basename "$source" .cpp)"); done
else
  IFS=, read -r -a names <<<"$2"
  for name in "${names[@]}"; do
    if [ "$name" = losses ]; then
      losses=true
    elif [ -f "bench/$name.cpp" ]; then
      programs+=("$name")
    else
      workloads+=("$name")
    fi
  done
fi

for name in ${programs[@]+"${programs[@]}"}; do
  echo "== bench_$name"
  "$build/bench/bench_$name"
done

python() { PYTHONPATH=tools PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -m "$@"; }
if [ "${2:-.}" = . ] || [ "${#workloads[@]}" -gt 0 ]; then
  echo "== bench_engine and its peers"
  python bench "$build" --only "$(IFS=,; echo "${workloads[*]-}")" --report docs/benchmarks.md
fi
if [ "$losses" = true ]; then
  echo "== losses beside PyTorch"
  python bench.losses "$build"
fi
