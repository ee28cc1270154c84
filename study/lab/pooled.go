package lab

import (
	"fmt"
	"math"

	"github.com/ludozero/ludozero/stats/cluster"
	"github.com/ludozero/ludozero/study/luck"
)

// pooledMeasures are no means over games: they compare games with each other.
func pooledMeasures() []Measure {
	return []Measure{
		{
			ID: "openings", Name: "opening variety", Unit: "bits",
			Definition: "entropy of the decisions of each player's first turn once the start is settled, as these players choose: as varied as 2 to that power equally frequent openings",
			Source:     "Rényi 1961 (order 2)",
			Breaks:     "rolls are left out; a player's slips are among its openings; nothing is said where fewer than 20 pairs of games begin alike",
			of:         openings,
		},
		{
			ID: "luck", Name: "luck", Unit: "share of the variance of results", Share: true,
			Definition: "how much of who wins the dice explain: the worth of every roll by " + luck.DefaultJudge + ", squared correlation with the result",
			Source:     "Zinkevich et al. 2006 (advantage sum)",
			Breaks:     "for games with dice alone; what the judge does not see of luck is missing in it",
			of:         explained, judged: true,
		},
	}
}

// openings estimates the entropy of order 2, -log2 of the probability that two games begin
// alike. Unlike Shannon's its estimate is not too small where openings are many and games
// few. Games of one pair may have the same dice and are not compared.
func openings(games []Game, pairs int, f *Figure) {
	times := map[string]float64{}
	within := make([]map[string]float64, pairs) // by pair
	for i := range games {
		g := &games[i]
		times[g.Opening]++
		if within[g.Pair-1] == nil {
			within[g.Pair-1] = map[string]float64{}
		}
		within[g.Pair-1][g.Opening]++
	}
	parts := make([]cluster.Part, pairs)
	alike := 0.0
	for i := range games {
		g := &games[i]
		own := 0.0 // games of its pair
		for _, n := range within[g.Pair-1] {
			own += n
		}
		if others := float64(len(games)) - own; others > 0 {
			same := times[g.Opening] - within[g.Pair-1][g.Opening]
			parts[g.Pair-1].Add(same / others)
			alike += same / 2 // seen from both
		}
	}
	v := cluster.Mean(parts, 1, false)
	if alike < fewAlike { // too few games for so many openings
		f.Lacks = fmt.Sprintf("%d pairs of games that begin alike", fewAlike)
		return
	}
	f.Games = len(games)
	f.Value.Value, f.High = math.Abs(math.Log2(v.Value)), math.Inf(1) // no negative zero
	// Each game is in its own term and in those of all others, which doubles the error of a
	// mean of such terms (Hoeffding 1948).
	f.Error, f.Freedom = 2*v.Error/(v.Value*math.Ln2), v.Freedom
}

// fewAlike is how many pairs of games have to begin alike: the error of a logarithm of fewer
// says little.
const fewAlike = 20

// fewLuck is how many games the share of luck wants.
const fewLuck = 20

// explained estimates what luck.ShareOf does.
func explained(games []Game, pairs int, f *Figure) {
	var list []luck.Played
	for i := range games {
		if g := &games[i]; g.Curve != nil && g.Curve.Luck != nil {
			list = append(list, luck.Played{Pair: g.Pair, Points: g.First, Net: *g.Curve.Luck})
		}
	}
	if len(list) == 0 {
		return // no dice, or nothing judged
	}
	share, ok := luck.ShareOf(list, uint64(len(list)))
	if len(list) < fewLuck || !ok {
		f.Lacks = fmt.Sprintf("%d judged games with different results", fewLuck)
		return
	}
	f.Games = len(list)
	e := share.Explained
	f.Value = cluster.Value{Value: e.Value, Error: (e.High - e.Low) / (2 * 1.96), Freedom: float64(share.Pairs - 2), Below: e.Value - e.Low, Above: e.High - e.Value, High: 1}
}

// tenths is how many parts of a game a course has.
const tenths = 10

// courses are the uncertainty by tenths of the games that were judged.
func (in *Input) courses() (list []Course) {
	for i := range in.Cells {
		cell := &in.Cells[i]
		c := Course{Player: in.Players[cell.Player], Rules: in.Rules[cell.Side]}
		for part := range tenths {
			m := Measure{bounded: true, judged: true, count: ofCurve(func(c *Curve) (float64, bool) {
				return c.uncertainty(float64(part)/tenths, float64(part+1)/tenths), true
			})}
			if f := m.value(cell.Games); f.Games > 0 {
				c.Uncertainty = append(c.Uncertainty, f.Estimate())
			}
		}
		if c.Uncertainty != nil {
			list = append(list, c)
		}
	}
	return list
}
