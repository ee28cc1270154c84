#!/usr/bin/env python3
"""A tiny engine that speaks UGI: tic-tac-toe by rules of its own, moves at random.

It wins at once where it can. --misbehave crash|illegal|silent|hopeless is for tests: what it
does at its third move, or crash at its first; hopeless plays no legal move.
"""
import random
import sys

CELLS = [row_column for row in ("a1 b1 c1", "a2 b2 c2", "a3 b3 c3") for row_column in row.split()]
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def won(board, player):
    return any(all(board[i] == player for i in line) for line in LINES)


class Engine:
    def __init__(self, misbehave):
        self.misbehave = misbehave
        self.rng = random.Random(1)
        self.played = 0
        self.new_game()

    def new_game(self):
        self.board, self.turn = [None] * 9, 0

    def position(self, words):
        if words[:1] != ["startpos"]:
            raise ValueError("only startpos is understood")
        self.new_game()
        for word in words[2:]:
            cell = CELLS.index(word)
            if self.board[cell] is not None:
                raise ValueError("taken: " + word)
            self.board[cell] = self.turn
            self.turn = 1 - self.turn

    def best(self):
        free = [i for i in range(9) if self.board[i] is None]
        for i in free:
            board = self.board[:i] + [self.turn] + self.board[i + 1:]
            if won(board, self.turn):
                return i
        return self.rng.choice(free)

    def result(self):
        for player, word in ((0, "p1win"), (1, "p2win")):
            if won(self.board, player):
                return word
        return "none" if None in self.board else "draw"

    def obey(self, line):
        command, *words = line.split()
        if command == "ugi":
            return ["id name tiny tic-tac-toe", "id author a test", "option name Seed type spin default 1 min 0 max 2147483647", "ugiok"]
        if command == "isready":
            return ["readyok"]
        if command == "setoption" and words[:2] == ["name", "Seed"]:
            self.rng = random.Random(int(words[3]))
        elif command == "uginewgame":
            self.new_game()
        elif command == "position":
            self.position(words)
        elif command == "query":
            answers = {"p1turn": str(self.turn == 0).lower(), "result": self.result(), "gameover": str(self.result() != "none").lower()}
            return ["response " + answers[words[0]]]
        elif command == "go":
            self.played += 1
            if self.misbehave == "crash":
                sys.exit("the board is on fire")
            if self.played >= 3 and self.misbehave == "illegal" or self.misbehave == "hopeless":
                return ["bestmove z9"]
            if self.played == 3 and self.misbehave == "silent":
                return []
            return ["info nodes 1 time 0", "bestmove " + CELLS[self.best()]]
        return []


def main():
    misbehave = sys.argv[2] if sys.argv[1:2] == ["--misbehave"] else ""
    engine = Engine(misbehave)
    for line in sys.stdin:
        if line.strip() == "quit":
            break
        if line.strip():
            for answer in engine.obey(line):
                print(answer, flush=True)


if __name__ == "__main__":
    main()
