package sweep

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// screen is a valid plan with factors, halving one with arms.
func screen() Plan {
	p := DefaultPlan()
	p.Config, p.CoreTime, p.Measure.Score, p.Runs = "base.yaml", time.Minute, []int{64}, 8
	p.Factors = []Factor{
		{Name: "passes", High: []string{"passes_per_position=6"}},
		{Name: "network", Low: []string{"model.blocks=4"}, High: []string{"model.blocks=5", "model.channels=48"}},
	}
	return p
}

func halving() Plan {
	p := screen()
	p.Runs, p.Factors = 0, nil
	p.Seed, p.Seeds, p.Arms = 7, 3, []Arm{{Name: "base"}, {Name: "gumbel", Set: []string{"self_play.search.search=gumbel"}}}
	return p
}

func TestPlansThatCannotBe(t *testing.T) {
	for _, p := range []Plan{screen(), halving()} {
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		want string
		base func() Plan
		edit func(*Plan)
	}{
		{"config: want a run file", screen, func(p *Plan) { p.Config = "" }},
		{"side_by_side: -1:", screen, func(p *Plan) { p.SideBySide = -1 }},
		{"cores_each: 0:", screen, func(p *Plan) { p.CoresEach = 0 }},
		{"core_time and generations: want exactly one", screen, func(p *Plan) { p.Generations = 1 }},
		{"core_time and generations: want exactly one", screen, func(p *Plan) { p.CoreTime = 0 }},
		{"core_time: -1ns:", screen, func(p *Plan) { p.CoreTime = -1 }},
		{"generations: -1: want 0 or more", screen, func(p *Plan) { p.Generations = -1 }},
		{"measure.score: want numbers", screen, func(p *Plan) { p.Measure.Score = nil }},
		{"measure.score: 0:", screen, func(p *Plan) { p.Measure.Score = []int{0} }},
		{"measure.score: 64 is there twice", screen, func(p *Plan) { p.Measure.Score = []int{64, 1, 64} }},
		{"measure.tournament.simulations: -1", screen, func(p *Plan) { p.Measure.Tournament.Simulations = -1 }},
		{"measure.tournament: pairs=0", screen, func(p *Plan) { p.Measure.Tournament.Pairs = 0 }},
		{"factors and arms: want one", screen, func(p *Plan) { p.Arms = halving().Arms }},
		{"factors and arms: want one", screen, func(p *Plan) { p.Factors = nil }},
		{"runs: 12: want 8, 16 or 32", screen, func(p *Plan) { p.Runs = 12 }},
		{"seeds: 2: want none", screen, func(p *Plan) { p.Seeds = 2 }},
		{"factors: 7: want at most 6 in 8 runs", screen, func(p *Plan) {
			for name := range strings.SplitSeq("a b c d e", " ") {
				p.Factors = append(p.Factors, Factor{Name: name, High: []string{name + "=1"}})
			}
		}},
		{"factors: : want a name", screen, func(p *Plan) { p.Factors[0].Name = "" }},
		{"factors: a/b: want a name of", screen, func(p *Plan) { p.Factors[0].Name = "a/b" }},
		{"factors: ..: want a name of", screen, func(p *Plan) { p.Factors[0].Name = ".." }},
		{"factors: Network: the name is there twice", screen, func(p *Plan) { p.Factors = append(p.Factors, Factor{Name: "Network", High: []string{"a=1"}}) }},
		{"factors: passes: low and high are the same", screen, func(p *Plan) { p.Factors[0].High = nil }},
		{`factors: passes: "six": want key=value`, screen, func(p *Plan) { p.Factors[0].High = []string{"six"} }},
		{"factors: passes: seed: it is the same for all", screen, func(p *Plan) { p.Factors[0].High = []string{"seed=2"} }},
		{"factors: passes: core_budget: it is the same for all", screen, func(p *Plan) { p.Factors[0].High = []string{"core_budget=1h"} }},
		{"factors: passes: evaluation.simulations: it is the same", screen, func(p *Plan) { p.Factors[0].High = []string{"evaluation.simulations=2"} }},
		{"factors: network: model.blocks is set twice", screen, func(p *Plan) { p.Factors[1].High = []string{"model.blocks=2", "model.blocks=3"} }},
		{"factors: network: train.precision=auto: want the value that it stands for", screen, func(p *Plan) { p.Factors[1].High = []string{"train.precision=auto"} }},
		{"factors: network: model.blocks: factor passes sets it, too", screen, func(p *Plan) { p.Factors[0].High = []string{"model.blocks=1"} }},
		{"arms: base: the name is there twice", halving, func(p *Plan) { p.Arms[1].Name = "base" }},
		{"arms: gumbel: workers: it is the same for all", halving, func(p *Plan) { p.Arms[1].Set = []string{"workers=2"} }},
		{"seeds: 1: want 2 or more", halving, func(p *Plan) { p.Seeds = 1 }},
		{"seeds: 501: want 2 or more, and no more than 1000 runs", halving, func(p *Plan) { p.Seeds = 501 }},
		{"runs: 8: want none", halving, func(p *Plan) { p.Runs = 8 }},
	} {
		p := c.base()
		c.edit(&p)
		if err := p.Validate(); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

func TestRunsOfADesign(t *testing.T) {
	p := screen()
	p.Seed = 100
	runs := p.All()
	if len(runs) != 8 {
		t.Fatalf("%d runs, want 8", len(runs))
	}
	for i, want := range []struct{ name, settings string }{
		{"01-ll", "model.blocks=4"},
		{"02-hl", "passes_per_position=6 model.blocks=4"},
		{"03-lh", "model.blocks=5 model.channels=48"},
		{"04-hh", "passes_per_position=6 model.blocks=5 model.channels=48"},
		{"05-ll", "model.blocks=4"}, // the four again, with other seeds
	} {
		r := runs[i]
		if r.Name != want.name || strings.Join(r.Settings, " ") != want.settings || r.Seed != 100+uint64(i) {
			t.Errorf("run %d is %+v, want %+v", i, r, want)
		}
	}
	order := p.order()
	if slices.IsSorted(order) || !slices.Equal(order, p.order()) {
		t.Errorf("order %v: want a random one that does not change", order)
	}
	slices.Sort(order)
	if !slices.Equal(order, []int{0, 1, 2, 3, 4, 5, 6, 7}) {
		t.Errorf("order has %v", order)
	}
}

// TestRunsOfArms: all arms have the same seeds, and those of one seed are run after
// each other.
func TestRunsOfArms(t *testing.T) {
	p := halving()
	var names []string
	runs := p.All()
	for _, r := range runs {
		names = append(names, r.Name)
	}
	if got := strings.Join(names, " "); got != "base-7 base-8 base-9 gumbel-7 gumbel-8 gumbel-9" {
		t.Errorf("runs %s", got)
	}
	order := p.order()
	for s := range p.Seeds {
		a, b := runs[order[2*s]], runs[order[2*s+1]]
		if a.Seed != 7+uint64(s) || b.Seed != a.Seed || a.Arm == b.Arm {
			t.Errorf("runs %d and %d are %s and %s", 2*s+1, 2*s+2, a.Name, b.Name)
		}
	}
}
