// Package recordtest records games for tests of what reads them.
package recordtest

import (
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/engine"
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
