#!/bin/bash
# Builds the page of the Lab into web/dist, which the program then holds:  tools/web.sh
# Does nothing where the page is as new as its sources. Where there is no Node, or its packages cannot be had, it says so
# and leaves it at that: the engine needs neither.
set -euo pipefail
cd "$(dirname "$0")/../web"

skip() {
  echo "-- the page of the Lab is not built: $1" >&2
  exit 0
}

command -v npm >/dev/null || skip "it needs Node 18 or newer, with npm"
major="$(node --version | sed 's/^v\([0-9]*\).*/\1/')"
[ "$major" -ge 18 ] || skip "it needs Node 18 or newer, and this is $(node --version)"

stamp=dist/index.html
newer="$([ -f "$stamp" ] && find index.html package-lock.json vite.config.ts tsconfig.json public src -newer "$stamp" -print -quit || echo all)"
[ -n "$newer" ] || exit 0

echo "-- building the page of the Lab"
log="$(mktemp)"
trap 'rm -f "$log"' EXIT
export PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1
if [ ! -d node_modules ] || [ package-lock.json -nt node_modules ]; then
  # Not `npm ci`: it takes a lock file without addresses for incomplete where packages are for other systems.
  timeout 300 npm install --no-save --no-audit --no-fund --fetch-retries=1 >"$log" 2>&1 ||
    skip "npm could not get its packages: $(tail -1 "$log")"
  touch node_modules
fi
npm run --silent build >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
