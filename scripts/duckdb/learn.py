"""Learns to play and judge Connect Four from the shards of a run, by docs/data-format.md
alone: with DuckDB and no other library, nor any code of ours.

    python3 -m venv env && env/bin/pip install duckdb
    env/bin/python learn.py 'runs/first/shards/*.parquet'

The smallest model that can learn: a column's logit and the value are linear in the stones
of a position. A fifth of the games is held out; the losses there fall from pass to pass.
"""
import math
import random
import sys

import duckdb

COLUMNS, CELLS = 7, 42
BIAS = 2 * CELLS  # an input that is always 1


def inputs(position):
    """The inputs that are 1: own stones, those of the other side, and the bias."""
    board, side = position.split(" ")  # rows from the top, then the side to move: "......./… x"
    stones = board.replace("/", "")
    return [i if stone == side else CELLS + i for i, stone in enumerate(stones) if stone != "."] + [BIAS]


def signed(on):
    """The same inputs with one of each cell: 1 for an own stone, -1 for the other side's."""
    return [(i % CELLS, 1 if i < CELLS else -1) if i < BIAS else (CELLS, 1) for i in on]


def read(files):
    """A list of (game, inputs, legal columns, probability of each, result), of decisions with a policy."""
    rows = duckdb.sql(f"""SELECT generation * 1000000 + game_number, position, legal, policy, outcome FROM '{files}'
        WHERE game = 'connect4' AND len(policy) > 0 ORDER BY generation, game_number, ply""").fetchall()
    return [(game, inputs(position), legal, [p / 65535 for p in policy], outcome) for game, position, legal, policy, outcome in rows]


class Model:
    def __init__(self):
        self.policy = [[0.0] * (BIAS + 1) for _ in range(COLUMNS)]
        self.value = [0.0] * (CELLS + 1)  # of an own stone; one of the other side counts against it

    def judge(self, on, legal):
        """The probabilities of the legal columns, and the expected result for the side to move."""
        logits = [sum(self.policy[a][i] for i in on) for a in legal]
        weights = [math.exp(x - max(logits)) for x in logits]
        return [w / sum(weights) for w in weights], math.tanh(sum(sign * self.value[i] for i, sign in signed(on)))

    def learn(self, on, legal, target, outcome, rate):
        probs, value = self.judge(on, legal)
        for a, p, t in zip(legal, probs, target):  # cross-entropy
            for i in on:
                self.policy[a][i] -= rate * (p - t)
        slope = (value - outcome) * (1 - value * value)  # half of the squared error
        for i, sign in signed(on):
            self.value[i] -= rate * sign * slope

    def losses(self, rows):
        """Mean cross-entropy in nats, and mean squared error of the value."""
        policy = value = 0.0
        for _, on, legal, target, outcome in rows:
            probs, v = self.judge(on, legal)
            policy -= sum(t * math.log(p) for t, p in zip(target, probs))
            value += (v - outcome) ** 2
        return policy / len(rows), value / len(rows)


def main(files, passes=3):
    rows = read(files)
    games = sorted({row[0] for row in rows})
    held = set(games[::5])
    train, test = [r for r in rows if r[0] not in held], [r for r in rows if r[0] in held]
    if not train or not test:
        sys.exit("too few games of Connect Four with policies: want at least two")
    print(f"{len(games)} games, {len(train)} decisions to learn from, {len(test)} held out")
    model, order = Model(), random.Random(1)
    for n in range(passes + 1):
        print(f"after {n} passes: policy {model.losses(test)[0]:.3f} nats, value {model.losses(test)[1]:.3f}; learned from {model.losses(train)[0]:.3f}, {model.losses(train)[1]:.3f}")
        order.shuffle(train)
        for _, on, legal, target, outcome in train:
            model.learn(on, legal, target, outcome, rate=0.001)


if __name__ == "__main__":
    main(*sys.argv[1:2])
