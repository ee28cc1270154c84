"""Computes the inputs of a network and the numbers of actions from position lines, by the
formulas of game.json, and compares them with vectors.jsonl. Python's own library is enough.

    python3 inputs.py

It knows no game: whatever it needs is in game.json, and docs/game-file.md of ludozero explains
the formulas.
"""
import json
import re
import sys
from collections import Counter


class Game:
    def __init__(self, path="game.json"):
        with open(path, encoding="utf-8") as file:
            self.about = json.load(file)
        self.rulesets = {r["rules"]: r for r in self.about["rulesets"]}
        self.steps = {}  # kept over positions


class Position:
    """A position line, under the rules of a ruleset."""

    def __init__(self, game, rules, line, side):
        self.about, self.rules = game.about, game.rulesets[rules]
        self.names = self.rules["cells"][side]
        self.at = {name: i for i, name in enumerate(self.names) if name}
        self.steps = game.steps.setdefault((rules, side), {})
        self.second = side == self.about["sides"][1]
        self.options, grammar = self.rules["options"], self.rules["position"]
        self.cell = re.compile(grammar["cell"])
        fields = [f["name"] for f in grammar["fields"]]
        groups = re.fullmatch(grammar["pattern"], line).groups(default="")
        self.fields, self.terms, self.piece = dict(zip(fields, groups)), {}, None
        self.pieces = {}
        for cells, row in zip(self.rules.get("board", []), groups[0].split("/")):
            free = iter(cells)
            for token in re.findall(r"\+?[^0-9+]|[0-9]+", row):
                for _ in range(int(token) if token.isdigit() else 1):
                    self.pieces.setdefault(token, set()).add(next(free))

    def step(self, rows, columns, cells):
        """The cells some rows and columns from others, on the planes of the side to act."""
        if not cells:
            return set()
        if (rows, columns) not in self.steps:
            height, width = self.about["height"], self.about["width"]
            to = self.steps[rows, columns] = {}
            for cell, at in self.at.items():
                row, column = at // width + rows, at % width + columns
                if 0 <= row < height and 0 <= column < width and self.names[row * width + column]:
                    to[cell] = self.names[row * width + column]
        to = self.steps[rows, columns]
        return {to[cell] for cell in cells if cell in to}

    def value(self, formula):
        """A number, or a set of names of cells."""
        if not isinstance(formula, list):
            return formula
        op, *args = formula
        return OPERATORS[op](self, *args)

    def values(self, formulas):
        return [self.value(f) for f in formulas]

    # Numbers.
    def do_add(self, *args): return sum(self.values(args))
    def do_subtract(self, a, b): return self.value(a) - self.value(b)
    def do_divide(self, a, b): return self.value(a) / self.value(b)
    def do_mod(self, a, b): return self.value(a) % self.value(b)
    def do_min(self, *args): return min(self.values(args))
    def do_max(self, *args): return max(self.values(args))
    def do_equal(self, a, b): return int(self.value(a) == self.value(b))
    def do_less(self, a, b): return int(self.value(a) < self.value(b))
    def do_not(self, a): return int(not self.value(a))
    def do_if(self, test, a, b): return self.value(a if self.value(test) else b)
    def do_side(self, a, b): return self.value(b if self.second else a)
    def do_count(self, cells): return len(self.value(cells))
    def do_option(self, name, *word): return self.text(self.options[name], *word)
    def do_field(self, name, *word): return self.text(self.fields[name], *word)
    def do_letters(self, field, letters): return sum(c in letters for c in self.fields[field])
    def do_number(self, *name): return self.rules["numbers"][self.joined(name)]

    def do_multiply(self, *args):
        product = 1
        for x in self.values(args):
            product *= x
        return product

    def text(self, text, *word):
        return int(text == str(word[0])) if word else int(text or 0)

    def joined(self, name):
        return " ".join(str(x) for x in self.values(name))

    # Sets of cells.
    def do_on(self, *letters): return set().union(*(self.pieces.get(str(x), ()) for x in letters))
    def do_view(self, *cells): return {self.names[i] for i in cells}
    def do_set(self, *name): return set(self.rules["sets"][self.joined(name)])
    def do_board(self): return set(self.at)
    def do_none(self): return set()
    def do_or(self, *args): return set().union(*self.values(args))
    def do_step(self, rows, columns, cells): return self.step(rows, columns, self.value(cells))
    def do_it(self): return {self.piece}

    def do_and(self, first, *rest):
        cells = self.value(first)
        for f in rest:
            cells = cells and cells & self.value(f)
        return cells

    def do_minus(self, a, b):
        cells = self.value(a)
        return cells and cells - self.value(b)

    def do_named(self, field, *which):
        cells = self.cell.findall(self.fields[field])
        return {cells[which[0]]} if which else set(cells)

    def do_pick(self, words, n):
        return {self.about["lists"][words][self.value(n)]}

    def do_ray(self, most, rows, columns, start, through):
        here, found = self.value(start), set()
        if not here:
            return found
        through = self.value(through)
        for _ in range(self.value(most)):
            here = self.step(rows, columns, here)
            found |= here
            here = here & through
        return found

    def do_spread(self, most, steps, start, through):
        here = found = self.value(start)
        through, left = self.value(through) | here, self.value(most) or len(self.at)
        while here and left:
            here = set().union(*(self.step(r, c, here & through) for r, c in steps)) - found
            found, left = found | here, left - 1
        return found

    def do_linked(self, name, cells):
        links = self.about["links"][name]
        return {to for cell in self.value(cells) for to in links[cell]}

    def do_many(self, least, pieces, formula):
        counts, was, terms = Counter(), self.piece, self.terms
        for self.piece in self.value(pieces):
            self.terms = {}
            counts.update(self.value(formula))
        self.piece, self.terms = was, terms
        return {cell for cell, n in counts.items() if n >= least}

    def do_term(self, name):
        if name not in self.terms:
            self.terms[name] = self.value(self.about["terms"][name])
        return self.terms[name]

    # Words of actions, whose groups are in self.word.
    def do_at(self, group): return self.at[self.word[group]]
    def do_cell(self, group): return {self.word[group]}
    def do_is(self, group, text): return int(self.word[group] == str(text))
    def do_index(self, words, group): return self.about["lists"][words].index(self.word[group])
    def do_find(self, x, *numbers): return numbers.index(self.value(x))

    def action(self, word):
        for form in self.about["words"]:
            match = re.fullmatch(form["pattern"], word)
            if match:
                self.word = (word, *match.groups(default=""))
                return self.value(form["action"])
        raise ValueError(f"no form of words fits {word}")

    def planes(self):
        """A list of cells that are 1 for each plane, None for one that needs the rules."""
        return [{self.at[c] for c in self.value(p["is"])} if "is" in p else None for p in self.about["planes"]]

    def globals(self):
        return [self.value(g["is"]) if "is" in g else None for g in self.about["globals"]]


