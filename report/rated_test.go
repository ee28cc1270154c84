package report

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/train/rundir"
)

// TestStrengthIsOverWhatIsKnownOfAll: core time with that of the runs behind it,
// without it where it is not known, learning time where no other will do.
func TestStrengthIsOverWhatIsKnownOfAll(t *testing.T) {
	core := 36_000.0
	for _, c := range []struct {
		name        string
		change      func(*Input)
		axis, title string
		after       string // of the newest network, in the table
		positions   float64
		from        float64 // where the axis begins
		says        string
	}{
		{"new run", func(*Input) {}, "core-hours, and the generation", "Strength by core-hours", "14.9", 256_000, 0, "without matches. Elo"},
		{"fork", func(in *Input) { in.Before = &model.Spent{Runs: 2, CoreSeconds: &core, Positions: 1_000_000} },
			"core-hours of all runs, and", "Strength by core-hours", "24.9", 1_256_000, 10, "those of the runs behind this one; positions are those of all runs."},
		{"fork of an old run", func(in *Input) { in.Before = &model.Spent{Runs: 2, Positions: 1_000_000} },
			"core-hours of this run, and", "Strength by core-hours", "14.9", 1_256_000, 0, "in this run alone: what the network that it began with had taken is not known; positions are those of all runs."},
		{"nothing of the past", func(in *Input) { in.Before = nil },
			"core-hours of this run, and", "Strength by core-hours", "14.9", 256_000, 0, "is not known; positions are those of this run."},
		{"old run", func(in *Input) { in.Metrics[31].CoreSeconds = 0 },
			"hours of learning, and", "Strength by learning time", "8:00:00", 256_000, 0, "is not known of all networks: learning time stands in its place. Elo"},
	} {
		in := inputOf(32)
		c.change(in)
		r := Build(in)
		text, page := written(t, r)
		if text = strings.Join(strings.Fields(text), " "); !strings.Contains(text, c.says) || !strings.Contains(page, c.says) {
			t.Errorf("%s: want %q in\n%s", c.name, c.says, text)
		}
		if !strings.Contains(page, ">"+c.axis) || !strings.Contains(page, "<h3>"+c.title+"</h3>") {
			t.Errorf("%s: the page has no axis %q or title %q", c.name, c.axis, c.title)
		}
		rows := r.rated().Rows
		if last := rows[len(rows)-1]; len(rows) != 2 || last[0] != "32" || last[1] != c.after || last[2] != wording.Grouped(int64(c.positions)) || last[5] != "80 % (61 to 91) of 40" {
			t.Errorf("%s: rows %q", c.name, rows)
		}
		if n := r.Strength.Networks[1]; float64(n.Positions) != c.positions || n.Learned != 8*time.Hour || len(n.Scores) != 2 || n.Elo != r.Strength.Elo.Networks[1].Elo {
			t.Errorf("%s: %+v", c.name, n)
		}
		x := r.sections()[0].Charts[0].axis()
		if x.from != c.from || x.of(&x.points[0]) != c.from || x.of(&x.points[1]) != x.to {
			t.Errorf("%s: the axis is from %g to %g, the points are at %g and %g", c.name, x.from, x.to, x.of(&x.points[0]), x.of(&x.points[1]))
		}
		// All else is over learning time.
		if x := r.sections()[1].Charts[0].axis(); x.label != "hours of learning, and the generation reached" || x.to != 8 {
			t.Errorf("%s: losses are over %q to %g", c.name, x.label, x.to)
		}
	}
}

// TestTakenBetweenRows: what the metrics of a pack have left out lies between its
// neighbours.
func TestTakenBetweenRows(t *testing.T) {
	in := &Input{Metrics: []rundir.Metrics{
		{Generation: 4, LearnedSeconds: 40, CoreSeconds: 80, Positions: 400}, {Generation: 8, LearnedSeconds: 60, CoreSeconds: 120, Positions: 1000},
		{Generation: 9, LearnedSeconds: 70, Positions: 1100},
	}}
	nan := math.NaN()
	for g, want := range map[int][3]float64{
		0: {0, 0, 0}, 1: {10, 20, 100}, 4: {40, 80, 400}, 5: {45, 90, 550}, 8: {60, 120, 1000}, 9: {70, nan, 1100}, 10: {nan, nan, nan},
	} {
		a, b, c := in.took(g)
		for i, v := range []float64{a, b, c} {
			if v != want[i] && !(math.IsNaN(v) && math.IsNaN(want[i])) {
				t.Errorf("generation %d: %g, %g, %g, want %g", g, a, b, c, want)
				break
			}
		}
	}
}

// TestManyRatedNetworks: the table has some of them, the first and the last among
// them, the tree all.
func TestManyRatedNetworks(t *testing.T) {
	in := inputOf(100)
	for g := 4; g < 100; g += 4 {
		in.Matches = append(in.Matches, matchOf(g, "random", 7, 0, 1))
	}
	in.Matches = append(in.Matches, matchOf(100, "random", 20, 0, 0))
	r := Build(in)
	rows := r.rated().Rows
	if len(r.Strength.Networks) != 26 || len(rows) != ratedRowsMost || rows[0][0] != "0" || rows[ratedRowsMost-1][0] != "100" {
		t.Errorf("%d networks, rows %q", len(r.Strength.Networks), rows)
	}
	for i, n := range r.Strength.Networks {
		if n.Generation != 4*i || float64(n.OwnCoreSeconds) != float64(1680*n.Generation) {
			t.Errorf("network %d is %+v", i, n)
		}
	}
	if want := "20 of the 26 networks that played"; !strings.Contains(r.ratedText(), want) {
		t.Errorf("%q does not say %q", r.ratedText(), want)
	}
}

// TestManyOpponentsFit into lines of the text form, each in a table that says of
// which networks it is.
func TestManyOpponentsFit(t *testing.T) {
	in := inputOf(8)
	for i := range 7 {
		in.Matches = append(in.Matches, matchOf(8, fmt.Sprintf("alphabeta:depth=%d", i+1), 12-i, 1, i))
	}
	text, _ := written(t, Build(in))
	heads := ""
	for _, line := range strings.Split(text, "\n") {
		if n := utf8.RuneCountInString(line); n > textColumns {
			t.Errorf("%d columns: %q", n, line)
		}
		if strings.HasPrefix(line, "gen  core-hours  ") {
			heads += line
		}
	}
	for i := range 7 {
		if name := fmt.Sprintf("alphabeta:depth=%d", i+1); strings.Count(heads, name) != 1 {
			t.Errorf("%s is not once in the heads %q", name, heads)
		}
	}
}
