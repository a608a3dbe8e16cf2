#!/bin/bash
# Runs clang-tidy on one source and remembers its success; tools/lint.sh calls it for each.
set -euo pipefail

stamp="build-tidy/tidy/$1.ok"
if output="$(clang-tidy-19 -p build-tidy --quiet "$1" 2>&1)"; then
  mkdir -p "$(dirname "$stamp")"
  touch "$stamp"
else
  echo "$output" | grep -vE '^[0-9]+ warnings? (treated|generated)|^Suppressed|^Use -header-filter|^\[[0-9]+/'
  exit 1
fi
