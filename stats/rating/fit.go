package rating

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/ludozero/ludozero/stats/interval"
)

// Options say how ratings are presented and what is known beforehand. The zero
// value rates relative to the mean and estimates everything.
type Options struct {
	// Anchor names the player whose rating is AnchorElo; empty puts the mean of
	// the players of Table.Group there.
	Anchor    string
	AnchorElo float64
	// Seat, if not nil, is the advantage of moving first in Elo. It is estimated
	// otherwise.
	Seat *float64
	// Only, if not nil, names the players whose ratings are wanted. Those of the
	// others stay unknown and Table.Differences empty, which saves most of the work
	// with many players.
	Only []string
}

// Table holds the ratings of players and how they compare.
type Table struct {
	Players []Player `json:"players"`
	// Anchor and AnchorElo are the origin of the ratings; see Options.
	Anchor    string  `json:"anchor,omitempty"`
	AnchorElo float64 `json:"anchor_elo"`
	// Group are the players, by number, whose ratings are finite: the anchor's group, or else of the largest group in which everybody has taken
	// points, directly or through others, off everybody else.
	Group []int `json:"group"`
	// Seat is the advantage of moving first in Elo, at which equal players score
	// ScoreOf(Seat) moving first. SeatFixed says that it was given.
	Seat      Estimate `json:"seat"`
	SeatFixed bool     `json:"seat_fixed"`
	// Draws is the share of draws between equal players, seats aside.
	Draws Estimate `json:"draws"`
	// Covariance of the ratings of Group, in its order, in Elo squared, with results
	// that depend on each other within pairs.
	Covariance [][]float64 `json:"covariance"`
	// Differences between all players, (0,1), (0,2), … (1,2), …
	Differences []Difference `json:"differences"`
	Pairings    []Pairing    `json:"pairings"`
	// Misfits are the pairings whose own games do not agree with the ratings, the
	// worst first.
	Misfits []Misfit `json:"misfits,omitempty"`
}

// Player is a row of the table.
type Player struct {
	Name   string  `json:"name"`
	Games  int     `json:"games"`
	Points float64 `json:"points"`
	// Elo is the rating with its 95 % interval. It is infinite if no finite one
	// is the most likely, and not a number if games do not say whether it is above
	// or below the group's.
	Elo Estimate `json:"elo"`
}

// Difference compares two players, by number.
type Difference struct {
	A int `json:"a"`
	B int `json:"b"`
	// Elo is A's rating less B's. Infinite and unknown ends are as in Player.
	Elo Estimate `json:"elo"`
	// Ahead is the probability that A is stronger than B; nil if games do not
	// connect them.
	Ahead *float64 `json:"ahead"`
}

