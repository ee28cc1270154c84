package selfplay

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/selfplay/record"
)

// replay plays a recorded game again by the rules alone and returns the first
// thing that is not as the rows say.
func replay(g engine.Game, j *Job, f *Finished, simulations int) error {
	s, past := g.NewState(), g.NewHistory()
	s.Start(past)
	ply := int32(0)
	apply := func(list []engine.Action) error {
		for _, a := range list {
			if s.Actor() == engine.Chance {
				if !slices.ContainsFunc(s.Chance(nil), func(w engine.Weighted) bool { return w.Code == a }) {
					return fmt.Errorf("ply %d: chance outcome %d is not possible", ply, a)
				}
			} else {
				if legal := s.Legal(nil, past); !slices.Equal(legal, []engine.Action{a}) {
					return fmt.Errorf("ply %d: action %d has no row, legal are %v", ply, a, legal)
				}
				ply++
			}
			s.Apply(a, past)
		}
		return nil
	}
	for i := range f.Rows {
		r := &f.Rows[i]
		if err := apply(r.Before); err != nil {
			return err
		}
		if len(r.After) > 0 && i < len(f.Rows)-1 {
			return fmt.Errorf("ply %d: After is set before the last row", ply)
		}
		sum, visits := 0, 0
		for k := range r.Policy {
			sum += int(r.Policy[k])
			visits += int(r.Visits[k])
		}
		want := record.Row{
			Run: j.Run, Game: g.Info().Name, Rules: g.Rules(), Generation: int32(f.Generation),
			GameNumber: f.Number, Seed: seed.Number(j.Seed, "game", uint64(f.Number)),
			Ply: ply, Turn: int32(s.Turn()), Player: int8(s.Actor()), Side: int8(s.Side()),
			Position: string(s.AppendPosition(nil)), Packed: s.Pack(nil), Legal: s.Legal(nil, past),
			PolicyKind: record.PolicyVisits, Full: true, Beginning: record.BeginningStart,
			Outcome: int8(f.Outcome.Value(s.Actor())), Reason: f.Outcome.Reason, TurnsLeft: int32(f.Turns - s.Turn()),
			// What the rules do not tell is taken as it is.
			Before: r.Before, Policy: r.Policy, Visits: r.Visits, RootValue: r.RootValue, RootDraw: r.RootDraw,
			NetworkValue: r.NetworkValue, Surprise: r.Surprise, Action: r.Action, After: r.After,
		}
		switch {
		case !reflect.DeepEqual(*r, want):
			return fmt.Errorf("ply %d: row\n%+v, want\n%+v", ply, *r, want)
		case len(r.Policy) != len(r.Legal) || sum != record.PolicyOne:
			return fmt.Errorf("ply %d: policy of %d for %d actions sums to %d", ply, len(r.Policy), len(r.Legal), sum)
		case len(r.Visits) != len(r.Legal) || visits < simulations-1:
			return fmt.Errorf("ply %d: visits %v are fewer than %d", ply, r.Visits, simulations-1)
		case !slices.Contains(r.Legal, r.Action):
			return fmt.Errorf("ply %d: action %d is not legal", ply, r.Action)
		case r.Visits[slices.Index(r.Legal, r.Action)] == 0:
			return fmt.Errorf("ply %d: action %d was played without a visit", ply, r.Action)
		}
		for k, p := range r.Policy {
			if d := float64(p)/record.PolicyOne - float64(r.Visits[k])/float64(visits); math.Abs(d) > 1.0/record.PolicyOne {
				return fmt.Errorf("ply %d: policy %v is not that of visits %v", ply, r.Policy, r.Visits)
			}
		}
		s.Apply(r.Action, past)
		ply++
	}
	if n := len(f.Rows); n > 0 {
		if err := apply(f.Rows[n-1].After); err != nil {
			return err
		}
	}
	if got := s.Outcome(); !got.Over || got != f.Outcome || s.Turn() != f.Turns {
		return fmt.Errorf("the end is %+v after %d turns, want %+v after %d", got, s.Turn(), f.Outcome, f.Turns)
	}
	return nil
}

// TestRecordsReplay also looks for the cases that make replay hard, so that the
// games cannot stop having them unnoticed.
func TestRecordsReplay(t *testing.T) {
	seen := map[string]int{}
	for _, g := range testGames(t) {
		j := job(g, 2, 40)
		cfg := quick()
		for _, f := range play(t, cfg, j) {
			if err := replay(g, &j, f, cfg.Search.Simulations); err != nil {
				t.Errorf("%s %s: game %d: %v", g.Info().Name, g.Rules(), f.Number, err)
			}
			look(g, f, seen)
		}
	}
	for _, what := range []string{"draw", "first won", "second won", "repeated mover", "swapped sides", "forced move", "chance", "after"} {
		if seen[what] == 0 {
			t.Errorf("no game had: %s", what)
		}
	}
}

