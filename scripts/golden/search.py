#!/usr/bin/env python3
"""Writes golden search trees for package mcts.

Usage: scripts/golden/search.py > mcts/testdata/golden.json

A second implementation of the search, to check the first against. It is written from
the formulas in the documentation of mcts.Config, mcts.Collect and the type
halving and from the papers named there, not from the code; it stores every
position, computes every score of every edge, and calculates in double precision.
It needs only the standard library of Python 3. Games are generated from SHA-256
rather than a random generator, so that every Python version writes the same file.

The code under test calculates in single precision. Two scores that are closer
than MARGIN without being equal by construction might be ordered differently there.
Such a game is skipped, so that visits, and sums of values, which are multiples of
1/16, agree exactly. Priors,
targets and values agree to about 1e-6, 1e-5 and 1e-4.

Where the documentation leaves a choice, this is how it is read:

  - Edges whose priors lower the first-play value are those with completed visits;
    an edge with virtual visits only has the first-play value, less virtual loss.
  - Largest n(a) and v_mix of Gumbel are of completed visits.
  - In a round of the halving the action with the fewest new visits is next, the
    best one among equals.
"""

import hashlib
import json
import math
import sys

MARGIN = 1e-4

DEFAULTS = {  # keys as in run files
    "search": "puct",
    "simulations": 60,
    "count_reused": False,
    "cpuct": 1.25,
    "cpuct_base": 19652.0,
    "cpuct_factor": 1.0,
    "fpu": "reduction",
    "fpu_reduction": 0.2,
    "root_fpu_reduction": 0.2,
    "fpu_value": -1.0,
    "root_fpu_value": -1.0,
    "gumbel_actions": 16,
    "gumbel_cvisit": 50.0,
    "gumbel_cscale": 0.5,
    "pending_leaves": 1,
    "virtual_loss": 0.5,
}

# Name, differences from DEFAULTS, and how games are generated: with chance
# decisions, coarse priors of which many are equal, noise at Gumbel roots.
CASES = [
    ("puct", {}, {}),
    ("puct with chance", {"simulations": 90}, {"chance": True}),
    ("puct with equal priors", {"cpuct": 2.5}, {"coarse": True}),
    ("puct with growing exploration", {"cpuct_base": 2.0, "cpuct_factor": 2.0}, {}),
    ("puct with a root of its own", {"fpu_reduction": 0.5, "root_fpu_reduction": 0.0}, {}),
    ("puct with absolute first play", {"fpu": "absolute", "fpu_value": -0.25, "root_fpu_value": 1.0}, {"chance": True}),
    ("puct with reused visits counted", {"count_reused": True}, {}),
    ("puct with 4 pending", {"pending_leaves": 4}, {}),
    ("puct with 8 pending and chance", {"pending_leaves": 8, "virtual_loss": 1.0, "simulations": 90}, {"chance": True}),
    ("puct with 8 pending and no loss", {"pending_leaves": 8, "virtual_loss": 0.0, "fpu": "absolute", "fpu_value": 0.0}, {"coarse": True}),
    ("gumbel", {"search": "gumbel"}, {}),
    ("gumbel with chance", {"search": "gumbel", "gumbel_cscale": 0.1, "simulations": 90}, {"chance": True}),
    ("gumbel with noise", {"search": "gumbel", "gumbel_cvisit": 10.0}, {"noise": True}),
    ("gumbel of three actions with noise", {"search": "gumbel", "gumbel_actions": 3, "simulations": 40}, {"noise": True, "chance": True}),
    ("gumbel with few simulations", {"search": "gumbel", "simulations": 6, "gumbel_actions": 4}, {"noise": True}),
    ("gumbel with equal priors", {"search": "gumbel", "gumbel_cvisit": 0.0, "gumbel_cscale": 0.2}, {"coarse": True}),
    ("gumbel with 4 pending", {"search": "gumbel", "pending_leaves": 4}, {"noise": True}),
]

SEARCHES = 3  # of each case, with a move between searches
MAX_DEPTH = 12
CHANCE = [(0, 0.5), (1, 0.375), (2, 0.125)]


