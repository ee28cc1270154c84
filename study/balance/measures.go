package balance

import (
	"math"
	"slices"

	"github.com/ludozero/ludozero/stats/resample"
)

// countReplicates is how often the bootstrap draws for figures besides the score.
const countReplicates = 400

// group sums up the games from the start.
func (b *builder) group(v *VariantInput, g *group) Group {
	r := Group{Label: g.label, Networks: g.networks, Reasons: map[string]int{}}
	for _, m := range g.members {
		r.Players = append(r.Players, b.in.Players[m].Spec.Text)
	}
	starts := map[string]bool{}
	for i := range v.Played {
		p := &v.Played[i]
		if p.Forced > 0 || !slices.Contains(g.members, p.Player) {
			continue
		}
		r.Games++
		starts[p.Start] = true
		if p.Repeats {
			r.Repeated++
		}
		r.First.Add(p.First)
		r.SideA.Add(p.SideA)
		if p.Swapped {
			r.FirstSwapped.Add(p.First)
		} else {
			r.FirstHeld.Add(p.First)
		}
		r.Reasons[p.Reason]++
	}
	r.Starts = len(starts)
	b.measures(v, g, &r)
	for _, m := range g.members {
		for t := range b.in.Config.Temperatures {
			r.Cells = append(r.Cells, b.cell(v, m, t))
		}
	}
	return r
}

// measures estimates the figures of a group.
func (b *builder) measures(v *VariantInput, g *group, r *Group) {
	add := func(name, unit string, share bool, replicates int, low, high float64, of func(*Played) float64) {
		e := resample.Sum(one(v.samples(g, share, of)), b.options(v.Name+" "+g.label+" "+name, replicates))
		r.Basis = e.Basis
		r.Measures = append(r.Measures, Measure{name, unit, within(e.Estimate, low, high)})
	}
	never := math.Inf(1)
	add(MeasureFirst, unitScore, true, 0, 0, 1, first)
	score := r.measure(MeasureFirst)
	r.Measures = append(r.Measures, Measure{MeasureDelta, unitScore, shifted(score, -0.5)})
	add(MeasureSideA, unitScore, true, 0, 0, 1, func(p *Played) float64 { return p.SideA })
	add(MeasureDecisive, unitShare, true, countReplicates, 0, 1, (*Played).decisive)
	if hasExchange(v.Game) {
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
		if g.Player != member || g.Temperature != temperature || g.Forced > 0 {
			continue
		}
		c.Games++
		if g.Repeats {
			c.Repeated++
		}
		c.First.Add(g.First)
		c.SideA.Add(g.SideA)
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
	// is at least one that counts.
	s.Independent = max(1, c.Games-c.Repeated)
	e := resample.Sum(one([]resample.Sample{s}), b.options(v.Name+" "+c.Player, countReplicates))
	c.Score = within(e.Estimate, 0, 1)
	return c
}

// firstMoves sums up the forced games of the group that verdicts are by, and what
// its networks think.
func (b *builder) firstMoves(v *VariantInput, r *VariantResult) {
	g := &b.groups[b.main]
	for n, m := range FirstMoves(v.Game) {
		f := FirstMoveResult{Word: m.Word, Images: m.Images}
		samples := make([]resample.Sample, len(g.members))
		played, games := 0, 0
		for i := range v.Played {
			p := &v.Played[i]
			k := slices.Index(g.members, p.Player)
			switch {
			case k < 0:
			case p.Forced == n+1:
				f.ForcedGames++
				samples[k].Share = true
				samples[k].Values = append(samples[k].Values, p.First)
				if !p.Repeats {
					samples[k].Independent++
				}
			case p.Forced == 0:
				games++
				if slices.Contains(m.Images, p.FirstWord) {
					played++
				}
			}
		}
		f.Played = float64(played) / float64(games)
		if f.ForcedGames > 0 {
			e := within(resample.Sum(one(samples), b.options(v.Name+" after "+m.Word, countReplicates)).Estimate, 0, 1)
			f.Score = &e
		}
		for _, member := range g.members {
			if view, ok := v.Views[member]; ok {
				f.Values = append(f.Values, view.Moves[n])
			}
		}
		r.FirstMoves = append(r.FirstMoves, f)
	}
	for _, member := range g.members {
		if view, ok := v.Views[member]; ok && view.Swap != nil {
			r.Swaps = append(r.Swaps, *view.Swap)
		}
	}
}
