// Package solve finds the value of positions of Connect Four under best play, and the
// number of moves to the end.
//
// The method follows Pons (Solving Connect Four, blog.gamesolver.org, 2016):
// bitboards, alpha-beta search with a null window moved by bisection, moves into
// an opponent's immediate win left out, moves ordered by the winning cells that
// they create and then from the centre, a transposition table. What differs: the
// table keeps both bounds of a position and its whole key in one word and
// prefers positions with few stones, and mirror images share a slot while few
// stones are on the board.
//
// The package has no clock and no source of random numbers. The value of a
// position does not depend on what was solved before or on the table's size; only
// the time to find it does.
package solve

import (
	"context"
	"math/bits"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
)

// DefaultTable is a table size in bytes that suffices for positions of 8 or more stones.
const DefaultTable = 64 << 20

// Score is the value of a position or a move for the player to move, on Pons's scale: 0 is
// a draw, above 0 a win, below 0 a loss. A win is 22 less the number of stones that the
// winner then has on the board, a loss the negative of that: 1 is a win with the
// player's last stone, and higher scores are quicker wins.
type Score int8

// Outcome is 1 for a win, 0 for a draw, -1 for a loss.
func (s Score) Outcome() int {
	switch {
	case s > 0:
		return 1
	case s < 0:
		return -1
	}
	return 0
}

// Moves is the number of stones still to be played in a position of that score and that
// many stones, including the winning one; to the full board if it is a draw.
func (s Score) Moves(stones int) int {
	switch {
	case s > 0: // the mover wins: their next stone is their number stones/2 + 1
		return 2*(scoreBias-int(s)-stones/2) - 1
	case s < 0: // the opponent's next stone is their number (stones+1)/2 + 1
		return 2 * (scoreBias + int(s) - (stones+1)/2)
	}
	return cells - stones
}

// Columns is the number of columns; the first has index 0.
const Columns = cols

// Full marks, in Scores, a column that has no room.
const Full Score = -128

// mirrored is the number of stones below which mirror images share a slot of the table:
// with more, hardly any position occurs in both forms.
const mirrored = 14

// nodesPerCheck is the number of positions between checks of the context: a few
// milliseconds.
const nodesPerCheck = 1 << 15

// Solver solves positions, one at a time. It is not safe for concurrent use.
type Solver struct {
	table   table
	nodes   uint64
	ctx     context.Context
	stopped bool
}

// New returns a solver whose table takes at most size bytes, or 32 if that is
// more.
func New(size int) *Solver { return &Solver{table: newTable(size)} }

// Nodes is the number of positions searched since New.
func (v *Solver) Nodes() uint64 { return v.nodes }

// Scores returns the value of every column of s for the player to move, or Full. A
// finished game has Full everywhere. It returns the cause of ctx if that ends first.
func (v *Solver) Scores(ctx context.Context, s *connect4.State) ([Columns]Score, error) {
	return v.columns(ctx, s, v.score)
}

// Outcomes is Scores, but only says whether a column wins (1), draws (0) or loses (-1),
// which takes a fraction of the time.
func (v *Solver) Outcomes(ctx context.Context, s *connect4.State) ([Columns]Score, error) {
	list, err := v.columns(ctx, s, v.outcome)
	for i, x := range list {
		if x != Full {
			list[i] = Score(x.Outcome())
		}
	}
	return list, err
}

func (v *Solver) score(p position) int   { return v.solve(p, -bound(p.stones), bound(p.stones)) }
func (v *Solver) outcome(p position) int { return v.solve(p, -1, 1) }

// Best is the score of s itself: the highest of its columns. One of them must
// have room.
func Best(columns [Columns]Score) Score {
	best := Full
	for _, x := range columns {
		best = max(best, x)
	}
	return best
}

// columns evaluates every move of s, using value for positions in which the mover cannot
// win at once and the board is not full.
func (v *Solver) columns(ctx context.Context, s *connect4.State, value func(position) int) ([Columns]Score, error) {
	var list [Columns]Score
	for i := range list {
		list[i] = Full
	}
	if s.Actor() == engine.Nobody {
		return list, nil
	}
	v.ctx, v.stopped = ctx, ctx.Err() != nil
	p := of(s)
	wins := p.wins()
	for _, c := range centreFirst {
		move := p.open() & (column << (stride * c))
		switch {
		case move == 0:
		case move&wins != 0:
			list[c] = Score(quickest(p.stones))
		default:
			list[c] = Score(-v.value(p.play(move), value))
		}
		if v.stopped {
			return list, context.Cause(ctx)
		}
	}
	return list, nil
}

