#!/usr/bin/env python3
"""Plays random games of pawnrace and prints them as reference games, a line each.

It is the rules written a second time, as plainly as possible, so that a mistake in the
fast ones shows: python3 testdata/games.py >testdata/games.jsonl

With the word perft it counts the sequences of one to five moves instead.
"""
import hashlib
import json
import random
import sys

SIZE = 5


def start():
    rows = {0: 0, 1: 0, 3: 1, 4: 1}
    return {(row, col): side for row, side in rows.items() for col in range(SIZE)}


def legal(board, side, capture):
    """The moves as (code, from, to), by code: 3 * square + column step + 1."""
    moves = []
    for (row, col), owner in board.items():
        for step in (-1, 0, 1):
            to = (row + 1 - 2 * side, col + step)
            on = board.get(to)
            blocked = on == side or (on is not None and step == 0 and capture == "diagonal")
            if owner == side and not blocked and 0 <= to[0] < SIZE and 0 <= to[1] < SIZE:
                moves.append((3 * (SIZE * row + col) + step + 1, (row, col), to))
    return sorted(moves)


def result(board):
    for side in (0, 1):
        if any(owner == side and row == (SIZE - 1) * (1 - side) for (row, _), owner in board.items()):
            return [side, "far row"]
        if 1 - side not in board.values():
            return [side, "no pawns"]
    return None


def apply(board, move):
    board = dict(board)
    board[move[2]] = board.pop(move[1])
    return board


def perft(board, side, depth, capture):
    if depth == 0 or result(board):
        return 1
    return sum(perft(apply(board, m), 1 - side, depth - 1, capture) for m in legal(board, side, capture))


def play(rng, capture, greedy):
    board, side, actions, digest = start(), 0, [], hashlib.sha256()
    while not result(board):
        moves = legal(board, side, capture)
        digest.update((" ".join(str(m[0]) for m in moves) + "\n").encode())
        captures = [m for m in moves if m[2] in board]
        move = rng.choice(captures if greedy and captures else moves)
        actions.append(move[0])
        board, side = apply(board, move), 1 - side
    game = {} if capture == "diagonal" else {"options": {"capture": capture}}
    game.update(actions=actions, plies=len(actions), legal_sha256=digest.hexdigest(), result=result(board))
    return game


if __name__ == "__main__":
    if sys.argv[1:] == ["perft"]:
        for capture in ("diagonal", "any"):
            print(capture, [perft(start(), 0, depth, capture) for depth in range(1, 6)])
        sys.exit()
    rng = random.Random(1)
    for i in range(16):
        print(json.dumps(play(rng, ("diagonal", "any")[i % 2], i % 4 < 2), separators=(",", ":")))
