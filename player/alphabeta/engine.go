package alphabeta

import (
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
)

// Engine chooses in games of one ruleset. It owns its memory, some 10 MiB, and is
// used by one goroutine at a time.
type Engine struct {
	weights Weights
	eval    evaluator
	plain   bool // no reductions and no aspiration: the value of minimax
	table   table
	guide   Guide // nil for the engine as it is
	hist    *engine.History
	levels  []level
	list    []engine.Action // of the root
	// history counts, for each side and action, how often it refuted something.
	history [2][]int32

	root  engine.Player
	start int // turn of the root
	since int // entries of hist before the root's
	nodes int64
	stop  func() bool
	out   bool // time is up
}

type level struct {
	state   konreh.State
	actions []engine.Action
	scores  []int32
	killers [2]engine.Action
}

// New returns an engine for g that judges by Fitted.
func New(g *konreh.Game) *Engine { return NewWith(g, Fitted) }

// NewWith returns an engine for g that judges by w.
func NewWith(g *konreh.Game, w Weights) *Engine {
	e := &Engine{weights: w, hist: g.NewHistory(), levels: make([]level, maxLevels)}
	e.eval.init(g)
	room := g.Info().MaxLegal
	actions, scores := make([]engine.Action, maxLevels*room), make([]int32, maxLevels*room)
	for i := range e.levels {
		e.levels[i].actions = actions[i*room : i*room : (i+1)*room]
		e.levels[i].scores = scores[i*room : (i+1)*room]
	}
	e.list = make([]engine.Action, 0, room)
	for side := range e.history {
		e.history[side] = make([]int32, g.Info().NumActions)
	}
	return e
}

// NewGuided returns an engine for g that judges by Fitted and by guide, which it
// owns from then on.
func NewGuided(g *konreh.Game, guide Guide) *Engine {
	e := New(g)
	e.guide = guide
	return e
}

// NewGame forgets what was learned in the games before.
func (e *Engine) NewGame() {
	e.table.clear()
	for side := range e.history {
		clear(e.history[side])
	}
}

// Rest releases most of the memory until the next search, which knows nothing of the
// ones before.
func (e *Engine) Rest() { e.table.give() }

// Result is what a search found.
type Result struct {
	Action engine.Action
	// Value is in hundredths of a Red in the view of the player who decides; more
	// than 900,000 is a win and 1,000,000 less its distance in player turns.
	Value int32
	// Depth is the last one that was searched in full, in player turns; 0 with one
	// legal action.
	Depth int
	// Nodes is the number of positions looked at.
	Nodes int64
}

// Proven tells whether a value says that a win or loss is forced.
func Proven(value int32) bool { return value > judged || value < -judged }

// Search looks depth player turns ahead, at most MaxDepth, or less far if stop,
// which may be nil, says so or the result is certain earlier. s must be a
// player's decision and h what was played before, nil for nothing; list, its
// legal actions, decides by its order between actions that look alike. The
// result is a function of the arguments and of the searches since NewGame, if
// stop never says so. It does not allocate in steady state.
func (e *Engine) Search(s *konreh.State, h *engine.History, list []engine.Action, depth int, stop func() bool) Result {
	e.list = append(e.list[:0], list...)
	if len(list) == 1 {
		return Result{Action: list[0]}
	}
	if h == nil {
		e.hist.Clear()
	} else {
		e.hist.CopyFrom(h)
	}
	e.since = max(0, e.hist.Len()-1)
	e.root, e.start = s.Actor(), s.Turn()
	e.nodes, e.stop, e.out = 0, stop, false
	e.table.take()
	e.table.next()
	for i := range e.levels {
		e.levels[i].killers = [2]engine.Action{-1, -1}
	}
	for side := range e.history {
		for i := range e.history[side] {
			e.history[side][i] /= 8
		}
	}
	e.list = e.permitted(s, e.list, 0)
	r := Result{Action: e.list[0]}
	e.sortRoot(s)
	for d := 1; d <= min(depth, MaxDepth); d++ {
		value, done := e.deepen(s, d, r.Value)
		if done || value > -infinity {
			r.Action, r.Value = e.list[0], value
		}
		if !done {
			break
		}
		r.Depth = d
		if Proven(value) && win-max(value, -value) <= int32(d) {
			break
		}
	}
	r.Nodes = e.nodes
	return r
}

// sortRoot puts the loudest actions first, keeping the order of equals.
func (e *Engine) sortRoot(s *konreh.State) {
	l := &e.levels[0]
	e.score(s, l, e.list, -1)
	for i := 1; i < len(e.list); i++ {
		for j := i; j > 0 && l.scores[j] > l.scores[j-1]; j-- {
			l.scores[j], l.scores[j-1] = l.scores[j-1], l.scores[j]
			e.list[j], e.list[j-1] = e.list[j-1], e.list[j]
		}
	}
}

// deepen searches the root to depth d, first in a window around the value of the
// depth before, and leaves the best action first in e.list. done is false if it
// was stopped; the value is then that of the best action so far, or -infinity.
func (e *Engine) deepen(s *konreh.State, d int, guess int32) (value int32, done bool) {
	alpha, beta := -infinity, infinity
	width := int32(60)
	if d >= 4 && !e.plain && !Proven(guess) {
		alpha, beta = guess-width, guess+width
	}
	for {
		value = e.searchRoot(s, e.start+d, alpha, beta)
		switch {
		case e.out:
			return value, false
		case value <= alpha && alpha > -infinity:
			alpha = -infinity
		case value >= beta && beta < infinity:
			beta = infinity
		default:
			return value, true
		}
	}
}

func (e *Engine) searchRoot(s *konreh.State, last int, alpha, beta int32) int32 {
	l := &e.levels[0]
	best, mark := -infinity, e.hist.Len()
	for i, a := range e.list {
		l.state.CopyFrom(s)
		l.state.Apply(a, e.hist)
		bonus := e.bonus(s, &l.state, a)
		low := max(alpha, best)
		v := raised(e.scout(&l.state, e.root, last, 0, raised(low, -bonus), raised(beta, -bonus), 1, i > 0), bonus)
		e.hist.Truncate(mark)
		if e.out {
			return best
		}
		if v > best {
			best = v
			if v > alpha {
				copy(e.list[1:i+1], e.list[:i])
				e.list[0] = a
			}
		}
		if best >= beta {
			break
		}
	}
	return best
}
