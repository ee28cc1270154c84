#!/usr/bin/env bash
# Fuzzes every fuzz target for the given time each (default 20s). Inputs that are new are
# made smaller only briefly: by default that takes all the time where inputs are large.
set -euo pipefail
cd "$(dirname "$0")/.."
GO=${GO:-go}
grep -rEo --include='*_test.go' '^func (Fuzz[A-Za-z0-9_]+)' . | sed 's/:func / /' | while read -r file name; do
  echo "+ $name in $(dirname "$file")"
  "$GO" test -run '^$' -fuzz "^$name\$" -fuzztime "${1:-20s}" -fuzzminimizetime 20x "$(dirname "$file")" </dev/null
done
