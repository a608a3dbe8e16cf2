#!/bin/bash
# Measures the Lab of a build, in a browser and by a scripted client:  tools/bench_lab.sh build
# Writes docs/benchmarks-lab.md, and all figures to build/bench_lab.json.
set -euo pipefail
cd "$(dirname "$0")/.."

tools/web_packages.sh browser || { echo "bench-lab needs Node and a browser" >&2; exit 1; }
node web/bench/main.mjs "$1" docs/benchmarks-lab.md
