#!/bin/bash
# Runs every fuzzer of a sanitizer build for a while, and the random checks of `asg check compiler` and `asg check edits`;
# then shows which share of the JSON reader's lines the inputs reach:  FUZZ_SECONDS=60 tools/fuzz.sh build-sanitize
# Or until each fuzzer has run a number of inputs:  FUZZ_RUNS=1000000 tools/fuzz.sh build-sanitize
# Inputs are counted in <build>/fuzz/runs.tsv for as long as the program of a fuzzer stays the same, so that a run that
# was stopped resumes where it was. (The checks count by their own option --state.)
# ONLY=<regex> picks some of the fuzzers and checks. FUZZ_JOBS is how many run at once, by default one per processor.
# FUZZ_SEED is the seed of the checks, by default the time. Programs are verified after every compiler pass.
# Fails on a finding (kept as <build>/fuzz/<name>.crash-...) and when too few lines are reached.
set -euo pipefail
cd "$(dirname "$0")/.."

build="$1"
seconds="${FUZZ_SECONDS:-60}"
wanted="${FUZZ_RUNS:-0}"
only="${ONLY:-.}"
jobs="${FUZZ_JOBS:-$(nproc)}"
counts="$build/fuzz/runs.tsv"
turn=60 # seconds between two counts of FUZZ_RUNS
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

# A random check until its time is over (exit code 130); what fails is printed reduced.
checks=(compiler edits)
is_check() { [[ " ${checks[*]} " == *" $1 "* ]]; }
check() {
  local outcome=0
  timeout --preserve-status --signal=INT --kill-after=120 "$seconds" \
    "$build/asg" check "$1" --seed "$seed" --count 0 >"$build/fuzz/check_$1.log" 2>&1 || outcome=$?
  [ "$outcome" -eq 130 ]
}

# The inputs that the fuzzer has run with the program that it is now: lines of name, check sum of the program, inputs.
program_of() { cksum <"$build/fuzz/fuzz_$1" | tr ' ' -; }
counted_of() {
  [ -f "$counts" ] || { echo 0; return; }
  awk -v name="$1" -v program="$(program_of "$1")" '$1 == name && $2 == program { n = $3 } END { print n + 0 }' "$counts"
}
add_count() {
  local all=$(($(counted_of "$1") + $2))
  touch "$counts"
  awk -v name="$1" '$1 != name' "$counts" >"$counts.new"
  printf '%s\t%s\t%s\n' "$1" "$(program_of "$1")" "$all" >>"$counts.new"
  mv "$counts.new" "$counts"
}

# Of a fuzzer that ended: what it has run, or how it failed.
names=()
failed=()
finish() {
  local name="$1" runs
  if is_check "$name"; then
    if wait "$2"; then
      echo "asg check $name --seed $seed: $seconds s, no finding"
    else
      failed+=("$name")
      echo "asg check $name --seed $seed: FAILED"
      tail -n 120 "$build/fuzz/check_$name.log"
    fi
    return
  fi
  if ! wait "$2"; then
    failed+=("$name")
    echo "fuzz_$name: FAILED"
    tail -n 60 "$build/fuzz/$name.log"
    return
  fi
  runs="$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/fuzz/$name.log")"
  add_count "$name" "$runs"
  [ "$wanted" -gt 0 ] || echo "fuzz_$name: $runs inputs in $seconds s, no finding"
}

# Runs the fuzzers named, some at once. With FUZZ_RUNS each runs the inputs that it still lacks, for one turn at most.
run_all() {
  local running=() workers=() name left
  for name in "$@"; do
    if is_check "$name"; then
      check "$name" &
    elif [ "$wanted" -gt 0 ]; then
      left=$((wanted - $(counted_of "$name")))
      fuzz "$name" "-runs=$left" "-max_total_time=$turn" &
    else
      fuzz "$name" "-max_total_time=$seconds" &
    fi
    workers+=($!)
    running+=("$name")
    if [ "${#workers[@]}" -ge "$jobs" ]; then
      finish "${running[0]}" "${workers[0]}"
      running=("${running[@]:1}")
      workers=("${workers[@]:1}")
    fi
  done
  for left in ${workers[@]+"${!workers[@]}"}; do finish "${running[$left]}" "${workers[$left]}"; done
}

show_counts() {
  local name
  printf '%-20s %12s of %s\n' fuzzer inputs "$wanted"
  for name in "${names[@]}"; do printf '%-20s %12s\n' "$name" "$(counted_of "$name")"; done
}

for source in "${sources[@]}"; do
  name="$(basename "$source" _fuzz.cpp)"
  if [[ "$name" =~ $only ]]; then names+=("$name"); fi
done
if [ "$wanted" -eq 0 ]; then
  for name in "${checks[@]}"; do
    if [[ "$name" =~ $only ]]; then names+=("$name"); fi
  done
fi
if [ "${#names[@]}" -eq 0 ]; then
  echo "No fuzzer's name matches '$only'." >&2
  exit 2
fi
mkdir -p "$build/fuzz"
if [ "$wanted" -eq 0 ]; then
  run_all "${names[@]}"
  [ "${#failed[@]}" -eq 0 ] || exit 1
else
  while :; do
    lacking=()
    for name in "${names[@]}"; do
      if [ "$(counted_of "$name")" -lt "$wanted" ]; then lacking+=("$name"); fi
    done
    [ "${#lacking[@]}" -gt 0 ] || break
    run_all "${lacking[@]}"
    show_counts
    [ "${#failed[@]}" -eq 0 ] || exit 1
  done
  show_counts
  exit 0
fi
if [ "$only" != . ]; then exit 0; fi # lines are counted of all fuzzers together

# Which lines the inputs reach: all of them once more, without mutation.
counted=("$measured"*.cpp)
if [ "${#counted[@]}" -eq 0 ]; then
  echo "There is no $measured*.cpp yet, so its lines are not counted."
  exit 0
fi
programs=()
profiles=()
for name in "${names[@]}"; do
  if is_check "$name"; then continue; fi
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
