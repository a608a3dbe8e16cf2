#!/bin/bash
# Formats all C++ sources in place.
set -euo pipefail
cd "$(dirname "$0")/.."

tools/sources.sh '*.cpp' '*.h' | xargs -r clang-format-19 -i
