#!/usr/bin/env bash
# Kills a tiny run the given number of times (default 20), at random moments and
# inside the writing, renaming and removing of shards, checkpoints, metrics and
# rating, and compares what it leaves with a run that was left alone. A table
# says how often each of these places was met.
# Then a concurrent run, which must have every game once and lose nothing that was
# finished.
set -euo pipefail
cd "$(dirname "$0")/.."
exec "${GO:-go}" test -count=1 -v -timeout 30m -run '^TestKilled(Concurrent)?RunGoesOn$' ./cli -args -kills "${1:-20}"
