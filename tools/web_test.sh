#!/bin/bash
# Runs tests of the page of the Lab:  tools/web_test.sh ready|check|unit|stand_in|program [build/asg]
#   ready     only sees to what the others need, and says which of them will be skipped
#   check     types, and the rules of the folder
#   unit      unit tests
#   stand_in  in a browser, against a stand-in for the program
#   program   in a browser, against the program itself, which is named
# Ends with 77 where Node, npm packages or a browser cannot be had: skipped, with the reason.
set -euo pipefail
cd "$(dirname "$0")/.."

what="$1"
program="${2:-build/asg}"

ready() {
  local reason
  if ! reason="$(tools/web_packages.sh 2>&1)"; then
    echo "-- all tests of the page will be skipped: $(tail -1 <<<"$reason")"
  elif ! reason="$(tools/web_packages.sh browser 2>&1)"; then
    echo "-- the tests of the page in a browser will be skipped: $(tail -1 <<<"$reason")"
  fi
}

require() {
  tools/web_packages.sh "$@" || { echo "skipped"; exit 77; }
}

# One that is free now, so that two runs on one machine do not meet.
free_port() {
  node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}

export PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1
case "$what" in
  ready) ready ;;
  check)
    require
    cd web && npm run --silent check
    ;;
  unit)
    require
    cd web && npm test --silent
    ;;
  stand_in)
    require browser
    tools/web.sh
    LAB_PORT="$(free_port)"
    export LAB_PORT
    cd web && npm run --silent e2e
    ;;
  program)
    require browser
    ASG="$(realpath "$program")"
    export ASG
    cd web && npm run --silent e2e:real
    ;;
  *)
    echo "no such tests: $what" >&2
    exit 2
    ;;
esac
