package bench

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/train/plan"
)

// planned are the networks of a game with few planes.
func planned(s size) model.Network {
	return s.of(model.Network{
		Shape:  model.Shape{Planes: 8, Height: 8, Width: 8, MaskPlane: -1, PolicyPlanes: 4},
		Config: model.DefaultConfig(),
	})
}

func testBasis() basis {
	return basis{
		night: time.Hour, threads: 2, network: planned(size{4, 32}), simulations: 64,
		perPosition: 50, beside: 10e-6, perGame: 40, passes: 4, batch: 256,
	}
}

// TestPrediction by hand: 50 evaluations of 1/10,000 + 10/2 µs and 4 samples of
// 1/1000 s make 9.25 ms a position.
func TestPrediction(t *testing.T) {
	b, c := testBasis(), Candidate{Evaluations: 10000, Samples: 1000, Parameters: 1000}
	near := func(what string, got, want float64) {
		if math.Abs(got/want-1) > 1e-12 {
			t.Errorf("%s = %g, want %g", what, got, want)
		}
	}
	o := b.predict(&c, 64)
	near("positions", o.Positions, 3600/9.25e-3)
	near("games", o.Games, 3600/9.25e-3/40)
	near("steps", o.Steps, 3600/9.25e-3*4/256)
	near("positions for each parameter", o.PerParameter, 3.6/9.25e-3)
	near("positions at twice the simulations", b.predict(&c, 128).Positions, 3600/14.5e-3)
}

// TestRatesBetweenAndBeyond: on a power law interpolation is exact; beyond,
// times are in proportion to the work.
func TestRatesBetweenAndBeyond(t *testing.T) {
	law := func(n model.Network) rate {
		return rate{n, 1e9 / math.Pow(float64(n.MultiplyAdds()), 0.9), 1e8 / math.Pow(float64(n.TrainingMultiplyAdds()), 0.8)}
	}
	rates := []rate{law(planned(size{2, 32})), law(planned(size{6, 64}))}
	for _, c := range []struct {
		size size
		from string
	}{{size{2, 32}, Measured}, {size{4, 48}, Interpolated}, {size{2, 16}, Extrapolated}, {size{10, 128}, Extrapolated}} {
		n := planned(c.size)
		got, from := rateFor(n, rates)
		want := law(n)
		if from == Extrapolated {
			near := rates[0]
			if n.MultiplyAdds() > rates[1].network.MultiplyAdds() {
				near = rates[1]
			}
			want.evaluations = near.evaluations * float64(near.network.MultiplyAdds()) / float64(n.MultiplyAdds())
			want.samples = near.samples * float64(near.network.TrainingMultiplyAdds()) / float64(n.TrainingMultiplyAdds())
		}
		if from != c.from || math.Abs(got.evaluations/want.evaluations-1) > 1e-9 || math.Abs(got.samples/want.samples-1) > 1e-9 {
			t.Errorf("%v: %s %+v, want %s %+v", c.size, from, got, c.from, want)
		}
	}
}

// TestChoice: the largest with enough; more simulations for the largest of all;
// the smallest if none has enough.
func TestChoice(t *testing.T) {
	candidates := func(perParameter ...[]float64) []Candidate {
		var list []Candidate
		for i, p := range perParameter {
			c := Candidate{Network: string(rune('a' + i))}
			for j, v := range p {
				c.Outcomes = append(c.Outcomes, Outcome{Simulations: 100 << j, PerParameter: v})
			}
			list = append(list, c)
		}
		return list
	}
	for _, c := range []struct {
		candidates  []Candidate
		network     string
		simulations int
		enough      bool
	}{
		{candidates([]float64{90, 50}, []float64{10, 5}, []float64{9.9, 4}), "b", 100, true},
		{candidates([]float64{900, 500, 250, 120, 60}, []float64{90, 45, 23, 12, 10}), "b", 800, true},
		{candidates([]float64{900, 500, 250}, []float64{90, 45, 9}), "b", 200, true},
		{candidates([]float64{8, 4}, []float64{2, 1}), "a", 100, false},
	} {
		got := choose(c.candidates)
		if got.Network != c.network || got.Simulations != c.simulations || got.Enough != c.enough {
			t.Errorf("choose = %s with %d, enough %v, want %s with %d, %v", got.Network, got.Simulations, got.Enough, c.network, c.simulations, c.enough)
		}
	}
}

