#!/usr/bin/env bash
# Prints the licences of Go and of all modules that a program links, each text once
# with the modules that it covers:
#   scripts/licences.sh ./cmd/ludozero >THIRD_PARTY_LICENSES.txt
#   scripts/licences.sh -check ./cmd/ludozero   fails if that file says something else
set -euo pipefail
GO=${GO:-go}
check=
[ "${1:-}" != -check ] || { check=1; shift; }
package=${1:?usage: scripts/licences.sh [-check] PACKAGE}
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# add NAME FILE...: what covers a work, under the digest of its text.
add() {
  local name=$1 sum
  shift
  cat "$@" >"$dir/text"
  [ -s "$dir/text" ] || { echo "$name has no licence file" >&2; exit 1; }
  sum=$(sha256sum <"$dir/text" | cut -c1-16)
  mv "$dir/text" "$dir/$sum.text"
  echo "$name" >>"$dir/$sum.names"
}

add "Go" "$("$GO" env GOROOT)/LICENSE"
# What is linked differs a little by system: the file is that of Linux, whoever checks it.
GOOS=${GOOS:-linux} GOARCH=${GOARCH:-amd64} "$GO" list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}' "$package" | LC_ALL=C sort -u >"$dir/modules"
while read -r module version at; do
  files=()
  while IFS= read -r file; do files+=("$file"); done < <(find "$at" -maxdepth 1 -type f \( -iname 'licen[cs]e*' -o -iname 'copying*' -o -iname 'notice*' -o -iname 'patents*' \) | LC_ALL=C sort)
  add "$module $version" "${files[@]}" </dev/null
done <"$dir/modules"

{
  echo "Works that $(basename "$package") links, and their licences. scripts/licences.sh makes this file."
  for names in $(cd "$dir" && for f in *.names; do echo "$(head -n 1 "$f") $f"; done | LC_ALL=C sort | awk "{print \$NF}"); do
    printf '\n%s\n\n' "================================================================================"
    cat "$dir/$names"
    printf '\n'
    cat "$dir/${names%.names}.text"
  done
} >"$dir/all"
if [ -n "$check" ]; then
  cmp -s "$dir/all" THIRD_PARTY_LICENSES.txt || { echo "THIRD_PARTY_LICENSES.txt is out of date: run make generate"; exit 1; }
else
  cat "$dir/all"
fi
