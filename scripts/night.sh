#!/usr/bin/env bash
# Trains through the night at the lowest priority, and resumes with the program that
# began the run: scripts/night.sh CONFIG RUN [flag of train...]
# The folder RUN keeps a copy of the bin/ludozero that it began with, so that builds and
# another state of the tree change nothing in a run that has begun. Such a run takes its
# configuration and game from its folder, CONFIG no longer counts. Flags are train's;
# --set KEY=VALUE is needed once, the run keeps it. Remove RUN/ludozero to go on with the
# tree's program.
set -euo pipefail
cd "$(dirname "$0")/.."
config=${1:?configuration, such as konreh/overnight} run=${2:?folder of the run, such as runs/konreh-night}
shift 2
program=$run/ludozero
if [ -e "$run/pack.json" ]; then # nothing goes on in a pack, or is added to it: train says so
  program=bin/ludozero
elif [ ! -e "$run/config.yaml" ] || [ ! -x "$program" ]; then
  mkdir -p "$run"
  cp bin/ludozero "$program.new" # a name that exists is whole
  mv "$program.new" "$program"
fi
if [ ! -e "$run/config.yaml" ]; then
  set -- --config "$config" "$@"
elif [ "$program" != bin/ludozero ]; then
  game=$(sed -n "s/^game: *//p" "$run/config.yaml")
  echo "goes on with $program, the program of this run, which is of ${game:-no game} and keeps the configuration that it began with"
fi
exec nice -n 19 "$program" train --run "$run" "$@"
