package heuristics

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/stats/rating"
	"github.com/ludozero/ludozero/stats/resample"
)

// matchOf is one of so many pairs by A's half points.
func matchOf(pairs rating.PairCounts) *match.Result {
	r := &match.Result{Pairs: pairs, Score: pairs.Score(pairs.Pairs())}
	r.Elo = r.Score.Elo()
	r.Draws = 2 * pairs.Pairs()
	return r
}

// input has even matches, and a gain in each choice of `games` games as gain says, with
// a noise of 0.1, by two networks.
func input(games int, gain func(network, question, level int) float64) *Input {
	rng := rand.New(rand.NewPCG(3, 9))
	in := &Input{Rules: "standard", Networks: []string{"one", "two"}, Weights: map[string]string{"one": "weights 1", "two": "weights 2"}, Config: Config{Seed: 1}, Source: "a test", Command: "none"}
	for range rules {
		in.Matches = append(in.Matches, matchOf(rating.PairCounts{0, 10, 80, 10, 0}))
	}
	for g := range games {
		for q := range questions {
			for level := range questions[q].Levels {
				in.Asked = append(in.Asked, Asked{Game: g, Question: q, Level: level})
				var list []Verdict
				for n := range in.Networks {
					x := gain(n, q, level) + 0.1*rng.NormFloat64()
					list = append(list, Verdict{Gain: x, Prefers: x > 0})
				}
				in.Verdicts = append(in.Verdicts, list)
			}
		}
		in.Observed = append(in.Observed, Observed{Obeyed: make([]resample.Part, len(rules)), Broke: make([]resample.Part, len(rules))})
		in.Observed[g].Obeyed[0] = resample.Part{Sum: float64(g % 2), Count: 1}
	}
	return in
}

// asRulesSay is what gains would be if all rules were right.
func asRulesSay(_, q, level int) float64 {
	gain := 0.0
	for i := range rules {
		r := &rules[i]
		if questionOf(r.Question) != q {
			continue
		}
		if o := r.Order; o != nil {
			for _, l := range o.Low {
				if l == level {
					gain -= 0.2
				}
			}
		}
		for _, c := range r.Claims {
			for _, l := range c.Levels {
				if l == level && c.Better {
					gain++
				} else if l == level {
					gain -= 0.3
				}
			}
		}
	}
	return gain
}

func findings(r *Result) map[string]Finding {
	m := map[string]Finding{}
	for i := range r.Heuristics {
		m[r.Heuristics[i].ID] = r.Heuristics[i].Regret
	}
	return m
}

// TestFindingsFollowTheGains: rules that are right are supported, rules that are wrong
// are not, and nothing is found where networks disagree, where games are few, or where
// there is no test.
func TestFindingsFollowTheGains(t *testing.T) {
	opposite := func(n, q, l int) float64 { return -asRulesSay(n, q, l) }
	quarrel := func(n, q, l int) float64 { return float64(1-2*n) * asRulesSay(n, q, l) }
	for _, c := range []struct {
		name string
		in   *Input
		want Finding
	}{
		{"right", input(40, asRulesSay), Supported},
		{"wrong", input(40, opposite), Contradict},
		{"networks that disagree", input(40, quarrel), CannotTell},
		{"few games", input(MinGames-1, asRulesSay), CannotTell},
		{"no difference", input(40, func(int, int, int) float64 { return 0 }), CannotTell},
	} {
		r := Build(c.in)
		for id, got := range findings(r) {
			want := c.want
			if id == "ring" { // which has no test
				want = CannotTell
			}
			if got != want {
				t.Errorf("%s: %s is %s, want %s", c.name, id, got, want)
			}
		}
	}
}

// TestAnActAgainstAllElseIsNotEnough: entering the Cross loses a little at every XS, so
// that nothing is said for the rule.
func TestAnActAgainstAllElseIsNotEnough(t *testing.T) {
	r := Build(input(40, func(int, int, int) float64 { return -0.3 }))
	for i := range r.Heuristics {
		if h := &r.Heuristics[i]; h.ID == "cross-exit" {
			if h.Claims[0].Finding != Supported || h.Order.Finding != CannotTell || h.Regret != CannotTell {
				t.Errorf("claim %s, order %s, together %s", h.Claims[0].Finding, h.Order.Finding, h.Regret)
			}
		}
	}
}

// TestOnOff by hand: 30 pairs, of which 20 are 1½ points and 10 one. With half a pair of
// 0 and of 2 points the pairs' scores have mean (20·0.75 + 10·0.5 + 0.5·1)/31 and the
// variance below.
func TestOnOff(t *testing.T) {
	o := onOff(matchOf(rating.PairCounts{0, 0, 10, 20, 0}))
	mean := 20.5 / 31
	variance := (20*0.5625+10*0.25+0.5)/31 - mean*mean
	score := 20.0 / 30
	want := (score - 0.5) / math.Sqrt(variance/30)
	if want < 6 || o.P > 1e-5 || o.value != score-0.5 {
		t.Errorf("t is %g, p %g, value %g", want, o.P, o.value)
	}
	if o := onOff(matchOf(rating.PairCounts{0, 1, 28, 1, 0})); o.P != 1 || o.value != 0 {
		t.Errorf("an even match has p %g", o.P)
	}
	if o := onOff(matchOf(rating.PairCounts{0, 0, 0, 0, 9})); o.P != 1 {
		t.Errorf("nine pairs have p %g, want no test", o.P)
	}
	repeats := matchOf(rating.PairCounts{0, 0, 10, 20, 0})
	repeats.RepeatedPairs = 27
	if p := onOff(repeats).P; p < 0.05 {
		t.Errorf("three different pairs have p %g", p)
	}
}

