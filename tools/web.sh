#!/bin/bash
# Builds the page of the Lab into web/dist, which the program then holds:  tools/web.sh
# Does nothing where the page is as new as its sources. Where there is no Node, or its packages cannot be had, it says so
# and leaves it at that: the engine needs neither.
set -euo pipefail
cd "$(dirname "$0")/../web"

stamp=dist/index.html
newer="$([ -f "$stamp" ] && find index.html package-lock.json vite.config.ts tsconfig.json public src -newer "$stamp" -print -quit || echo all)"
[ -n "$newer" ] || exit 0

log="$(mktemp)"
trap 'rm -f "$log"' EXIT
echo "-- building the page of the Lab"
if ! ../tools/web_packages.sh 2>"$log"; then
  cat "$log" >&2
  echo "-- the page of the Lab is not built: $(tail -1 "$log"). The engine works without it." >&2
  exit 0
fi
npm run --silent build >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