class TooClose(Exception):
    """Two scores differ by so little that rounding might order them otherwise."""


def lot(*key):
    """A number in [0, 1) that depends on key alone."""
    return int.from_bytes(hashlib.sha256(repr(key).encode()).digest()[:6], "big") / 2**48


class Position:
    """A position of a game that is made up as it is played."""

    def __init__(self, seed, made_up, path=()):
        self.seed, self.made_up, self.path = seed, made_up, path
        self.number = None  # in the file, once a search has been here
        self.after = {}
        depth = len(path)

        def u(*key):
            return lot(seed, path, *key)

        self.actions, self.logits, self.value = [], [], 0.0
        if depth >= MAX_DEPTH or depth > 1 and u("over") < 1 / 8:
            self.actor = "over"
            self.value = float(int(3 * u("winner")) - 1)  # of the first player
            return
        if made_up.get("chance") and depth > 0 and u("chance") < 1 / 3:
            self.actor = "chance"
            self.actions = [code for code, _ in CHANCE]
            return
        self.actor = "first" if u("actor") < 0.5 else "second"
        count = 5 if depth == 0 else 1 + int(5 * u("count"))
        self.actions = [12 * i + int(12 * u("action", i)) for i in range(count)]
        levels = 2 if made_up.get("coarse") else 256
        self.logits = [int(levels * u("logit", i)) * 4 / levels for i in range(count)]
        self.value = int(33 * u("value")) / 16 - 1  # of the player who acts

    def play(self, action):
        if action not in self.after:
            self.after[action] = Position(self.seed, self.made_up, self.path + (action,))
        return self.after[action]


class Edge:
    """An action with its prior and the position behind it."""

    def __init__(self, position, action=None, prior=1.0):
        self.position, self.action, self.prior = position, action, prior
        self.visits, self.pending, self.sum = 0, 0, 0.0  # sum: first player's view
        self.edges = []

    def sign(self):
        return -1.0 if self.position.actor == "second" else 1.0

    def q(self, edge):
        """The mean value of an edge of this position for the player who acts."""
        return self.sign() * edge.sum / edge.visits


def softmax(logits):
    most = max(logits)
    weights = [math.exp(x - most) for x in logits]
    total = sum(weights)
    return [w / total for w in weights]


def best(edges, scores):
    """The edge with the highest score, then prior, then the lowest action."""
    order = sorted(range(len(edges)), key=lambda i: (-scores[i], -edges[i].prior, edges[i].action))
    first = order[0]
    for i in order[1:]:
        gap = scores[first] - scores[i]
        if gap > MARGIN:
            break
        a, b = edges[first], edges[i]
        if (a.prior, a.visits, a.pending, a.sum) != (b.prior, b.visits, b.pending, b.sum):
            raise TooClose
    return edges[first]


