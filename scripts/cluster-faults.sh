#!/usr/bin/env bash
# Does the given number of faults (default 500) to runs that a trainer and some workers
# (default 3) play: kills and stops of either, cut and slow links, repeated messages,
# flipped bits in the server's files and in spools. Every run must have the bytes of one on
# one machine. With "concurrent" as third argument the runs play and learn at the same
# time; then every game must be there once, be what its network and seed give, and be
# there if a worker had a receipt for it. A table counts the faults. Some 2 seconds each.
set -euo pipefail
cd "$(dirname "$0")/.."
test=TestClusterUnderFaults
[ "${3:-}" != concurrent ] || test=TestConcurrentClusterUnderFaults
exec "${GO:-go}" test -count=1 -v -timeout 4h -run "^$test\$" ./cli -args -faults "${1:-500}" -fault-workers "${2:-3}"
