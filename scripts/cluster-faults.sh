#!/usr/bin/env bash
# Does the given number of faults (default 500) to runs that a trainer and three workers
# play: kills and stops of either, cut and slow links, repeated messages, flipped bits in
# the server's files and in spools. Every run must have the bytes of one on one machine.
# A table counts the faults. Some 2 seconds each.
set -euo pipefail
cd "$(dirname "$0")/.."
exec "${GO:-go}" test -count=1 -v -timeout 4h -run '^TestClusterUnderFaults$' ./cli -args -faults "${1:-500}"
