#!/bin/bash
# Prints the project's files that match the given patterns, tracked or new, ignored ones aside:
#   tools/sources.sh '*.cpp' '*.h'
# Generated files (in folders called generated) are left out: their form is the generator's affair.
set -euo pipefail
cd "$(dirname "$0")/.."

git ls-files --cached --others --exclude-standard -- "$@" | sort -u | while IFS= read -r file; do
  case "/$file" in */generated/*) continue ;; esac
  if [ -f "$file" ]; then echo "$file"; fi
done
