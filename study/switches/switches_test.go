package switches

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/player/open"
	"github.com/ludozero/ludozero/stats/design"
	"github.com/ludozero/ludozero/stats/rating"
)

// TestRowsAlikeHaveAnError: where one level wins every game, or all games are drawn, the
// rows do not differ by chance, and the games still tell how little is known.
func TestRowsAlikeHaveAnError(t *testing.T) {
	factors := []Factor{{"a", "0", "1"}, {"b", "0", "1"}}
	d, err := design.New(8, len(factors))
	if err != nil {
		t.Fatal(err)
	}
	study := func(points func(high bool) float64) *Result {
		var r Result
		for run := range d.Runs() {
			x := Row{High: []bool{d.High(run, 0), d.High(run, 1)}}
			var pairs rating.PairCounts
			for range 2 {
				p := points(x.High[0])
				x.Add(p)
				x.Add(p)
				pairs[int(4*p)]++
			}
			x.Score = pairs.Score(2)
			r.Rows = append(r.Rows, x)
		}
		if err := r.fit(d, factors); err != nil {
			t.Fatal(err)
		}
		return &r
	}
	drawn := study(func(bool) float64 { return 0.5 })
	for _, e := range drawn.Effects {
		if x := e.Score; x.Value != 0.5 || e.clear() || x.High-x.Low < 0.1 || math.Abs(x.High-0.5-(0.5-x.Low)) > 1e-9 {
			t.Errorf("all games drawn: option %s scores %v", e.Name, x)
		}
	}
	won := study(func(high bool) float64 {
		if high {
			return 1
		}
		return 0
	})
	a, b := &won.Effects[0], &won.Effects[1]
	if x := a.Score; x.Value != 1 || x.High != 1 || !a.clear() || x.Low > 0.9 {
		t.Errorf("option a wins every game: it scores %v", x)
	}
	if x := b.Score; x.Value != 0.5 || b.clear() || x.High-x.Low < 0.1 {
		t.Errorf("option b does nothing: it scores %v", x)
	}
	var text strings.Builder
	if err := won.Report().WriteText(&text); err != nil {
		t.Fatal(err)
	}
	if s := strings.Join(strings.Fields(text.String()), " "); !strings.Contains(s, "95 % intervals by the games of the rows") || strings.Contains(s, "100.0 to 100.0") {
		t.Error(text.String())
	}
}

// TestEffectsAreFound in rows whose expected scores are sums of known effects and of an
// interaction of two options, which both sides have: intervals cover the effects, and
// an option without one is clear of an even score as seldom as it should be.
func TestEffectsAreFound(t *testing.T) {
	factors := []Factor{{"a", "0", "1"}, {"b", "0", "1"}, {"c", "0", "1"}, {"d", "0", "1"}, {"e", "0", "1"}}
	effects := []float64{0.10, -0.05, 0, 0.03, 0} // of high against low, in points a game
	d, err := design.New(16, len(factors))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	const studies = 200
	covered, wrong := 0, 0
	means := make([]float64, len(factors))
	for range studies {
		var r Result
		for run := range d.Runs() {
			own, mirror := 0.0, 0.0 // strengths
			for i, e := range effects {
				if d.High(run, i) {
					own += e
				} else {
					mirror += e
				}
			}
			if d.High(run, 0) == d.High(run, 1) { // the same in the mirror
				own, mirror = own+0.2, mirror+0.2
			}
			var x Row
			for range 40 {
				points := 0.0
				if rng.Float64() < 0.5+own-mirror {
					points = 1
				}
				x.Add(points)
			}
			r.Rows = append(r.Rows, x)
		}
		if err := r.fit(d, factors); err != nil {
			t.Fatal(err)
		}
		for i := range r.Effects {
			e := &r.Effects[i]
			means[i] += (e.Score.Value - 0.5) / studies
			if e.Score.Low <= 0.5+effects[i] && 0.5+effects[i] <= e.Score.High {
				covered++
			}
			if effects[i] == 0 && e.clear() {
				wrong++
			}
		}
	}
	for i, mean := range means {
		if math.Abs(mean-effects[i]) > 0.005 { // a standard error is 0.0014
			t.Errorf("option %s: mean effect %.4f, want %.4f", factors[i].Name, mean, effects[i])
		}
	}
	if share := float64(covered) / float64(studies*len(factors)); share < 0.92 || share > 0.98 {
		t.Errorf("intervals cover %.3f of the effects, want 0.95", share)
	}
	if share := float64(wrong) / float64(2*studies); share > 0.09 {
		t.Errorf("%.3f of the options without effect are called clear, want 0.05", share)
	}
}

