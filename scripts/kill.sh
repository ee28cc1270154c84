#!/usr/bin/env bash
# Kills a tiny run the given number of times (default 20), at random moments and
# while it writes, renames and removes shards, checkpoints, metrics and ratings, and
# compares the result with an undisturbed run. A table counts how often each of
# these places was hit.
# Then does the same to a concurrent run, which must have every game once and keep
# everything that was finished.
set -euo pipefail
cd "$(dirname "$0")/.."
exec "${GO:-go}" test -count=1 -v -timeout 30m -run '^TestKilled(Concurrent)?RunGoesOn$' ./cli -args -kills "${1:-20}"