// TestNight: candidates by size, the configured network among them, the choice
// one of them with its own numbers, and the settings those of the choice.
func TestNight(t *testing.T) {
	b := testBasis()
	b.network = planned(size{5, 40})
	n := newNight(b, []rate{{planned(size{2, 16}), 40000, 9000}, {planned(size{6, 64}), 4000, 900}})
	if !slices.IsSortedFunc(n.Candidates, func(a, b Candidate) int { return int(a.MultiplyAdds - b.MultiplyAdds) }) || len(n.Candidates) != len(candidateSizes)+1 {
		t.Errorf("%d candidates, want %d by size", len(n.Candidates), len(candidateSizes)+1)
	}
	i := slices.IndexFunc(n.Candidates, func(c Candidate) bool { return c.Network == "5x40" })
	if i < 0 || n.Candidates[i].Rates != Interpolated || n.Candidates[i].Parameters != model.NewWeights(b.network).Count() {
		t.Errorf("the configured network is not among the candidates as it is: %+v", n.Candidates)
	}
	chosen := slices.IndexFunc(n.Candidates, func(c Candidate) bool { return c.Network == n.Choice.Network })
	if chosen < 0 || !slices.Contains(n.Candidates[chosen].Outcomes, n.Choice.Outcome) {
		t.Errorf("the choice %+v is no candidate", n.Choice)
	}
	if b.teacher.Player = "random"; strings.Contains(strings.Join(n.Basis, "; "), "teacher") || !strings.Contains(strings.Join(b.words(nil), "; "), "the teacher random plays 0 % of those") {
		t.Errorf("the plan rests on %q and, with a teacher, on %q", n.Basis, b.words(nil))
	}
	cfg := plan.DefaultConfig()
	cfg.Growth = []plan.Growth{{Generation: 3}}
	cfg.SelfPlay.FirstSimulations = 8
	cfg.Train.WarmupSteps = 200
	n.Choice = Choice{Network: "6x64", Outcome: Outcome{Simulations: 128, Steps: 12549}}
	want := []Setting{
		{"budget", "1h0m0s"}, {"model.blocks", "6"}, {"model.channels", "64"}, {"self_play.search.simulations", "128"},
		{"train.decay_steps", "12000"}, {"train.final_learning_rate", "0.0001"}, {"growth", "[]"},
		{"self_play.first_simulations", "0"},
	}
	if got := settings(&cfg, n); !slices.Equal(got, want) {
		t.Errorf("settings %v, want %v", got, want)
	}
	cfg.Train.DecayShare = 0.3 // which is refused beside decay_steps
	if got, want := settings(&cfg, n), slices.Delete(want, 4, 6); !slices.Equal(got, want) {
		t.Errorf("settings with a rate that falls with the budget %v, want %v", got, want)
	}
	if got := decaySteps(50, 200); got != 1 {
		t.Errorf("a night shorter than the warm-up decays over %d steps, want 1", got)
	}
	n.Hours = time.Second.Hours()
	if got := settings(&cfg, n)[0]; got.Value != "1s" {
		t.Errorf("the budget of a second is %s", got.Value)
	}
	b.night = time.Second
	if n := newNight(b, []rate{{planned(size{2, 16}), 40, 9}}); n.Choice.Enough || !strings.Contains(n.Rule, "None gets that many") {
		t.Errorf("a second is enough for %+v: %s", n.Choice, n.Rule)
	}
}
