#!/usr/bin/env bash
# Simulates tournaments and sequential tests between players of known strength, and
# tables of starts of known score, and prints how often intervals cover the truth and
# decisions are wrong: the tables of docs/statistics.md. Of the tables of starts, which
# take longest, there is a tenth. Usage: scripts/coverage.sh [COUNT [SEED]]
set -euo pipefail
cd "$(dirname "$0")/.."
GO=${GO:-go}
count=${1:-10000}
seed=${2:-1}
rows() { sed -n 's/^ *[a-z_]*_test\.go:[0-9]*: //p'; }

echo "$count tournaments a row, seed $seed: 95 % intervals of the differences"
echo
echo "| World | Players | Cover the truth | Truth below / above, % | Mean width, Elo | Infinite | Seat's advantage covered |"
echo "|---|---|---|---|---|---|---|"
"$GO" test ./stats/rating -timeout 0 -run TestIntervalsOfRatingsCover -v -tournaments "$count" -seed "$seed" | rows
echo
echo "$count sequential tests a row, seed $seed"
echo
echo "| World | elo0, elo1, alpha, beta | True Elo | H1 accepted | Pairs, mean | forecast | Pairs, 95 % | forecast |"
echo "|---|---|---|---|---|---|---|---|"
"$GO" test ./stats/sprt -timeout 0 -run TestErrorRatesHold -v -tests "$count" -seed "$seed" | rows
echo
echo "$((count / 10)) tables of starts a row, seed $seed: 95 % intervals of the score at the starts that are chosen, in points"
echo
echo "| World | Table | Cover the truth | Half width | Off on average | Own games, off | Score at the chosen, % | By perfect choice, % |"
echo "|---|---|---|---|---|---|---|---|"
"$GO" test ./study/balance -timeout 0 -run TestChoiceCoverage -v -tables "$((count / 10))" -seed "$seed" | rows
