package balance

import (
	"math/rand/v2"
	"slices"

	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/stats/resample"
)

// choiceTables is how many tables are drawn to choose by.
const choiceTables = 200

// parts is how many parts games are divided into: each is scored at the starts that the
// other one chooses.
const parts = 2

// unit is the first player's scores in the games of some players, by start.
type unit [][]float64

// choices returns how often each start is chosen for the games of each part by tables of
// the other part: a share by part and start. scores are the units of each part.
//
// A start chosen by its own games would flatter whoever chose it, the more so the fewer
// games there are. So the games that choose are never those that score: what the games of
// a part score at the starts that the other part chooses has no such bias (cross-fitting).
// Tables are drawn with replacement, first units and then the games of each start, so that
// a choice that hangs on a few games or one network is spread over the starts that others
// might have chosen, and the score rests on all of these (bagging; Breiman 1996).
func (s *Starts) choices(scores [parts][]unit, run uint64) (shares [parts][]float64) {
	rng := rand.New(seed.Stream(run, "balance choice", 0))
	if len(s.List) == 1 {
		return [parts][]float64{{1}, {1}}
	}
	table := make([]float64, len(s.List))
	for f := range shares {
		shares[f] = make([]float64, len(s.List))
		units := scores[1-f]
		for range choiceTables {
			clear(table)
			for range units {
				for at, games := range units[rng.IntN(len(units))] {
					sum := 0.0
					for range games {
						sum += games[rng.IntN(len(games))]
					}
					table[at] += sum / float64(len(games))
				}
			}
			shares[f][s.choose(table)] += 1. / choiceTables
		}
	}
	return shares
}

// choice is what a group chooses in a variant.
type choice struct {
	members []int // of the group, indices of players
	// shares is how often each start is chosen for the games of each part, whole the start
	// that a table of all games chooses.
	shares [parts][]float64
	whole  int
	part   func(*Played) int
}

// weight is how much a game counts.
func (c *choice) weight(p *Played) float64 { return c.shares[c.part(p)][p.Start] }

// share is how often a start is chosen.
func (c *choice) share(start int) float64 { return (c.shares[0][start] + c.shares[1][start]) / parts }

// settled reports whether all tables choose one start.
func (c *choice) settled() bool { return c.share(c.whole) > 1-1e-9 }

// choose has a group choose. From resample.MinClusters members on, the parts are members,
// so that a choice is never scored by a network that made it, whose taste it would meet;
// of fewer they are the first and the second games of pairs, by all members together.
func (v *VariantInput) choose(g *group, run uint64) choice {
	c := choice{members: g.members, part: func(p *Played) int { return p.Number % parts }}
	alone := len(g.members) >= resample.MinClusters
	if alone {
		c.part = func(p *Played) int { return slices.Index(g.members, p.Player) % parts }
	}
	var units [parts][]unit
	total := make([]float64, len(v.Starts.List))
	for i := range v.Played {
		p := &v.Played[i]
		k := slices.Index(g.members, p.Player)
		if k < 0 {
			continue
		}
		part, n := c.part(p), 0
		if alone {
			n = k / parts
		}
		for len(units[part]) <= n {
			units[part] = append(units[part], make(unit, len(v.Starts.List)))
		}
		units[part][n][p.Start] = append(units[part][n][p.Start], p.First)
		total[p.Start] += p.First
	}
	c.whole = v.Starts.choose(total)
	c.shares = v.Starts.choices(units, run)
	return c
}

// evidence is the share of games of a chosen start that counts as evidence where fewer
// than resample.MinClusters players choose and their tables do not all choose one. A game
// chooses for one half and scores in the other, which makes the errors of the two halves
// alike: the variance of their mean is 1.2 to 1.45 times that of independent ones
// (TestChoiceCoverage).
const evidence = 0.75

// samples are the values of the games by each member, each game as often as its start is
// chosen. The two games of a pair that has the same dice are one value, their mean: who
// moves first is lucky in both.
func (c *choice) samples(v *VariantInput, share bool, of func(*Played) float64) []resample.Sample {
	list := make([]resample.Sample, len(c.members))
	for k, member := range c.members {
		var values, weights []float64
		var repeats []bool
		for i := range v.Played {
			p := &v.Played[i]
			if p.Player != member {
				continue
			}
			if n := len(values) - 1; v.Dice && p.Number%2 == 0 {
				values[n], repeats[n] = (values[n]+of(p))/2, repeats[n] && p.Repeats
				continue
			}
			values, weights, repeats = append(values, of(p)), append(weights, c.weight(p)), append(repeats, p.Repeats)
		}
		list[k] = resample.Weighted(values, weights, repeats, share)
		if len(c.members) < resample.MinClusters && !c.settled() {
			list[k].Independent = max(1, int(evidence*float64(list[k].Independent)))
		}
	}
	return list
}
