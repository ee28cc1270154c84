package health

import (
	"regexp"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/train/run"
)

// sound are rows of a made-up run with nothing to complain of.
func sound(generations int) []run.Metrics {
	rows := make([]run.Metrics, generations)
	for i := range rows {
		rows[i] = run.Metrics{
			Generation: int32(i + 1), NewGames: 100, NewPositions: 2000, PolicyEntropy: 1.2, Surprise: 0.2,
			ValueBins: make([]run.ValueBin, 10), ValueSlope: 0.9, ValueSlopeError: 0.1, ValueExplained: 0.2, RootSlope: 1, RootSlopeError: 0.1, RootExplained: 0.3,
			Steps: 60, WindowPositions: int64(2000 * (i + 1)), GradientNorm: 1, GradientNormMax: 3,
		}
	}
	return rows
}

// TestEachRule spoils one figure at a time: only its rule speaks, once, from
// where it was spoiled, and names the number.
func TestEachRule(t *testing.T) {
	cfg := run.DefaultConfig()
	if w := Check(sound(10), &cfg); len(w) > 0 {
		t.Fatalf("a sound run: %+v", w)
	}
	for code, c := range map[string]struct {
		spoil  func(m *run.Metrics)
		number string
		first  int32 // of the warning if all rows are spoiled
	}{
		"value-sign":          {func(m *run.Metrics) { m.ValueSlope = -0.61 }, "0.61", 2},
		"value-blind":         {func(m *run.Metrics) { m.ValueSlope = 0.11 }, "0.11", 4},
		"value-overconfident": {func(m *run.Metrics) { m.ValueSlope, m.ValueSlopeError = 0.37, 0.05 }, "0.37", 4},
		"targets-certain":     {func(m *run.Metrics) { m.PolicyEntropy = 0.043 }, "0.043", 1},
		"games-repeat":        {func(m *run.Metrics) { m.RepeatedGames = 73 }, "73", 1},
		"window-small":        {func(m *run.Metrics) { m.WindowPositions = 2345 }, "2345", 4},
		"gradient-clipped":    {func(m *run.Metrics) { m.ClippedSteps = 47 }, "47", 4},
		"gradient-spike":      {func(m *run.Metrics) { m.GradientNormMax = 71.5 }, "71.5", 2},
	} {
		r := ruleOf(t, code)
		rows := sound(10)
		for i := range rows {
			c.spoil(&rows[i])
		}
		w := Check(rows, &cfg)
		if len(w) != 1 || w[0].Code != code || w[0].First != c.first || w[0].Last != 10 || w[0].Severity != r.severity {
			t.Errorf("%s in all rows: %+v, want it from %d", code, w, c.first)
			continue
		}
		if !strings.Contains(w[0].Text, c.number) || strings.Contains(w[0].Text, "\n") || regexp.MustCompile(`%!|NaN|Inf|  `).MatchString(w[0].Text) {
			t.Errorf("%s says %q, want it to name %s", code, w[0].Text, c.number)
		}
		// One row less than the streak is silent, the streak is not.
		for _, n := range []int32{r.streak - 1, r.streak} {
			rows = sound(10)
			for i := range n {
				c.spoil(&rows[5+i])
			}
			w, want := Check(rows, &cfg), int32(0)
			if n == r.streak {
				want = 1
			}
			if int32(len(w)) != want || want == 1 && (w[0].First != 6 || w[0].Last != 5+n) {
				t.Errorf("%s in %d rows: %+v, want %d warnings", code, n, w, want)
			}
		}
	}
}

func ruleOf(t *testing.T, code string) *rule {
	t.Helper()
	for i := range rules {
		if rules[i].code == code {
			return &rules[i]
		}
	}
	t.Fatalf("there is no rule %s", code)
	return nil
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
	cfg := run.DefaultConfig()
	rows := sound(9)
	for _, i := range []int{2, 3, 6, 7, 8} {
		rows[i].RepeatedGames = 90
	}
	rows[7].PolicyEntropy, rows[8].PolicyEntropy = 0.01, 0.01
	rows[2].ValueSlope = -1
	want := []Warning{{Code: "games-repeat", First: 3, Last: 4}, {Code: "value-sign", First: 3, Last: 3}, {Code: "games-repeat", First: 7, Last: 9}, {Code: "targets-certain", First: 8, Last: 9}}
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

// TestOldRunsAreSilent: rows of programs without the figures.
func TestOldRunsAreSilent(t *testing.T) {
	cfg := run.DefaultConfig()
	rows := sound(8)
	for i := range rows {
		m := &rows[i]
		*m = run.Metrics{Generation: m.Generation, NewGames: 100, NewPositions: 2000, PolicyEntropy: 1, Steps: 50, WindowPositions: m.WindowPositions, GradientNorm: 1, MeanAge: 1}
	}
	if w := Check(rows, &cfg); len(w) > 0 {
		t.Errorf("Check = %+v, want nothing", w)
	}
}