// value is the value of p if it is known without a search, else value(p).
func (v *Solver) value(p position, value func(position) int) int {
	switch {
	case p.stones == cells:
		return 0
	case p.wins() != 0:
		return quickest(p.stones)
	}
	return value(p)
}

func of(s *connect4.State) position {
	own, other := s.Stones()
	p := position{own: own, taken: own | other, stones: s.Turn()}
	if s.Actor() == engine.Second {
		p.own = other
	}
	return p
}

// centreFirst are the columns in the order in which moves of equal promise are
// tried: lines of four cross the centre most often.
var centreFirst = [cols]int{3, 2, 4, 1, 5, 0, 6}

// quickest is the score of winning with the next stone, when that many are
// played.
func quickest(stones int) int { return scoreBias - 1 - stones/2 }

// bound is the highest score that either player can reach when that many stones are
// played and the mover cannot win with the next.
func bound(stones int) int { return scoreBias - 1 - (stones+1)/2 }

// solve is the score of p within [low, high]: where the score is outside, the
// nearer end or a value beyond it. The mover must not be able to win at once.
func (v *Solver) solve(p position, low, high int) int {
	threats := p.threats()
	for low < high && !v.stopped {
		// Halfway, but nearer to zero at first: deep searches find quick wins and
		// losses anyway, and most positions have neither.
		mid := low + (high-low)/2
		if mid <= 0 && low/2 < mid {
			mid = low / 2
		} else if mid >= 0 && high/2 > mid {
			mid = high / 2
		}
		if r := v.search(p, threats, mid); r <= mid {
			high = r
		} else {
			low = r
		}
	}
	return low
}

// search returns a bound of the score of p: an upper one if it is at most alpha,
// a lower one if it is greater. threats are p's. The mover must not be able to win
// at once. What it returns means nothing once v.stopped is set.
func (v *Solver) search(p position, threats uint64, alpha int) int {
	if v.nodes++; v.nodes%nodesPerCheck == 0 && v.ctx.Err() != nil {
		v.stopped = true
	}
	if v.stopped {
		return 0
	}
	moves := p.safe(threats)
	if moves == 0 {
		if p.stones >= cells {
			return 0
		}
		return -quickest(p.stones + 1) // the opponent wins with the next stone
	}
	if p.stones >= cells-2 {
		return 0 // neither of the last two stones wins
	}
	// Neither wins with the next two stones.
	low, high := -quickest(p.stones+3), quickest(p.stones+2)
	if low > alpha {
		return low
	}
	if high <= alpha {
		return high
	}
	key := p.key()
	if p.stones < mirrored {
		key = min(key, mirror(key))
	}
	if l, h, ok := v.table.get(key); ok {
		if l > alpha {
			return l
		}
		if h <= alpha {
			return h
		}
		low, high = max(low, l), min(high, h)
	}
	best := low
	var order queue
	order.fill(p, moves)
	for i := range order.count {
		m := &order.moves[i]
		r := -v.search(p.play(m.cell), m.threats, -alpha-1)
		if v.stopped {
			return 0
		}
		if r > alpha {
			v.table.put(key, r, high)
			return r
		}
		best = max(best, r)
	}
	// Every move fails low, and so no value is above the best of their bounds.
	v.table.put(key, low, best)
	return best
}

// queue is a list of moves, those first that threaten to complete most lines.
type queue struct {
	moves [cols]candidate
	count int
}

type candidate struct {
	cell    uint64
	threats uint64 // of the mover, after the move
	rank    int
}

func (q *queue) fill(p position, moves uint64) {
	for _, c := range centreFirst {
		cell := moves & (column << (stride * c))
		if cell == 0 {
			continue
		}
		m := candidate{cell: cell, threats: connect4.Lines(p.own|cell, p.taken|cell)}
		m.rank = bits.OnesCount64(m.threats)
		i := q.count
		for ; i > 0 && q.moves[i-1].rank < m.rank; i-- {
			q.moves[i] = q.moves[i-1]
		}
		q.moves[i] = m
		q.count++
	}
}

// Choice reports whether the columns of a position differ in value, so that the move
// matters.
func Choice(columns [Columns]Score) bool {
	best := Best(columns).Outcome()
	for _, x := range columns {
		if x != Full && x.Outcome() < best {
			return true
		}
	}
	return false
}

// Tactical reports whether either player could complete a line with the next stone,
// if it were theirs. If so, it returns a column that keeps the value of s without
// a search: one that wins, or else one that blocks the opponent.
func Tactical(s *connect4.State) (column engine.Action, ok bool) {
	p := of(s)
	cells := p.wins()
	if cells == 0 {
		cells = p.threats() & p.open()
	}
	return engine.Action(bits.TrailingZeros64(cells) / stride), cells != 0
}
