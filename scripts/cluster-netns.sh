#!/usr/bin/env bash
# Plays a run on a trainer and two workers in network namespaces of their own, over TLS,
# cuts and slows their links (tc with netem, if the kernel has it) and stops processes, and
# compares shards, networks and optimizer states with those of one machine. Linux, root; a
# minute or two. The seed of the faults is the first argument.
set -euo pipefail
cd "$(dirname "$0")/.."
RANDOM=${1:-1}
work=$(mktemp -d)
pids=()
end() {
	for p in "${pids[@]}"; do kill -9 "$p" 2>/dev/null || true; done
	for n in 0 1 2; do ip netns del "lz$n" 2>/dev/null || true; done
	ip link del lzbr 2>/dev/null || true
	rm -rf "$work"
}
trap end EXIT
"${GO:-go}" build -o "$work/ludozero" ./cmd/ludozero
ip link add lzbr type bridge
ip link set lzbr up
for n in 0 1 2; do
	ip netns add "lz$n"
	ip link add "lzv$n" type veth peer name eth0 netns "lz$n"
	ip link set "lzv$n" master lzbr up
	ip -n "lz$n" addr add "10.77.0.$((n + 1))/24" dev eth0
	ip -n "lz$n" link set eth0 up
	ip -n "lz$n" link set lo up
done
train=("$work/ludozero" train --config tictactoe/tiny --no-rating --set games_per_generation=600 --set self_play.search.simulations=64
	--set generations=4 --set workers=1 --set lag=1)
"${train[@]}" --run "$work/alone" >/dev/null 2>&1
serve() {
	ip netns exec lz0 "${train[@]}" --run "$work/served" --serve 10.77.0.1:4222 --no-play >>"$work/trainer.txt" 2>&1 &
	trainer=$!
	pids+=("$trainer")
}
serve
until grep -qs "join with" "$work/trainer.txt"; do sleep 0.1; done
address=$(sed -n 's/.*join with: ludozero work //p' "$work/trainer.txt" | head -1)
workers=()
for n in 1 2; do
	ip netns exec "lz$n" "$work/ludozero" work "$address" --cores 1 --spool "$work/spool$n" --name "lz$n" >>"$work/worker$n.txt" 2>&1 &
	workers+=("$!")
	pids+=("$!")
done
faults=0
while kill -0 "$trainer" 2>/dev/null; do
	sleep "0.$((RANDOM % 9 + 1))"
	n=$((RANDOM % 2 + 1))
	faults=$((faults + 1))
	case $((RANDOM % 5)) in
	0) ip link set "lzv$n" down; sleep "$((RANDOM % 3)).5"; ip link set "lzv$n" up ;; # packets vanish, nobody is told
	1) if tc qdisc add dev "lzv$n" root netem delay 300ms loss 20% 2>/dev/null; then sleep 2; tc qdisc del dev "lzv$n" root; fi ;;
	2) kill -STOP "${workers[$((n - 1))]}" 2>/dev/null || true; sleep 1; kill -CONT "${workers[$((n - 1))]}" 2>/dev/null || true ;; # it may have ended
	3) kill -STOP "$trainer" 2>/dev/null || true; sleep 1; kill -CONT "$trainer" 2>/dev/null || true ;;
	4) if [ $((RANDOM % 3)) = 0 ] && kill -9 "$trainer" 2>/dev/null; then wait "$trainer" 2>/dev/null || true; serve; fi ;;
	esac
	if [ "$faults" -gt 200 ]; then
		echo "the run does not end:"; tail -3 "$work"/*.txt
		exit 1
	fi
done
wait "$trainer"
cd "$work/alone"
files=$(find shards checkpoints -type f ! -name state.json | sort)
for f in $files; do cmp "$f" "$work/served/$f"; done
[ "$files" = "$(cd "$work/served" && find shards checkpoints -type f ! -name state.json | sort)" ]
echo "$faults faults: the same $(wc -w <<<"$files") files as one machine"
