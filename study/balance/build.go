package balance

import (
	"math"
	"slices"

	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/stats/rating"
	"github.com/ludozero/ludozero/stats/resample"
	"github.com/ludozero/ludozero/study"
)

// Input is what a result is made of.
type Input struct {
	Game        string
	GameVersion int
	Rules       string
	Config      Config
	Players     []study.Participant
	// Baseline is an index of Variants.
	Baseline int
	Variants []VariantInput
	Checks   []Check
	// Weights, Precision, Command and Stopped are as in Result.
	Weights   map[string]string
	Precision string
	Command   string
	Stopped   *study.Stop
}

// VariantInput is what is known of one variant.
type VariantInput struct {
	Variant
	NotTrained []string
	Played     []Played
	KindNames  []string
	PieceNames []string
}

// independent is how much evidence games are of which so many repeat no other.
func (v *VariantInput) independent(games int) int {
	if v.Dice {
		games /= 2
	}
	return max(1, games)
}

// builder makes a result.
type builder struct {
	in     *Input
	groups []group
	main   int
	// chosen are the choices of each group in each variant.
	chosen map[*VariantInput][]choice
}

// Build makes the result of all games.
func Build(in *Input) *Result {
	b := &builder{in: in, groups: groups(in.Players), chosen: map[*VariantInput][]choice{}}
	b.main = mainGroup(b.groups)
	for i := range in.Variants {
		v := &in.Variants[i]
		for n := range b.groups {
			g := &b.groups[n]
			b.chosen[v] = append(b.chosen[v], v.choose(g, b.options("choice "+v.Name+" "+g.label, 0).Seed))
		}
	}
	r := &Result{
		Game: in.Game, GameVersion: in.GameVersion, Rules: in.Rules, Baseline: in.Variants[in.Baseline].Name,
		Networks: []string{}, Simulations: []int{}, Config: in.Config,
		Weights: in.Weights, Precision: in.Precision, Command: in.Command, Stopped: in.Stopped,
		Checks: in.Checks, Comparisons: []Comparison{},
	}
	for _, p := range in.Players {
		r.Players = append(r.Players, p.Spec.Text)
		if p.Network == "" {
			continue
		}
		if !slices.Contains(r.Networks, p.Network) {
			r.Networks = append(r.Networks, p.Network)
		}
		if !slices.Contains(r.Simulations, p.Simulations) {
			r.Simulations = append(r.Simulations, p.Simulations)
		}
	}
	slices.Sort(r.Simulations)
	for i := range in.Variants {
		r.Variants = append(r.Variants, b.variant(&in.Variants[i]))
	}
	for i := range in.Variants {
		if i != in.Baseline {
			r.Comparisons = append(r.Comparisons, b.compare(i)...)
		}
	}
	correct(r.Comparisons)
	r.Spreads = b.spreads()
	r.Summary = r.summarise()
	return r
}

// options returns the options of a bootstrap; each figure has a stream of its own.
func (b *builder) options(what string, replicates int) resample.Options {
	return resample.Options{Replicates: replicates, Seed: seed.Number(b.in.Config.Seed, "balance interval "+what, 0)}
}

// samples are the values of the games of a variant by the members of group n.
func (b *builder) samples(v *VariantInput, n int, share bool, of func(*Played) float64) []resample.Sample {
	return b.chosen[v][n].samples(v, share, of)
}

func first(p *Played) float64 { return p.First }

// one is a term of a sum with the samples alone.
func one(samples []resample.Sample) []resample.Term {
	return []resample.Term{{Weight: 1, Samples: samples}}
}

// within keeps the interval of an estimate in the range of its values, which may have
// no end.
func within(e rating.Estimate, low, high float64) rating.Estimate {
	if math.IsInf(high, 1) && math.IsInf(e.High, 1) {
		return e // nothing is known, which half a range would not say
	}
	e.Low, e.High = max(e.Low, low), min(e.High, high)
	return e
}

func shifted(e rating.Estimate, by float64) rating.Estimate {
	return rating.Estimate{Value: e.Value + by, Low: e.Low + by, High: e.High + by}
}

func (b *builder) variant(v *VariantInput) VariantResult {
	r := VariantResult{
		Name: v.Name, Short: v.Short, Rules: v.Game.Rules(), NotTrained: v.NotTrained,
		Compensated: len(v.Starts.List) > 1, Lines: v.Starts.Lines,
	}
	for n := range b.groups {
		r.Groups = append(r.Groups, b.group(v, n))
	}
	if r.Compensated {
		b.starts(v, &r)
	}
	return r
}

// compare is variant i against the baseline, by every group.
func (b *builder) compare(i int) []Comparison {
	v, base := &b.in.Variants[i], &b.in.Variants[b.in.Baseline]
	var list []Comparison
	for n := range b.groups {
		g := &b.groups[n]
		x, y := b.samples(v, n, true, first), b.samples(base, n, true, first)
		opt := b.options(v.Name+" against "+base.Name+" "+g.label, 0)
		delta, basis := resample.Sum(one(x), opt), resample.Sum(one(y), opt)
		change := resample.Sum([]resample.Term{{Weight: 1, Samples: x}, {Weight: -1, Samples: y}}, opt)
		c := Comparison{
			Variant: v.Name, Group: g.label, Main: n == b.main, Basis: change.Basis,
			Delta: shifted(within(delta.Estimate, 0, 1), -0.5), Baseline: shifted(within(basis.Estimate, 0, 1), -0.5),
			Change: within(change.Estimate, -1, 1),
		}
		c.Distance, c.P = distance(x, y, b.in.Config.Matters, opt)
		c.Found = verdictOf(c.Distance, b.in.Config.Matters)
		c.Distance = within(c.Distance, -0.5, 0.5)
		met := true
		if c.Condition = "no network"; g.networks > 0 {
			c.Condition, met = condition(b.in.Checks, v.Name, base.Name)
		}
		if c.Main {
			c.Verdict = c.Found
			if !met {
				c.Verdict = NoVerdict
			}
		}
		list = append(list, c)
	}
	return list
}

// group is players by their indices.
type group struct {
	label    string
	members  []int
	networks int
	sims     int
}

// groups are networks by ascending strength, then other players.
func groups(players []study.Participant) []group {
	var list []group
	for i := range players {
		p := &players[i]
		at := slices.IndexFunc(list, func(g group) bool { return g.label == label(p) })
		if at < 0 {
			at = len(list)
			list = append(list, group{label: label(p), sims: p.Simulations})
		}
		list[at].members = append(list[at].members, i)
		if p.Network != "" {
			list[at].networks++
		}
	}
	slices.SortStableFunc(list, func(a, b group) int {
		switch {
		case a.networks > 0 && b.networks > 0:
			return a.sims - b.sims
		case a.networks > 0:
			return -1
		case b.networks > 0:
			return 1
		}
		return 0
	})
	return list
}

// mainGroup decides verdicts: the strongest networks, or the first player.
func mainGroup(list []group) int {
	at := 0
	for i := range list {
		if list[i].networks > 0 {
			at = i
		}
	}
	return at
}
