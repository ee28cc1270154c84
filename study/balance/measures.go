package balance

import (
	"math"
	"slices"

	"github.com/ludozero/ludozero/stats/resample"
)

// countReplicates is how often the bootstrap draws for figures besides the score.
const countReplicates = 400

// group sums up the games of group n.
func (b *builder) group(v *VariantInput, n int) Group {
	g := &b.groups[n]
	r := Group{Label: g.label, Networks: g.networks, Starts: len(v.Starts.List), Reasons: map[string]int{}}
	for _, m := range g.members {
		r.Players = append(r.Players, b.in.Players[m].Spec.Text)
	}
	for i := range v.Played {
		p := &v.Played[i]
		if !slices.Contains(g.members, p.Player) {
			continue
		}
		r.Games++
		if p.Repeats {
			r.Repeated++
		}
		r.First.Add(p.First)
		r.Reasons[p.Reason]++
	}
	b.measures(v, n, &r)
	for _, m := range g.members {
		for t := range b.in.Config.Temperatures {
			r.Cells = append(r.Cells, b.cell(v, m, t))
		}
	}
	return r
}

// measures estimates the figures of a group.
func (b *builder) measures(v *VariantInput, n int, r *Group) {
	add := func(name, unit string, share bool, replicates int, low, high float64, of func(*Played) float64) {
		e := resample.Sum(one(b.samples(v, n, share, of)), b.options(v.Name+" "+r.Label+" "+name, replicates))
		r.Basis = e.Basis
		r.Measures = append(r.Measures, Measure{name, unit, within(e.Estimate, low, high)})
	}
	never := math.Inf(1)
	add(MeasureFirst, unitScore, true, 0, 0, 1, first)
	score := r.measure(MeasureFirst)
	r.Measures = append(r.Measures, Measure{MeasureDelta, unitScore, shifted(score, -0.5)})
	add(MeasureSideA, unitScore, true, 0, 0, 1, func(p *Played) float64 { return p.SideA })
	add(MeasureDecisive, unitShare, true, countReplicates, 0, 1, (*Played).decisive)
	if slices.ContainsFunc(v.Played, func(p Played) bool { return p.Swapped }) {
		add(MeasureSwapped, unitShare, true, countReplicates, 0, 1, func(p *Played) float64 {
			if p.Swapped {
				return 1
			}
			return 0
		})
	}
	add(MeasureTurns, unitTurns, false, countReplicates, 0, never, func(p *Played) float64 { return float64(p.Turns) })
	add(MeasureDecisions, unitGame, false, countReplicates, 0, never, func(p *Played) float64 { return float64(p.Decisions) })
	for k, name := range v.KindNames {
		add(name, unitGame, false, countReplicates, 0, never, func(p *Played) float64 { return float64(p.Kinds[k]) })
	}
	for k, name := range v.PieceNames {
		used := func(p *Played) float64 {
			moves := 0
			for _, n := range p.Pieces {
				moves += n
			}
			return float64(p.Pieces[k]) / float64(max(1, moves))
		}
		if slices.ContainsFunc(v.Played, func(p Played) bool { return p.Pieces[k] > 0 }) {
			add("moves by "+name, unitMoves, true, countReplicates, 0, 1, used)
		}
	}
}

// cell sums up the games of one player at one temperature.
func (b *builder) cell(v *VariantInput, member, temperature int) CellResult {
	p := &b.in.Players[member]
	c := CellResult{Player: p.Spec.Text, Network: p.Network, Temperature: b.in.Config.Temperatures[temperature]}
	s := resample.Sample{Share: true}
	openings := map[string]int{}
	for i := range v.Played {
		g := &v.Played[i]
		if g.Player != member || g.Temperature != temperature {
			continue
		}
		c.Games++
		if g.Repeats {
			c.Repeated++
		}
		c.First.Add(g.First)
		c.MeanTurns += float64(g.Turns)
		openings[g.Opening]++
		s.Values = append(s.Values, g.First)
	}
	n := float64(c.Games)
	c.MeanTurns /= n
	c.Openings = len(openings)
	entropy := 0.0
	for _, k := range openings {
		entropy -= float64(k) / n * math.Log(float64(k)/n)
	}
	c.EffectiveOpenings = math.Exp(entropy)
	// A game that repeats one at another temperature is no evidence either, but there
	// is at least one that counts. Of two with the same dice one counts.
	s.Independent = v.independent(c.Games - c.Repeated)
	e := resample.Sum(one([]resample.Sample{s}), b.options(v.Name+" "+c.Player, countReplicates))
	c.Score = within(e.Estimate, 0, 1)
	return c
}

// starts sums up the games of each start by the group that verdicts are by.
func (b *builder) starts(v *VariantInput, r *VariantResult) {
	g, c := &b.groups[b.main], &b.chosen[v][b.main]
	r.Chosen = v.Starts.List[c.whole].Words
	scores := make([][]resample.Sample, len(v.Starts.List))
	for at := range scores {
		scores[at] = make([]resample.Sample, len(g.members))
	}
	for i := range v.Played {
		p := &v.Played[i]
		if k := slices.Index(g.members, p.Player); k >= 0 {
			s := &scores[p.Start][k]
			s.Share = true
			s.Values = append(s.Values, p.First)
			if !p.Repeats {
				s.Independent++
			}
		}
	}
	for at, one := range v.Starts.List {
		s := StartResult{Words: one.Words, Lines: one.Lines, Chosen: c.share(at)}
		for k, member := range g.members {
			x := &scores[at][k]
			x.Independent = v.independent(x.Independent)
			s.Games += len(x.Values)
			s.Players = append(s.Players, PlayerScore{b.in.Players[member].Spec.Text, x.Mean()})
		}
		s.Score = within(resample.Sum([]resample.Term{{Weight: 1, Samples: scores[at]}}, b.options(v.Name+" from "+one.Words, countReplicates)).Estimate, 0, 1)
		r.Starts = append(r.Starts, s)
	}
}
