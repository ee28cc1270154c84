"""Tests of ludozero.py against the program ludozero: python3 -m unittest test_ludozero"""
import concurrent.futures
import signal
import typing
import unittest

import ludozero
from ludozero import Error, Ludozero


class TestLudozero(unittest.TestCase):
    def test_position(self) -> None:
        with Ludozero("tictactoe") as game:
            p = game.position(["b2", "a1"])
            self.assertEqual((p.actor, p.side, p.turn, p.moves), ("first", "x", 2, "b2 a1"))
            self.assertEqual(p.words, ["b1", "c1", "a2", "c2", "a3", "b3", "c3"])
            self.assertEqual([a for a in range(9) if p.mask[a // 8] >> a % 8 & 1], p.actions)
            planes = p.planes(18)
            self.assertEqual([i for i, x in enumerate(planes) if x], [4, 9])
            self.assertAlmostEqual(p.globals[0], 2 / 9, places=6)
            self.assertEqual(p.packed, bytes([16, 0, 1, 0]))
            self.assertEqual(game.position(pos=p.position).words, p.words)

    def test_end(self) -> None:
        with Ludozero("connect4") as game:
            end = game.position("1 2 1 2 1 2 1")
            self.assertEqual(end.result, ludozero.Result("first", "x", "four"))
            self.assertEqual((end.words, end.ones, end.mask), ([], [], b""))

    def test_chance(self) -> None:
        with Ludozero("knaw") as game:
            p = game.position()
            self.assertEqual(p.actor, "chance")
            self.assertAlmostEqual(sum(p.chance), 1)
            self.assertEqual(len(p.chance), len(p.words))

    def test_many(self) -> None:
        with Ludozero("connect4") as game:
            asked = [(" ".join("1234567"[: i % 8]), "") for i in range(3000)]
            self.assertEqual([p.turn for p in game.positions(asked)], [i % 8 for i in range(3000)])

    def test_analyze(self) -> None:
        with Ludozero("connect4") as game:
            a = game.analyze("4 1 4 1 4 1", player="minimax:depth=2")
            self.assertEqual((a.actor, a.choice), ("first", "4"))
            self.assertEqual(game.analyze("4", player="mcts:sims=1000000", sims=10).actor, "second")  # of the same program
            self.assertEqual(game.analyze("4 1 4 1 4 1", player="mcts:sims=200").choice, "4")
            other = game.analyze("4 1 4 1 4 1", player="mcts:sims=200", sims=50, avoid=["4"], lines=2)
            self.assertNotIn("4", other.policy)
            self.assertEqual((other.answer["simulations"], len(other.answer["pvs"])), (50, 2))

    def test_rules(self) -> None:
        with Ludozero("konreh", "blitz", "balance=pie") as game:
            self.assertEqual(game.position().rules, "blitz,balance=pie")
        with Ludozero("konreh", "blitz", ["balance=pie"]) as game:
            described = game.describe()
            self.assertEqual(described["rulesets"][0]["rules"], "blitz,balance=pie")
            self.assertEqual(game.position().rules, "blitz,balance=pie")
            self.assertEqual(len(game.position().globals), len(described["globals"]))

    def test_errors(self) -> None:
        with Ludozero("tictactoe") as game:
            with self.assertRaisesRegex(Error, "move 2"):
                game.position("b2 b2")
            self.assertEqual(game.position("b2").turn, 1)  # and goes on
        with Ludozero("tictactoe", "nonsense") as game:
            with self.assertRaisesRegex(Error, "no preset"):
                game.position()
            with self.assertRaisesRegex(Error, "no preset"):
                game.describe()
        with Ludozero("konreh", "blitz,balance=pie") as game:
            with self.assertRaisesRegex(Error, r'want preset "blitz" with options \["balance=pie"\]'):
                game.position()
        with Ludozero("nonsense") as game:
            for _ in range(2):  # the reason is told, again if asked again
                with self.assertRaisesRegex(Error, 'has ended: ludozero: no game "nonsense"'):
                    game.position()
        with Ludozero("connect4", program="./no-program") as game:
            for ask in (game.position, game.describe):
                with self.assertRaisesRegex(Error, "./no-program cannot be started: "):
                    ask()

    def test_unfit_arguments(self) -> None:
        with Ludozero("tictactoe") as game:
            with self.assertRaisesRegex(TypeError, "set is not JSON serializable"):
                game.analyze("b2", player="mcts:sims=50", avoid={"a1"})
            self.assertEqual(game.analyze("b2", player="mcts:sims=50", avoid=["a1"]).actor, "second")

    def test_program_that_was_killed(self) -> None:
        with Ludozero("tictactoe") as game:
            game.position("b2")
            for lines in game._running.values():
                lines.process.kill()
                lines.process.wait()
            self.assertEqual(game.position("b2 a1").turn, 2)

    def test_broken_off(self) -> None:
        def ring(*_: object) -> None:
            raise TimeoutError

        with Ludozero("connect4") as game:
            before = signal.signal(signal.SIGALRM, ring)
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.5)
                with self.assertRaises(TimeoutError):
                    game.analyze("4", player="mcts:sims=1000000")
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
                signal.signal(signal.SIGALRM, before)
            self.assertEqual(game.analyze("4 1 4 1 4 1", player="mcts:sims=200").choice, "4")
            self.assertEqual(game.analyze("4", player="mcts:sims=1000000", sims=10).actor, "second")

    def test_broken_off_anywhere(self) -> None:
        """What is asked next is answered, at whatever moment the call before was broken off."""

        def ring(*_: object) -> None:
            raise TimeoutError

        before = signal.signal(signal.SIGALRM, ring)
        try:
            with Ludozero("connect4") as game:
                for i in range(25):
                    signal.setitimer(signal.ITIMER_REAL, 0.0004 * (1 + i))
                    try:
                        list(game.positions([("4 4", "")] * 3000))
                        signal.setitimer(signal.ITIMER_REAL, 0)
                    except TimeoutError:
                        pass
                    self.assertEqual(game.position("1 2 3").turn, 3)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def test_threads(self) -> None:
        with Ludozero("connect4") as game, concurrent.futures.ThreadPoolExecutor(8) as threads:
            asked = ["1234567"[: i % 8] for i in range(200)]
            self.assertEqual([p.turn for p in threads.map(lambda m: game.position(" ".join(m)), asked)], [len(m) for m in asked])

    def test_many_seeds(self) -> None:
        with Ludozero("tictactoe") as game:
            for seed in range(20):
                self.assertIn(game.analyze("b2", player="random", seed=seed).choice, game.position("b2").words)
            self.assertLessEqual(len(game._running), 8)

    def test_fields(self) -> None:
        with Ludozero("konreh") as game:
            for name in ("sim", "threads", "precision"):
                with self.assertRaisesRegex(TypeError, f"analyze has no {name}: want sims, .* player="):
                    game.analyze(**{name: 2})
            for player in ("net:konreh,sims=8,precision=int8", "net:konreh,time=50ms,threads=2", "nnue:konreh,depth=2", "nnue:konreh,time=50ms,threads=2"):
                self.assertIn(game.analyze("d1f1", player=player).choice, game.position("d1f1").words)

    def test_types(self) -> None:
        for thing in (ludozero.Position, ludozero.Analysis, ludozero.Result, Ludozero.position, Ludozero.positions, Ludozero.analyze, Ludozero.describe):
            self.assertTrue(typing.get_type_hints(thing), thing)


if __name__ == "__main__":
    unittest.main()
