#!/usr/bin/env bash
# Trains a healthy short run and several that are each broken in one way, and prints
# what `runs health` says about them: scripts/sabotage.sh [FOLDER].
# Fails if a run does not get the expected warnings. Two minutes on two cores.
# To record the figures for the tests:
#   go test ./report/health -run TestRecorded -record FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
GO=${GO:-go}
root=${1:-runs/sabotage}
[ ! -e "$root" ] || { echo "$root exists: want a new folder"; exit 1; }
mkdir -p bin "$root"
"$GO" build -o bin/ludozero ./cmd/ludozero

failed=0
# try NAME "CODES" [key=value...]: the run must get exactly these warnings.
try() {
  local name=$1 want=$2 settings=() s
  shift 2
  for s in "$@"; do settings+=(--set "$s"); done
  bin/ludozero train --config scripts/sabotage/connect4.yaml --run "$root/$name" --no-rating "${settings[@]}" >"$root/$name.out" 2>&1 ||
    { cat "$root/$name.out"; exit 1; }
  echo "== $name: $*"
  bin/ludozero runs health "$root/$name"
  local got
  got=$(bin/ludozero runs health "$root/$name" --json | sed -n 's/.*"code": "\(.*\)",/\1/p' | sort | uniq | paste -sd ' ' -)
  [ "$got" = "$want" ] || { echo "WRONG: warnings \"$got\", want \"$want\""; failed=1; }
  echo
}

try healthy ""
try frozen-rate "nothing-learned value-blind" train.learning_rate=1e-9
LUDOZERO_FAULT=flip-values try flipped-values "value-sign"
try no-noise "games-identical" self_play.search.noise_fraction=0 self_play.temperature=0 self_play.final_temperature=0
try little-noise "games-repeat" self_play.search.noise_fraction=0 self_play.temperature_turns=4 self_play.final_temperature=0
try tiny-window "window-small" window.min_positions=500 window.max_positions=500
exit $failed
