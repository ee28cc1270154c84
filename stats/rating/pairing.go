package rating

import (
	"errors"
	"fmt"
	"slices"
)

// Pairing is all games between two players, in A's view. Results are counted in
// half points: 0 a loss, 1 a draw, 2 a win.
type Pairing struct {
	// A and B are numbers of players, from 0; different.
	A int `json:"a"`
	B int `json:"b"`
	// Pairs[i][j] counts pairs of games of one opening in which A made i half
	// points moving first and j moving second.
	Pairs [3][3]int `json:"pairs"`
	// AFirst and BFirst count games without a partner by A's half points and by
	// who moved first.
	AFirst [3]int `json:"a_first"`
	BFirst [3]int `json:"b_first"`
	// Repeated is how many of the pairs repeat an earlier one move by move. They
	// are in the score, but all pairs then count for as much evidence as those
	// that are new.
	Repeated int `json:"repeated"`
	// Opened, if not nil, has each of the pairs with its opening. It is for
	// tournaments in which several pairings play the same openings: pairs of one
	// opening may depend on each other whoever plays them.
	Opened []OpenedPair `json:"-"`
}

// OpenedPair is a pair of games of which the opening is known.
type OpenedPair struct {
	// Opening is the number of the opening, from 0: the same in every pairing.
	Opening int
	// First and Second are A's half points moving first and moving second.
	First, Second int
}

// PairCounts counts the pairs by A's half points in them.
func (p *Pairing) PairCounts() PairCounts {
	var c PairCounts
	for i, row := range p.Pairs {
		for j, n := range row {
			c[i+j] += n
		}
	}
	return c
}

// points returns A's points and the number of games.
func (p *Pairing) points() (points float64, games int) {
	for i, row := range p.Pairs {
		for j, n := range row {
			points += float64(i+j) / 2 * float64(n)
			games += 2 * n
		}
		n := p.AFirst[i] + p.BFirst[i]
		points += float64(i) / 2 * float64(n)
		games += n
	}
	return points, games
}

// check reports every fault of the data.
func check(players int, pairings []Pairing) error {
	var errs []error
	seen := map[[2]int]bool{}
	for k := range pairings {
		p := &pairings[k]
		fault := func(format string, args ...any) {
			errs = append(errs, fmt.Errorf("pairing %d: %s", k, fmt.Sprintf(format, args...)))
		}
		if min(p.A, p.B) < 0 || max(p.A, p.B) >= players || p.A == p.B {
			fault("players %d and %d: want two of 0 to %d", p.A, p.B, players-1)
			continue
		}
		key := [2]int{min(p.A, p.B), max(p.A, p.B)}
		if seen[key] {
			fault("players %d and %d have a pairing already", p.A, p.B)
		}
		seen[key] = true
		least := 0
		for i := range 3 {
			least = min(least, p.AFirst[i], p.BFirst[i], p.Pairs[i][0], p.Pairs[i][1], p.Pairs[i][2])
		}
		if least < 0 {
			fault("a count of %d", least)
		}
		if p.Opened != nil && p.opened() != p.Pairs {
			fault("the pairs with openings are not the pairs counted")
		}
		if pairs := p.PairCounts().Pairs(); p.Repeated < 0 || p.Repeated > 0 && p.Repeated >= pairs {
			fault("repeated=%d of %d pairs: want fewer than all, none less than 0", p.Repeated, pairs)
		}
	}
	return errors.Join(errs...)
}

// opened counts the pairs of Opened. An opening or a result that cannot be makes
// the count differ from every possible one.
func (p *Pairing) opened() (pairs [3][3]int) {
	for _, o := range p.Opened {
		if o.Opening < 0 || min(o.First, o.Second) < 0 || max(o.First, o.Second) > 2 {
			return [3][3]int{{-1}}
		}
		pairs[o.First][o.Second]++
	}
	return pairs
}

// cluster is a number of pairs, or of games without a partner, with equal results. The
// games of a pair may depend on each other and on those of clusters with the same
// opening, and on nothing else.
type cluster struct {
	a, b int
	// first and second are a's half points as first and as second; -1: no game.
	first, second int
	count         float64 // of pairs or games
	weight        float64 // what they count for as evidence
	opening       int     // ownOpening: every pair has one of its own
	guard         bool    // see guarded
}

const ownOpening = -1

// games calls see for each game with the player who moves first, the other, and the
// half points of the first.
func (c *cluster) games(see func(first, second, half int)) {
	if c.first >= 0 {
		see(c.a, c.b, c.first)
	}
	if c.second >= 0 {
		see(c.b, c.a, 2-c.second)
	}
}

// clusters lists the games of the pairings; repeated pairs reduce the weight of all.
func clusters(pairings []Pairing) []cluster {
	var list []cluster
	add := func(p *Pairing, first, second, n int, scale float64, opening int) {
		if n > 0 {
			list = append(list, cluster{a: p.A, b: p.B, first: first, second: second, count: float64(n), weight: float64(n) * scale, opening: opening})
		}
	}
	for k := range pairings {
		p := &pairings[k]
		scale := 1.0
		if pairs := p.PairCounts().Pairs(); pairs > 0 {
			scale = float64(pairs-p.Repeated) / float64(pairs)
		}
		for _, o := range p.Opened {
			add(p, o.First, o.Second, 1, scale, o.Opening)
		}
		for i := range 3 {
			for j := range 3 {
				if p.Opened == nil {
					add(p, i, j, p.Pairs[i][j], scale, ownOpening)
				}
			}
			add(p, i, -1, p.AFirst[i], 1, ownOpening)
			add(p, -1, i, p.BFirst[i], 1, ownOpening)
		}
	}
	return list
}

// sharing lists the clusters of each opening that has some, by their places in list.
func sharing(list []cluster) map[int][]int {
	of := map[int][]int{}
	for i := range list {
		if o := list[i].opening; o != ownOpening {
			of[o] = append(of[o], i)
		}
	}
	return of
}

// guarded adds to each pairing a fraction of a pair of two independent, decisive and
// even games, so that each player has one more pair in total. They are used for
// errors only, where they stand for results that happened not to occur.
func guarded(list []cluster, players int) []cluster {
	of := make([]float64, players)
	for _, c := range list {
		of[c.a] += c.weight
		of[c.b] += c.weight
	}
	out := slices.Clone(list)
	for i := 0; i < len(list); {
		a, b, n := list[i].a, list[i].b, 0.0
		for ; i < len(list) && list[i].a == a && list[i].b == b; i++ {
			n += list[i].weight
		}
		w := 2 * n / (of[a] + of[b])
		for _, first := range []int{0, 2} {
			for _, second := range []int{0, 2} {
				out = append(out, cluster{a: a, b: b, first: first, second: second, count: w / 4, weight: w / 4, opening: ownOpening, guard: true})
			}
		}
	}
	return out
}

// cell is all games of one pairing with the same player moving first, by the
// half points of the player who moves first.
type cell struct {
	first, second int
	n             [3]float64
}

func (c *cell) games() float64 { return c.n[0] + c.n[1] + c.n[2] }

// cells adds up clusters by who moves first, whatever games belong together.
func cells(list []cluster) []cell {
	var out []cell
	for i := 0; i < len(list); {
		a, b := list[i].a, list[i].b
		out = append(out, cell{first: a, second: b}, cell{first: b, second: a})
		both := out[len(out)-2:]
		for ; i < len(list) && list[i].a == a && list[i].b == b; i++ {
			list[i].games(func(first, _, half int) {
				k := 0
				if first == b {
					k = 1
				}
				both[k].n[half] += list[i].weight
			})
		}
	}
	return out
}
