#!/bin/sh
# Fits the weights of the alphabeta player again: the same arguments give the same
# weights. Takes some minutes on two cores and prints the progress of the rounds.
set -eu
cd "$(dirname "$0")/.."
out=engine/konreh/weights.txt
go run ./player/alphabeta/fit -rounds 2 -games 1200 -depth 3 -seed 1 -pull 1e-4 >"$out.new"
mv "$out.new" "$out"
git diff --stat -- "$out"
