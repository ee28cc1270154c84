#!/usr/bin/env bash
# Runs every test in short form and lists skipped tests with the reason. Under
# CI=true a skipped test is a failure, unless the machine does not allow what it
# needs (a mount, a terminal). The output is go test's, without the lines of tests
# that pass.
set -euo pipefail
cd "$(dirname "$0")/.."
GO=${GO:-go}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

run() {
  echo "+ $GO test $*"
  "$GO" test -short -v "$@" 2>&1 | tee -a "$log" | grep -vE '^ *(=== (RUN|PAUSE|CONT|NAME)|--- PASS)|^PASS$' || test "${PIPESTATUS[0]}" -eq 0
}

run -timeout 15m ./...
LUDOZERO_KERNEL=generic run -tags purego ./model/...
run -tags invariants ./engine/... ./mcts/... ./selfplay/...
# Every benchmark once, to see that it still runs.
run -run '^$' -bench . -benchtime 1x ./...

# go test prints the reason before the SKIP line, and subtests before the result of
# their test.
skipped=$(awk '/^=== RUN/ {why = "    no reason"} /^ +[a-z0-9_]+_test\.go:[0-9]+: / {why = $0} /^ *--- SKIP/ {print why; print}' "$log")
if [ -n "$skipped" ]; then
  echo "skipped:"
  echo "$skipped"
  reasons=$(grep -vE '^ *--- SKIP' <<<"$skipped" | grep -vc ': this machine: ' || true)
  if [ "${CI:-}" = true ] && [ "$reasons" -gt 0 ]; then
    echo "CI=true: a skipped test is a failure"
    exit 1
  fi
fi
