#!/bin/bash
# Runs every fuzzer of a sanitizer build for a while, and the differential test of the compiler on random graphs; then
# shows which share of the JSON reader's lines the inputs reach:  FUZZ_SECONDS=60 tools/fuzz.sh build-sanitize
# Fails on a finding (kept as <build>/fuzz/<name>.crash-...) and when too few lines are reached.
# FUZZ_SEED chooses the graphs; without it they are others each time. Programs are verified after every compiler pass.
set -euo pipefail
cd "$(dirname "$0")/.."

build="$1"
seconds="${FUZZ_SECONDS:-60}"
measured='src/graph/json_reader'
least_percent=70
seed="${FUZZ_SEED:-$(date +%s)}"
export ASG_VERIFY=1

shopt -s nullglob
sources=(tests/fuzz/*_fuzz.cpp)
if [ "${#sources[@]}" -eq 0 ]; then
  echo "There are no fuzzers in tests/fuzz yet."
  exit 0
fi

# The seeds in tests/fuzz/corpus are only read; what the fuzzer adds goes to the build folder.
fuzz() {
  local name="$1" found="$build/fuzz/$1.corpus" options=()
  mkdir -p "$found"
  [ -f "tests/fuzz/$name.dict" ] && options+=("-dict=tests/fuzz/$name.dict")
  [ -d "tests/fuzz/corpus/$name" ] && found="$found tests/fuzz/corpus/$name"
  # shellcheck disable=SC2086  # $found is two words on purpose
  LLVM_PROFILE_FILE="$build/fuzz/$name.profraw" "$build/fuzz/fuzz_$name" \
    -artifact_prefix="$build/fuzz/$name." -rss_limit_mb=2048 -timeout=20 -print_final_stats=1 \
    ${options[@]+"${options[@]}"} "${@:2}" $found >"$build/fuzz/$name.log" 2>&1
}

# A failing graph is printed small, as a test. The last number in the log of a crash is that of its graph:
# <build>/asg check compiler --seed <seed> --from <number> --count 1
check_compiler() {
  local outcome=0
  mkdir -p "$build/fuzz"
  timeout --preserve-status --signal=INT --kill-after=120 "$seconds" \
    "$build/asg" check compiler --seed "$seed" --count 0 --print-numbers >"$build/fuzz/compiler.log" 2>&1 || outcome=$?
  [ "$outcome" -eq 130 ]  # the end of its time
}

# As many at once as there are processors.
names=()
failed=()
finish() {
  local name="${names[$1]}"
  if wait "${workers[$1]}"; then
    if [ "$name" = compiler ]; then
      echo "check compiler: $(grep -c '^graph ' "$build/fuzz/compiler.log") graphs of seed $seed in $seconds s, no finding"
      return
    fi
    runs="$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/fuzz/$name.log")"
    echo "fuzz_$name: $runs inputs in $seconds s, no finding"
  elif [ "$name" = compiler ]; then
    failed+=("$name")
    echo "check compiler: FAILED with seed $seed"
    grep -v '^graph [0-9]*$' "$build/fuzz/compiler.log" | tail -n 120
    grep '^graph [0-9]*$' "$build/fuzz/compiler.log" | tail -n 1
  else
    failed+=("$name")
    echo "fuzz_$name: FAILED"
    tail -n 60 "$build/fuzz/$name.log"
  fi
}
workers=()
finished=0
for source in "${sources[@]}" compiler; do
  name="$(basename "$source" _fuzz.cpp)"
  names+=("$name")
  if [ "$name" = compiler ]; then
    check_compiler &
  else
    fuzz "$name" "-max_total_time=$seconds" &
  fi
  workers+=($!)
  if [ $((${#workers[@]} - finished)) -ge "$(nproc)" ]; then
    finish "$finished"
    finished=$((finished + 1))
  fi
done
for ((; finished < ${#workers[@]}; ++finished)); do finish "$finished"; done
[ "${#failed[@]}" -eq 0 ] || exit 1

# Which lines the inputs reach: all of them once more, without mutation.
counted=("$measured"*.cpp)
if [ "${#counted[@]}" -eq 0 ]; then
  echo "There is no $measured*.cpp yet, so its lines are not counted."
  exit 0
fi
programs=()
profiles=()
for name in "${names[@]}"; do
  [ "$name" = compiler ] && continue
  fuzz "$name" -runs=0
  programs+=(${programs[@]+-object} "$build/fuzz/fuzz_$name")
  profiles+=("$build/fuzz/$name.profraw")
done
llvm-profdata-19 merge -o "$build/fuzz/lines.profdata" "${profiles[@]}"
echo
echo "Lines of the JSON reader that the inputs reach:"
report="$(llvm-cov-19 report "${programs[@]}" -instr-profile "$build/fuzz/lines.profdata" \
  -show-region-summary=false -show-branch-summary=false "${counted[@]}")"
echo "$report"
percent="$(echo "$report" | awk '/^TOTAL/ { print int($NF) }')"
if [ "${percent:-0}" -lt "$least_percent" ]; then
  echo "Only ${percent:-0} % of the lines are reached; at least $least_percent % are required." \
    "Add inputs to tests/fuzz/corpus." >&2
  exit 1
fi
