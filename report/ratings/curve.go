package ratings

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/ludozero/ludozero/stats/rating"
)

// Curve is the Elo of a run's networks over generations, by maximum likelihood
// (rating.Fit) from all matches under the conditions of the newest one.
type Curve struct {
	// Game to Clock are the conditions; Simulations is the budget of the networks per
	// move.
	Game        string `json:"game"`
	GameVersion int    `json:"game_version"`
	Rules       string `json:"rules"`
	Simulations int    `json:"simulations"`
	MaxTurns    int    `json:"max_turns"`
	Clock       string `json:"clock,omitempty"` // the time control; empty for none
	// Anchor is the player whose Elo is 0 for the whole life of a run: of the fixed
	// opponents of the network that was measured first, the one whose match with it has
	// the narrowest interval. Later matches do not change it, a fixed player is the same
	// in other runs, and one who both won and lost against the first network ties the
	// later ones to itself through it.
	Anchor string `json:"anchor"`
	// Networks are in order of generation, Opponents in the order they appeared.
	Networks  []Network  `json:"networks"`
	Opponents []Opponent `json:"opponents"`
	// Games counts the games. LeftOut counts matches under other conditions, or that
	// repeat another.
	Games   int `json:"games"`
	LeftOut int `json:"left_out"`
	// Seat is the advantage of moving first in Elo.
	Seat rating.Estimate `json:"seat"`
	// Misfits are the opponents against whom the score of the newest network differs
	// from what the ratings predict: then one number does not describe its strength.
	Misfits []Misfit `json:"misfits,omitempty"`
}

// Misfit is an opponent whose games with the newest network contradict the ratings; see
// rating.Misfit.
type Misfit struct {
	Opponent string          `json:"opponent"`
	Score    rating.Estimate `json:"score"` // of the network
	Expected float64         `json:"expected"`
}

// Network is a network of the run. rating.Player explains infinite and unknown ratings.
type Network struct {
	Generation int `json:"generation"`
	// Learned is the learning time when it was written; 0 if unknown.
	Learned time.Duration   `json:"learned_ns"`
	Games   int             `json:"games"`
	Elo     rating.Estimate `json:"elo"`
}

// Opponent is a fixed opponent.
type Opponent struct {
	Name  string          `json:"name"`
	Games int             `json:"games"`
	Elo   rating.Estimate `json:"elo"`
}

// Evidence is the matches under the conditions of the newest one, and of those that
// repeat each other the longest.
func Evidence(list []Match) []Match {
	if len(list) == 0 {
		return nil
	}
	newest := &list[len(list)-1]
	var out []Match
	for i := range list {
		m := &list[i]
		if !m.compares(newest) {
			continue
		}
		at := slices.IndexFunc(out, func(o Match) bool { return m.Repeats(&o) })
		switch {
		case at < 0:
			out = append(out, *m)
		case len(m.Result.Games) >= len(out[at].Result.Games):
			out[at] = *m
		}
	}
	return out
}

// compares tells whether two matches were played under the same conditions.
func (m *Match) compares(o *Match) bool {
	a, b := m.Result, o.Result
	return a.Game == b.Game && a.GameVersion == b.GameVersion && a.Rules == b.Rules && a.MaxTurns == b.MaxTurns && a.Clock == b.Clock && m.Simulations == o.Simulations
}

// Elo rates the networks of a run from its matches; nil if there are none. It takes
// seconds for a hundred networks.
func Elo(list []Match) (*Curve, error) { return fit(list, false) }

// Newest rates the newest network alone, in a fraction of the time of Elo and with the
// same result. Opponents is empty.
func Newest(list []Match) (*Curve, error) { return fit(list, true) }

// field numbers the players for package rating.
type field struct {
	names       []string
	generations []int // of networks; -1: a fixed opponent
	pairings    []rating.Pairing
	openings    map[opening]int
}

// opening is the number of an opening for package rating.
func (f *field) opening(o opening) int {
	n, ok := f.openings[o]
	if !ok {
		n = len(f.openings)
		f.openings[o] = n
	}
	return n
}

func (f *field) number(name string, generation int) int {
	i := slices.Index(f.names, name)
	if i < 0 {
		i = len(f.names)
		f.names, f.generations = append(f.names, name), append(f.generations, generation)
	}
	return i
}

