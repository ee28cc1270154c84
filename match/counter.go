package match

import (
	"crypto/sha256"

	"github.com/ludozero/ludozero/stats/rating"
)

// Counter counts the games of a series as evidence: pairs by their points, for
// each two contestants that meet.
//
// A pair that repeats an earlier one of the same two contestants move by move in
// both games, and a match of players that do not vary is full of them, tells
// nothing new. It stays in the score, since how often a game comes up is part of
// how the players play; but all pairs of the two then count only as much evidence
// as their different pairs. See rating.Pairing.
type Counter struct {
	series   *Series
	pairings []rating.Pairing
	index    map[[2]int]int // of pairings, by the pair's contestants
	half     *Game          // a copy of the first game of a pair whose second is still to come
	games    map[gameKey]bool
	pairs    map[pairKey]bool
	opened   map[[2]int]int // pairs so far by pairing and opening
	repeated int
}

// played sums up games of a series.
type played struct {
	counter  *Counter
	openings map[int]bool // used
	reasons  map[string]int
	turns    float64   // mean of a game
	efforts  []*Effort // by contestant; nil if time is no limit
}

// sum counts whole pairs: the first games of the schedule in order, at least one pair.
func (s *Series) sum(games []Game) played {
	p := played{NewCounter(s), map[int]bool{}, map[string]int{}, 0, make([]*Effort, len(s.Contestants))}
	turns := 0
	for i := range games {
		g := &games[i]
		pair := s.Schedule[g.Pair-1]
		p.counter.Add(g)
		p.openings[pair.Opening] = true
		p.reasons[g.Reason]++
		turns += g.Turns
		p.efforts[pair.A], p.efforts[pair.B] = p.efforts[pair.A].plus(g.AEffort), p.efforts[pair.B].plus(g.BEffort)
	}
	p.turns = float64(turns) / float64(len(games))
	return p
}

// pairKey is what makes a pair a repetition.
type pairKey struct {
	pairing       int
	first, second gameKey // of the games with the pairing's A first and second
}

// gameKey stands for all decisions of a game: their SHA-256, which takes less room
// than they do in a long series.
type gameKey [sha256.Size]byte

// NewCounter returns a counter of the games of s with nothing counted.
func NewCounter(s *Series) *Counter {
	return &Counter{series: s, index: map[[2]int]int{}, games: map[gameKey]bool{}, pairs: map[pairKey]bool{}, opened: map[[2]int]int{}}
}

// Add counts the next game in the order of the schedule. A pair counts with its
// second game. It reports whether g completed one.
func (c *Counter) Add(g *Game) (whole bool) {
	this := g.key()
	if c.games[this] {
		c.repeated++
	}
	c.games[this] = true
	if c.half == nil {
		half := *g
		c.half = &half
		return false
	}
	first := c.half
	c.half = nil
	pair := c.series.Schedule[g.Pair-1]
	n := c.of(pair)
	p := &c.pairings[n]
	i, j := int(2*first.Points), int(2*g.Points) // of A, moving first and second
	key := pairKey{n, first.key(), this}
	if p.A != pair.A {
		// The schedule names the two the other way round this time.
		i, j = 2-j, 2-i
		key.first, key.second = key.second, key.first
	}
	p.Pairs[i][j]++
	// An opening that these two play again is another one: pairs depend on each other
	// across pairings that share an opening, not on those that the same two have played.
	begun := [2]int{n, pair.Opening}
	p.Opened = append(p.Opened, rating.OpenedPair{Opening: pair.Opening + c.opened[begun]*len(c.series.Schedule), First: i, Second: j})
	c.opened[begun]++
	if c.pairs[key] {
		p.Repeated++
	}
	c.pairs[key] = true
	return true
}

// key is all that distinguishes the game for its players.
func (g *Game) key() gameKey { return sha256.Sum256([]byte(g.Start + "\n" + g.Moves)) }

// of is the index of the pairing of a pair's contestants.
func (c *Counter) of(pair Pair) int {
	for _, key := range [][2]int{{pair.A, pair.B}, {pair.B, pair.A}} {
		if i, ok := c.index[key]; ok {
			return i
		}
	}
	c.index[[2]int{pair.A, pair.B}] = len(c.pairings)
	c.pairings = append(c.pairings, rating.Pairing{A: pair.A, B: pair.B})
	return len(c.pairings) - 1
}

// Pairings are the results so far of each two contestants that have met, in the
// order of their first pairs: what rating.Fit reads. A is the one whom the
// schedule names first in the first pair of the two. The slice is the counter's
// own and changes with the next game.
func (c *Counter) Pairings() []rating.Pairing { return c.pairings }

// RepeatedGames counts games that repeat an earlier game of the series move by
// move, by any players.
func (c *Counter) RepeatedGames() int { return c.repeated }

// Independent is the number of pairs of the two contestants of p that are no
// repetitions: what rating.PairCounts.Score and sprt.Test.State ask for.
func Independent(p *rating.Pairing) int { return p.PairCounts().Pairs() - p.Repeated }