// TestDecide: a finding needs the corrected p-value.
func TestDecide(t *testing.T) {
	tests := []*Test{{P: 0.04, value: 1}, {P: 0.001, value: -1}, {P: 0.03, value: 1}, {P: 0.015, value: 1}}
	decide(tests)
	for i, want := range []float64{0.06, 0.004, 0.06, 0.045} {
		if math.Abs(tests[i].Holm-want) > 1e-12 {
			t.Errorf("p %g becomes %g, want %g", tests[i].P, tests[i].Holm, want)
		}
	}
	if tests[0].Finding != CannotTell || tests[1].Finding != Contradict || tests[3].Finding != Supported {
		t.Errorf("findings %s, %s, %s", tests[0].Finding, tests[1].Finding, tests[3].Finding)
	}
}

// TestConclude draws on-and-off and regret together.
func TestConclude(t *testing.T) {
	for _, c := range []struct{ onOff, claim, want Finding }{
		{Supported, CannotTell, Supported}, {CannotTell, Supported, Supported}, {Contradict, CannotTell, Contradict},
		{Contradict, Supported, PartsDiffer}, {Supported, Contradict, PartsDiffer}, {CannotTell, CannotTell, CannotTell},
	} {
		h := RuleResult{OnOff: OnOff{Test: Test{Finding: c.onOff}}, Claims: []ClaimResult{{Test: Test{Finding: c.claim}}}}
		if h.conclude(); h.Finding != c.want {
			t.Errorf("%s and %s make %s, want %s", c.onOff, c.claim, h.Finding, c.want)
		}
	}
}

// TestReportSaysItAll in all forms, also read back from JSON and with nothing to say.
func TestReportSaysItAll(t *testing.T) {
	for _, games := range []int{0, 40} {
		r := Build(input(games, asRulesSay))
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		back := &Result{}
		if err := json.Unmarshal(data, back); err != nil {
			t.Fatal(err)
		}
		var text, again, page bytes.Buffer
		if err := r.Report().WriteText(&text); err != nil {
			t.Fatal(err)
		}
		if err := back.Report().WriteText(&again); err != nil || again.String() != text.String() {
			t.Errorf("read back from JSON it prints\n%s\nwant\n%s", again.String(), text.String())
		}
		if err := r.Report().WriteHTML(&page); err != nil {
			t.Fatal(err)
		}
		for _, rule := range rules {
			if !strings.Contains(text.String(), rule.ID) || !strings.Contains(page.String(), rule.ID) {
				t.Errorf("no %s in the report", rule.ID)
			}
		}
		if !strings.Contains(text.String(), "Observational: ") || strings.Contains(text.String(), "NaN") || strings.Contains(page.String(), "NaN") {
			t.Errorf("with %d games: a word too few or NaN:\n%s", games, text.String())
		}
		for _, table := range r.CSV() {
			name, rows := table.Name, table.Rows
			if sorted := slices.Sorted(slices.Values(rows[0])); len(slices.Compact(sorted)) != len(rows[0]) {
				t.Errorf("%s: two columns of a name: %v", name, rows[0])
			}
			for _, row := range rows {
				if len(row) != len(rows[0]) {
					t.Errorf("%s: a row of %d cells under a head of %d", name, len(row), len(rows[0]))
				}
			}
		}
	}
}

// TestRulesAreWhole: each has a file, a question and levels that there are.
func TestRulesAreWhole(t *testing.T) {
	seen := map[string]bool{}
	for i := range rules {
		r := &rules[i]
		if seen[r.ID] || questionOf(r.Question) < 0 || r.Says == "" || r.Source == "" {
			t.Errorf("%+v", r)
			continue
		}
		seen[r.ID] = true
		q := &questions[questionOf(r.Question)]
		var levels []int
		for _, c := range r.Claims {
			levels = append(levels, c.Levels...)
		}
		if r.Order != nil {
			levels = append(append(levels, r.Order.Low...), r.Order.High...)
		}
		for _, l := range levels {
			if l < 0 || l >= len(q.Levels) {
				t.Errorf("%s: no level %d of %s", r.ID, l, q.ID)
			}
		}
		for _, c := range r.Claims {
			for _, l := range c.Levels {
				if slices.Contains(r.against, l) == c.Better {
					t.Errorf("%s: claims and levels that break it contradict each other", r.ID)
				}
			}
		}
		if !q.Even && len(r.Claims) > 0 && r.Order == nil {
			t.Errorf("%s: an act against all else, without an order", r.ID)
		}
	}
	if !reflect.DeepEqual(Rules(), rules) {
		t.Errorf("Rules differ")
	}
}