func (f *field) add(m *Match) {
	other := -1
	if m.Opponent == "" {
		other = m.Other
	}
	p := m.pairing(f.number(generationName(m.Generation), m.Generation), f.number(m.OpponentName(), other), f.opening)
	for i := range f.pairings {
		if o := &f.pairings[i]; o.A == p.A && o.B == p.B {
			for j := range o.Pairs {
				for k := range o.Pairs[j] {
					o.Pairs[j][k] += p.Pairs[j][k]
				}
			}
			o.Repeated += p.Repeated
			o.Opened = append(o.Opened, p.Opened...)
			return
		}
	}
	f.pairings = append(f.pairings, p)
}

// fit rates the newest network or all of them.
func fit(list []Match, newest bool) (*Curve, error) {
	used := Evidence(list)
	if len(used) == 0 {
		return nil, nil
	}
	f := &field{openings: map[opening]int{}}
	learned := map[int]time.Duration{}
	for i := range used {
		f.add(&used[i])
		learned[used[i].Generation] = used[i].Learned
	}
	last := slices.Index(f.generations, slices.Max(f.generations))
	anchor := origin(list)
	if !slices.Contains(f.names, anchor) {
		return nil, fmt.Errorf("ratings: no match is against a fixed opponent or %s", anchor)
	}
	only := f.names
	if newest {
		only = f.names[last : last+1]
	}
	table, err := rating.Fit(f.names, f.pairings, rating.Options{Anchor: anchor, Only: only})
	if err != nil {
		return nil, err
	}
	r := used[len(used)-1].Result
	c := &Curve{
		Game: r.Game, GameVersion: r.GameVersion, Rules: r.Rules, Simulations: used[0].Simulations, MaxTurns: r.MaxTurns, Clock: r.Clock,
		Anchor: anchor, Networks: []Network{}, Opponents: []Opponent{}, LeftOut: len(list) - len(used), Seat: table.Seat,
	}
	for i, p := range table.Players {
		c.Games += p.Games
		switch g := f.generations[i]; {
		case newest && i != last:
		case g < 0:
			c.Opponents = append(c.Opponents, Opponent{Name: p.Name, Games: p.Games, Elo: p.Elo})
		default:
			c.Networks = append(c.Networks, Network{Generation: g, Learned: learned[g], Games: p.Games, Elo: p.Elo})
		}
	}
	for _, m := range table.Misfits {
		switch last {
		case m.A:
			c.Misfits = append(c.Misfits, Misfit{f.names[m.B], m.Score, m.Expected})
		case m.B:
			s := rating.Estimate{Value: 1 - m.Score.Value, Low: 1 - m.Score.High, High: 1 - m.Score.Low}
			c.Misfits = append(c.Misfits, Misfit{f.names[m.A], s, 1 - m.Expected})
		}
	}
	c.Games /= 2 // each was counted for both players
	slices.SortFunc(c.Networks, func(a, b Network) int { return a.Generation - b.Generation })
	return c, nil
}

// origin is the anchor that Curve describes; without fixed opponents the network that
// the run began with. Matches that repeat one in this list do not change it.
func origin(list []Match) string {
	name, narrowest, found := generationName(0), rating.Estimate{}, false
	newest := &list[len(list)-1]
	list = list[slices.IndexFunc(list, func(m Match) bool { return m.compares(newest) }):]
	seen := map[string]bool{}
	for i := range list {
		m := &list[i]
		if m.Opponent == "" || seen[m.Opponent] || !m.compares(newest) || m.Generation != list[0].Generation || m.Final != list[0].Final {
			continue
		}
		seen[m.Opponent] = true
		if e := m.Result.Elo; !found || tellsMore(e, narrowest) {
			name, narrowest, found = m.Opponent, e, true
		}
	}
	return name
}

// tellsMore compares two intervals of a difference: a narrow one tells more than a wide
// one, two ends more than one, a high lower end more than a low one.
func tellsMore(a, b rating.Estimate) bool {
	if x, y := a.High-a.Low, b.High-b.Low; !math.IsInf(x, 1) || !math.IsInf(y, 1) {
		return x < y
	}
	return a.Low > b.Low
}
