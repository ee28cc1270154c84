"""Rules, network inputs and players of ludozero's games, for programs in Python.

    with Ludozero("konreh", options=["balance=pie"]) as game:
        position = game.position(["d1f1", "h5f5"])
        print(position.side, position.words)
        print(game.analyze(position.moves).choice)

The module starts the program ludozero, which has to be installed, and exchanges lines of JSON
with it. It needs Python 3.8 and nothing else. docs/clients.md of ludozero explains it.
"""
from __future__ import annotations

import base64
import json
import subprocess
import tempfile
import threading
from dataclasses import dataclass
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

__all__ = ["Analysis", "Error", "Ludozero", "Position", "Result"]

Moves = Union[str, Sequence[str]]

# Fields of a query that limit or direct an analysis.
_FIELDS = ("sims", "nodes", "depth", "time", "consider", "avoid", "lines")

# _MOST is how many programs run at a time: there is one for each player and seed that is asked.
_MOST = 8


class Error(Exception):
    """ludozero refuses a question; the message is its own."""


@dataclass(frozen=True)
class Result:
    """The end of a game: winner is "first", "second" or "draw"."""

    winner: str
    winner_side: str
    reason: str


@dataclass(frozen=True)
class Position:
    """A position with what a network is shown of it, from the seat of the acting side."""

    moves: str  # as they were asked for
    rules: str
    position: str  # the position line
    actor: str  # "first", "second", "chance" or "nobody"
    side: str
    turn: int
    result: Optional[Result]
    actions: List[int]  # legal, in ascending order; outcomes where chance decides
    words: List[str]  # the same as text
    chance: List[float]  # probabilities of outcomes, empty where a player decides
    ones: List[int]  # indices of what is 1 in the planes, laid out flat
    others: List[Tuple[int, float]]  # indices and values of what is neither 0 nor 1
    globals: List[float]
    cells: List[int]  # for each action the place of its logit in the policy output
    mask: bytes  # legal actions: bit a%8 of byte a//8
    symmetries: List[str]
    packed: bytes

    def planes(self, inputs: int) -> List[float]:
        """The planes laid out flat: planes × height × width inputs, as the game file says."""
        flat = [0.0] * inputs
        for i in self.ones:
            flat[i] = 1.0
        for i, x in self.others:
            flat[i] = x
        return flat

    @classmethod
    def _read(cls, moves: str, line: Dict[str, Any]) -> Position:
        own = {name: line[name] for name in ("rules", "position", "actor", "side", "turn", "actions", "words", "ones", "globals", "cells", "symmetries")}
        return cls(
            moves=moves,
            result=Result(**line["result"]) if line["result"] else None,
            chance=line.get("chance", []),
            others=[(int(i), x) for i, x in line["others"]],
            mask=base64.b64decode(line["mask"]),
            packed=base64.b64decode(line["packed"]),
            **own,
        )


@dataclass(frozen=True)
class Analysis:
    """What a player thinks. Values are in [-1, 1], in the view of the actor, +1 a win."""

    actor: str
    value: Optional[float]
    solved: bool
    choice: Optional[str]  # None where chance decides
    pv: List[str]
    policy: Dict[str, float]
    visits: Dict[str, int]
    values: Dict[str, float]
    answer: Dict[str, Any]  # all that was answered: wdl, priors, pvs, simulations

    @classmethod
    def _read(cls, line: Dict[str, Any]) -> Analysis:
        choice = line["choice"]
        words = [str(word) for word in line["pv"]]
        return cls(line["actor"], line["value"], line["solved"], None if choice is None else str(choice), words, line["policy"], line["visits"], line["values"], line)


def _unstartable(program: str, error: OSError) -> Error:
    return Error(f"the program {program} cannot be started: {error.strerror}")


