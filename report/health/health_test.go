package health

import (
	"regexp"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// sound are rows of a made-up run with nothing to complain of.
func sound(generations int) []rundir.Metrics {
	rows := make([]rundir.Metrics, generations)
	for i := range rows {
		rows[i] = rundir.Metrics{
			Generation: int32(i + 1), NewGames: 100, NewPositions: 2000, MeanTurns: 20, PolicyEntropy: 1.2, Surprise: 0.2,
			ValueBins: make([]rundir.ValueBin, 10), ValueSlope: 0.9, ValueSlopeError: 0.1, ValueExplained: 0.2, RootSlope: 1, RootSlopeError: 0.1, RootExplained: 0.3,
			Steps: 60, WindowPositions: int64(2000 * (i + 1)), GradientNorm: 1, GradientNormMax: 3,
			FrozenPositions: 128, FrozenDivergence: 0.3, FrozenEntropy: 1.5, FrozenSearchEntropy: 1.2, FrozenValueGap: 0.2, FrozenDrift: 0.01, FrozenValueDrift: 0.1,
		}
	}
	return rows
}

// TestEachRule spoils one figure at a time: only its rule speaks, once, from
// where it was spoiled, and names the number.
func TestEachRule(t *testing.T) {
	cfg := plan.DefaultConfig()
	if w := Check(sound(14), &cfg); len(w) > 0 {
		t.Fatalf("a sound run: %+v", w)
	}
	cases := map[string]struct {
		spoil  func(m *rundir.Metrics)
		number string
		// first is the generation of the warning if all rows are spoiled; needs is how many
		// must be, from generation 8 on, and with as many it begins at begins.
		first, needs, begins int32
	}{
		"value-sign":          {func(m *rundir.Metrics) { m.ValueSlope, m.ValueExplained = -0.61, -0.2 }, "0.61", 4, 3, 10},
		"value-blind":         {func(m *rundir.Metrics) { m.ValueSlope = 0.01 }, "0.01", 4, 5, 10},
		"value-overconfident": {func(m *rundir.Metrics) { m.ValueSlope, m.ValueSlopeError = 0.15, 0.05 }, "0.15", 8, 5, 10},
		"targets-certain":     {func(m *rundir.Metrics) { m.PolicyEntropy = 0.043 }, "0.043", 1, 2, 8},
		"games-identical":     {func(m *rundir.Metrics) { m.RepeatedGames = 93 }, "93", 1, 1, 8},
		"games-repeat":        {func(m *rundir.Metrics) { m.RepeatedGames = 23 }, "23", 1, 2, 8},
		"window-small":        {func(m *rundir.Metrics) { m.WindowPositions = 2345 }, "2345", 3, 2, 8},
		"nothing-learned":     {func(m *rundir.Metrics) { m.FrozenDrift, m.FrozenValueDrift = 1e-8, 1.3e-5 }, "1e-05", 3, 1, 8},
		"search-idle":         {func(m *rundir.Metrics) { m.FrozenDivergence = 0.014 }, "0.014", 4, 3, 8},
		"policy-behind":       {func(m *rundir.Metrics) { m.FrozenDivergence = 2.34 }, "2.34", 8, 3, 8},
		"gradient-clipped":    {func(m *rundir.Metrics) { m.ClippedSteps = 47 }, "47", 4, 3, 8},
		"gradient-spike":      {func(m *rundir.Metrics) { m.GradientNormMax = 71.5 }, "71.5", 2, 1, 8},
	}
	for i := range rules {
		r := &rules[i]
		c, ok := cases[r.code]
		if !ok {
			t.Errorf("rule %s is not tested", r.code)
			continue
		}
		rows := sound(14)
		for i := range rows {
			c.spoil(&rows[i])
		}
		w := Check(rows, &cfg)
		if len(w) != 1 || w[0].Code != r.code || w[0].First != c.first || w[0].Last != 14 || w[0].Severity != r.severity {
			t.Errorf("%s in all rows: %+v, want it from %d", r.code, w, c.first)
			continue
		}
		if !strings.Contains(w[0].Text, c.number) || strings.Contains(w[0].Text, "\n") || regexp.MustCompile(`%!|NaN|Inf|  `).MatchString(w[0].Text) {
			t.Errorf("%s says %q, want it to name %s", r.code, w[0].Text, c.number)
		}
		for _, n := range []int32{c.needs - 1, c.needs} {
			rows = sound(14)
			for i := range n {
				c.spoil(&rows[7+i])
			}
			w := Check(rows, &cfg)
			if n < c.needs && len(w) != 0 || n == c.needs && (len(w) != 1 || w[0].First != c.begins) {
				t.Errorf("%s in %d rows: %+v, want it to take %d and to begin at %d", r.code, n, w, c.needs, c.begins)
			}
		}
	}
}

// TestCodes: they are words that can be told apart.
func TestCodes(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rules {
		if seen[r.code] || !regexp.MustCompile(`^[a-z]+(-[a-z]+)+$`).MatchString(r.code) || r.streak < 1 || r.from < 1 {
			t.Errorf("rule %+v: want a code of its own of small letters and hyphens", r.code)
		}
		seen[r.code] = true
	}
}

// TestSpansAndOrder: a rule that holds, pauses and holds again is two warnings;
// those that hold last are current.
func TestSpansAndOrder(t *testing.T) {
	cfg := plan.DefaultConfig()
	rows := sound(9)
	for _, i := range []int{2, 3, 6, 7, 8} {
		rows[i].RepeatedGames = 60
	}
	rows[7].PolicyEntropy, rows[8].PolicyEntropy = 0.01, 0.01
	rows[2].GradientNormMax = 50
	want := []Warning{{Code: "games-repeat", First: 3, Last: 4}, {Code: "gradient-spike", First: 3, Last: 3}, {Code: "games-repeat", First: 7, Last: 9}, {Code: "targets-certain", First: 8, Last: 9}}
	got := Check(rows, &cfg)
	if len(got) != len(want) {
		t.Fatalf("Check = %+v, want %+v", got, want)
	}
	for i, w := range got {
		if w.Code != want[i].Code || w.First != want[i].First || w.Last != want[i].Last {
			t.Errorf("warning %d is %+v, want %+v", i, w, want[i])
		}
	}
	if now := Current(rows, &cfg); len(now) != 2 || now[0] != got[2] || now[1] != got[3] {
		t.Errorf("Current = %+v, want the last two", now)
	}
	if Current(nil, &cfg) != nil || Check(nil, &cfg) != nil {
		t.Error("no generations, yet warnings")
	}
}

// TestThresholdsDependOnTheRun: small games repeat more often, and an old run's
// values should be nearer to outcomes than a young one's.
func TestThresholdsDependOnTheRun(t *testing.T) {
	cfg := plan.DefaultConfig()
	rows := sound(40)
	for i := range rows {
		rows[i].MeanTurns, rows[i].RepeatedGames = 8.5, 40
		rows[i].ValueSlope, rows[i].ValueSlopeError = 0.4, 0.05
	}
	w := Check(rows, &cfg)
	if len(w) != 1 || w[0].Code != "value-overconfident" || w[0].First != 30 {
		t.Errorf("Check = %+v, want values too sure of themselves from generation 30 on and no word of the games", w)
	}
}

// TestConstantValueIsBlind: a value that is the same everywhere.
func TestConstantValueIsBlind(t *testing.T) {
	cfg := plan.DefaultConfig()
	rows := sound(10)
	for i := range rows {
		rows[i].ValueSlope, rows[i].ValueSlopeError, rows[i].ValueExplained = 0, 0, 0
	}
	if w := Check(rows, &cfg); len(w) != 1 || w[0].Code != "value-blind" {
		t.Errorf("Check = %+v, want value-blind alone", w)
	}
}

// TestGamesOfTheTeacherSayNothing of the network's values.
func TestGamesOfTheTeacherSayNothing(t *testing.T) {
	cfg := plan.DefaultConfig()
	rows := sound(10)
	for i := range rows {
		rows[i].ValueSlope, rows[i].ValueExplained, rows[i].TaughtGames = -1, -0.2, rows[i].NewGames-5
	}
	if w := Check(rows, &cfg); len(w) > 0 {
		t.Errorf("Check = %+v, want nothing of five games a generation", w)
	}
}

// TestOldRunsAreSilent: rows of programs without the figures.
func TestOldRunsAreSilent(t *testing.T) {
	cfg := plan.DefaultConfig()
	rows := sound(8)
	for i := range rows {
		m := &rows[i]
		*m = rundir.Metrics{Generation: m.Generation, NewGames: 100, NewPositions: 2000, MeanTurns: 20, PolicyEntropy: 1, Steps: 50, WindowPositions: m.WindowPositions, GradientNorm: 1, MeanAge: 1}
	}
	if w := Check(rows, &cfg); len(w) > 0 {
		t.Errorf("Check = %+v, want nothing", w)
	}
}