// Fit rates players by maximum likelihood. Player i is called names[i];
// names must differ.
//
// The model: player i moving first against j makes on average
//
//	p = 1/(1 + 10^(-(R(i) - R(j) + S)/400))
//
// points, with R the ratings and S the advantage of moving first, and draws with
// a probability of nu·sqrt(P(win)·P(loss)) after Davidson; see law. Ratings, S
// and nu are where the likelihood of all games is largest, found by Fisher
// scoring; two phantom games between equal players, one won by each seat, keep S
// finite, and half a decisive one nu.
//
// The games of an opening are not independent: neither the two of a pair nor, where
// pairings share openings (Pairing.Opened), those of different players. The law of
// draws may be wrong, too. Therefore the likelihood alone does not give the errors:
// with H its information and M the sum over openings of the outer products of their
// scores (derivatives of the log-likelihood), the covariance is the sandwich
// H⁻¹·M·H⁻¹ (Huber 1967; Liang and Zeger 1986).
//
// An interval of a difference holds the values psi that a score test (Rao 1948)
// does not reject: with all else fitted anew under the constraint,
//
//	|lambda|·sqrt(c'·H⁻¹·c / phi) <= t
//
// where lambda is the constraint's Lagrange multiplier, c its coefficients, phi
// the ratio of sandwich to model variance of the difference, and t Student's
// 97.5 % point. For two players this is Wilson's interval. It needs no finite
// estimate and remains valid at 100 %, where it says how small the difference
// can be. So that pairs which happen to be alike do not count as proof, phi is
// computed with one pair more for each player, of two independent decisive games
// between equals; the degrees of freedom of t are Satterthwaite's.
func Fit(names []string, pairings []Pairing, opt Options) (*Table, error) {
	if err := check(len(names), pairings); err != nil {
		return nil, fmt.Errorf("ratings: %w", err)
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return nil, fmt.Errorf("ratings: two players are called %q", name)
		}
	}
	anchor := slices.Index(names, opt.Anchor)
	if opt.Anchor != "" && anchor < 0 {
		return nil, fmt.Errorf("ratings: anchor=%s: no such player", opt.Anchor)
	}
	for _, name := range opt.Only {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("ratings: only=%s: no such player", name)
		}
	}
	f := newFit(len(names), clusters(pairings), opt.Seat)
	if err := f.estimate(); err != nil {
		return nil, fmt.Errorf("ratings: %w", err)
	}
	t := &Table{Anchor: opt.Anchor, AnchorElo: opt.AnchorElo, SeatFixed: opt.Seat != nil, Pairings: slices.Clone(pairings)}
	for k := range t.Pairings {
		t.Pairings[k].Opened = nil // the table keeps the counts
	}
	t.Group = f.largest()
	origin := t.Group
	if anchor >= 0 {
		t.Group, origin = f.reach.group(anchor), []int{anchor}
	}
	for i, name := range names {
		if opt.Only != nil && !slices.Contains(opt.Only, name) {
			t.Players = append(t.Players, Player{Name: name, Elo: Estimate{math.NaN(), math.Inf(-1), math.Inf(1)}})
			continue
		}
		e, _, err := f.interval(f.contrast([]int{i}, origin))
		if err != nil {
			return nil, fmt.Errorf("ratings: %s: %w", name, err)
		}
		t.Players = append(t.Players, Player{Name: name, Elo: Estimate{e.Value + opt.AnchorElo, e.Low + opt.AnchorElo, e.High + opt.AnchorElo}})
	}
	for k := range pairings {
		p := &pairings[k]
		points, games := p.points()
		t.Players[p.A].Games += games
		t.Players[p.B].Games += games
		t.Players[p.A].Points += points
		t.Players[p.B].Points += float64(games) - points
	}
	for i := range names {
		for j := i + 1; j < len(names) && opt.Only == nil; j++ {
			e, ahead, err := f.interval(f.contrast([]int{i}, []int{j}))
			if err != nil {
				return nil, fmt.Errorf("ratings: %s and %s: %w", names[i], names[j], err)
			}
			d := Difference{A: i, B: j, Elo: e}
			if !math.IsNaN(ahead) {
				d.Ahead = &ahead
			}
			t.Differences = append(t.Differences, d)
		}
	}
	var err error
	if t.Seat, err = f.seatInterval(); err != nil {
		return nil, fmt.Errorf("ratings: advantage of moving first: %w", err)
	}
	t.Draws = f.draws()
	t.Covariance = f.covariance(t.Group, origin)
	t.Misfits = f.misfits(pairings)
	return t, nil
}

// fit holds the games and the intermediate results of Fit.
type fit struct {
	players  int
	fixed    bool
	seat     float64 // if fixed, in logits
	clusters []cluster
	cells    []cell
	reach    reach
	best     *problem
	at       *point // the maximum, differences within groups only
	guarded  *point // the maximum for the guarded games
	model    *problem
	all      []cluster // with those that guard
	sandwich matrix    // of the guarded games: H⁻¹·M·H⁻¹
}

func newFit(players int, list []cluster, seat *float64) *fit {
	f := &fit{players: players, clusters: list, cells: cells(list)}
	if seat != nil {
		f.fixed, f.seat = true, *seat*logit
	}
	f.reach = newReach(players, f.cells)
	return f
}

// largest is the group with the most players, of equal ones the one with the
// lowest number.
func (f *fit) largest() []int {
	var best []int
	for i := range f.players {
		if g := f.reach.group(i); len(g) > len(best) {
			best = g
		}
	}
	return best
}

// estimate fits the games within groups, where differences are finite, and the
// guarded games, which give the errors.
func (f *fit) estimate() error {
	// Games between groups are certain in the limit and say no more.
	var inside []cell
	drawn, games := 0.0, 0.0
	for _, c := range f.cells {
		if f.reach[c.first][c.second] && f.reach[c.second][c.first] {
			inside = append(inside, c)
			drawn += c.n[1]
			games += c.games()
		}
	}
	f.best = f.problem(inside, f.reach.groups())
	f.at = &point{x: make([]float64, f.players+1)}
	if drawn > 0 {
		f.at.nu = 2 * drawn / (games - drawn + decisive)
	}
	if err := f.best.maximiseDraws(f.at); err != nil {
		return err
	}

	list := guarded(f.clusters, f.players)
	all := cells(list)
	f.model = f.problem(all, newReach(f.players, all).groups())
	f.guarded = &point{x: slices.Clone(f.at.x), nu: f.at.nu}
	if err := f.model.maximiseDraws(f.guarded); err != nil {
		return err
	}
	f.all = list
	f.sandwich = f.model.sandwich(f.guarded, list)
	return nil
}