class _Lines:
    """A command that answers a line of JSON with one."""

    def __init__(self, command: Sequence[str]) -> None:
        self.complaints = tempfile.TemporaryFile("w+", encoding="utf-8")  # a pipe that nobody reads could fill up
        try:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.complaints, encoding="utf-8")
        except OSError as error:
            self.complaints.close()
            raise _unstartable(command[0], error) from error

    def ask(self, questions: List[str]) -> List[Dict[str, Any]]:
        """Answers in order, computed on all cores while others are being read."""
        assert self.process.stdout
        writer = threading.Thread(target=self._write, args=(questions,), daemon=True)
        answers = []
        try:
            writer.start()
            for _ in questions:
                line = self.process.stdout.readline()
                if not line:
                    raise self._ended()
                answers.append(json.loads(line))
        except BaseException:
            self.process.kill()  # what it still owes would be taken for the next answers
            self.process.wait()  # so that nobody asks it again
            raise
        finally:
            if writer.is_alive():  # also false if the exception came before its start
                writer.join()
        return answers

    def _ended(self) -> Error:
        """Why the program has ended, in its own words."""
        self.process.wait()
        self.complaints.seek(0)
        return Error(": ".join(filter(None, ["ludozero has ended", self.complaints.read().strip()])))

    def _write(self, questions: List[str]) -> None:
        assert self.process.stdin
        try:
            self.process.stdin.writelines(questions)
            self.process.stdin.flush()
        except (BrokenPipeError, ValueError):  # the latter once it is closed
            pass  # the reader says so

    def close(self) -> None:
        assert self.process.stdin and self.process.stdout
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        self.process.wait()
        self.process.stdout.close()
        self.complaints.close()


class Ludozero:
    """One ruleset of a game. Close it, or use it in a with statement: it runs programs.

    Threads may share one; their questions are answered in turn.
    """

    def __init__(self, game: str, preset: str = "", options: Sequence[str] = (), program: str = "ludozero") -> None:
        if isinstance(options, str):  # also a sequence of texts, of one letter each
            options = [options]
        self.game, self.preset, self.options, self.program = game, preset, list(options), program
        self._running: Dict[Tuple[str, ...], _Lines] = {}  # asked last at the end
        self._lock = threading.Lock()

    def __enter__(self) -> Ludozero:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        with self._lock:
            while self._running:
                self._running.popitem()[1].close()

    def position(self, moves: Moves = "", pos: str = "") -> Position:
        """The position after moves from a position line, or from the start."""
        return next(self.positions([(moves, pos)]))

    def positions(self, questions: Iterable[Tuple[Moves, str]]) -> Iterator[Position]:
        """The same for many pairs of moves and position line."""
        asked = [self._question(moves, pos) for moves, pos in questions]
        answers = self._ask(asked, "encode", "--sparse")
        return (Position._read(question["moves"], answer) for question, answer in zip(asked, answers))

    def analyze(self, moves: Moves = "", pos: str = "", player: str = "", seed: int = 1, **fields: Any) -> Analysis:
        """What a player thinks, by default the network that is shipped for the game.

        player is a description, "net:konreh,time=1s,threads=2,precision=int8" or "nnue:konreh,depth=4".
        fields are those of a query in docs/analysis.md: sims, nodes, depth and time="1s", consider and
        avoid=["4"], lines=3.
        """
        for name in fields:
            if name not in _FIELDS:
                raise TypeError(f"analyze has no {name}: want {', '.join(_FIELDS)}, or an option of the player, as in player=\"net:{self.game},time=1s,threads=2\"")
        flags = ["--seed", str(seed)] + (["--player", player] if player else [])
        return Analysis._read(next(self._ask([{**self._question(moves, pos), **fields}], "analyze", *flags)))

    def describe(self) -> Dict[str, Any]:
        """The game file of this ruleset: docs/game-file.md."""
        rules = ["--rules", ",".join([self.preset] * bool(self.preset) + self.options)] if self.preset or self.options else []
        try:
            done = subprocess.run([self.program, "encode", "--game", self.game, "--describe", *rules], capture_output=True, encoding="utf-8")
        except OSError as error:
            raise _unstartable(self.program, error) from error
        if done.returncode != 0:
            raise Error(done.stderr.strip())
        return dict(json.loads(done.stdout))

    def _question(self, moves: Moves, pos: str) -> Dict[str, Any]:
        text = moves if isinstance(moves, str) else " ".join(moves)
        return {"preset": self.preset, "options": self.options, "pos": pos, "moves": text}

    def _ask(self, questions: List[Dict[str, Any]], *command: str) -> Iterator[Dict[str, Any]]:
        lines = [json.dumps(question) + "\n" for question in questions]
        with self._lock:
            running = self._running.pop(command, None)
            if running and running.process.poll() is not None:  # Ctrl-C reaches it, too
                running.close()
                running = None
            self._running[command] = running = running or _Lines([self.program, command[0], "--game", self.game, "--jsonl", *command[1:]])
            if len(self._running) > _MOST:
                self._running.pop(next(iter(self._running))).close()
            answers = running.ask(lines)
        for answer in answers:
            if "error" in answer:
                raise Error(answer["error"])
            yield answer
