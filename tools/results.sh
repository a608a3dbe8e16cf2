#!/bin/bash
# Runs the long examples, or those that are named, keeps what they say and their curves in docs/results, and writes the
# page docs/results.md from what is there:  tools/results.sh [--page] [name...]
# With --page nothing is run. Needs the data sets: asg data get mnist, asg data get fashion-mnist.
set -euo pipefail
cd "$(dirname "$0")/.."

kept=docs/results
page=docs/results.md
mkdir -p "$kept"

names=()
run=yes
for word in "$@"; do
  if [ "$word" = --page ]; then run=no; else names+=("$word"); fi
done
if [ "${#names[@]}" -eq 0 ]; then
  mapfile -t names < <(grep -l '"support/example.h"' examples/*.cpp | xargs -n 1 basename -s .cpp)
fi

if [ "$run" = yes ]; then
  failed=()
  for name in "${names[@]}"; do
    echo "-- $name"
    build/examples/"example_$name" --plot "$kept/$name.svg" | sed -u 's/ *$//' | tee "$kept/$name.txt" || failed+=("$name")
  done
  [ "${#failed[@]}" -eq 0 ] || { echo "failed: ${failed[*]}"; exit 1; }
fi

# A row of the table from the last lines of an example: "loss A -> B in N steps, T s (P s of …)", "what: V (at least F)".
row() {
  awk -v name="$1" '
    /^loss .* steps, / { steps = $6; seconds = $8; processors = substr($10, 2) }
    /\(at (least|most) / && goal == "" { goal = $0 }
    END {
      split(goal, parts, / \(/)
      bound = parts[2]
      sub(/\)$/, "", bound)
      sub(/: /, " ", parts[1])
      processors = processors == "" ? "–" : processors " s"
      printf "| [%s](#%s) | %s | %s | %s | %s s | %s |\n", name, name, parts[1], bound, steps, seconds, processors
    }' "$kept/$1.txt"
}

head_of_page() {
  cat <<'EOF'
# Results

What the long runs of the [examples](../examples) reach. Written by `tools/results.sh`, which runs them and keeps what they
say; `tools/results.sh mnist_cnn` runs one anew.

```sh
asg data get mnist && asg data get fashion-mnist
build/examples/example_mnist_cnn                    # a long run; --short is what the tests run, --plot FILE draws the curve
```

Each run is checked at its end: the loss fell (means over the first and the last tenth of the steps), every parameter moved, and
what was reached is no worse than the bound in the table; else the program fails. "Held out" is what the model did not
learn from: of MNIST and Fashion-MNIST the 10,000 pictures of the test part, of the book its last tenth. The figure is that of the last
epoch, not of the best one. How the training of a GPT goes beside PyTorch, step by step, is told in [a page of its own](results_gpt.md).

All begin with seed 1, on the CPU engine in f32, with two threads on the machine of [the benchmarks](benchmarks.md). The last
column is what the processor spent on the run: it says more than the time by the clock where other work ran beside it.

| example | reached | bound | steps | by the clock | of the processor |
|---|---|---|--:|--:|--:|
EOF
}

{
  head_of_page
  for file in "$kept"/*.txt; do row "$(basename -s .txt "$file")"; done
  for file in "$kept"/*.txt; do
    name="$(basename -s .txt "$file")"
    printf '\n## %s\n\n[examples/%s.cpp](../examples/%s.cpp)\n\n```\n' "$name" "$name" "$name"
    cat "$file"
    printf '```\n\n![Loss of %s](results/%s.svg)\n' "$name" "$name"
  done
} > "$page"
echo "wrote $page"
