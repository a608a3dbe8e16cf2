#!/bin/bash
# Checks the form of the sources:  tools/lint.sh [step...]
# Steps: format layers lengths words links web portable tidy; all of them if none is named.
# Every step runs, so that one run shows everything; fails if any of them failed.
set -euo pipefail
cd "$(dirname "$0")/.."

jobs="$(nproc 2>/dev/null || echo 2)"
web=('web/*.ts' 'web/*.tsx' 'web/*.mjs' 'web/*.css')  # the page of the Lab

# clang-format would change nothing.
check_format() {
  tools/sources.sh '*.cpp' '*.h' | xargs -r -P "$jobs" -n 40 clang-format-19 --dry-run -Werror --ferror-limit=3
}

# Includes between the library folders point one way.
check_layers() {
  cmake -D ROOT=. -P cmake/check_layers.cmake
}

# A file is a thought: median at most 150 lines, nine of ten at most 400, none over 800.
check_lengths() {
  tools/sources.sh '*.cpp' '*.h' "${web[@]}" | xargs -r wc -l | awk '$2 != "total"' | sort -n | awk '
    { lines[NR] = $1; file[NR] = $2 }
    END {
      if (NR == 0) exit 0
      median = lines[int((NR + 1) / 2)]
      ninth = lines[int((NR * 9 + 9) / 10)]
      printf "%d files: median %d lines, nine of ten at most %d, longest %d (%s)\n", NR, median, ninth, lines[NR], file[NR]
      for (i = NR; i > 0 && lines[i] > 800; --i) { print "over 800 lines: " file[i]; bad = 1 }
      if (median > 150) { print "the median must be at most 150"; bad = 1 }
      if (ninth > 400) { print "nine of ten must have at most 400"; bad = 1 }
      exit bad
    }'
}

# No promises in comments: an issue is the place for them.
check_words() {
  local found
  found="$(tools/sources.sh '*.cpp' '*.h' '*.cmake' '*CMakeLists.txt' '*.md' '*.sh' "${web[@]}" |
    xargs -r grep -nE '\b(TO''DO|FIX''ME|XX''X)\b' || true)"
  if [ -n "$found" ]; then
    echo "$found"
    return 1
  fi
}

# Links between the pages lead somewhere.
check_links() {
  local page link target bad=0
  while IFS= read -r page; do
    while IFS= read -r link; do
      case "$link" in "" | http:* | https:* | mailto:*) continue ;; esac
      target="$(dirname "$page")/$link"
      if [ ! -e "$target" ]; then
        echo "$page: no such file: $link"
        bad=1
      fi
    done < <(sed '/^```/,/^```/d' "$page" | grep -oE '\]\([^) ]+' | sed -E 's/^\]\(//; s/#.*$//')
  done < <(tools/sources.sh '*.md')
  return $bad
}

# The page of the Lab: types, and the rules of its folder. Where Node cannot be had it says so.
check_web() {
  local result=0
  tools/web_test.sh check || result=$?
  [ "$result" -eq 0 ] || [ "$result" -eq 77 ]
}

# The portable folders compile with an old standard library and 32-bit sizes, unit by unit as tidy reads them. Syntax
# only: the headers of a 32-bit Linux stand in for those of WebAssembly (-idirafter finds the few that both sizes share).
check_portable() {
  configure_tidy
  {
    units | grep -E '^(build-tidy/)?src/(core|graph|ops|autograd|compile|nn)/'
    ls build-tidy/generated/cards/{ops,nn}_*.cpp
  } | sort -u | xargs -r -P "$jobs" -I{} \
    clang++-14 -fsyntax-only -std=c++20 -stdlib=libc++ -m32 \
    -idirafter /usr/include/x86_64-linux-gnu -Iinclude -Ibuild-tidy/include -Isrc {}
}

# All units of the product, as they are compiled: several sources that share headers are one.
units() {
  sed -nE 's|^ *"file": "'"$PWD"'/(.*)",?$|\1|p' build-tidy/compile_commands.json | grep -vE '^build-tidy/generated/[^/]*$' |
    sort -u
}

configure_tidy() {
  test -f build-tidy/build.ninja || cmake --preset tidy >/dev/null
  cmake --build build-tidy --target asg_card_batches >/dev/null
}

# The newest of the given files.
newest_of() {
  stat -c '%Y %n' "$@" | sort -n | tail -n 1 | cut -d ' ' -f 2-
}

# clang-tidy on the product, unit by unit. One is checked again only if one of its sources, a header or the configuration
# is newer than its last success.
check_tidy() {
  configure_tidy
  local header unit stamp sources pending=()
  # shellcheck disable=SC2046 # names of sources hold no blanks
  header="$(newest_of .clang-tidy $(tools/sources.sh '*.h'))"
  while IFS= read -r unit; do
    stamp="build-tidy/tidy/$unit.ok"
    mapfile -t sources < <(sed -nE 's|^#include "(/.*\.cpp)"$|\1|p' "$unit")
    if [ ! "$stamp" -nt "$header" ] || [ ! "$stamp" -nt "$(newest_of "$unit" "${sources[@]}")" ]; then
      pending+=("$unit")
    fi
  done < <(units)
  echo "${#pending[@]} units to check"
  [ "${#pending[@]}" -eq 0 ] || printf '%s\n' "${pending[@]}" | xargs -P "$jobs" -n 1 tools/tidy_file.sh
}

steps=("$@")
[ "${#steps[@]}" -gt 0 ] || steps=(format layers lengths words links web portable tidy)
failed=()
for step in "${steps[@]}"; do
  echo "-- lint: $step"
  begin=$SECONDS
  # A subshell with its own set -e: a function in a condition would run on after an error.
  set +e
  (set -e; "check_$step")
  result=$?
  set -e
  [ "$result" -eq 0 ] || failed+=("$step")
  [ $((SECONDS - begin)) -lt 2 ] || echo "   $step took $((SECONDS - begin)) s"
done
if [ "${#failed[@]}" -gt 0 ]; then
  echo "lint failed: ${failed[*]}"
  exit 1
fi
echo "lint passed"
