#!/usr/bin/env bash
# Trains for some hours with every stateful option of the loop switched on, and
# draws the memory of the process over time: scripts/soak.sh HOURS RUN [key=value...]
# RUN is a new folder. After Ctrl-C it draws what was measured until then.
set -euo pipefail
cd "$(dirname "$0")/.."
GO=${GO:-go}
hours=${1:?hours, such as 2} run=${2:?folder of the run, such as runs/soak}
shift 2
[ ! -e "$run" ] || { echo "$run exists: a soak begins with a new run"; exit 1; }
mkdir -p bin "$(dirname "$run")"
"$GO" build -o bin/ludozero ./cmd/ludozero
"$GO" build -o bin/soak ./scripts/soak

settings=()
for s in "budget=$(awk "BEGIN { print int($hours * 60) }")m" "$@"; do settings+=(--set "$s"); done
bin/ludozero train --config scripts/soak/soak.yaml --run "$run" --no-rating --json "${settings[@]}" >"$run.jsonl" 2>"$run.err" &
pid=$!
trap 'kill -INT $pid 2>/dev/null || true' INT TERM
echo "seconds,resident_kib,shard_kib" >"$run.csv"
while resident=$(awk '/^VmRSS/ { print $2 }' "/proc/$pid/status" 2>/dev/null) && [ -n "$resident" ]; do
  shards=$(du -sk "$run/shards" 2>/dev/null | cut -f1 || true)
  echo "$SECONDS,$resident,${shards:-0}" >>"$run.csv"
  sleep 10 || true
done
status=0
wait $pid || status=$?
[ "$status" = 0 ] || cat "$run.err"
bin/soak "$run.svg" "$run.csv"
exit "$status"
