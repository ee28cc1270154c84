package lab

import (
	"math"

	"github.com/ludozero/ludozero/stats/cluster"
)

// Curve is how a game stood, by the judge.
type Curve struct {
	// Values are the expected result at the beginning of each turn in the first player's
	// view, from -1 to 1, and last the result.
	Values []float64 `json:"values"`
	// Stakes are how much of the expected result, in points, a player would have lost at
	// some of the turns by playing that turn at random.
	Stakes []float64 `json:"stakes"`
	// Luck is what the dice were worth for the first player, from luck.Game.Net; nil without
	// dice.
	Luck *float64 `json:"luck,omitempty"`
}

// Values that the measures of a curve go by, and what a player expects then.
const (
	ahead = 0.2 // 60 % of the points: leads
	sure  = 0.5 // 75 %: leads clearly
)

// result is the last value: 1, 0 or -1.
func (c *Curve) result() float64 { return c.Values[len(c.Values)-1] }

// played are the values before the end.
func (c *Curve) played() []float64 { return c.Values[:len(c.Values)-1] }

// drama is the largest share of the points that the winner lacked to an even game; ok is
// false if nobody won.
func (c *Curve) drama() (x float64, ok bool) {
	won := c.result()
	for _, v := range c.played() {
		x = max(x, -won*v/2)
	}
	return x, won != 0
}

// leads counts how often another player leads than led before. Between leads is a range in
// which nobody does, so that what a judge is not sure of is no change.
func (c *Curve) leads() (changes int) {
	leader := 0.0
	for _, v := range c.Values {
		if math.Abs(v) < ahead {
			continue
		}
		now := math.Copysign(1, v)
		if leader == -now {
			changes++
		}
		leader = now
	}
	return changes
}

// decided is the part of the turns after which the winner led clearly to the end; ok is
// false if nobody won.
func (c *Curve) decided() (x float64, ok bool) {
	won, n := c.result(), len(c.Values)-1
	if won == 0 {
		return 0, false
	}
	at := n
	for at > 0 && won*c.Values[at-1] >= sure {
		at--
	}
	return float64(at) / float64(max(1, n)), true
}

// holds is the points of the player who first led clearly; ok is false if nobody did before
// the end.
func (c *Curve) holds() (x float64, ok bool) {
	for _, v := range c.played() {
		if math.Abs(v) >= sure {
			return (1 + math.Copysign(1, v)*c.result()) / 2, true
		}
	}
	return 0, false
}

// uncertainty is the mean of 1-|value| over the turns from a part of the game on, up to
// another.
func (c *Curve) uncertainty(from, to float64) float64 {
	n := len(c.Values) - 1
	low := min(int(from*float64(n)), n-1)
	high := max(low+1, int(math.Ceil(to*float64(n))))
	sum := 0.0
	for _, v := range c.Values[low:high] {
		sum += 1 - math.Abs(v)
	}
	return sum / float64(high-low)
}

// ofCurve makes count of a number that a judged game may have.
func ofCurve(of func(*Curve) (float64, bool)) func(*Game, *cluster.Part) {
	return func(g *Game, p *cluster.Part) {
		if len(g.Curve.Values) < 2 {
			return
		}
		if x, ok := of(g.Curve); ok {
			p.Add(x)
		}
	}
}

const thompson = "Thompson 2000 (drama, decisiveness)"

// curveMeasures are counted in the games that the judge has seen.
func curveMeasures() []Measure {
	list := []Measure{
		{
			ID: "drama", Name: "drama", Unit: "points", Share: true, bounded: true,
			Definition: "the most that the winner lacked to half of the expected points at the beginning of a turn; 0 if never behind",
			Source:     browne + " (drama), " + thompson,
			Breaks:     "drawn games are left out; who is behind by a roll is behind as by a mistake",
			count:      ofCurve((*Curve).drama),
		},
		{
			ID: "leads", Name: "lead changes", Unit: "a game",
			Definition: "how often a player expects 60 % or more after the other did",
			Source:     browne + " (lead change)",
			Breaks:     "the result counts as a lead of the winner, a draw as none; rolls change leads as decisions do",
			count:      ofCurve(func(c *Curve) (float64, bool) { return float64(c.leads()), true }),
		},
		{
			ID: "decisive_turn", Name: "decisive turn", Unit: "share of the game", Share: true, bounded: true,
			Definition: "part of the turns after which the winner expects 75 % or more to the end",
			Source:     "after " + browne + " (decisiveness)",
			Breaks:     "drawn games are left out",
			count:      ofCurve((*Curve).decided),
		},
		{
			ID: "decisiveness", Name: "decisiveness", Unit: "points", Share: true, bounded: true,
			Definition: "points that a player makes who is the first to expect 75 %",
			Source:     thompson,
			Breaks:     "games in which nobody did before the end are left out",
			count:      ofCurve((*Curve).holds),
		},
		{
			ID: "uncertainty", Name: "uncertainty", Unit: "share of certainty lacking", Share: true, bounded: true,
			Definition: "1 less the size of the expected result, from 0 for a sure win to 1 for an even game, mean over the turns",
			Source:     browne + " (uncertainty)",
			Breaks:     "a sure draw counts as even",
			count:      ofCurve(func(c *Curve) (float64, bool) { return c.uncertainty(0, 1), true }),
		},
		{
			ID: "late_uncertainty", Name: "late uncertainty", Unit: "share of certainty lacking", Share: true, bounded: true,
			Definition: "the same over the last quarter of the turns",
			Source:     browne + " (uncertainty, late)",
			Breaks:     "a sure draw counts as even",
			count:      ofCurve(func(c *Curve) (float64, bool) { return c.uncertainty(0.75, 1), true }),
		},
		{
			ID: "tempo", Name: "what a turn is worth", Unit: "points", Share: true, signed: true,
			Definition: "expected points that a player loses who plays one turn at random, at turns drawn from the game",
			Source:     own,
			Breaks:     "all decisions of the turn are random; rolls are rolled; a turn of one legal action costs nothing",
			count: func(g *Game, p *cluster.Part) {
				for _, x := range g.Curve.Stakes {
					p.Add(x)
				}
			},
		},
	}
	for i := range list {
		list[i].judged = true
	}
	return list
}