OPERATORS = {name[3:]: method for name, method in vars(Position).items() if name.startswith("do_")}
for sign, name in {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "=": "equal", "<": "less"}.items():
    OPERATORS[sign] = OPERATORS.pop(name)


def main():
    game, size, wrong, count = Game(), None, Counter(), 0
    for line in open("vectors.jsonl", encoding="utf-8"):
        v = json.loads(line)
        position = Position(game, v["rules"], v["position"], v["side"])
        size = game.about["height"] * game.about["width"]
        there = [set() for _ in game.about["planes"]]
        for i in v["ones"]:
            there[i // size].add(i % size)
        wrong.update(f"others in {v['position']}" for _ in v.get("others", []))
        for plane, want, got in zip(game.about["planes"], there, position.planes()):
            if got is not None and got != want:
                wrong[f"plane {plane['name']}"] += 1
        for number, want, got in zip(game.about["globals"], v["globals"], position.globals()):
            if got is not None and abs(got - want) > 1e-6:
                wrong[f"global {number['name']}"] += 1
        for action, word in zip(v["actions"], v["words"]):
            if position.action(word) != action:
                wrong[f"word {word}"] += 1
        count += 1
    inputs = game.about["planes"] + game.about["globals"]
    print(f"{count} positions: {sum('is' in x for x in inputs)} of {len(inputs)} inputs computed")
    for x in inputs:
        if "is" not in x:
            print(f"needs the rules: {x['name']}")
    for name, n in sorted(wrong.items()):
        print(f"wrong: {name}, {n} times")
    sys.exit(bool(wrong) or count == 0)


if __name__ == "__main__":
    main()
