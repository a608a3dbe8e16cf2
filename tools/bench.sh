#!/bin/bash
# Runs the benchmarks of a build and prints their figures:  tools/bench.sh build [a,d,scale]
# Without names: every program bench/<name>.cpp, then all workloads of bench/engine beside other engines, with
# build/bench.json and docs/benchmarks.md as results.
set -euo pipefail
cd "$(dirname "$0")/.."

build="$1"
programs=()
workloads=()
if [ "${2:-.}" = . ]; then
  for source in bench/*.cpp; do programs+=("$(basename "$source" .cpp)"); done
else
  IFS=, read -r -a names <<<"$2"
  for name in "${names[@]}"; do
    if [ -f "bench/$name.cpp" ]; then programs+=("$name"); else workloads+=("$name"); fi
  done
fi

for name in ${programs[@]+"${programs[@]}"}; do
  echo "== bench_$name"
  "$build/bench/bench_$name"
done
if [ "${2:-.}" = . ] || [ "${#workloads[@]}" -gt 0 ]; then
  echo "== bench_engine and its peers"
  PYTHONPATH=tools PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -m bench "$build" \
    --only "$(IFS=,; echo "${workloads[*]-}")" --report docs/benchmarks.md
fi