// quiet is an archive.Progress that shows nothing.
type quiet struct{}

func (quiet) Start(int, string) {}
func (quiet) Set(int, string)   {}
func (quiet) Stop()             {}
func (quiet) Line(string)       {}

func options() Options {
	o := DefaultOptions()
	o.Player, o.Factors = "minimax", []string{"depth=1:3"}
	o.Runs, o.Pairs, o.OpeningTurns = 8, 6, 4
	return o
}

func experiment(t *testing.T, o Options) (*Result, string, error) {
	t.Helper()
	g, err := connect4.Family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	families := engine.Families{&connect4.Family}
	s, err := New(t.Context(), o, g, open.New(families), quiet{})
	if err != nil {
		return nil, "", err
	}
	e, err := s.Experiment()
	if err != nil {
		return nil, "", err
	}
	var plan bytes.Buffer
	r, err := e.Run(t.Context(), &plan)
	if err != nil || r == nil {
		return nil, plan.String(), err
	}
	return r.(*Result), plan.String(), nil
}

// TestDeeperIsBetter plays a small study in a folder, finishes it, and reads it again.
func TestDeeperIsBetter(t *testing.T) {
	o := options()
	o.Out = t.TempDir() + "/study"
	o.OnlyPlan = true
	if _, plan, err := experiment(t, o); err != nil || !strings.Contains(plan, "96, 12 of each row") {
		t.Fatalf("%v, plan\n%s", err, plan)
	}
	o.OnlyPlan = false
	r, _, err := experiment(t, o)
	if err != nil {
		t.Fatal(err)
	}
	if all, _ := r.games(); all != 96 || len(r.Rows) != 8 {
		t.Errorf("%d games in %d rows, want 96 in 8", all, len(r.Rows))
	}
	for _, x := range r.Rows {
		if a, b := "minimax:depth=1", "minimax:depth=3"; x.High[0] && (x.A != b || x.B != a) || !x.High[0] && (x.A != a || x.B != b) {
			t.Errorf("levels %s: %s against %s", x.levels(), x.A, x.B)
		}
	}
	if e := &r.Effects[0]; !e.clear() || e.Score.Value < 0.7 {
		t.Errorf("depth 3 scores %+v against depth 1", e.Score)
	}
	var text, again bytes.Buffer
	if err := r.Report().WriteText(&text); err != nil || !strings.Contains(text.String(), "depth=3 scores") {
		t.Errorf("%v, report\n%s", err, text.String())
	}
	if r, _, err = experiment(t, o); err != nil {
		t.Fatal(err)
	}
	if err := r.Report().WriteText(&again); err != nil || again.String() != text.String() {
		t.Errorf("%v, read again\n%s\nwant\n%s", err, again.String(), text.String())
	}
}

// TestCommandOfAStoppedStudy repeats what was played, not what was asked for.
func TestCommandOfAStoppedStudy(t *testing.T) {
	o := options()
	o.Out, o.Pairs, o.CoreTime = t.TempDir()+"/study", 8, 1
	r, _, err := experiment(t, o)
	if err != nil {
		t.Fatal(err)
	}
	if all, _ := r.games(); r.Stopped == nil || all != 64 || !strings.Contains(r.Command, " --pairs 4 ") {
		t.Errorf("%d games, stopped %v, the same again: %s", all, r.Stopped, r.Command)
	}
}

func TestRefusals(t *testing.T) {
	for want, change := range map[string]func(*Options){
		"--factor: want at least one":                                   func(o *Options) { o.Factors = nil },
		"--factor depth: want NAME=LOW:HIGH":                            func(o *Options) { o.Factors[0] = "depth" },
		"--factor depth=1: want NAME=LOW:HIGH":                          func(o *Options) { o.Factors[0] = "depth=1" },
		"--factor depth=2:2: want NAME=LOW:HIGH":                        func(o *Options) { o.Factors[0] = "depth=2:2" },
		"--factor depth=2:4: the option has levels already":             func(o *Options) { o.Factors = append(o.Factors, "depth=2:4") },
		`minimax has no option "width"`:                                 func(o *Options) { o.Factors = append(o.Factors, "width=2:4") },
		"option depth is set twice":                                     func(o *Options) { o.Player = "minimax:depth=2" },
		"a design of 12 runs: want 8, 16 or 32":                         func(o *Options) { o.Runs = 12 },
		"pairs":                                                         func(o *Options) { o.Pairs = 0 },
		"player alphabeta: there are no clocks here, want a fixed time": func(o *Options) { o.Player, o.Factors = "alphabeta", []string{"time=clock:1s"} },
	} {
		o := options()
		change(&o)
		if _, _, err := experiment(t, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
