#!/bin/bash
# Writes a source for each folder of cards that includes all of them, and prints the names of these sources:
#   tools/card_batches.sh <folder to write to>
# Hundreds of cards share the same headers; checked one by one, nearly all the time would go into reading those again.
# Every card stands in a namespace of its own, since they all call their kernel `kernel`. Their headers come first, so
# that the card's own #include lines find them included already.
set -euo pipefail
cd "$(dirname "$0")/.."
to="$1"
mkdir -p "$to"

tools/sources.sh 'src/*.card.cpp' | sed 's|/[^/]*$||' | sort -u | while IFS= read -r folder; do
  batch="$to/$(echo "${folder#src/}" | tr / _).cpp"
  cards="$(tools/sources.sh "$folder/*.card.cpp" | grep -E "^$folder/[^/]+$")"
  {
    # shellcheck disable=SC2086 # names of sources hold no blanks
    cat $cards | grep -E '^#include' | sort -u
    number=0
    for card in $cards; do
      number=$((number + 1))
      echo "namespace card_$number {"
      echo "using namespace ::asg;"
      echo "#include \"${card#src/}\""
      echo "}"
    done
  } >"$batch.new"
  if cmp -s "$batch.new" "$batch"; then rm "$batch.new"; else mv "$batch.new" "$batch"; fi
  # As new as its newest card.
  # shellcheck disable=SC2086
  newest="$(ls -t $cards | head -n 1)"
  if [ "$newest" -nt "$batch" ]; then touch -r "$newest" "$batch"; fi
  echo "$batch"
done