// look counts what a game has of the cases that TestRecordsReplay wants.
func look(g engine.Game, f *Finished, seen map[string]int) {
	seen[map[engine.Player]string{engine.First: "first won", engine.Second: "second won", engine.Nobody: "draw"}[f.Outcome.Winner]]++
	for i := range f.Rows {
		r := &f.Rows[i]
		if i > 0 && r.Player == f.Rows[i-1].Player {
			seen["repeated mover"]++
		}
		if r.Player != r.Side {
			seen["swapped sides"]++
		}
		if len(r.After) > 0 {
			seen["after"]++
		}
		if i > 0 && r.Ply > f.Rows[i-1].Ply+1 {
			seen["forced move"]++
		}
		if len(r.Before) > 0 && g.Info().NumChance > 0 {
			seen["chance"]++
		}
	}
}

// TestRecordsFillShards writes games as the training loop does.
func TestRecordsFillShards(t *testing.T) {
	for _, g := range testGames(t) {
		j := job(g, 2, 10)
		var rows []record.Row
		for _, f := range play(t, quick(), j) {
			rows = append(rows, f.Rows...)
		}
		head := record.Head{Run: j.Run, Generation: 3, Number: 1, ConfigHash: "test"}
		data, meta, err := record.Marshal(g.Info(), head, rows)
		if err != nil {
			t.Errorf("%s: %v", g.Info().Name, err)
			continue
		}
		if meta.FirstGame != j.Source.First() || meta.LastGame != j.Source.First()+9 {
			t.Errorf("%s: shard of games %d to %d, want %d to %d", g.Info().Name, meta.FirstGame, meta.LastGame, j.Source.First(), j.Source.First()+9)
		}
		shard, err := record.Parse("test", data, g.Info())
		if err != nil {
			t.Errorf("%s: %v", g.Info().Name, err)
			continue
		}
		got, err := shard.Rows()
		if err != nil || len(got) != len(rows) {
			t.Errorf("%s: read %d rows, %v, want %d", g.Info().Name, len(got), err, len(rows))
			continue
		}
		for i := range got {
			if a, b := fmt.Sprintf("%+v", got[i]), fmt.Sprintf("%+v", rows[i]); a != b {
				t.Fatalf("%s: row %d is read as\n%s, want\n%s", g.Info().Name, i, a, b)
			}
		}
	}
}

// TestTemperature tells the two temperatures by what is played: the most
// visited action, or not always.
func TestTemperature(t *testing.T) {
	cfg := quick()
	cfg.Search.Simulations = 24
	cfg.Temperature, cfg.TemperatureTurns, cfg.FinalTemperature = 2, 3, 0
	early, late := 0, 0 // moves that are not among the most visited
	for _, f := range play(t, cfg, job(testGames(t)[1], 1, 20)) {
		for i := range f.Rows {
			r := &f.Rows[i]
			if r.Visits[slices.Index(r.Legal, r.Action)] == slices.Max(r.Visits) {
				continue
			}
			if r.Turn < 3 {
				early++
			} else {
				late++
			}
		}
	}
	if early == 0 || late != 0 {
		t.Errorf("%d moves at temperature 2 and %d at 0 were not the most visited, want some and none", early, late)
	}
}

func TestNoiseVariesGames(t *testing.T) {
	cfg := quick()
	cfg.Temperature, cfg.FinalTemperature = 0, 0
	distinct := func(fraction float64) int {
		cfg.Search.NoiseFraction = fraction
		games := map[string]bool{}
		for _, f := range play(t, cfg, job(testGames(t)[1], 1, 8)) {
			line := ""
			for _, r := range f.Rows {
				line += fmt.Sprint(r.Action, " ")
			}
			games[line] = true
		}
		return len(games)
	}
	if n := distinct(0); n != 1 {
		t.Errorf("%d different games without noise and temperature, want 1", n)
	}
	if n := distinct(0.5); n < 4 {
		t.Errorf("%d different games of 8 with noise, want most", n)
	}
}

// TestRollsFollowTheDice counts what chance did over many games.
func TestRollsFollowTheDice(t *testing.T) {
	g := racegame.New()
	cfg := quick()
	cfg.Search.Simulations = 2
	var rolls [2][5]int // by die and number
	s := g.NewState()
	for _, f := range play(t, cfg, job(g, 2, 400)) {
		for i := range f.Rows {
			r := &f.Rows[i]
			if r.Action != racegame.Safe && r.Action != racegame.Bold {
				continue
			}
			then := r.After
			if i+1 < len(f.Rows) {
				then = f.Rows[i+1].Before
			}
			rolls[r.Action][then[0]]++
		}
	}
	for die, counts := range rolls {
		if err := s.ParsePosition("0 0 0 roll-" + []string{"safe", "bold"}[die]); err != nil {
			t.Fatal(err)
		}
		n := 0.0
		for _, c := range counts {
			n += float64(c)
		}
		for _, w := range s.Chance(nil) {
			// Five standard deviations.
			if d := math.Abs(float64(counts[w.Code]) - n*w.Prob); d > 5*math.Sqrt(n*w.Prob*(1-w.Prob)) {
				t.Errorf("die %d rolled %d %d times in %g, want about %g", die, w.Code, counts[w.Code], n, n*w.Prob)
			}
		}
	}
}