class Search:
    def __init__(self, config, position):
        self.c = config
        self.positions = []
        self.root = Edge(position)
        self.see(position)

    def see(self, position):
        if position.number is None:
            position.number = len(self.positions)
            self.positions.append(position)

    def run(self, noise):
        """Searches the root to the end of its budget."""
        c = self.c
        self.simulations = self.root.visits if c["count_reused"] else 0
        self.pending = 0
        self.compared, self.goal, self.noise = None, 0, {}
        if noise is not None:
            self.noise = dict(zip(self.root.position.actions, noise))
        while self.simulations < c["simulations"]:
            leaves = []
            while len(leaves) < c["pending_leaves"] and self.simulations + self.pending < c["simulations"]:
                path, state = self.descend()
                if state == "blocked":
                    break
                if state == "leaf":
                    leaves.append(path)
                    self.pending += 1
                    for e in path:
                        e.pending += 1
                else:
                    self.back_up(path, path[-1].position.value)
            for path in leaves:
                leaf = path[-1]
                p = leaf.position
                for e in path:
                    e.pending -= 1
                self.pending -= 1
                leaf.edges = [Edge(p.play(a), a, prior) for a, prior in zip(p.actions, softmax(p.logits))]
                self.back_up(path, leaf.sign() * p.value)

    def back_up(self, path, value):
        self.simulations += 1
        for e in path:
            e.visits += 1
            e.sum += value

    def descend(self):
        """A path from the root to a leaf or to the end of the game."""
        e = self.root
        path = [e]
        while True:
            self.see(e.position)
            if e.position.actor == "chance" and not e.edges:
                e.edges = [Edge(e.position.play(code), code, prob) for code, prob in CHANCE]
            if not e.edges:
                break
            e = self.pick(e)
            if e is None:
                return path, "blocked"
            path.append(e)
        if e.position.actor == "over":
            return path, "over"
        return path, "blocked" if e.pending else "leaf"

    def pick(self, e):
        if e.position.actor == "chance":
            total = 1 + sum(k.visits + k.pending for k in e.edges)
            return max(e.edges, key=lambda k: (k.prior * total - k.visits - k.pending, -k.action))
        if self.c["search"] == "puct":
            return self.puct(e)
        return self.candidate() if e is self.root else self.improve(e)

    def puct(self, e):
        c = self.c
        n = e.visits + e.pending
        weight = c["cpuct"] + c["cpuct_factor"] * math.log((n + c["cpuct_base"] + 1) / c["cpuct_base"])
        weight *= math.sqrt(n)
        root = "root_" if e is self.root else ""
        if c["fpu"] == "absolute":
            unvisited = c[root + "fpu_value"]
        else:
            mass = sum(k.prior for k in e.edges if k.visits)
            unvisited = max(-1.0, e.sign() * e.sum / e.visits - c[root + "fpu_reduction"] * math.sqrt(mass))
        scores = []
        for k in e.edges:
            q = e.q(k) if k.visits else unvisited
            if k.pending:
                q -= c["virtual_loss"] * k.pending / (k.visits + k.pending)
            scores.append(q + weight * k.prior / (1 + k.visits + k.pending))
        return best(e.edges, scores)

    def mixed(self, e):
        visited = [k for k in e.edges if k.visits]
        if not visited:
            return e.position.value
        n = sum(k.visits for k in visited)
        mean = sum(k.prior * e.q(k) for k in visited) / sum(k.prior for k in visited)
        return (e.position.value + n * mean) / (1 + n)

    def logits(self, e):
        """Logits of the improved policy, in the order of the edges."""
        mixed = self.mixed(e)
        scale = (self.c["gumbel_cvisit"] + max(k.visits for k in e.edges)) * self.c["gumbel_cscale"]
        return [math.log(k.prior) + scale * (e.q(k) if k.visits else mixed) for k in e.edges]

    def improve(self, e):
        total = 1 + sum(k.visits + k.pending for k in e.edges)
        policy = softmax(self.logits(e))
        return best(e.edges, [p - (k.visits + k.pending) / total for p, k in zip(policy, e.edges)])

    def candidate(self):
        """The next edge of a Gumbel root, by sequential halving."""
        left = self.c["simulations"] - self.simulations - self.pending
        if self.compared is None:
            m = min(self.c["gumbel_actions"], len(self.root.edges), left)
            self.budget, self.rounds = left, math.ceil(math.log2(m))
            self.before = {k.action: k.visits for k in self.root.edges}
            self.compared = self.ranked(self.root.edges, [math.log(k.prior) for k in self.root.edges])[:m]
            self.set_goal()
        while True:
            new = [k.visits - self.before[k.action] + k.pending for k in self.compared]
            if min(new) < self.goal:
                return self.compared[new.index(min(new))]
            if any(k.pending for k in self.compared):
                return None
            logits = dict(zip((k.action for k in self.root.edges), self.logits(self.root)))
            self.compared = self.ranked(self.compared, [logits[k.action] for k in self.compared])
            self.compared = self.compared[: min(max(2, len(self.compared) // 2), left)]
            self.set_goal()

    def set_goal(self):
        if len(self.compared) <= 2:
            self.goal = math.inf
        else:
            self.goal += max(1, self.budget // (self.rounds * len(self.compared)))

    def ranked(self, edges, logits):
        """edges with the highest sum of noise and logit first."""
        scores = [self.noise.get(k.action, 0.0) + x for k, x in zip(edges, logits)]
        order = sorted(range(len(edges)), key=lambda i: -scores[i])
        for i, j in zip(order, order[1:]):
            if 0 < scores[i] - scores[j] < MARGIN:
                raise TooClose
        return [edges[i] for i in order]

    def chosen(self):
        """The action that the search ends with."""
        r = self.root
        if self.c["search"] == "puct":
            return max(r.edges, key=lambda k: (k.visits, r.q(k) if k.visits else 0.0, k.prior, -k.action)).action
        among = r.edges if self.compared is None else self.compared
        logits = dict(zip((k.action for k in r.edges), self.logits(r)))
        return self.ranked(among, [logits[k.action] for k in among])[0].action

    def target(self):
        r = self.root
        if self.c["search"] == "gumbel":
            return softmax(self.logits(r))
        n = sum(k.visits for k in r.edges)
        return [k.visits / n for k in r.edges]

    def value(self):
        """The value of the root for the player who acts."""
        r = self.root
        if self.c["search"] == "puct":
            return r.sign() * r.sum / r.visits
        mixed = self.mixed(r)
        return sum(p * (r.q(k) if k.visits else mixed) for p, k in zip(self.target(), r.edges))

    def advance(self, action):
        e = next(k for k in self.root.edges if k.action == action)
        if not e.edges:  # nothing is kept but what was found below
            e.visits, e.sum = 0, 0.0
        self.root = e
        self.see(e.position)


def tree(e):
    """Edges of a position as [action, prior, visits, sum, edges]."""
    return [[k.action, round(k.prior, 8), k.visits, k.sum, tree(k)] for k in e.edges]


def attempt(config, made_up, seed):
    s = Search(config, Position(seed, made_up))
    searches = []
    for i in range(SEARCHES):
        if s.root.position.actor == "over":
            break
        noise = None
        if made_up.get("noise"):
            noise = [round(-math.log(-math.log(lot(seed, "noise", i, k) or 0.5)), 6) for k in range(len(s.root.position.actions))]
        s.run(noise)
        found = {
            "noise": noise,
            "visits": s.root.visits,
            "sum": s.root.sum,
            "tree": tree(s.root),
            "target": [round(p, 8) for p in s.target()],
            "value": round(s.value(), 8),
            "chosen": s.chosen(),
            "moves": [],
        }
        searches.append(found)
        # Not always the best: other subtrees are to be kept as well.
        visited = sorted((k for k in s.root.edges), key=lambda k: (-k.visits, k.action))
        move = visited[min(i, len(visited) - 1)].action
        while True:
            s.advance(move)
            found["moves"].append(move)
            if s.root.position.actor != "chance":
                break
            if not s.root.edges:
                s.root.edges = [Edge(s.root.position.play(code), code, prob) for code, prob in CHANCE]
            move = CHANCE[int(3 * lot(seed, "chance", i))][0]
    if len(searches) < SEARCHES:
        return None
    game = []
    for p in s.positions:
        after = [p.after[a].number if a in p.after else None for a in p.actions]
        game.append({"actor": p.actor, "actions": p.actions, "after": after, "logits": p.logits, "value": p.value})
    return {"game": game, "searches": searches}


def main():
    lines = []
    for name, changes, made_up in CASES:
        config = {**DEFAULTS, **changes}
        for seed in range(1000):
            try:
                case = attempt(config, made_up, seed)
            except TooClose:
                continue
            if case and (not made_up.get("chance") or any(p["actor"] == "chance" for p in case["game"])):
                break
        else:
            sys.exit(f"{name}: no game without scores that are too close")
        case = {"name": name, "config": config, "chance": [p for _, p in CHANCE], **case}
        lines.append(json.dumps(case, separators=(",", ":")))
    print("[\n" + ",\n".join(lines) + "\n]")


if __name__ == "__main__":
    main()
