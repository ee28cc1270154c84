package replay

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/selfplay/record/recordtest"
	"github.com/ludozero/ludozero/train/plan"
)

// raceRows are recorded games of racegame with the margin of each game's end in the first
// player's view; many end with a roll and a forced move after their last row.
func raceRows(t *testing.T) (rows []record.Row, margins map[int64]float64) {
	t.Helper()
	g := racegame.New()
	rows, _ = recordtest.WriteRandom(t, g, t.TempDir(), 40)
	replayer, margins := record.NewReplayer(g), map[int64]float64{}
	for start, i := 0, 0; i < len(rows); i++ {
		if i+1 < len(rows) && rows[i+1].GameNumber == rows[i].GameNumber {
			continue
		}
		if p := replayer.Play(rows[start:i+1], nil); len(p) > 0 {
			t.Fatal(p)
		}
		margins[rows[i].GameNumber] = float64(replayer.State().(engine.Margined).Margin(engine.First))
		start = i + 1
	}
	return rows, margins
}

// marginWindow is a window over the rows with these shares in its value targets.
func marginWindow(t *testing.T, rows []record.Row, root, margin float64) (*Window, error) {
	t.Helper()
	dir := t.TempDir()
	if _, _, err := record.Write(dir, racegame.New().Info(), record.Head{Run: "night"}, rows); err != nil {
		t.Fatal(err)
	}
	w, err := NewWindow(plan.DefaultWindowConfig(), &racegame.Family, dir, "night")
	if err != nil {
		t.Fatal(err)
	}
	w.MixRootValue(root)
	w.MixMargin(margin)
	_, err = w.Refresh()
	return w, err
}

// TestMarginsAreMixedIntoResults by hand, in the view of either player, before the share
// of the search; rows of a resigned game keep the outcome.
func TestMarginsAreMixedIntoResults(t *testing.T) {
	rows, margins := raceRows(t)
	for i := range rows {
		rows[i].RootValue, rows[i].RootDraw = 0.25, 0.5 // 0.375, 0.5, 0.125
	}
	last := rows[len(rows)-1].GameNumber
	for i := range rows {
		if r := &rows[i]; r.GameNumber == last {
			r.Reason, r.After = record.ReasonResignation, nil
			r.Resigns = i == len(rows)-1
			r.Outcome = 1 - 2*(r.Player^rows[len(rows)-1].Player^1)
		}
	}
	const root, margin = 0.5, 0.25
	w, err := marginWindow(t, rows, root, margin)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for i := range rows {
		r := &rows[i]
		x := math.Tanh(margins[r.GameNumber])
		if r.Player == 1 {
			x = -x
		}
		wdl := [3]float64{max(x, 0), 1 - math.Abs(x), max(-x, 0)}
		m := margin
		if r.GameNumber == last {
			m = 0
		}
		want := [3]float64{root * 0.375, root * 0.5, root * 0.125}
		for k := range want {
			want[k] += (1 - root) * m * wdl[k]
		}
		want[1-int(r.Outcome)] += (1 - root) * (1 - m)
		got := w.shards[0].valueTarget(i, root, margin)
		for k := range want {
			if math.Abs(float64(got[k])-want[k]) > 1e-6 {
				t.Fatalf("row %d of player %d, outcome %d, margin %g: target %v, want %v", i, r.Player, r.Outcome, x, got, want)
			}
		}
		switch {
		case r.GameNumber == last:
			seen["resigned"] = true
		case x > 0 && r.Outcome == 1 && r.Player == 1:
			seen["won by the second player"] = true
		case x == 0 && r.Outcome == 0:
			seen["drawn"] = true
		case x < 0 && r.Outcome == -1 && r.Player == 0:
			seen["lost by the first player"] = true
		}
	}
	if len(seen) != 4 {
		t.Errorf("only rows of games %v were compared", seen)
	}
}

// TestWithoutMarginsTargetsAreAsBefore, bit for bit, and nothing is held for them.
func TestWithoutMarginsTargetsAreAsBefore(t *testing.T) {
	rows, _ := raceRows(t)
	with, err := marginWindow(t, rows, 0, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	without, err := marginWindow(t, rows, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if d := with.Bytes() - without.Bytes(); d != 4*int64(len(rows)) {
		t.Errorf("margins take %d bytes of %d rows, want 4 each", d, len(rows))
	}
	r := rand.New(seed.Stream(1, "draw", 0))
	var s Sample
	for range 500 {
		if without.Draw(r, &s); s.Value != [3]float32{1} && s.Value != [3]float32{1: 1} && s.Value != [3]float32{2: 1} {
			t.Fatalf("target %v, want one of win, draw and loss", s.Value)
		}
	}
}

// TestImpossibleEndingsAreRefused: the rules of a record do not know the game's.
func TestImpossibleEndingsAreRefused(t *testing.T) {
	rows, _ := raceRows(t)
	rows[len(rows)-1].After = append(rows[len(rows)-1].After, racegame.Push)
	if _, err := marginWindow(t, rows, 0, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := marginWindow(t, rows, 0, 0.5); !errors.Is(err, record.ErrCorrupt) {
		t.Errorf("Refresh = %v, want %v", err, record.ErrCorrupt)
	}
}
