"""Plays a game of ludozero at the terminal, against its bot or, with --auto, by itself.

    python3 play.py konreh --preset lightning
"""
import argparse
import random

from ludozero import Error, Ludozero, Position


def ask(position: Position) -> str:
    """A legal word from the terminal; a unique beginning is enough."""
    while True:
        word = input(f"{position.side} ({len(position.words)} moves, ? lists them)> ").strip()
        fitting = [w for w in position.words if w.startswith(word)]
        if word in position.words:
            return word
        if word and len(fitting) == 1:
            return fitting[0]
        print(" ".join(fitting if word and fitting else position.words))


def play(game: Ludozero, auto: bool, player: str, dice: random.Random) -> Position:
    moves: list = []
    while True:
        position = game.position(moves)
        if position.result:
            return position
        if position.actor == "chance":
            word = dice.choices(position.words, position.chance)[0]
        elif position.actor == "first":
            word = dice.choice(position.words) if auto else ask(position)
        else:
            choice = game.analyze(moves, player=player).choice
            assert choice is not None
            word = choice
        if not auto:
            print(f"{position.side}: {word}")
        moves.append(word)


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("game")
    p.add_argument("--preset", default="")
    p.add_argument("--option", action="append", default=[], help="option=value, several times")
    p.add_argument("--player", default="mcts:sims=100", help="who plays second")
    p.add_argument("--auto", action="store_true", help="random moves for the first player")
    p.add_argument("--seed", type=int, default=1)
    args = p.parse_args()
    try:
        with Ludozero(args.game, args.preset, args.option) as game:
            end = play(game, args.auto, args.player, random.Random(args.seed))
    except (Error, EOFError) as error:
        raise SystemExit(f"play.py: {error or 'no more input'}")
    assert end.result
    print(end.moves)
    print(f"result: {end.result.winner} ({end.result.winner_side}) by {end.result.reason}")


if __name__ == "__main__":
    main()
