// Package recordtest records games for tests of what reads them.
package recordtest

import (
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/selfplay/record"
)

// Game plays a game and records it as a search might have. choose picks
// one of the legal actions, or outcomes; moves without a choice have no row.
func Game(g engine.Game, number int64, choose func(legal []engine.Action) engine.Action) []record.Row {
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	var rows []record.Row
	var before []engine.Action
	var scratch []engine.Weighted
	ply := int32(0)
	for !s.Outcome().Over {
		legal := engine.AppendPossible(nil, &scratch, s, h)
		a := choose(legal)
		if s.Actor() == engine.Chance || len(legal) == 1 {
			if s.Actor() != engine.Chance {
				ply++
			}
			before = append(before, a)
			s.Apply(a, h)
			continue
		}
		r := record.Row{
			Run: "test", Game: g.Info().Name, Rules: g.Rules(), Generation: int32(number / 4), GameNumber: number, Seed: uint64(number), Beginning: record.BeginningStart,
			Ply: ply, Turn: int32(s.Turn()), Player: int8(s.Actor()), Side: int8(s.Side()),
			Position: string(s.AppendPosition(nil)), Packed: s.Pack(nil),
			Before: before, Legal: legal, Action: a,
			PolicyKind: record.PolicyNone, RootValue: 0.25, NetworkValue: -0.5,
		}
		if r.Full = ply%4 == 0; r.Full { // a target of two halves, or 3:1 for three actions and more
			r.PolicyKind = record.PolicyVisits
			r.Visits = make([]int32, len(legal))
			r.Visits[0], r.Visits[len(legal)-1] = 4, 4
			if len(legal) > 2 {
				r.Visits[0] = 12
			}
			probs := make([]float32, len(legal))
			for i, v := range r.Visits {
				probs[i] = float32(v)
			}
			r.Policy, r.Surprise = record.AppendPolicy(nil, probs), 0.25
		}
		rows = append(rows, r)
		before = nil
		s.Apply(a, h)
		ply++
	}
	for i := range rows {
		o := s.Outcome()
		rows[i].Outcome, rows[i].Reason = int8(o.Value(engine.Player(rows[i].Player))), o.Reason
		rows[i].TurnsLeft = int32(s.Turn()) - rows[i].Turn
	}
	rows[len(rows)-1].After = before
	return rows
}

// RandomGames records games at random, from number first on.
func RandomGames(g engine.Game, first int64, count int) []record.Row {
	var rows []record.Row
	for n := first; n < first+int64(count); n++ {
		r := rand.New(rand.NewPCG(uint64(n), 1))
		rows = append(rows, Game(g, n, func(legal []engine.Action) engine.Action { return legal[r.IntN(len(legal))] })...)
	}
	return rows
}

// Write writes rows of a game as shard number of a run and returns its path.
func Write(t testing.TB, dir string, number int64, info *engine.Info, rows []record.Row) string {
	t.Helper()
	head := record.Head{Run: rows[0].Run, Generation: rows[len(rows)-1].Generation, Number: number, ConfigHash: "c0ffee"}
	path, _, err := record.Write(dir, info, head, rows)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// WithPolicies records random games without chance and repetition, with a policy target at
// every second ply. Turns left are told apart by adding 100 times the game number, which no
// rule of the record forbids.
func WithPolicies(g engine.Game, first, games int64) (rows []record.Row) {
	for number := first; number < first+games; number++ {
		r := rand.New(seed.Stream(1, "game", uint64(number)))
		s := g.NewState()
		start := len(rows)
		for ply := int32(0); !s.Outcome().Over; ply++ {
			legal := s.Legal(nil, nil)
			row := record.Row{
				Run: "night", Game: g.Info().Name, Rules: g.Rules(), GameNumber: number, Beginning: record.BeginningStart, Ply: ply, Turn: int32(s.Turn()),
				Player: int8(s.Actor()), Side: int8(s.Side()), Position: string(s.AppendPosition(nil)), Packed: s.Pack(nil),
				Legal: legal, PolicyKind: record.PolicyNone, Action: legal[r.IntN(len(legal))],
			}
			if ply%2 == 0 {
				row.PolicyKind = record.PolicyVisits
				probs := make([]float32, len(legal))
				for i := range probs {
					probs[i] = 0.1 + r.Float32()
				}
				row.Policy = record.AppendPolicy(nil, probs)
			}
			rows = append(rows, row)
			s.Apply(row.Action, nil)
		}
		for i := start; i < len(rows); i++ {
			rows[i].Outcome = int8(s.Outcome().Value(engine.Player(rows[i].Player)))
			rows[i].Reason = s.Outcome().Reason
			rows[i].TurnsLeft = int32(s.Turn()) - rows[i].Turn + int32(100*number)
		}
	}
	return rows
}

// WriteRandom writes random games as a shard. Single legal moves and chance
// have no row; two rows in three have a policy target. words holds, for each
// row, the words of its legal actions.
func WriteRandom(t testing.TB, g engine.Game, dir string, games int64) (rows []record.Row, words [][]string) {
	t.Helper()
	for number := range games {
		r := rand.New(seed.Stream(5, "game", uint64(number)))
		s, h := g.NewState(), g.NewHistory()
		s.Start(h)
		start, ply := len(rows), int32(0)
		var before []engine.Action
		for !s.Outcome().Over {
			if s.Actor() == engine.Chance {
				w := s.Chance(nil)
				before = append(before, w[r.IntN(len(w))].Code)
				s.Apply(before[len(before)-1], h)
				continue
			}
			legal := s.Legal(nil, h)
			if len(legal) > 1 {
				row := record.Row{Run: "night", Game: g.Info().Name, Rules: g.Rules(), GameNumber: number, Beginning: record.BeginningStart,
					Ply: ply, Turn: int32(s.Turn()), Player: int8(s.Actor()), Side: int8(s.Side()),
					Position: string(s.AppendPosition(nil)), Packed: s.Pack(nil), Before: before, Legal: legal,
					PolicyKind: record.PolicyNone, Action: legal[r.IntN(len(legal))]}
				before = nil
				if r.IntN(3) > 0 {
					probs := make([]float32, len(legal))
					for i := range probs {
						probs[i] = 0.1 + r.Float32()
					}
					row.PolicyKind, row.Policy = record.PolicyVisits, record.AppendPolicy(nil, probs)
				}
				var list []string
				for _, a := range legal {
					list = append(list, string(s.AppendAction(nil, a)))
				}
				rows, words = append(rows, row), append(words, list)
				s.Apply(row.Action, h)
			} else {
				before = append(before, legal[0])
				s.Apply(legal[0], h)
			}
			ply++
		}
		for i := start; i < len(rows); i++ {
			rows[i].Outcome = int8(s.Outcome().Value(engine.Player(rows[i].Player)))
			rows[i].Reason = s.Outcome().Reason
			rows[i].TurnsLeft = int32(s.Turn()) - rows[i].Turn
		}
		if len(rows) > start {
			rows[len(rows)-1].After = before
		}
	}
	if _, _, err := record.Write(dir, g.Info(), record.Head{Run: "night"}, rows); err != nil {
		t.Fatal(err)
	}
	return rows, words
}
