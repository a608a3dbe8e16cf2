#!/bin/bash
# Sees to Node and to the npm packages of web/, from the network where they are missing:  tools/web_packages.sh [browser]
# With `browser` it sees to Chromium as well. Where something cannot be had it says what and ends with 77, which tests
# take for "skipped". Nothing but Debian and npm packages is fetched.
set -euo pipefail
cd "$(dirname "$0")/.."

without() {
  echo "$1" >&2
  exit 77
}

has_node() {
  command -v npm >/dev/null && [ "$(node --version 2>/dev/null | sed 's/^v\([0-9]*\).*/\1/')" -ge 18 ] 2>/dev/null
}
# Only where there is none: a Node from elsewhere often brings its own npm, which Debian's would quarrel with.
has_node || tools/packages.sh node >&2 || true
has_node || without "there is no Node 18 or newer, with npm"

cd web
if [ ! -d node_modules ] || [ package-lock.json -nt node_modules ]; then
  log="$(mktemp)"
  trap 'rm -f "$log"' EXIT
  export PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1
  # Not `npm ci`: it takes a lock file without addresses for incomplete where packages are for other systems.
  timeout 900 npm install --no-save --no-audit --no-fund --fetch-retries=1 >"$log" 2>&1 ||
    without "npm could not get its packages: $(tail -1 "$log")"
  touch node_modules
fi
cd ..

[ "${1:-}" = browser ] || exit 0
has_browser() {
  [ -n "${CHROMIUM:-}" ] || command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null
}
has_browser || tools/packages.sh browser >&2 || true
has_browser || without "there is no Chromium"
