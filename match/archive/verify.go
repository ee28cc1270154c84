package archive

import (
	"fmt"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
)

// board replays games.
type board struct {
	state, before engine.State
	history       *engine.History
}

func newBoard(g engine.Game) *board {
	return &board{state: g.NewState(), before: g.NewState(), history: g.NewHistory()}
}

// replay plays the words of a game from the position line start, or the start if
// that is empty, and leaves the board at its end. After each decision visit, which
// may be nil, is told its number from 0, its action and its word; b.before is then
// the position where it was made.
func (b *board) replay(start, moves string, visit func(i int, a engine.Action, word string) error) error {
	if err := engine.SetUp(b.state, b.history, start); err != nil {
		return err
	}
	for i, word := range strings.Fields(moves) {
		a, err := b.state.ParseAction(word, b.history)
		if err != nil {
			return fmt.Errorf("move %d, %q: %w", i+1, word, err)
		}
		b.before.CopyFrom(b.state)
		b.state.Apply(a, b.history)
		if visit == nil {
			continue
		}
		if err := visit(i, a, word); err != nil {
			return fmt.Errorf("move %d, %q: %w", i+1, word, err)
		}
	}
	return nil
}

// Verify replays the games of a match by the rules of g and refuses a result whose
// games have other openings than it says, or moves that end otherwise.
// match.Result.Check compares its sums, and comes first.
func Verify(r *match.Result, g engine.Game) error {
	cfg := match.Config{Pairs: len(r.Games) / 2, MaxTurns: r.MaxTurns, Clock: r.Clock}
	b, openings := newBoard(g), &match.Openings{}
	for i := range r.DistinctOpenings {
		game, o := &r.Games[2*i], match.Opening{Position: r.Games[2*i].Start}
		err := b.replay(game.Start, game.Moves, func(i int, a engine.Action, _ string) error {
			if i < game.Opening {
				o.Actions = append(o.Actions, a)
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("game %d: %w", game.Number, err)
		}
		openings.List = append(openings.List, o)
	}
	if hash := openings.Hash(); r.OpeningList != "" && r.PlannedPairs == cfg.Pairs && r.OpeningList != hash {
		return fmt.Errorf("opening_list %s, its games have %s", r.OpeningList, hash)
	}
	s, err := match.NewSeries(cfg, g, []match.Contestant{{Name: r.A}, {Name: r.B}}, false, openings)
	if err != nil {
		return err
	}
	v := newVerifier(s)
	for i := range r.Games {
		if err := v.check(&r.Games[i]); err != nil {
			return err
		}
	}
	return nil
}

// verifier checks the games of a list, each of which may be there once.
type verifier struct {
	*Verifier
	seen []bool // by number, from 0
}

func newVerifier(s *match.Series) *verifier {
	return &verifier{NewVerifier(s), make([]bool, s.Games())}
}

func (v *verifier) check(g *match.Game) error {
	if n := g.Number; n >= 1 && n <= len(v.seen) {
		if v.seen[n-1] {
			return fmt.Errorf("game %d: an earlier line has it already", n)
		}
		v.seen[n-1] = true
	}
	return v.Check(g)
}

// Verifier checks games against the series that they belong to. Not safe for concurrent
// use.
type Verifier struct {
	series *match.Series
	board  *board
}

// NewVerifier returns the verifier of games of s.
func NewVerifier(s *match.Series) *Verifier { return &Verifier{s, newBoard(s.Game)} }

// Check compares g with its place in the schedule and replays it by the rules. It
// does not ask the players.
func (v *Verifier) Check(g *match.Game) error {
	if g.Number < 1 || g.Number > v.series.Games() {
		return fmt.Errorf("game %d: want 1 to %d", g.Number, v.series.Games())
	}
	if pair, aFirst := (g.Number+1)/2, g.Number%2 == 1; g.Pair != pair || g.AFirst != aFirst {
		return fmt.Errorf("game %d: pair %d, A first %t: want pair %d, A first %t", g.Number, g.Pair, g.AFirst, pair, aFirst)
	}
	if err := v.checkMoves(g); err != nil {
		return fmt.Errorf("game %d: %w", g.Number, err)
	}
	return nil
}

func (v *Verifier) checkMoves(g *match.Game) error {
	opening := &v.series.Openings.List[v.series.Schedule[(g.Number-1)/2].Opening]
	moves := 0
	err := v.board.replay(g.Start, g.Moves, func(i int, a engine.Action, _ string) error {
		if moves++; i < len(opening.Actions) && a != opening.Actions[i] {
			return fmt.Errorf("it is not in the pair's opening")
		}
		return nil
	})
	s := v.board.state
	switch {
	case err != nil:
		return err
	case g.Start != opening.Position || g.Opening != len(opening.Actions) || moves < g.Opening:
		return fmt.Errorf("it has %d moves of an opening of %d from %q", min(moves, g.Opening), len(opening.Actions), opening.Position)
	case g.Turns != s.Turn():
		return fmt.Errorf("%d turns were noted, its moves make %d", g.Turns, s.Turn())
	}
	if over := v.outcome(g, s); g.Reason != over.Reason || g.Points != match.Points(over, g.AFirst) {
		return fmt.Errorf("%g points for A by %q were noted, its moves end by %q, winner %s", g.Points, g.Reason, over.Reason, over.Winner)
	}
	return nil
}

// outcome returns how g ends in s, by the rules of the game or of the series.
func (v *Verifier) outcome(g *match.Game, s engine.State) engine.Outcome {
	switch {
	case s.Outcome().Over:
		return s.Outcome()
	case g.Reason == match.TimeForfeit && v.series.Clock.On() && s.Actor() <= engine.Second:
		return engine.Outcome{Over: true, Winner: s.Actor().Other(), Reason: match.TimeForfeit}
	case match.IsForfeit(g.Reason) && s.Actor() <= engine.Second:
		return engine.Outcome{Over: true, Winner: s.Actor().Other(), Reason: g.Reason}
	case v.series.MaxTurns > 0 && s.Turn() >= v.series.MaxTurns:
		return engine.Outcome{Over: true, Winner: engine.Nobody, Reason: match.TurnLimit}
	}
	return engine.Outcome{Winner: engine.Nobody, Reason: "nothing"}
}