// sandwich is H⁻¹·M·H⁻¹ of the clusters at q.
func (p *problem) sandwich(q *point, list []cluster) matrix {
	n := len(q.x)
	meat, score := newMatrix(n), make([]float64, n)
	for i := range list {
		c := &list[i]
		if c.opening != ownOpening {
			continue
		}
		clear(score)
		p.addScore(score, q, c, 1)
		for _, i := range []int{0, c.a + 1, c.b + 1} {
			for _, j := range []int{0, c.a + 1, c.b + 1} {
				meat.add(i, j, c.weight*score[i]*score[j])
			}
		}
	}
	shared := sharing(list)
	for _, opening := range slices.Sorted(maps.Keys(shared)) {
		clear(score)
		for _, i := range shared[opening] {
			c := &list[i]
			p.addScore(score, q, c, math.Sqrt(c.count*c.weight))
		}
		for i := range score {
			for j := range score {
				meat.add(i, j, score[i]*score[j])
			}
		}
	}
	if !p.fixed {
		l := newLaw(q.x[0], 0)
		meat.add(0, 0, phantom*l.pq)
	}
	out, row := newMatrix(n), make([]float64, n)
	for i := range n {
		// Row i of H⁻¹·M; both are symmetric.
		meat.times(row, q.inverse.a[i*n:(i+1)*n])
		for j := range n {
			out.a[i*n+j] = dot(row, q.inverse.a[j*n:(j+1)*n])
		}
	}
	return out
}

// addScore adds the derivatives of the log-likelihood of one result of c, times
// scale.
func (p *problem) addScore(score []float64, q *point, c *cluster, scale float64) {
	c.games(func(first, second, half int) {
		l := newLaw(q.x[first+1]-q.x[second+1]+q.x[0], q.nu)
		g := (float64(half)/2 - l.p) * l.weight() * scale
		score[first+1] += g
		score[second+1] -= g
		if !p.fixed {
			score[0] += g
		}
	})
}

// contrast is the mean of the players in plus minus the mean of those in minus, by
// unknown.
func (f *fit) contrast(plus, minus []int) []float64 {
	c := make([]float64, f.players+1)
	for _, i := range plus {
		c[i+1] += 1 / float64(len(plus))
	}
	for _, i := range minus {
		c[i+1] -= 1 / float64(len(minus))
	}
	return c
}

// draws estimates the share of draws between equal players. Its interval is Wilson's,
// for the number of games between equals that carries the same information.
func (f *fit) draws() Estimate {
	share := f.at.nu / (2 + f.at.nu)
	var games float64
	if f.at.nu > 0 {
		games = f.at.drawInfo / (share * (1 - share))
	} else {
		for i := range f.best.cells {
			c := &f.best.cells[i]
			l := newLaw(difference(c, f.at.x), 0)
			games += (c.n[0] + c.n[2]) * 2 * math.Sqrt(l.win*l.loss)
		}
	}
	if games == 0 {
		return Estimate{0, 0, 1}
	}
	low, high := interval.Wilson(share, games, interval.Normal95)
	return Estimate{share, low, high}
}

// covariance returns the covariance of a group's ratings relative to the mean of the
// players in origin, in Elo squared.
func (f *fit) covariance(group, origin []int) [][]float64 {
	s := f.best.sandwich(f.at, f.clustersOf(group))
	out := make([][]float64, len(group))
	for i := range out {
		out[i] = make([]float64, len(group))
		ci := f.contrast([]int{group[i]}, origin)
		row := make([]float64, len(ci))
		s.times(row, ci)
		for j := range out[i] {
			out[i][j] = dot(row, f.contrast([]int{group[j]}, origin)) / (logit * logit)
		}
	}
	return out
}

func (f *fit) clustersOf(group []int) []cluster {
	var out []cluster
	for _, c := range f.clusters {
		if slices.Contains(group, c.a) && slices.Contains(group, c.b) {
			out = append(out, c)
		}
	}
	return out
}
