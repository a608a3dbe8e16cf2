#!/bin/bash
# Installs the Debian packages that are missing, from the groups of packages.txt named on the command
# line:  tools/packages.sh build test
# Without root it prints the command that would do it and fails. Elsewhere than on Debian it does nothing.
set -euo pipefail

list="$(dirname "$0")/../packages.txt"

command -v dpkg-query >/dev/null || exit 0

# The packages of the wanted groups: lines below "[group]", comments and blank lines aside.
wanted=()
for group in "$@"; do
  inside=no
  found=no
  while read -r line; do
    case "$line" in
      "" | "#"*) ;;
      "[$group]") inside=yes found=yes ;;
      "["*) inside=no ;;
      *) if [ "$inside" = yes ]; then wanted+=("$line"); fi ;;
    esac
  done <"$list"
  if [ "$found" = no ]; then
    echo "packages.txt has no group [$group]" >&2
    exit 1
  fi
done

# One question to dpkg for all of them; it fails when one is unknown, which is an answer too.
installed="$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null || true)"
missing=()
for package in "${wanted[@]}"; do
  case $'\n'"$installed"$'\n' in
    *$'\n'"installed $package"$'\n'*) ;;
    *) case " ${missing[*]:-} " in *" $package "*) ;; *) missing+=("$package") ;; esac ;;
  esac
done
[ "${#missing[@]}" -eq 0 ] && exit 0

if [ "$(id -u)" -ne 0 ]; then
  echo "Some packages are missing. Please run:" >&2
  echo "  sudo apt-get install --no-install-recommends ${missing[*]}" >&2
  exit 1
fi

echo "Installing: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
log="$(mktemp)"
trap 'rm -f "$log"' EXIT
install() { apt-get install -y -q --no-install-recommends "${missing[@]}" >"$log" 2>&1; }
# The package lists may be absent or old: refresh them only if the first attempt fails.
if ! install; then
  if ! { apt-get update -q >"$log" 2>&1 && install; }; then
    cat "$log" >&2
    exit 1
  fi
fi
