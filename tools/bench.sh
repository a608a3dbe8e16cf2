#!/bin/bash
# Runs every benchmark of a build and prints its figures:  tools/bench.sh build
set -euo pipefail
cd "$(dirname "$0")/.."

shopt -s nullglob
sources=(bench/*.cpp)
if [ "${#sources[@]}" -eq 0 ]; then
  echo "There are no benchmarks in bench yet."
fi
for source in ${sources[@]+"${sources[@]}"}; do
  name="bench_$(basename "$source" .cpp)"
  echo "== $name"
  "$1/bench/$name"
done
